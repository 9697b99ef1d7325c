#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every testcase, in both modes: measures, ends in time, leaves nothing.
. "$KNEE_SRC/check/lib.sh"

window='-s 0.05 --warmup 0.02 --warmup-max 0.04'

# What a cell may take beyond its warm-up and window; a testcase that prepares in its tasks says so.
prepares() { # TESTCASE
	"$tests/$1" --describe | jq -e .prepares >/dev/null && echo 60000 || echo 3000
}

ends_in_time() { # TESTCASE MODE
	local most
	most=$(prepares "$1")
	# shellcheck disable=SC2086 # words
	run "$tests/$1_$2" -t 8 $window
	[ "$status" -ne 3 ] || skip "$(cat "$work/err")"
	expect_status 0
	expect_only_notes
	[ "$ms" -lt $((most + 100)) ] || fail "it took $ms ms"
	expect_out '^average:[0-9]+$'
	# It has measured, or says that it has not.
	grep -q 'average:[1-9]' "$work/out" || expect_err 'starved: 8 of 8 tasks'
}

# The C library's own locks are taken by a thread that is killed: twenty times out of twenty.
malloc_ends() {
	local i
	for i in {1..20}; do
		# shellcheck disable=SC2086 # words
		run "$tests/malloc1_threads" -t 8 $window
		expect_status 0
		[ "$ms" -lt 3100 ] || fail "it took $ms ms"
	done
}

# All in one sweep.
sweep() {
	local nr
	nr=$("$runtest" --list --json | jq '[.[].modes | length] | add')
	run "$runtest" -t 2 -r 1 --duration 0.05 --warmup 0.02 -o run '*'
	[ "$status" -eq 0 ] || fail "exit status $status"
	expect_equal 'records with figures, and what is skipped' "$(jq -s "[.[] |
		select(.status == \"ok\" or .status == \"skipped\") | .cell.id] | unique | length" \
		run/records.jsonl)" "$nr"
}

if [ "$KNEE_FIRST" != 1 ]; then
	it 'every testcase in a sweep' sweep
	exit
fi
for testcase in $("$runtest" --list --json | jq -r '.[] | [.name, (.modes | join(","))] | join(":")'); do
	modes=${testcase#*:}
	for mode in ${modes//,/ }; do
		it "${testcase%:*}, $mode" ends_in_time "${testcase%:*}" "$mode"
	done
done
it 'malloc1 in threads ends, twenty times' malloc_ends
