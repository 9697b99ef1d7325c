# SPDX-License-Identifier: GPL-2.0-or-later
# For the files in check/cases/ that look at what the commands print. They source it from the top
# directory:
#
#	. check/golden.sh
#	[ "$(knee ...)" = this ] && pass NAME || fail NAME why
#	finish
#
# A line a test on stdout: "ok - NAME", "not ok - NAME: why", "skip - NAME: why". $O is the build directory, $WORK a directory of the script's own,
# removed at its end. GOLDEN=write makes the expected outputs anew. Names of the form test_* are
# this file's own.

# The user makes no difference here.
[ "${KNEE_FIRST:-1}" = 1 ] || exit 0
O=${O:-build}
WORK=$(mktemp -d "${TMPDIR:-/tmp}/knee-check-XXXXXX")
trap 'rm -rf "$WORK"' EXIT
trap 'exit 130' INT TERM

pass() {
	printf 'ok - %s\n' "$1"
}

fail() {
	printf 'not ok - %s: %s\n' "$1" "$(printf %s "$2" | tr -d '\000-\037' | cut -c 1-300)"
}

skip() {
	printf 'skip - %s: %s\n' "$1" "$2"
}

finish() {
	exit 0
}

# expect NAME STATUS COMMAND...: it exits with STATUS. Its output is in $WORK/out and $WORK/err.
expect() {
	test_name=$1 test_status=$2 test_got=0
	shift 2
	"$@" >"$WORK/out" 2>"$WORK/err" || test_got=$?
	if [ "$test_got" = "$test_status" ]; then
		pass "$test_name"
	else
		fail "$test_name" \
			"exit status $test_got, expected $test_status: $(head -n 1 "$WORK/err")"
	fi
}

# error NAME STATUS TEXT COMMAND...: it exits with STATUS, prints nothing on stdout, and one line,
# with TEXT in it, on stderr.
error() {
	test_name=$1 test_status=$2 test_text=$3 test_got=0
	shift 3
	"$@" >"$WORK/out" 2>"$WORK/err" || test_got=$?
	if [ "$test_got" != "$test_status" ]; then
		fail "$test_name" "exit status $test_got, expected $test_status"
	elif [ -s "$WORK/out" ]; then
		fail "$test_name" "something on stdout"
	elif [ "$(wc -l <"$WORK/err")" != 1 ]; then
		fail "$test_name" "$(wc -l <"$WORK/err") lines on stderr, expected 1"
	elif ! grep -qF -- "$test_text" "$WORK/err"; then
		fail "$test_name" "stderr says: $(cat "$WORK/err")"
	else
		pass "$test_name"
	fi
}

# golden FILE: stdin is what check/golden/FILE holds.
golden() {
	cat >"$WORK/golden"
	if [ "${GOLDEN:-}" = write ]; then
		cp "$WORK/golden" "check/golden/$1"
	fi
	if cmp -s "$WORK/golden" "check/golden/$1"; then
		pass "golden $1"
	else
		fail "golden $1" \
			"$(diff "check/golden/$1" "$WORK/golden" 2>&1 | head -n 5 | tr '\n' '|')"
	fi
}
