#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# will-it-scale's lines on stdout, which clients read byte for byte.
. "$KNEE_SRC/check/lib.sh"

line='^min:[0-9]+ max:[0-9]+ total:[0-9]+$'

lines() { # FROM TO: of stdout
	sed -n "$1,$2p" "$work/out"
}

# Every line, in order; a measurement of N lines.
expect_grammar() { # DESCRIPTION LINES
	expect_equal 'lines' "$(wc -l <"$work/out")" $((10 + $2))
	expect_equal 'line 1' "$(lines 1 1)" "testcase:$1"
	expect_equal 'line 2' "$(lines 2 2)" warmup
	expect_equal 'warm-up lines' "$(lines 3 8 | grep -cE "$line")" 6
	expect_equal 'line 9' "$(lines 9 9)" measurement
	expect_equal 'lines of the measurement' "$(lines 10 $((9 + $2)) | grep -cE "$line")" "$2"
	expect_equal 'the mean of the totals' "$(tail -n 1 "$work/out")" \
		"average:$(lines 10 $((9 + $2)) | sed 's/.*total://' | awk '{ s += $1 } END { printf "%d", int(s / NR) }')"
}

grammar() { # MODE
	run "$tests/getppid1_$1" -t 2 -s 2 --warmup 0.3
	expect_status 0
	expect_no_err
	expect_grammar 'System call entry and exit (getppid)' 2
	while read -r min max total; do
		[ "${min#*:}" -le "${max#*:}" ] && [ "${max#*:}" -le "${total#*:}" ] ||
			fail "$min $max $total"
	done < <(grep '^min:' "$work/out")
}

decimal_seconds() {
	run "$tests/getppid1_processes" -s 2.0 --warmup 0.3
	expect_status 0
	expect_grammar 'System call entry and exit (getppid)' 2
	run "$tests/getppid1_processes" -s 0.3 --warmup 0.3
	expect_grammar 'System call entry and exit (getppid)' 1
}

verbose() {
	run "$tests/getppid1_threads" -t 3 -s 1 -v --warmup 0.3
	expect_status 0
	grep -vE '^ *[0-9]+ -> [0-9]+$' "$work/out" >"$work/rest"
	expect_equal 'lines of tasks' "$(grep -cE '^   [012] -> [0-9]+$' "$work/out")" 21
	mv "$work/rest" "$work/out"
	expect_grammar 'System call entry and exit (getppid)' 1
}

# mmtests cuts off eight lines, benchkit reads all between two words.
clients_parse_it() {
	run "$tests/getppid1_processes" -t 2 -s 1 --warmup 0.3
	expect_equal 'line after the first eight' "$(sed 1,8d "$work/out" | head -n 1)" measurement
	expect_equal 'third words' "$(awk '/total:/ { print $3 }' "$work/out" | grep -cE '^total:[0-9]+$')" 7
	expect_equal 'grep -oP' "$(grep -coP 'average:\K[0-9]+' "$work/out")" 1
}

