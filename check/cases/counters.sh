#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --counters: the kernel's own counts, exactly; what cannot be counted; their table.
. "$KNEE_SRC/check/lib.sh"

knee=$KNEE_BUILD/knee
sweep='--duration 0.1 --warmup 0.05 -t 1 -m processes -q'

# As the first line of /proc says it; "" where it is not to be had.
paranoid() {
	cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null
}

# A counter of the last report: its member.
counter() { # NAME MEMBER
	result ".counters.events[] | select(.event == \"$1\") | .$2"
}

# ---- counts --------------------------------------------------------------------------------------

counts_exactly() { # MODE TASKS
	report "$cases/known_counts_$1" -t "$2" -s 2 --warmup 0.1 --warmup-max 0.1 --counters
	expect_status 0
	expect_equal 'page faults of the tasks themselves' "$(result ".figures.faults.sum == $((1000 * $2))")" true
	expect_equal 'page faults' "$(counter page-faults "value == $((1000 * $2))")" true
	if [ "$(counter context-switches status)" = 'not permitted' ]; then
		[ "$KNEE_WHO" != root ] && [ "$(paranoid)" -gt 1 ] || fail 'why is it not permitted?'
		return
	fi
	[ "$(result '.figures.switches.sum | floor')" -ge $((150 * $2)) ] || fail 'the tasks did not sleep'
	expect_equal 'context switches' "$(counter context-switches 'value | floor')" \
		"$(result '.figures.switches.sum | floor')"
	expect_equal 'scaled' "$(result '[.counters.events[] | select(.enabled_ns != .running_ns)]')" '[]'
}

# Partners count, too: they are started after the gate has opened.
counts_partners() {
	report "$tests/context_switch1_processes" -t 1 -s 0.3 --warmup 0.05 --counters=cs,page-faults
	expect_status 0
	[ "$(counter context-switches status)" != 'not permitted' ] || return 0
	# Without the partner it would be half a switch an operation.
	expect_equal 'a switch an operation' "$(result '.counters.events[0].value > 0.8 * .ops')" true
}

missing_counter_is_named() {
	report "$tests/getppid1_processes" -s 0.1 --warmup 0.05 \
		--counters=cycles,rffff,no:such_tracepoint,page-faults
	expect_status 0
	case $(counter no:such_tracepoint status) in
	'not supported') ;;
	'not permitted') [ "$KNEE_WHO" != root ] || fail 'root may look' ;;
	*) fail "no:such_tracepoint: $(counter no:such_tracepoint status)" ;;
	esac
	expect_equal 'no value' "$(counter no:such_tracepoint value)" null
	case $(counter cycles status) in
	counted | 'not supported' | 'not counted' | 'not permitted') ;;
	*) fail "cycles: $(counter cycles status)" ;;
	esac
	expect_equal 'page faults' "$(counter page-faults status)" counted
}

wrong_names() {
	once
	run "$runtest" --counters=page-fautls getppid1
	expect_status 2
	expect_error "no counter 'page-fautls'; near it: page-faults"
	run "$runtest" --counters= getppid1
	expect_status 2
	expect_error
}

it 'counts of a process are exact' tries3 counts_exactly processes 1
it 'counts of two threads are exact' tries3 counts_exactly threads 2
it 'partners are counted' counts_partners
it 'a counter that is missing is named, the others count' missing_counter_is_named
it 'names that do not exist' wrong_names

# ---- rights --------------------------------------------------------------------------------------

# Each level, for root and an ordinary user: one line of reason at most, and the cell is measured.
at_level() { # LEVEL
	local before level=$1
	[ "$(id -u)" -eq 0 ] || skip 'only root sets the level'
	before=$(paranoid)
	# shellcheck disable=SC2064 # as it is now
	trap "echo $before >/proc/sys/kernel/perf_event_paranoid" EXIT
	echo "$level" >/proc/sys/kernel/perf_event_paranoid || skip 'the level cannot be set'
	# shellcheck disable=SC2086 # words
	run "$runtest" $sweep -r 2 -o run --counters getppid1
	expect_status 0
	expect_no_err
	expect_equal 'statuses of root' "$(jq -c '.counters | .reason, ([.events[] | select(.user_only)])' \
		run/records.jsonl | sort -u)" "$(printf '[]\nnull')"
	chmod 711 "$case_dir" "$work"
	chmod 777 "$work/cwd" "$work/tmp" "$work/locks"
	# shellcheck disable=SC2086 # words
	run setpriv --reuid=64320 --regid=64320 --clear-groups --inh-caps=-all \
		"$runtest" $sweep -r 2 -o run-user --counters getppid1
	[ "$status" -ne 126 ] || skip 'the work tree is closed to others'
	expect_status 0
	if [ "$level" -le 1 ]; then
		expect_no_err
	else
		expect_error "may not count.*perf_event_paranoid is $level"
		expect_equal 'switches' "$(jq -c '.counters.events[1].status' run-user/records.jsonl |
			sort -u)" '"not permitted"'
	fi
	expect_equal 'rounds measured' "$(jq -c .status run-user/records.jsonl | sort | uniq -c |
		tr -s ' ')" ' 2 "ok"'
}

for level in -1 0 1 2 3; do
	it "perf_event_paranoid $level: measured, and one line at most" at_level $level
done

# ---- the table -----------------------------------------------------------------------------------

prints_the_table() {
	# shellcheck disable=SC2086 # words
	run "$runtest" $sweep -r 2 -o run --counters getppid1
	expect_status 0
	run "$knee" counters run
	expect_status 0
	expect_out "^ Performance counter stats for 'getppid1/processes/1/core' \(2 runs\):"
	expect_out '^ +[0-9.,]+ msec task-clock(:u)? +# +[0-9.]+ CPUs utilized +\( \+- +[0-9.]+% \)$'
	expect_out '^ +[0-9.]+ seconds time elapsed +\( \+- +[0-9.]+% \)$'
	# shellcheck disable=SC2086 # words
	run "$runtest" $sweep -r 1 -o none getppid1
	run "$knee" counters none
	expect_status 1
	expect_error 'no counters'
}

it 'knee counters prints what perf stat prints' prints_the_table
