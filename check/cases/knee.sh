#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The front command.
. check/golden.sh

knee=$O/knee

expect "help" 0 "$knee" help
cp "$WORK/out" "$WORK/help"
expect "--help" 0 "$knee" --help
cmp -s "$WORK/out" "$WORK/help" && pass "--help is help" || fail "--help is help" "they differ"
for program in "$O"/libexec/knee-*; do
	name=${program##*/knee-}
	grep -q "^  $name " "$WORK/help" && pass "help names $name" || fail "help names $name" "no"
	expect "help $name" 0 "$knee" help "$name"
	grep -q "knee $name" "$WORK/out" && pass "usage of $name" ||
		fail "usage of $name" "$(head -n 1 "$WORK/out")"
done

expect "--version" 0 "$knee" --version
[ "$(cat "$WORK/out")" = "knee $(cat "$O/version")" ] && pass "the version" ||
	fail "the version" "$(cat "$WORK/out")"

error "no command" 2 "knee help" "$knee"
error "an unknown command" 2 "near it: summary" "$knee" sumary
error "help for an unknown command" 2 "near it: plot" "$knee" help plto
error "a message is headed by the command" 2 "knee summary: " "$knee" summary "$WORK/nowhere"

# The programs are found beside the real file, whatever leads to it.
ln -s "$(cd "$O" && pwd)/knee" "$WORK/k"
expect "by a symbolic link" 0 "$WORK/k" summary check/fixtures/runs/plain
mkdir "$WORK/alone"
cp "$knee" "$WORK/alone/knee"
error "without its programs" 3 "libexec/knee-summary" "$WORK/alone/knee" summary x

finish