descriptions_hold_no_colon() {
	local t
	for t in "$tests"/*_processes; do
		"$t" --describe | jq -e '.description | test(":|measurement|average|total") | not' \
			>/dev/null || fail "$t: $("$t" --describe | jq .description)"
	done
}

help() {
	run "$tests/getppid1_processes" -h
	expect_status 0
	expect_no_err
	expect_out '^Usage: '
	run "$runtest" --help
	expect_status 0
	expect_out '^Usage: '
}

lines_come_at_once() {
	# shellcheck disable=SC2046
	expect_equal 'lines in 8 s' $([ "$(grep -c total: "$case_dir/eight")" -ge 5 ] && echo ok) ok
}

cut_off_output() {
	(
		set -o pipefail
		"$tests/getppid1_processes" -s 5 --warmup 0.3 2>"$work/err" | head -n 1 >"$work/out"
	)
	expect_no_err
	expect_equal 'the line' "$(cat "$work/out")" 'testcase:System call entry and exit (getppid)'
	nothing_left 1
}

full_output() {
	"$tests/getppid1_processes" -s 0.1 --warmup 0.1 >/dev/full 2>"$work/err"
	status=$?
	[ $status -ne 0 ] || fail "exit status 0"
	expect_error 'No space left on device'
}

closed_output() {
	"$tests/getppid1_$1" -t 2 -s 0.1 --warmup 0.1 >&- 2>"$work/err"
	status=$?
	[ $status -ne 0 ] || fail "exit status 0"
	expect_error 'cannot write'
}

closed_input() {
	local out
	"$tests/getppid1_$1" -t 2 -s 0.1 --warmup 0.1 <&- >"$work/out" 2>"$work/err"
	status=$?
	expect_status 0
	expect_grammar 'System call entry and exit (getppid)' 1
	"$tests/getppid1_$1" -t 2 -s 0.1 --warmup 0.1 <&- >"$work/out" 2>&-
	status=$?
	expect_status 0
	expect_grammar 'System call entry and exit (getppid)' 1
}

closed_everything_in_a_sweep() {
	"$runtest" -t 1 -r 1 --duration 0.05 --warmup 0.05 -o run getppid1 <&- 2>&- >"$work/out"
	status=$?
	expect_status 0
	expect_out '^1,[0-9]+,[0-9.]+,[0-9]+,[0-9.]+,[0-9]+$'
	"$runtest" -t 1 -r 1 --duration 0.05 --warmup 0.05 -o run2 getppid1 <&- >&- 2>"$work/err"
	status=$?
	[ $status -ne 0 ] || fail "exit status 0 with stdout closed"
	expect_error 'cannot write'
}

full_output_without_measuring() {
	local what
	for what in --list --help --version '--plan getppid1' '--list --json'; do
		# shellcheck disable=SC2086 # words
		"$runtest" $what >/dev/full 2>"$work/err"
		status=$?
		[ $status -ne 0 ] || fail "$what: exit status 0"
		expect_error 'No space left on device'
	done
	for what in --help --describe; do
		"$tests/getppid1" $what >/dev/full 2>"$work/err"
		status=$?
		[ $status -ne 0 ] || fail "$what: exit status 0"
		expect_error 'No space left on device'
	done
}

csv() {
	run "$runtest" -t 1,2 -r 1 --duration 0.1 --warmup 0.1 -o run getppid1
	expect_status 0
	expect_no_err
	expect_equal 'lines' "$(wc -l <"$work/out")" 4
	expect_equal 'header' "$(lines 1 1)" tasks,processes,processes_idle,threads,threads_idle,linear
	expect_equal 'row 0' "$(lines 2 2)" 0,0,100,0,100,0
	expect_equal 'rows' "$(lines 3 4 | grep -cE '^[12](,[0-9]+,[0-9]+\.[0-9]+){2},[0-9]+$')" 2
	cmp "$work/out" run/getppid1.csv || fail 'the file differs from stdout'
	expect_equal 'title' "$(cat run/getppid1.title)" 'System call entry and exit (getppid)'
	run "$runtest" -t 1,2 -m processes -r 1 --duration 0.05 --warmup 0.05 -o run2 getppid1
	expect_equal 'rows without threads' "$(grep -cE '^[12],[0-9]+,[0-9.]+,0,0\.00,[0-9]+$' "$work/out")" 2
}

# Takes eight seconds: meanwhile the others run.
if [ "$KNEE_FIRST" = 1 ]; then
	timeout 8 "$tests/getppid1_processes" -s 30 >"$case_dir/eight" 2>/dev/null </dev/null &
	eight=$!
fi

it 'processes: eight lines, measurement, S lines, the mean' grammar processes
it 'threads: eight lines, measurement, S lines, the mean' grammar threads
it '-s takes decimals' decimal_seconds
it '-v prints a line for each task before each line' verbose
it 'the parsers of clients find what they look for' clients_parse_it
it 'descriptions hold no colon and no word of the grammar' descriptions_hold_no_colon
it '-h and --help print the usage' help
it 'output cut off by head leaves nothing' cut_off_output
it 'a full disk under stdout is an error' full_output
it 'a full disk under --list, --plan, --help is an error' full_output_without_measuring
for mode in processes threads; do
	it "$mode: a closed stdout is an error" closed_output $mode
	it "$mode: closed stdin and stderr change nothing" closed_input $mode
done
it 'a sweep with closed descriptors measures, or says what is wrong' closed_everything_in_a_sweep
it 'runtest prints the CSV of runtest.py and keeps it' csv
if [ "$KNEE_FIRST" = 1 ]; then
	wait $eight
	it 'lines come at once: at least 5 in 8 s, one of them warm-up' lines_come_at_once
fi
