#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Tasks, partners and memory are where the plan says; what is not allowed is not used; two runs at
# once know of each other. What needs other machines than this one is in check/vm.
. "$KNEE_SRC/check/lib.sh"

allowed=$(taskset -cp $$ | sed 's/.*: //')
first=${allowed%%[-,]*}
last=${allowed##*[-,]}

# placed.py's verdict on options of runtest. PREFIX: an array, in front of the command.
prefix=()
placed() {
	run "${prefix[@]}" python3 "$KNEE_SRC/check/placed.py" "$KNEE_BUILD" run "$@"
	[ "$status" -ne 3 ] || skip "$(cat "$work/out" "$work/err")"
	[ "$status" -eq 0 ] || fail "$(cat "$work/out" "$work/err")"
}

on_last_cpu() {
	prefix=(taskset -c "$last")
	placed "$@"
	[ "$(jq -r .cell.cpus run/records.jsonl)" = "$last" ] || fail "not on CPU $last alone"
}

# v1 wants memory nodes, too, before a process can be moved there.
in_cpuset() {
	make_cgroup cpuset
	set_limit "$(cat /sys/devices/system/node/has_memory)" cpuset.mems
	set_limit "$last" cpuset.cpus
	prefix=(bash -c 'echo $$ >"$0"/cgroup.procs && exec "$@"' "$group")
	placed "$@"
	[ "$(jq -r .cell.cpus run/records.jsonl)" = "$last" ] || fail "not on CPU $last alone"
	remove_cgroup
	trap - EXIT
}

more_than_one() {
	[ "$first" != "$last" ] || skip "only one CPU is allowed here"
}

outside_the_mask() {
	more_than_one
	run taskset -c "$last" "$runtest" --cpus "$first" -t 1 getppid1
	expect_status 3
	expect_error "CPU $first cannot be used: the affinity mask or the cpuset cgroup does not allow it"
	[ ! -e runs ] || fail 'a run directory was made'
}

# The executable by itself: what the plan cannot know any more.
bind_fails() { # REGEX ARG...
	local regex=$1
	shift
	run "$tests/context_switch1_processes" -s 20 --warmup 0.06 "$@"
	expect_status 3
	expect_error "$regex"
	expect_no_average
	run "$tests/context_switch1_threads" -s 20 --warmup 0.06 "$@"
	expect_status 3
	expect_error "$regex"
}

# As a CPU that goes offline does it: the kernel widens the mask.
let_loose() {
	more_than_one
	start "$tests/getppid1_processes" -t 1 -s 2 --cpus "$last" --warmup 0.1
	until_true 5 grep -q measurement "$work/out" || fail "it does not measure"
	for task in $(left_pids); do
		[ "$(taskset -cp "$task" | sed 's/.*: //')" != "$last" ] || taskset -cp "$allowed" "$task" >/dev/null
	done
	finished
	expect_status 1
	expect_error "task 0 is no longer bound to CPU $last: its affinity was changed"
	expect_no_average
}

# ---- two runs at once ----------------------------------------------------------------------------

measure() { # NAME OPTION...
	local name=$1
	shift
	"$runtest" --tests "$cases" -q -r 1 --warmup 0.06 -m processes -o "$name" "$@" ticks
}

shared() { # NAME: in how many records
	jq -s '[.[] | select(.flags | index("shared_cpu"))] | length' "$1/records.jsonl"
}

# The first one has begun its cell.
start_first() {
	start "$runtest" --tests "$cases" -q -r 1 --warmup 0.06 -m processes -o first --duration "$1" \
		--cpus "$first" ticks
	until_true 5 [ -e first/machine.json ] || fail "the first run does not begin"
	until_true 5 test -s "$KNEE_RUNTIME_DIR/cpu$first" || fail "CPU $first is not locked"
	sleep 0.2
}

two_at_once() {
	start_first 1.5
	measure second --cpus "$first" --duration 0.1 >out 2>err || fail "$(cat err)"
	grep -q "another run of knee (process $pid) uses CPU $first: " err || fail "no warning: $(cat err)"
	finished
	expect_status 0
	expect_equal "marked records of the first" "$(shared first)" 1
	expect_equal "marked records of the second" "$(shared second)" 1
	measure third --cpus "$first" --duration 0.1 >out 2>err || fail "$(cat err)"
	expect_equal "marked records of one alone" "$(shared third)" 0
	[ ! -s err ] || fail "a run alone says: $(cat err)"
}

claim_another() {
	more_than_one
	start_first 1.5
	measure second --claim -t 1 --duration 0.1 >out 2>err || fail "$(cat err)"
	[ ! -s err ] || fail "it says: $(cat err)"
	[ "$(jq -r .cell.cpus second/records.jsonl)" != "$first" ] || fail "it took CPU $first"
	finished
	expect_equal "marked records of both" "$(($(shared first) + $(shared second)))" 0
}

claim_nothing() {
	start_first 1.5
	run taskset -c "$first" "$runtest" --claim -t 1 getppid1
	expect_status 3
	expect_error 'other runs of knee use all cores'
	kill -TERM "$pid"
	finished
	run taskset -c "$first" "$runtest" --claim -t 1 --plan getppid1
	expect_status 0
}

no_runtime_dir() {
	KNEE_RUNTIME_DIR=/proc/nowhere measure here -t 1 --duration 0.1 >out 2>err || fail "$(cat err)"
	[ "$(grep -c '/proc/nowhere cannot be used' err)" = 1 ] || fail "it says: $(cat err)"
	KNEE_RUNTIME_DIR=/proc/nowhere run "$runtest" --claim -t 1 getppid1
	expect_status 3
}

# ---- memory --------------------------------------------------------------------------------------

refuse_policies=(strace -f -qq -o /dev/null -e trace=set_mempolicy -e signal=none
	-e inject=set_mempolicy:error=EPERM)

membind_refused() {
	"${refuse_policies[@]}" true 2>/dev/null || skip "strace cannot trace here"
	run "${refuse_policies[@]}" "$runtest" --membind interleave -t 1 -m processes -r 1 --duration 0.1 \
		--warmup 0.06 -o asked getppid1
	expect_status 3
	expect_err 'this user or container may not set memory policies'
	run "${refuse_policies[@]}" "$runtest" -t 1 -m processes -r 3 --duration 0.1 --warmup 0.06 -o default \
		getppid1
	expect_status 0
	[ "$(grep -c 'memory policies cannot be set' "$work/err")" = 1 ] || fail "not said once"
}

membind_inherited() {
	command -v numactl >/dev/null || skip "numactl is not installed"
	run numactl --interleave=all "$runtest" -t 1 -m processes -r 1 --duration 0.1 --warmup 0.06 -o r \
		getppid1
	expect_status 0
	expect_err 'the memory policy that it was started with'
	run numactl --interleave=all "$runtest" -t 1 -m processes -r 1 --duration 0.1 --warmup 0.06 -o s \
		--membind interleave getppid1
	expect_status 0
	expect_no_err
}

membind_nowhere() {
	run "$runtest" --membind node=1000 -t 1 -m processes -o r getppid1
	expect_status 3
	expect_err 'there is no node 1000 with memory'
	run "$tests/getppid1_processes" -s 0.1 --membind nodes=1000
	expect_status 3
	expect_error 'node 1000: no such node with memory is allowed here'
	run "$tests/getppid1_processes" -s 0.1 --membind nodes=0-
	expect_status 2
	expect_error 'membind'
}

it 'taskset: only that CPU' on_last_cpu -t 2 -m processes
it 'a CPU outside the mask is refused, with a reason' outside_the_mask
it 'a cpuset: only its CPU' in_cpuset -t 2 -m threads
it 'processes are where the plan says' placed -t 2 -m processes
it 'threads are where the plan says' placed -t 2 -m threads
it 'two runs at once: both are told and marked' two_at_once

once
it 'a list, in its order; memory of a node' placed -t 3 -m processes --cpus "$last,$first" --membind node=0
it 'partners on other cores; memory interleaved' placed -t 2 -m processes --partner l3 --membind interleave
it 'whole cores' placed -t 2 -m threads --bind core --membind local
it 'not bound' placed -t 2 -m processes --placement none
it 'a task that cannot be bound' bind_fails 'cannot bind task 1 to CPU 9999: ' -t 2 --cpus "$first,9999"
it 'a partner that cannot be bound' bind_fails 'cannot bind the partner of task 0 to CPU 9999: ' -t 1 \
	--cpus "$first" --partner-cpus 9999
it 'a task that is let loose fails the cell' let_loose
it '--claim takes another CPU' claim_another
it '--claim finds none' claim_nothing
it 'no runtime directory is said once' no_runtime_dir
it 'a memory policy is refused' membind_refused
it 'a memory policy that was inherited' membind_inherited
it 'memory of a node that is not there' membind_nowhere
