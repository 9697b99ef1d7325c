# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For cases that run testcases in a memory cgroup that may be too small for them: each runs, or
# fails and names the OOM kill, or says what it lacks. None that fails prints a figure.

SMALL=67108864

# In a memory cgroup of 64 MiB, without swap. Prints what became of it.
in_small_group() { # TESTCASE MODE TASKS SECONDS [OPTION...]
	in_group timeout -k 1 60 "$tests/$1_$2" -t "$3" -s "$4" --warmup 0.05 "${@:5}"
	case $status in
	0)
		expect_out '^average:[0-9]+$'
		echo "$1 $2 -t $3: $(tail -n 1 "$work/out")"
		;;
	1)
		expect_no_average
		expect_err 'killed by signal 9 \(Killed\): memory cgroup .*[0-9]+ OOM kills?, limit '
		echo "$1 $2 -t $3: out of memory"
		;;
	3)
		expect_no_average
		expect_error
		echo "$1 $2 -t $3: $(cat "$work/err")"
		;;
	*)
		fail "$1 $2 -t $3: exit status $status"
		;;
	esac
}

make_small_group() {
	make_cgroup memory
	set_limit $SMALL memory.limit_in_bytes memory.max
	[ ! -e "$group/memory.swap.max" ] || echo 0 >"$group/memory.swap.max"
}

modes_of() { # TESTCASE
	"$tests/$1" --describe | jq -r '.modes[]'
}

# Testcases whose facts have the tag.
with_tag() { # TAG
	local t
	for t in "$tests"/*_processes; do
		t=${t%_processes}
		"$t" --describe | jq -r "select(.tags | index(\"$1\")) | .name"
	done
}
