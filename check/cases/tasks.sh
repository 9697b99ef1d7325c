#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tasks and what watches them: bound where they may be, sampled truly, within the limits.
. "$KNEE_SRC/check/lib.sh"

# ---- affinity ------------------------------------------------------------------------------------

# Cpus_allowed_list of each thread of each task.
allowed_of_tasks() {
	local p
	for p in $(left_pids); do
		[ "$(cat "/proc/$p/oom_score_adj")" = 500 ] || continue
		sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$p"/task/*/status
	done | sort | uniq -c | sed 's/^ *//'
}

measuring() {
	grep -q measurement "$work/out"
}

bound_to() { # MODE ALLOWED... -- COMMAND...
	local mode=$1 should=$2
	shift 2
	start "$@" "$tests/getppid1_$mode" -t 2 -s 20 --warmup 0.05
	until_true 10 measuring || fail 'it does not start'
	expect_equal 'CPUs of the tasks' "$(allowed_of_tasks | paste -sd' ')" "$should"
	kill -TERM "$pid"
	finished
}

needs_two_cpus() {
	[ "$(nproc)" -ge 2 ] || skip 'one CPU only'
}

taskset_is_kept() { # MODE
	needs_two_cpus
	bound_to "$1" "$2" taskset -c 1
}

cpuset_is_kept() { # MODE
	needs_two_cpus
	make_cgroup cpuset
	[ ! -e "$group/cpuset.mems" ] || echo 0 >"$group/cpuset.mems"
	echo 1 >"$group/cpuset.cpus" || skip 'the cpuset hierarchy gives no CPU'
	bound_to "$1" "$2" bash -c "echo \$\$ >'$group/cgroup.procs' && exec \"\$@\"" --
}

# ---- sampling ------------------------------------------------------------------------------------

# The sum of the rates over the slices' own times is what the counters say.
rates_are_the_counters() { # MODE
	report "$tests/getppid1_$1" -t $((8 * $(nproc))) -s 1.5 --warmup 0.05
	expect_status 0
	expect_equal 'operations of slices and of tasks' "$(result '([.slices[][1]] | add) == .ops')" true
	expect_equal 'operations of all tasks' "$(result '(.task_ops | add) == .ops')" true
	expect_equal 'time of all slices' \
		"$(result '([.slices[][0]] | add) / .elapsed_ns | . > 0.999 and . < 1.001')" true
	expect_equal 'the rate' \
		"$(result '.ops_per_s * .elapsed_ns / 1e9 / .ops | . > 0.999 and . < 1.001')" true
}

# What the counters of a testcase with a clock in it say is true by this machine's clock, too.
rate_is_true() {
	report "$cases/clock_counts" -t 2 -s 1.5 --warmup 0.05
	expect_status 0
	expect_equal 'operations per second of two tasks that count microseconds' \
		"$(result '.ops_per_s | . > 1.96e6 and . < 2.04e6 or .')" true
}

# The supervisor may be stopped: its samples are late, and the rates are of the true time.
stopped_in_mid_window() { # MODE
	local supervisor
	start "$cases/ticks_$1" -t 2 -s 6 --warmup 0.1 --report-fd 9 9>"$work/report"
	until_true 10 grep -q '"slice"' "$work/report" || fail 'no slice'
	sleep 1		# the warm-up ends
	supervisor=$pid
	kill -STOP "$supervisor"
	sleep 3
	kill -CONT "$supervisor"
	finished
	expect_status 0
	expect_equal 'the flag' "$(result '.flags | index("late") != null')" true
	expect_equal 'the time that is lost' "$(result '.late_s > 2.5')" true
	# 1000 sleeps of a millisecond take a little more than a second.
	run_rate=$(result .ops_per_s)
	report "$cases/ticks_$1" -t 2 -s 1.5 --warmup 0.1
	expect_equal "ratio to an undisturbed rate, $run_rate" \
		"$(result "$run_rate / .ops_per_s | . > 0.95 and . < 1.05 or .")" true
}

