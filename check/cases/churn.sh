#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The testcases that make kernel objects: nothing of them is left, wherever they lie; and what a
# memory cgroup makes of them.
. "$KNEE_SRC/check/lib.sh"

memcg_v1=$(awk '{ for (i = 1; $i != "-"; i++) ; if ($(i + 1) == "cgroup" && $(i + 3) ~ /(^|,)memory(,|$)/) print $5 }' \
	/proc/self/mountinfo | head -n 1)
memcg=${memcg_v1:-$(awk '{ for (i = 1; $i != "-"; i++) ; if ($(i + 1) == "cgroup2") print $5 }' \
	/proc/self/mountinfo | head -n 1)}

# Groups of testcases that are now on the machine: those of others come and go, too.
groups() {
	find "$memcg" -type d -name 'knee.??????' 2>/dev/null | sort
}

queues() {
	awk -v uid="$(id -u)" 'NR > 1 && $10 == uid' /proc/sysvipc/msg
}

# The words that tell this user's own from those of others: his queues, groups that were not there.
expect_no_queue() {
	until_true 5 test "$(queues | wc -l)" -le "$queues_before" || fail "left: $(queues)"
}

gone() { # GROUP...
	local group
	for group in "$@"; do
		[ ! -d "$group" ] || return 1
	done
}

needs_groups() {
	[ "$(id -u)" -eq 0 ] || skip "only root makes cgroups here"
	[ -n "$memcg" ] || skip "no memory cgroups"
}

# Every object of these is somewhere else than in a process or in the scratch directory.
outside='sysv_msg_churn posix_mq_churn batch'
in_groups='memcg_create charge_hierarchy charge_migrate limit_resize'

# The group of a running testcase: the one that its tasks' supervisor has open.
group_of() { # PID
	find "/proc/$1/fd" -lname "$memcg*/knee.??????" -printf '%l\n' 2>/dev/null | head -n 1
}

has_group() {
	made=$(group_of "$pid")
	[ -n "$made" ]
}

measuring() {
	grep -q total "$work/out"
}

killed() { # TESTCASE SIGNAL
	start "$tests/$1" -t 4 -s 20 --warmup 0.1
	until_true 10 measuring || fail 'it does not measure'
	made=$(group_of "$pid")
	kill -"$2" "$pid"
	finished
	nothing_left 5
	[ -z "$made" ] || until_true 5 gone "$made" || fail "left: $made"
}

queues_go() { # SIGNAL
	local t queues_before
	for t in $outside; do
		queues_before=$(queues | wc -l)
		killed "$t" "$1"
		expect_no_queue
	done
}

groups_go() { # SIGNAL
	local t
	needs_groups
	for t in $in_groups; do
		killed "$t" "$1"
		[ -n "$made" ] || fail "$t had no group"
	done
}

# When everything was killed at once, the next start finds what is left and removes it.
group_of_the_dead_goes() {
	needs_groups
	start "$tests/limit_resize" -t 2 -s 20 --warmup 0.1
	until_true 10 measuring || fail 'it does not measure'
	made=$(group_of "$pid")
	# shellcheck disable=SC2046 # words
	kill -KILL $(left_pids)
	until_true 5 no_process || fail 'not killed'
	[ -d "$made" ] || fail 'the group is gone already'
	run "$tests/limit_resize" -s 0.1 --warmup 0.1
	expect_status 0
	[ ! -d "$made" ] || fail "left: $made"
}

# Groups, dying ones too, as the kernel numbers them.
group_count() {
	awk '$1 == "memory" { print $3 }' /proc/cgroups
}

as_many_as() { # NUMBER
	[ "$(group_count)" -le "$1" ]
}

groups_are_freed() {
	local before
	needs_groups
	before=$(group_count)
	report "$tests/memcg_create" -t 2 -s 1.5 --warmup 0.1
	expect_status 0
	[ "$(result .ops)" -ge 500 ] || skip "only $(result .ops) groups in a second and a half"
	until_true 20 as_many_as "$before" || fail "$(group_count) groups, $before before"
}

# What is left, read back, is what was charged less what went; and the group itself says so.
force_empty_says_what_is_left() { # FILL LEFT_MIN LEFT_MAX
	local left
	needs_groups
	report "$tests/force_empty" -t 1 -s 1 --warmup 0.1 --param bytes=8M --param fill="$1"
	[ "$status" -ne 3 ] || skip "$(head -n 1 "$work/err")"
	expect_status 0
	[ "$(result .figures.latency_ns.nr)" -ge 1 ] || skip 'no emptying in a second'
	left=$(result '.figures.left_bytes.median | floor')
	[[ $left -ge $2 && $left -le $3 ]] || fail "$left bytes left of 8 MiB of $1"
	expect_equal 'figures' "$(result '.figures | keys_unsorted | join(" ")')" \
		'latency_ns emptied_mb_per_s emptied_bytes left_bytes'
	result '.figures.latency_ns | .min <= .median and .median <= .p99 and .p99 <= .max and
		.min > 0 and .lost == 0' | grep -qx true || fail "$(result .figures.latency_ns)"
}

lacks_on_v1() {
	needs_groups
	[ -n "$memcg_v1" ] || skip 'cgroup v2'
	run "$tests/memcg_high" -s 1
	expect_status 3
	expect_error 'needs memory.high in memory cgroups, which cgroup v1 does not have'
	expect_no_out
}

lacks_the_right() { # TESTCASE REGEX
	[ "$(id -u)" -ne 0 ] || skip 'root may'
	run "$tests/$1" -s 1
	expect_status 3
	expect_error "$2"
	expect_no_out
}

lacks_a_filesystem() {
	needs_groups
	run "$tests/stat_storm" --param hit=cold --dir /dev/shm -s 1
	expect_status 3
	expect_error 'a filesystem that can drop dentries'
	[ -z "$(ls -d /dev/shm/knee.* 2>/dev/null)" ] || fail "$(ls -d /dev/shm/knee.*)"
}

# An OOM kill in a group that the testcase made is named with that group and its limit.
oom_in_own_group() {
	needs_groups
	run "$cases/eats_group" -t 2 -s 20 --warmup 0.1
	expect_status 1
	expect_no_average
	expect_error 'killed by signal 9 \(Killed\): memory cgroup .*/task\.[01]: [0-9]+ OOM kills?, limit 8 MiB'
}

for signal in TERM KILL; do
	it "SIG$signal: no message queue is left" queues_go $signal
	it "SIG$signal: no memory cgroup is left" groups_go $signal
done
it 'the groups of a cell that was killed with its guardian' group_of_the_dead_goes
it 'as many groups as before 500 were made and removed' groups_are_freed
it 'force_empty: nearly nothing of clean page cache is left' force_empty_says_what_is_left clean 0 3000000
it 'force_empty: all of anonymous memory is left, without swap' force_empty_says_what_is_left anon 8388608 12000000
it 'memory.high on v1' lacks_on_v1
it 'mounts without the capability' lacks_the_right mount_churn 'needs CAP_SYS_ADMIN'
it 'groups without the right' lacks_the_right limit_resize 'memory cgroup'
it 'cold lookups on a tmpfs' lacks_a_filesystem
it 'an OOM kill in a group of its own' oom_in_own_group
