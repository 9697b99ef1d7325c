#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every testcase in every mode with 1, 2 and 8 tasks in a memory cgroup of 64 MiB, which takes some
# minutes: check/small_group.sh. O=build check/run -d check/truth small_group
. "$KNEE_SRC/check/lib.sh"
. "$KNEE_SRC/check/small_group.sh"

runs_or_is_named() { # TESTCASE MODE TASKS
	make_small_group
	in_small_group "$1" "$2" "$3" 0.2
}

once
for t in "$tests"/*_processes; do
	t=$(basename "${t%_processes}")
	for mode in $(modes_of "$t"); do
		for tasks in 1 2 8; do
			# Eight tasks that keep waking each other stop small machines.
			[ "$t" != context_switch1 ] || [ $tasks -le 2 ] || continue
			it "$t, $mode, $tasks tasks" runs_or_is_named "$t" "$mode" $tasks
		done
	done
done