# ---- tasks without an operation ------------------------------------------------------------------

starved() { # MODE
	run "$cases/starves_$1" -t 2 -s 0.2 --warmup 0.05 --warmup-max 0.1
	expect_status 0
	expect_error 'starved: 1 of 2 tasks completed no operation'
	report "$cases/starves_$1" -t 2 -s 0.2 --warmup 0.05 --warmup-max 0.1
	expect_status 0
	expect_equal 'starved tasks' "$(result '.starved_tasks')" 1
	expect_equal 'the flag' "$(result '.flags | index("starved") != null')" true
}

a_crowd_behind_one_lock() {
	report "$tests/pthread_mutex1_threads" -t 1024 -s 0.2 --warmup 0.05 --warmup-max 0.1
	expect_status 0
	expect_equal 'starved tasks are those without an operation' \
		"$(result '.starved_tasks == ([.task_ops[] | select(. == 0)] | length)')" true
	expect_equal 'the flag' \
		"$(result '(.starved_tasks > 0) == (.flags | index("starved") != null)')" true
	expect_equal 'tasks' "$(result '.task_ops | length')" 1024
}

# ---- limits --------------------------------------------------------------------------------------

lacks() { # REGEX COMMAND...
	local regex=$1
	shift
	run "$@"
	expect_status 3
	expect_no_out
	expect_error "$regex"
}

# As lacks(), with a limit of the shell's.
limited() { # REGEX ULIMIT-OPTION VALUE COMMAND...
	local regex=$1 option=$2 value=$3
	shift 3
	# shellcheck disable=SC2016 # for the inner shell
	lacks "$regex" bash -c 'ulimit "$0" "$1" && shift && exec "$@"' "$option" "$value" "$@"
}

descriptors() { # MODE
	limited 'needs [12]64 open files.*RLIMIT_NOFILE allows 20 ' -n 20 \
		"$cases/needs_much_$1" -t 2 -s 1 --param descriptors=100
}

nproc_limit() { # MODE
	[ "$(id -u)" -ne 0 ] || skip 'RLIMIT_NPROC does not bind root'
	limited 'needs 103 processes.*RLIMIT_NPROC .* allows 40$' -u 40 "$tests/getppid1_$1" -t 100 -s 1
}

pids_limit() { # MODE
	make_cgroup pids
	set_limit 50 pids.max
	in_group "$tests/getppid1_$1" -t 100 -s 1
	expect_status 3
	expect_no_out
	expect_error 'needs 103 processes.*pids.max in .* allows 48$'
}

# No process more than was said is ever there.
pids_suffice() { # MODE
	make_cgroup pids
	set_limit 105 pids.max
	in_group "$tests/getppid1_$1" -t 100 -s 0.1 --warmup 0.05
	expect_status 0
}

memory() { # MODE
	lacks 'needs 2.0 TiB of memory' "$cases/needs_much_$1" -t 2 -s 1 --param memory=1T
}

disk() { # MODE
	lacks 'needs 200 TiB in .*, which has .* left' "$cases/needs_much_$1" -t 2 -s 1 --param disk=100T
}

address_space() {
	limited 'RLIMIT_AS 30720000 bytes' -v 30000 "$tests/getppid1_threads" -t 100 -s 1
}

full_disk() {
	[ "$(id -u)" -eq 0 ] || skip 'only root mounts'
	mkdir small
	mount -t tmpfs -o size=64k none small || skip 'cannot mount a tmpfs'
	trap 'umount small' EXIT
	"$@"
	umount small
	trap - EXIT
}

full_scratch() {
	run "$tests/pwrite1" -t 40 -s 0.1 --warmup 0.05 --dir small
	[ "$status" -eq 1 ] || [ "$status" -eq 3 ] || fail "exit status $status"
	expect_no_average
	expect_err 'No space left|disk|room'
	expect_equal 'left' "$(ls small)" ''
}

