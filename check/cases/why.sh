#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Extra rounds (--profile, --trace), and what knee why makes of them.
. "$KNEE_SRC/check/lib.sh"

knee=$KNEE_BUILD/knee
root=$([ "$(id -u)" -eq 0 ] && echo 1)

# One round each of one task and of two.
sweep() { # TESTCASE MODE ARG...
	local testcase=$1 mode=$2 dir=$tests
	shift 2
	[ -e "$tests/$testcase" ] || dir=$cases
	rm -rf run
	run "$runtest" --tests "$dir" --duration 0.3 --warmup 0.05 -t 1,2 -m "$mode" -r 1 -q -o run \
		"$@" "$testcase"
	expect_status 0
}

extra() { # FILTER
	jq -c "$1" run/extra.jsonl
}

# Whether this user sees the kernel's part of a profile, by its functions' names.
sees_kernel() {
	[ "$(extra 'select(.kind == "profile") | .profile.hidden' | sort -u)" = null ]
}

has_perf() {
	command -v perf >/dev/null || skip 'perf is not installed'
}

# Whether folded stacks of two tasks have the function.
stacks_have() { # REGEX
	cat run/extra/*_2_*.folded | grep -qE "$1" || fail "no stack has $1"
}

# ---- profiles ------------------------------------------------------------------------------------

profile_names() { # TESTCASE MODE REGEX
	has_perf
	sweep "$1" "$2" --profile
	expect_equal 'status' "$(extra .status | sort | uniq -c | tr -s ' ')" ' 2 "ok"'
	expect_equal 'records are the rounds alone' "$(jq -c .round run/records.jsonl | sort -u)" 0
	if ! sees_kernel; then
		[ -z "$root" ] || fail 'root sees the kernel'
		expect_error 'may not see|have no names'
		return
	fi
	stacks_have "$3"
	expect_equal 'hottest symbols' "$(extra '.profile.cpu.symbols | length > 0' | sort -u)" true
	[ -z "$(ls run/extra | grep -v folded)" ] || fail "left: $(ls run/extra)"
}

profile_prints() {
	has_perf
	sweep mmap1 threads --profile
	run "$knee" profile run mmap1
	expect_status 0
	expect_out '^mmap1/threads/2/core'
	expect_out '^ +[0-9.]+ %  \[[k.]\] [a-zA-Z_]'
	expect_out '^ from 1 to 2 tasks, ns of CPU time per operation: '
	run "$knee" profile run getppid1
	expect_status 1
	expect_error 'no profile of getppid1'
}

# Both are measured all the same.
no_perf() {
	once
	PATH=/nowhere sweep getppid1 processes --profile
	expect_error 'no profile: the program perf is not installed'
	expect_equal 'rounds' "$(jq -c .status run/records.jsonl | sort -u)" '"ok"'
	[ ! -s run/extra.jsonl ] || fail 'there is a profile'
}

broken_perf() {
	once
	mkdir bin
	printf '#!/bin/sh\necho "Error: perf is broken" >&2\nexit 7\n' >bin/perf
	chmod +x bin/perf
	PATH=$PWD/bin:$PATH sweep getppid1 processes --profile
	expect_err 'getppid1/processes/2/core: no profile: perf record: Error: perf is broken'
	expect_equal 'rounds' "$(jq -c .status run/records.jsonl | sort -u)" '"ok"'
	expect_equal 'reason' "$(extra .reason | sort -u)" '"perf record: Error: perf is broken"'
}

resume_looks_once() {
	once
	has_perf
	sweep getppid1 processes --profile
	run "$runtest" --tests "$tests" --resume run -q
	expect_status 0
	expect_equal 'extra rounds' "$(extra .kind | wc -l)" 2
	head -n 1 run/extra.jsonl >one && mv one run/extra.jsonl
	run "$runtest" --tests "$tests" --resume run -q
	expect_equal 'the missing one' "$(extra .cell.tasks | paste -sd,)" 1,2
}

it 'the profile of mmap1_threads names mmap_lock'"'"'s way' tries3 profile_names mmap1 threads 'down_write.*rwsem_'
it 'the profile of pthread_mutex1_threads names the way to futex' tries3 profile_names pthread_mutex1 threads futex_
it 'knee profile prints symbols, callers, and what grew' profile_prints
it 'without perf the cells are measured, and one line says so' no_perf
it 'a perf that fails is one line a cell' broken_perf
it 'a resumed run looks into what is missing' resume_looks_once

# ---- rights --------------------------------------------------------------------------------------

# Sets a file of /proc/sys until the end of the test.
set_sysctl() { # FILE VALUE
	local before
	before=$(cat "$1")
	# shellcheck disable=SC2064 # as it is now
	trap "echo $before >$1" EXIT
	echo "$2" >"$1" || skip "$1 cannot be set"
}

# For root, and for a user without any right: a line at most, and everything measured.
profile_at() { # FILE VALUE
	local who
	[ -n "$root" ] || skip 'only root sets it'
	has_perf
	set_sysctl "$1" "$2"
	chmod 711 "$case_dir" "$work"
	chmod 777 "$work/cwd" "$work/tmp" "$work/locks"
	for who in 0 64320; do
		rm -rf run
		run setpriv --reuid=$who --regid=$who --clear-groups \
			"$runtest" --duration 0.05 --warmup 0.03 -t 1 -m processes -r 1 -q -o run --profile getppid1
		[ "$status" -ne 126 ] || skip 'the work tree is closed to others'
		expect_status 0
		expect_equal 'rounds' "$(jq -c .status run/records.jsonl)" '"ok"'
		expect_equal 'profile' "$(extra .status)" '"ok"'
		[ "$(wc -l <"$work/err")" -le 1 ] || fail 'more than one line'
		[ "$who" != 0 ] || [ "$2" = 2 ] || expect_no_err
		if [ "$(extra .profile.hidden)" = null ]; then
			expect_no_err
		else
			expect_error "(perf_event_paranoid|kptr_restrict) is [0-9]"
		fi
	done
}

for level in -1 1 2 3; do
	it "a profile with perf_event_paranoid $level" profile_at /proc/sys/kernel/perf_event_paranoid $level
done
for level in 0 1 2; do
	it "a profile with kptr_restrict $level" profile_at /proc/sys/kernel/kptr_restrict $level
done

# ---- traces --------------------------------------------------------------------------------------

instances() {
	ls /sys/kernel/tracing/instances 2>/dev/null
}

may_trace() {
	[ -n "$root" ] && [ -d /sys/kernel/tracing/instances ] || skip 'only root traces'
	[ -d /sys/fs/cgroup/memory ] || grep -qw memory /sys/fs/cgroup/cgroup.controllers ||
		skip 'no memory cgroups'
}

traces_reclaim() {
	may_trace
	local before
	before=$(cat /sys/kernel/tracing/current_tracer /sys/kernel/tracing/tracing_on \
		/sys/kernel/tracing/events/enable /sys/kernel/tracing/trace_clock)
	sweep reclaims processes --trace reclaim
	expect_no_err
	expect_equal 'status' "$(extra .status | sort -u)" '"ok"'
	expect_equal 'reclaim of each' "$(extra '[.trace.calls[] | select(.function ==
		"try_to_free_mem_cgroup_pages") | .count > 0 and .total_ns > 0 and .median_ns <= .p99_ns and
		.p99_ns <= .max_ns and .total_ns <= .count * .max_ns]' | sort -u)" '[true]'
	expect_equal 'slab within it' "$(extra '[.trace.calls[] | select(.function ==
		"try_to_free_mem_cgroup_pages") | .. | objects | select((.function // "") |
		test("shrink_slab")) | .count > 0] | any' | sort -u)" true
	expect_equal 'the instances left' "$(instances | grep -c knee-)" 0
	expect_equal 'the top-level instance' "$(cat /sys/kernel/tracing/current_tracer \
		/sys/kernel/tracing/tracing_on /sys/kernel/tracing/events/enable \
		/sys/kernel/tracing/trace_clock)" "$before"
	run "$knee" trace run
	expect_status 0
	expect_out '^ try_to_free_mem_cgroup_pages +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$'
	expect_out '^   .*shrink_slab +[0-9]+'
}

# The way of reclaim in a profile, with shrink_slab's children.
profiles_reclaim() {
	may_trace
	tries3 profile_names reclaims processes 'try_to_free_mem_cgroup_pages.*shrink_slab.*do_shrink_slab'
}

# The way of force_empty: reclaim, within it slab, with times; and by its profile.
looks_at_force_empty() {
	may_trace
	has_perf
	sweep force_empty processes --trace reclaim --profile
	expect_equal 'looks' "$(extra '.kind + " " + .status' | sort | uniq -c | tr -s ' ' | paste -sd,)" \
		' 2 "profile ok", 2 "trace ok"'
	expect_equal 'times of reclaim, and slab within it' "$(extra 'select(.kind == "trace") | [.trace.calls[] |
		select(.function == "try_to_free_mem_cgroup_pages") | .total_ns > 0 and
		([.. | objects | select((.function // "") | test("shrink_slab")) | .total_ns > 0] | any)]' |
		sort -u)" '[true]'
	stacks_have 'try_to_free_mem_cgroup_pages.*shrink_'
}

no_instance_of() { # PID
	! instances | grep -qx "knee-$1"
}

killed_trace() {
	may_trace
	start "$runtest" --tests "$cases" --duration 0.05 --warmup 0.05 -t 1 -r 1 -q -o run --trace reclaim \
		-m processes holds_mutex
	until_true 20 [ -d "/sys/kernel/tracing/instances/knee-$pid" ] || fail 'no instance was made'
	kill -KILL "$pid"
	finished
	until_true 10 no_instance_of "$pid" || fail "the instance knee-$pid is left"
}

no_tracefs() {
	[ -n "$root" ] || skip 'only root unmounts'
	rm -rf run
	# shellcheck disable=SC2016 # for the inner shell
	run unshare -m sh -c 'umount -l $(awk "\$3 == \"tracefs\" { print \$2 }" /proc/mounts); exec "$@"' sh \
		"$runtest" --duration 0.1 --warmup 0.05 -t 1 -r 1 -q -m processes -o run --trace reclaim getppid1
	expect_status 0
	expect_error 'no trace: tracefs is not mounted'
	expect_equal 'rounds' "$(jq -c .status run/records.jsonl)" '"ok"'
}

no_right_to_trace() {
	[ -z "$root" ] || skip 'root may'
	run "$runtest" --duration 0.1 --warmup 0.05 -t 1 -r 1 -q -m processes -o run --trace reclaim getppid1
	expect_status 0
	expect_error 'no trace: (this user may not use|tracefs is not mounted)'
	expect_equal 'rounds' "$(jq -c .status run/records.jsonl)" '"ok"'
}

functions_or_a_reason() {
	may_trace
	sweep getppid1 processes --trace schedule,no_such_function
	if grep -qw function_graph /sys/kernel/tracing/available_tracers; then
		expect_equal 'missing' "$(extra '.trace.missing' | sort -u)" '["no_such_function"]'
	else
		expect_error 'no trace: this kernel has no function_graph tracer'
	fi
}

it 'reclaim is timed, nested, and nothing of it is left' traces_reclaim
it 'the profile of an emptied group names reclaim'"'"'s way' profiles_reclaim
it 'force_empty is reclaim, by its trace and by its profile' looks_at_force_empty
it 'a run that is killed leaves no trace instance' killed_trace
it 'tracefs is not mounted' no_tracefs
it 'a user who may not trace' no_right_to_trace
it 'functions are traced, or a line says why not' functions_or_a_reason

# ---- why -----------------------------------------------------------------------------------------

why() { # FILTER
	"$knee" why -f json run | jq -r ".curves[0]$1"
}

names_the_cause() { # TESTCASE REGEX AS_EXPECTED
	has_perf
	sweep "$1" processes --profile
	if [ "$(why .verdict)" = unknown ] && [ "$1" != spins_shared ] && [ -z "$root" ]; then
		why .sentence | grep -qE 'no profile says' || fail "$(why .sentence)"
		return
	fi
	expect_equal 'verdict' "$(why .verdict)" known
	why .cause | grep -qE "$2" || fail "$(why .sentence)"
	expect_equal 'as the facts expect' "$(why .as_expected)" "$3"
	run "$knee" why run "$1"
	expect_status 0
	expect_out "^$1/processes/2/core, from 1 to 2 tasks: efficiency 0"
	expect_out '^  each task '
}

scales() {
	once
	sweep ticks processes
	expect_equal 'verdict' "$(why .verdict)" scales
	expect_equal 'cause' "$(why .cause)" null
}

# Without a profile it is said what grew, and that no more is known.
says_unknown() {
	once
	sweep holds_mutex processes
	expect_equal 'verdict' "$(why .verdict)" unknown
	why .sentence | grep -q 'runtest --profile' || fail "$(why .sentence)"
	[ "$(why '.evidence | length')" -gt 0 ] || fail 'no evidence'
}

wrong_usage() {
	once
	sweep ticks processes
	run "$knee" why run nosuch
	expect_status 1
	expect_error 'no testcase named nosuch'
	run "$knee" why
	expect_status 2
	expect_error
}

it 'a variable that tasks spin on' tries3 names_the_cause spins_shared '^spin_on_shared$' true
it 'a mutex' tries3 names_the_cause holds_mutex 'mutex|futex' true
[ -z "$root" ] || it 'a file lock, which the facts do not expect' tries3 names_the_cause holds_file_lock '^file lock$' false
it 'a testcase that scales' tries3 scales
it 'no profile, no name' tries3 says_unknown
it 'wrong usage of knee why' wrong_usage
