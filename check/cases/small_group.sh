#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The testcases that memory cgroups are measured with, in one of 64 MiB: check/small_group.sh.
. "$KNEE_SRC/check/lib.sh"
. "$KNEE_SRC/check/small_group.sh"

# A tree of thousands of files takes a disk seconds to make and to remove.
few_files() { # TESTCASE
	"$tests/$1" --describe | jq -r '.params[] | select(.name == "files") | "--param=files=256"'
}

each_runs_or_is_named() { # TESTCASE...
	local t
	make_small_group
	for t in "$@"; do
		# shellcheck disable=SC2046 # words
		in_small_group "$t" "$(modes_of "$t" | head -n 1)" 2 0.05 $(few_files "$t")
	done >"$work/all" || fail "$(tail -n 1 "$work/all")"
	[ "$(grep -c ' average:' "$work/all")" -ge $(($# / 2)) ] || fail "$(cat "$work/all")"
}

# This one must fail, or the case finds nothing.
is_named() {
	tests=$cases
	make_small_group
	in_small_group eats_memory processes 2 20 >"$work/all"
	grep -q 'out of memory' "$work/all" || fail "$(cat "$work/all")"
}

once
# shellcheck disable=SC2046 # words
it 'in 64 MiB each testcase runs, or names the OOM kill, or what it lacks' \
	each_runs_or_is_named $(with_tag memcg)
it 'one that eats memory names the OOM kill' is_named
