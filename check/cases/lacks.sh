#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a testcase needs and this machine or user lacks: one line, status 3, no figure, nothing left.
. "$KNEE_SRC/check/lib.sh"

lacking() { # REGEX PROGRAM [ARG...]
	local regex=$1
	shift
	run "$@" -t 2 -s 1 --warmup 0.1
	expect_status 3
	expect_error "$regex"
	expect_no_out
}

# The plan knows it before anything is started.
skipped() {
	mkdir all
	cp "$cases/lacks_future" "$cases/lacks_nosuch" "$cases/lacks_nobody" all
	run "$runtest" --tests all -r 1 --duration 0.1 -o run '*'
	expect_equal 'reasons' "$(jq -r 'select(.status == "skipped") | .reason' run/records.jsonl |
		grep -cE 'Linux 99.0|controller nosuch|CAP_NOBODY_HAS_IT')" "$(wc -l <run/records.jsonl)"
}

it 'a kernel of the future' lacking 'needs Linux 99\.0' "$cases/lacks_future"
it 'a controller that is not there' lacking 'cgroup controller nosuch' "$cases/lacks_nosuch"
it 'a capability' lacking 'needs CAP_NOBODY_HAS_IT' "$cases/lacks_nobody"
it 'a sweep skips them and says why' skipped
