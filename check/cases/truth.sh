#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What make check-truth must find out: testcases that are not what their facts say.
. "$KNEE_SRC/check/lib.sh"

# Sections of one testcase: `ok` and `not ok` lines in $work/out.
truth() { # SECTION,... NAME DIR [OPTION...]
	run python3 "$KNEE_SRC/check/truth/truth.py" -s "$1" -n "$2" "${@:4}" "$3"
	! grep '^skip' "$work/out" || skip "$(grep -m 1 '^skip' "$work/out")"
}

caught() { # REGEX SECTION NAME
	truth "$2" "$3" "$cases" -p 0.3
	expect_status 1
	expect_out "^not ok - $2: $3 .*$1"
	! grep -q "^ok - $2: $3" "$work/out" || fail 'one of its modes passed'
}

counts_lie() { # SECTION LIE REGEX
	export LIE=$2
	caught "$3" "$1" lies_about_calls
}

true_facts() { # SECTION NAME DIR
	truth "$1" "$2" "$3"
	expect_status 0
	expect_equal 'sections' "$(sed -n "s/^ok - \(.*\): $2 .*processes.*/\1/p" "$work/out" | paste -sd,)" "$1"
	expect_out '^[0-9]+ passed, 0 failed$'
}

# Only root's has System V objects of its own, which go with it.
leaves_segment() { # SECTION
	[ "$KNEE_WHO" = root ] || skip 'the segments would stay'
	caught 'left behind: shm' "$1" leaves_segment
}

once
for section in strace tracepoints; do
	it "$section: a call left out in 2 % is found" counts_lie $section missing 'getppid: [0-9]+ calls'
done
it 'strace: a call made twice is found' counts_lie strace twice 'getppid: [0-9]+ calls'
it 'strace: an undeclared call is found' counts_lie strace undeclared 'sched_yield: [0-9]+ calls'
it 'tracepoints: an undeclared call is found' counts_lie tracepoints undeclared 'all syscalls: [0-9]+ calls'
it "honest facts pass" true_facts strace,tracepoints,errors,tasks,kills futex1 "$tests"
it 'errors: a failure that nobody sees is found' caught 'getppid failed, and it goes on counting' errors ignores_errors
it 'tasks: one that counts nothing is found' caught '2 tasks: operations counted by each: \[[0-9]+, 0\]' \
	tasks starves
it 'tasks: a System V object left behind is found' leaves_segment tasks
it 'instructions: operations that grow are found' caught 'instructions an operation: from' instructions grows_slower
it 'instructions: equal ones pass' true_facts instructions malloc2 "$tests"
