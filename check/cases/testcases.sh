#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The testcases as files, and what all of them report. What each does is asked by make check-truth.
. "$KNEE_SRC/check/lib.sh"

lines_max=90

# A longer one says why in its first comment: "More than 90 lines, as ...".
no_file_is_long() {
	local file long=
	for file in "$KNEE_SRC"/tests/*.c; do
		[ "$(wc -l <"$file")" -le $lines_max ] && continue
		sed '1d; /\*\//q' "$file" | tr '\n' ' ' | tr -d '*' | tr -s ' ' |
			grep -q "More than $lines_max lines, as [a-z]" || long="$long ${file##*/}"
	done
	[ -z "$long" ] || fail "more than $lines_max lines, without a reason:$long"
}

# What tasks counted in the window they counted in their lives; before it was the warm-up.
lifetime_holds_window() {
	report "$tests/getppid1" -t 3 -s 0.1 --warmup 0.05
	expect_status 0
	expect_equal 'a lifetime for each task, longer than the window' \
		"$(result '[.task_ops, .lifetime_ops] | transpose | map(.[1] > .[0]) | tostring')" \
		'[true,true,true]'
}

no_record_has_lifetime() {
	run "$runtest" -r 1 --duration 0.05 --warmup 0.05 -t 1 -m processes -o run getppid1
	expect_status 0
	expect_equal 'lifetime_ops in the record' \
		"$(jq -r 'has("task_ops"), has("lifetime_ops")' run/records.jsonl | paste -sd,)" true,false
}

once
it "no testcase has more than $lines_max lines without a reason" no_file_is_long
it 'lifetime_ops are those of the window and more' lifetime_holds_window
it 'records leave lifetime_ops out' no_record_has_lifetime
