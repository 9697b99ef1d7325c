#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever ends a run, and whenever: within a second nothing is left, and what was measured is kept.
. "$KNEE_SRC/check/lib.sh"

# After SIGKILL a scratch directory may be left, until the next start.
at_most_one_scratch() {
	local left
	left=$(ls -d "$work"/tmp/knee.* 2>/dev/null | wc -l)
	[ "$left" -le 1 ] || fail "$left scratch directories are left"
	run "$tests/getppid1" -s 0.01 --warmup 0.01
	expect_status 0
	no_scratch || fail 'the next start did not remove the scratch directory'
}

gone_within_a_second() {
	until_true 1 no_process || fail "left after 1 s: $(ps -o pid,ppid,pgid,stat,args -p "$(left_pids | paste -sd,)")"
}

# Ends what was started by the signal, after so many seconds.
end_by() { # SIGNAL SECONDS
	sleep "$2"
	kill -"$1" "$pid"
	gone_within_a_second
	finished
	expect_status $((128 + $(kill -l "$1")))
	if [ "$1" = KILL ]; then
		at_most_one_scratch
	else
		until_true 1 no_scratch || fail "left: $(ls -d "$work"/tmp/knee.*)"
	fi
}

executable() { # SIGNAL SECONDS COMMAND...
	local signal=$1 seconds=$2
	shift 2
	start "$@"
	end_by "$signal" "$seconds"
	[ "$signal" = KILL ] || expect_no_average
}

sweep() { # SIGNAL SECONDS ARG...
	local signal=$1 seconds=$2
	shift 2
	rm -rf run
	start "$runtest" -o run "$@"
	end_by "$signal" "$seconds"
}

# At twenty moments from the first millisecond on; at a few as another user.
moments=$((KNEE_FIRST == 1 ? 20 : 5))

killed_at_random() { # COMMAND...
	local i
	for ((i = 1; i <= moments; i++)); do
		rm -rf run
		start "$@"
		end_by KILL "0.$(printf %03d $((RANDOM % (400 * i / moments))))"
	done
}

records() { # FILTER
	jq -s "$1" run/records.jsonl
}

two_points="-t 1,2 -m processes -r 2 --duration 0.15 --warmup 0.05 --seed 1"

# Until the record of the first cell is there.
measured_one() {
	[ "$(wc -l <run/records.jsonl 2>/dev/null)" -ge 1 ]
}

# With one round, the cells that are done are complete points.
interrupted_sweep_keeps() { # SIGNAL
	rm -rf run
	start "$runtest" -t 1-8 -m processes -r 1 --duration 0.3 --warmup 0.05 --seed 1 -o run getppid1
	until_true 20 measured_one || fail 'nothing was measured'
	kill -"$1" "$pid"
	gone_within_a_second
	finished
	expect_status $((128 + $(kill -l "$1")))
	nothing_left 1
	local measured
	measured=$(records '[.[] | select(.status == "ok")] | length')
	[ "$measured" -ge 1 ] || fail 'no record'
	expect_equal 'rows on stdout' "$(grep -cE '^[1-8],[1-9]' "$work/out")" "$measured"
	cmp "$work/out" run/getppid1.csv || fail 'the file differs from stdout'
	expect_equal 'other records' "$(records 'all(.status == "ok" or .status == "killed")')" true
}

# Cells and rounds of the records that hold figures, each once.
figures() { # RUN
	jq -r 'select(.status == "ok") | "\(.cell.id) \(.round)"' "$1/records.jsonl" | sort
}

resumed_run_is_complete() { # SIGNAL
	rm -rf run whole
	# shellcheck disable=SC2086 # words
	"$runtest" $two_points -o whole getppid1 >/dev/null || fail 'the undisturbed run failed'
	# shellcheck disable=SC2086
	start "$runtest" $two_points -o run getppid1
	until_true 20 measured_one || fail 'nothing was measured'
	kill -"$1" "$pid"
	finished
	gone_within_a_second
	[ "$(figures run | wc -l)" -lt 4 ] || fail 'it was too late'
	run "$runtest" --resume run
	expect_status 0
	expect_equal 'cells and rounds' "$(figures run)" "$(figures whole)"
	expect_equal 'rows' "$(grep -cE '^[12],[1-9]' "$work/out")" 2
	cp run/records.jsonl before
	run "$runtest" --resume run
	expect_status 0
	cmp run/records.jsonl before || fail 'a complete run was measured again'
	expect_equal 'rows' "$(grep -cE '^[12],[1-9]' "$work/out")" 2
}

