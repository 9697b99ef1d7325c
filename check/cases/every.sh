#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every testcase, in both modes: measures, ends in time, leaves nothing.
. "$KNEE_SRC/check/lib.sh"

window='-s 0.05 --warmup 0.02 --warmup-max 0.04'

# All in one sweep: each measures, or says why it cannot. One by one, with other numbers of tasks and
# after SIGKILL, they are in make check-truth.
sweep() {
	local nr
	nr=$("$runtest" --list --json | jq '[.[].modes | length] | add')
	run "$runtest" -t 2 -r 1 --duration 0.05 --warmup 0.02 -o run '*'
	[ "$status" -eq 0 ] || fail "exit status $status"
	expect_equal 'records with figures, and what is skipped' "$(jq -s "[.[] |
		select(.status | IN(\"ok\", \"skipped\", \"lacking\")) | .cell.id] | unique | length" \
		run/records.jsonl)" "$nr"
}

# What a cell may take beyond its warm-up and window.
ends_in_time() { # TESTCASE MODE
	# shellcheck disable=SC2086 # words
	run "$tests/$1_$2" -t 8 $window
	expect_status 0
	expect_only_notes
	[ "$ms" -lt 3100 ] || fail "it took $ms ms"
	expect_out '^average:[0-9]+$'
	# It has measured, or says that it has not.
	grep -q 'average:[1-9]' "$work/out" || expect_err 'starved: 8 of 8 tasks'
}

# The C library's own locks are taken by a thread that is killed: twenty times out of twenty.
malloc_ends() {
	local i
	for i in {1..20}; do
		ends_in_time malloc1 threads
	done
}

# Some need root; the others do not care.
[ "$KNEE_FIRST" != 1 ] || it 'every testcase in a sweep' sweep
if [ "$KNEE_ANY" = 1 ]; then
	for testcase in getppid1 sched_yield mmap1 page_fault1 page_fault3 malloc1 open1 unix1 pipe1 \
		pthread_mutex1 pthread_mutex2 futex1 tlb_flush1; do
		for mode in processes threads; do
			it "$testcase, $mode, ends in time" ends_in_time $testcase $mode
		done
	done
	it 'malloc1 in threads ends, twenty times' malloc_ends
fi
