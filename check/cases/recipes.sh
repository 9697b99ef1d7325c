#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes: each is one command that measures and prints tables; here over very short windows.
. "$KNEE_SRC/check/lib.sh"

quick='-q -r 2 --duration 0.01 --warmup 0.01 -t 1 -m processes'

recipes=$KNEE_SRC/recipes
more=

# The front command above the recipes may be another build's.
export KNEE=$KNEE_BUILD/knee

# shellcheck disable=SC2086 # words
recipe() { # NAME RUN...: 0, or 3 where this machine or this user lacks something
	local name=$1 run
	shift
	rm -rf out
	run "$recipes/$name" out $quick $more
	case $status in
	0) ;;
	3) expect_err 'skipped|lacking|no testcase' ;;
	1) [ "$(id -u)" -ne 0 ] || fail "exit status 1" ;;
	*) fail "exit status $status" ;;
	esac
	expect_out 'run directories: out'
	for run in "$@"; do
		[ -s "out/$run/records.jsonl" ] || fail "no records of $run"
	done
}

has_testcase() {
	[ -x "$tests/$1" ] || skip "there is no testcase $1"
}

kmem_overhead() {
	recipe kmem-overhead objects batches skbs
	[ "$status" -ne 0 ] || expect_out 'accounting disabled  patches'
}

overcommit() {
	local before
	before=$(cat /proc/sys/vm/overcommit_memory)
	recipe overcommit mmap
	expect_equal 'the policy' "$(cat /proc/sys/vm/overcommit_memory)" "$before"
	[ "$status" -ne 0 ] || expect_out '^sysctl:vm.overcommit_memory against'
}

nokmem() {
	# Thousands of files, which a busy disk takes minutes to make.
	[ ! -w /dev/shm ] || more='--dir /dev/shm'
	recipe nokmem stat shared
	[ "$status" -ne 0 ] || expect_out 'stat_storm .*hit=negative'
}

force_empty() {
	has_testcase force_empty
	BYTES=1M recipe force-empty empty storm
	[ "$status" -ne 0 ] || expect_out 'latency_ns'
}

remote_drain() {
	has_testcase drain_interference
	recipe remote-drain drain
	[ "$status" -ne 0 ] || expect_out 'drain_ns'
}

help() {
	local name
	for name in kmem-overhead overcommit nokmem force-empty remote-drain; do
		run "$recipes/$name" --help
		expect_status 0
		expect_out "recipes/$name \[RUN\]"
		[ -s "$recipes/$name.md" ] || fail "no page about $name"
		! grep -n '^@' "$recipes/$name.md" || fail "$name.md is not done"
	done
	[ ! -e runs ] || fail 'help measured something'
}

refused() {
	mkdir there
	run "$recipes/nokmem" there
	expect_status 2
	expect_error 'there is there already'
	run "$recipes/nokmem" out --no-such-option
	expect_status 2
	expect_error 'no-such-option'
}

it 'overcommit, and the policy is put back' overcommit
# Of the others an ordinary user sees no more than that.
once
it 'each recipe has a page and a help' help
it 'refused' refused
it 'kmem-overhead' kmem_overhead
it 'nokmem' nokmem
it 'force-empty' force_empty
it 'remote-drain' remote_drain