resume_after_half_a_line() {
	# shellcheck disable=SC2086 # words
	"$runtest" $two_points -o run getppid1 >/dev/null || fail 'the run failed'
	truncate -s -100 run/records.jsonl
	run "$runtest" --resume run
	expect_status 0
	expect_equal 'figures' "$(jq -Rr 'fromjson? | select(.status == "ok") | .cell.id' run/records.jsonl | wc -l)" 4
}

files_are_removed() { # MODE
	run "$cases/leaves_files_$1" -t 3 -s 0.1 --warmup 0.1
	expect_status 0
	expect_only_notes
	no_scratch || fail "left: $(ls -d "$work"/tmp/knee.*)"
	[ -f "$work/tmp/outside/keep" ] || fail 'a link was followed'
}

around_a_link() { # MODE
	mkdir "$work/tmp/outside"
	touch "$work/tmp/outside/keep"
	files_are_removed "$1"
}

strays_end() { # MODE
	run "$cases/forks_strays_$1" -t 3 -s 0.1 --warmup 0.1
	expect_status 0
	expect_only_notes
	gone_within_a_second
}

# A scratch directory in use is none of another run's business; a stale one of another user neither.
others_scratch_stays() {
	start "$tests/getppid1" -s 30 --warmup 0.1
	until_true 5 eval '! no_scratch' || fail 'no scratch directory'
	run "$tests/getppid1" -s 0.01 --warmup 0.01
	no_scratch && fail 'the scratch directory of a running cell was removed'
	kill -TERM "$pid"
	finished
}

for signal in INT TERM HUP KILL; do
	for mode in processes threads; do
		it "executable, $mode: SIG$signal in mid-window" tries3 executable $signal 0.4 \
			"$tests/getppid1_$mode" -t 4 -s 20 --warmup 0.1
	done
	it "executable: SIG$signal at start-up" tries3 executable $signal 0.02 \
		"$tests/getppid1_processes" -t 200 -s 20
	it "executable: SIG$signal while it prepares" tries3 executable $signal 0.3 \
		"$cases/prepare_slow" -t 2 -s 20
	it "executable: SIG$signal to one with strays" tries3 executable $signal 0.4 \
		"$cases/forks_strays" -t 2 -s 20 --warmup 0.1
	it "executable: SIG$signal to one without -s" tries3 executable $signal 0.4 \
		"$tests/pipe_churn_threads" -t 2 --warmup 0.1
	it "runtest: SIG$signal in mid-window" tries3 sweep $signal 0.4 \
		-t 4 --duration 20 --warmup 0.1 getppid1
	it "runtest: SIG$signal at start-up" tries3 sweep $signal 0.03 -t 200 --duration 20 getppid1
	it "runtest: SIG$signal while a testcase prepares" tries3 sweep $signal 0.4 \
		--tests "$cases" -t 2 --duration 20 prepare_slow
done
it 'executable: SIGKILL at random moments' tries3 killed_at_random \
	"$tests/context_switch1_processes" -t 8 -s 20 --warmup 0.1
it 'executable with strays: SIGKILL at random moments' tries3 killed_at_random \
	"$cases/forks_strays_processes" -t 8 -s 20 --warmup 0.1
it 'runtest: SIGKILL at random moments' tries3 killed_at_random \
	"$runtest" -t 1,2,3 -r 50 --duration 0.05 --warmup 0.05 -o run getppid1
for signal in INT TERM HUP; do
	it "runtest: SIG$signal: what was measured is kept and printed" tries3 interrupted_sweep_keeps $signal
done
for signal in INT KILL; do
	it "--resume after SIG$signal measures what is missing, once" tries3 resumed_run_is_complete $signal
done
it '--resume after half a line' resume_after_half_a_line
for mode in processes threads; do
	it "$mode: files that a testcase leaves are removed" around_a_link $mode
	it "$mode: processes that left their group and session end" strays_end $mode
done
it 'the scratch directory of a running cell stays' others_scratch_stays
