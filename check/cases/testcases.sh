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
	expect_equal 'for each task, no less than in the window' \
		"$(result '[.task_ops, .lifetime_ops] | transpose | map(.[1] >= .[0]) | tostring')" \
		'[true,true,true]'
	expect_equal 'for all together, more' "$(result '(.lifetime_ops | add) > .ops')" true
}

no_record_has_lifetime() {
	run "$runtest" -r 1 --duration 0.05 --warmup 0.05 -t 1 -m processes -o run getppid1
	expect_status 0
	expect_equal 'lifetime_ops in the record' \
		"$(jq -r 'has("task_ops"), has("lifetime_ops")' run/records.jsonl | paste -sd,)" true,false
}

# What jq finds wrong in the facts of any testcase: its names.
expect_facts() { # WHAT CONDITION
	local wrong
	wrong=$("$runtest" --list --json | jq -r "[.[] | select($2 | not) | .name] | join(\" \")") || fail "jq: $2"
	[ -z "$wrong" ] || fail "$1: $wrong"
}

facts_are_complete() {
	expect_facts 'no unit' '.unit'
	expect_facts 'no word on what a reader of the figure must know' '.notes'
	expect_facts 'a description with a colon, or none' '.description | test("^[^:\n]+$")'
	expect_facts 'no tag, or one that is none' \
		'.tags | length > 0 and all(IN("mm", "vfs", "ipc", "net", "sched", "memcg", "lock", "user"))'
	expect_facts 'a suite that is none' '.suites | all(IN("will-it-scale", "quick"))'
	expect_facts 'sharing not stated' '[.sharing[] | IN("private", "shared", "disjoint")] | all'
	expect_facts 'no mode' '.modes | length > 0'
	expect_facts 'no path, though not in user space alone' \
		'(.exercises | length > 0) or (.tags | index("user"))'
	expect_facts 'a syscall that is not exercised' \
		'(.syscalls | length == 0) or ([.exercises[]] as $path | .syscalls | keys | any(IN($path[])))'
	expect_facts 'no syscall, though not in user space alone' \
		'(.syscalls | length > 0) or (.tags | index("user"))'
	expect_facts 'a parameter without a word of explanation' '.params | all(.doc)'
}

# Nothing but testcase.h comes from knee.
includes_one_header() {
	local wrong
	wrong=$(grep -L '^#include "testcase.h"$' "$KNEE_SRC"/tests/*.c
		grep -l '^#include "' "$KNEE_SRC"/tests/*.c | xargs grep -H '^#include "' | grep -v '"testcase.h"')
	[ -z "$wrong" ] || fail "$wrong"
}

# doc/testcases.md says: put this into a file, and that is all.
example_of_the_manual() {
	mkdir mine
	sed -n '/^```c$/,/^```$/p' "$KNEE_SRC/doc/testcases.md" | sed '1d;$d' >mine/flock1.c
	cp -a "$KNEE_BUILD" out
	run make -s -C "$KNEE_SRC" O="$PWD/out" EXTRA_TESTS="$PWD/mine" "$PWD/out/tests/flock1_threads" \
		"$PWD/out/tests/flock1_processes"
	expect_status 0
	expect_no_err
	run "$runtest" --tests out/tests --list --contends flc_lock @vfs
	expect_out '^flock1 '
	for mode in processes threads; do
		run "out/tests/flock1_$mode" -t 2 -s 0.1 --warmup 0.05
		expect_status 0
		expect_out '^average:[0-9]'
	done
	run python3 "$KNEE_SRC/check/truth/truth.py" -s strace,errors -n flock1 out/tests
	expect_status 0
	expect_out '^4 passed, 0 failed$'
}

once
it 'the facts of all testcases are complete' facts_are_complete
it 'testcases include testcase.h alone' includes_one_header
it 'the example of the manual is all that it takes' example_of_the_manual
it "no testcase has more than $lines_max lines without a reason" no_file_is_long
it 'lifetime_ops are those of the window and more' lifetime_holds_window
it 'records leave lifetime_ops out' no_record_has_lifetime
