#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A worker that dies fails its cell: named, without an average, and the others are still measured.
. "$KNEE_SRC/check/lib.sh"

short='-s 20 --warmup 0.1'

failed() { # REGEX TESTCASE [ARG...]: which fails by itself
	local regex=$1 testcase=$2
	shift 2
	# shellcheck disable=SC2086 # words
	run "$cases/$testcase" -t 3 $short "$@"
	expect_status 1
	expect_no_average
	expect_err "$regex"
	[ "$ms" -lt 10000 ] || fail "it took $ms ms to notice"
}

# Each task is a process, or all are one.
workers() {
	ps -o pid= --sort=pid -C "getppid1_$1" | while read -r p; do
		grep -qzsx "KNEE_TEST=$token" "/proc/$p/environ" && echo "$p"
	done
}

# The supervisor, the guardian and the tasks.
all_started() { # MODE NUMBER
	[ "$(workers "$1" | wc -l)" -eq "$2" ] && grep -q measurement "$work/out"
}

# The process whose /proc/PID/status has Cpus_allowed_list of one CPU is a task.
kill_task() { # MODE SIGNAL
	local p
	for p in $(workers "$1"); do
		if [ "$p" != "$pid" ] && [ "$(awk '/oom_score_adj/' /dev/null; cat "/proc/$p/oom_score_adj")" = 500 ]; then
			kill -"$2" "$p"
			return
		fi
	done
	fail 'no task found'
}

killed() { # MODE SIGNAL REGEX
	local processes=4
	[ "$1" = processes ] || processes=3
	start "$tests/getppid1_$1" -t 2 -s 20 --warmup 0.1
	until_true 10 all_started "$1" "$processes" || fail "not started: $(workers "$1")"
	kill_task "$1" "$2"
	finished
	expect_status 1
	expect_no_average
	expect_error "$3"
}

out_of_memory() { # MODE
	make_cgroup memory
	set_limit 67108864 memory.limit_in_bytes memory.max
	[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
	in_group "$cases/eats_memory_$1" -t 2 -s 20 --warmup 0.1
	expect_status 1
	expect_no_average
	expect_error 'task.*killed by signal 9 \(Killed\).*memory cgroup .*1 OOM kill, limit 64 MiB'
}

report_of_a_failure() {
	# shellcheck disable=SC2086 # words
	report "$cases/fails_must" -t 2 $short
	expect_status 1
	jq -se 'any(.event == "failed" and .status == 1 and (.reason | test("^task 1: .*must\\(close"))) and
		all(.event != "result")' "$work/report" >/dev/null || fail "$(cat "$work/report")"
}

# Two good testcases and two that fail, at one and two tasks; one round, then two.
sweep_goes_on() {
	mkdir all
	cp "$cases/dies" "$cases/returns" "$cases/ticks" "$cases/foreign" all
	run "$runtest" --tests all -t 1,2 -r 2 --duration 0.5 --warmup 0.1 -o run '*'
	expect_status 1
	expect_err 'dies/threads/2/core/signal=11: failed: task 1: killed by signal 11 \(Segmentation fault\)'
	expect_err 'returns/processes/2/core: failed: task 1 returned'
	local t
	for t in ticks foreign; do
		expect_equal "rows of $t" "$(grep -cE '^[12],' run/$t.csv)" 2
	done
	for t in dies returns; do
		expect_equal "rows of $t" "$(grep -E '^[12],' run/$t.csv | cut -d, -f1)" 1
	done
	expect_equal 'records' "$(wc -l <run/records.jsonl)" 32
	expect_equal 'records of failures' "$(jq -s '[.[] | select(.status == "failed" and .exit_status == 1 and
		(.reason | test("task 1")) and (has("ops") | not) and .cell.tasks == 2)] | length' run/records.jsonl)" 8
	expect_equal 'records of figures' "$(jq -s '[.[] | select(.status == "ok" and .ops > 0 and
		.reason == null)] | length' run/records.jsonl)" 24
}

for mode in processes threads; do
	it "$mode: kill -9 of a worker" killed $mode KILL 'tasks? [01].*killed by signal 9 \(Killed\)'
	it "$mode: SIGTERM to a worker" killed $mode TERM 'tasks? [01].*killed by signal 15 \(Terminated\)'
	it "$mode: a signal of its own" failed \
		'task 1: killed by signal 11 \(Segmentation fault\)' dies_$mode
	it "$mode: a real-time signal" failed \
		'tasks? [01].*killed by signal 40' dies_$mode --param signal=40
	it "$mode: a failed assertion" failed 'task 1: killed by signal 6 \(Aborted\)' fails_assert_$mode
	it "$mode: a failed must()" failed \
		'task 1: .*fails_must.c:[0-9]+: must\(close\(-1\) == 0\): Bad file' fails_must_$mode
	it "$mode: testcase() returns" failed 'task 1 returned from testcase\(\)' returns_$mode
	it "$mode: exit with status 0" failed 'task(s 0 to 2| 1) .*exited with status 0' exits_$mode
	it "$mode: a partner dies" failed \
		'partner of task 1: killed by signal 11 \(Segmentation fault\)' partner_dies_$mode
	it "$mode: a partner returns" failed 'partner of task 1 returned' partner_returns_$mode
	it "$mode: out of memory in a cgroup of 64 MiB" out_of_memory $mode
done
it 'a report names the failure and holds no result' report_of_a_failure
it 'a sweep measures and keeps the other cells' sweep_goes_on