full_run_directory() {
	dd if=/dev/zero of=small/fill bs=4k count=14 status=none
	run "$runtest" -t 1-4 -r 3 --duration 0.05 --warmup 0.02 -o small/run getppid1
	[ "$status" -ne 0 ] || fail 'success, on a full disk'
	expect_err 'No space left'
}

# What there is no room for does not stand in the way of the next run.
no_room_for_a_run_directory() {
	dd if=/dev/zero of=small/fill bs=4k status=none 2>/dev/null
	run "$runtest" -t 1 -r 1 --duration 0.05 --warmup 0.02 -o small/run getppid1
	[ "$status" -ne 0 ] || fail 'success, on a full disk'
	expect_no_out
	expect_error 'No space left'
	rm small/fill
	run "$runtest" -t 1 -r 1 --duration 0.05 --warmup 0.02 -o small/run getppid1
	expect_status 0
}

# ---- many ----------------------------------------------------------------------------------------

# No table of a fixed size.
many() { # MODE N
	local limit
	limit=$(cat /proc/sys/kernel/threads-max)
	[ "$limit" -ge $(($2 * 2)) ] || skip "kernel.threads-max is $limit"
	report "$tests/getppid1_$1" -t "$2" -s 0.1 --warmup 0.01 --warmup-max 0.02
	if [ "$status" -eq 3 ]; then
		skip "$(tail -n 1 "$work/err")"
	fi
	expect_status 0
	expect_equal 'tasks' "$(result '.task_ops | length')" "$2"
}

# ---- the end -------------------------------------------------------------------------------------

# A real-time process that waits for tasks to die spins against those that it has preempted.
no_realtime_at_the_end() { # MODE
	[ "$(id -u)" -eq 0 ] || skip 'real-time scheduling is for root'
	strace -o trace -e trace=sched_setattr,kill,wait4 "$tests/getppid1_$1" -t 4 -s 0.1 --warmup 0.05 \
		>out || fail 'it failed'
	awk '/sched_setattr.*SCHED_FIFO.* = 0/ { fifo = 1; seen = 1 }
		/sched_setattr.*SCHED_OTHER.* = 0/ { fifo = 0 }
		/^kill\(-.*SIGKILL/ { killed = 1 }
		/^wait4/ && killed && fifo { bad = 1 }
		END { exit !(seen && killed) || bad }' trace ||
		fail "$(cat trace)"
}

for mode in processes threads; do
	# In threads mode the process itself waits as its first task's CPU allows.
	it "$mode: taskset is kept" taskset_is_kept $mode "$([ $mode = processes ] && echo 2 1 || echo 3 1)"
	it "$mode: a cpuset is kept" cpuset_is_kept $mode "$([ $mode = processes ] && echo 2 1 || echo 3 1)"
	it "$mode: rates and counters agree with 8 tasks a CPU" rates_are_the_counters $mode
	it "$mode: a supervisor that is stopped is flagged, the rate is true" stopped_in_mid_window $mode
	it "$mode: a task that completes nothing is said" starved $mode
	it "$mode: too few descriptors" descriptors $mode
	it "$mode: too few processes by RLIMIT_NPROC" nproc_limit $mode
	it "$mode: too few processes by pids.max" pids_limit $mode
	it "$mode: pids.max is just enough" pids_suffice $mode
	it "$mode: too little memory" memory $mode
	it "$mode: too little room on disk" disk $mode
	it "$mode: it is no real-time process that waits for dying tasks" no_realtime_at_the_end $mode
done
it 'too small an address space for stacks' address_space
it 'the rate is true' rate_is_true
it '1024 threads behind one lock' a_crowd_behind_one_lock
it 'a scratch directory on a full disk' full_disk full_scratch
it 'a run directory on a full disk' full_disk full_run_directory
it 'a run directory for which there is no room' full_disk no_room_for_a_run_directory
it '4096 processes' many processes 4096
it '4096 threads' many threads 4096
