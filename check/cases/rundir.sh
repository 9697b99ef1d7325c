#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# runtest: plans, rounds, what the run directory holds, progress.
. "$KNEE_SRC/check/lib.sh"

short='--duration 0.05 --warmup 0.02'

# shellcheck disable=SC2086 # words
sweep() { # ARG...
	rm -rf run
	run "$runtest" $short -o run "$@"
	expect_status 0
}

records() { # FILTER
	jq -s -c "$1" run/records.jsonl
}

# ---- plans ---------------------------------------------------------------------------------------

plan() { # FILTER ARG...
	local filter=$1
	shift
	"$runtest" --plan --json "$@" | jq -c "$filter" || fail "no plan: $*"
}

plan_runs_nothing() {
	run "$runtest" --plan -t 1,2 -o run mmap1 getppid1
	expect_status 0
	expect_no_err
	expect_out 'mmap1/processes/2/core'
	expect_out '8 cells x 5 rounds x 1 s .* about 0 min'
	[ ! -e run ] && [ ! -e runs ] || fail 'a run directory was made'
	[ "$ms" -lt 3000 ] || fail "it took $ms ms"
}

plan_of_points() {
	local all
	all=$(nproc)
	expect_equal 'points of 1,2,50%,all' \
		"$(plan '[.cells[].tasks] | unique' -t 1,2,50%,all -m processes getppid1)" \
		"$(jq -nc "[1, 2, ([$all * 0.5 | round, 1] | max), $all] | unique")"
	expect_equal 'points of 1-7:3' "$(plan '[.cells[].tasks]' -t 1-7:3 -m threads getppid1)" '[1,4,7]'
}

rounds_are_shuffled() {
	local order
	order=$(plan .order -t 1-6 -r 4 --seed 7 mmap1)
	expect_equal 'cells of each round' "$(jq -c 'map(sort) | unique' <<<"$order")" \
		"$(jq -nc '[[range(12)]]')"
	expect_equal 'different rounds' "$(jq 'unique | length' <<<"$order")" 4
	expect_equal 'the same seed' "$(plan .order -t 1-6 -r 4 --seed 7 mmap1)" "$order"
	[ "$(plan .order -t 1-6 -r 4 --seed 8 mmap1)" != "$order" ] || fail 'another seed, the same order'
}

budget_fits() {
	local s
	for s in 20 60 300; do
		expect_equal "expected time within $s s" \
			"$(plan ".expected_s <= $s and .rounds >= 3" --budget $s -t 1,2 getppid1)" true
	done
	run "$runtest" --plan --budget 3 -t 1-8 getppid1 mmap1
	expect_status 2
	expect_no_out
	expect_error 'dropped'
}

budget_is_kept() {
	rm -rf run
	run "$runtest" --budget 4 -t 1 -m processes -o run getppid1
	expect_status 0
	[ "$ms" -lt 12000 ] || fail "it took $ms ms"
	expect_equal 'rounds at least' "$(records 'length >= 3')" true
}

# ---- rounds --------------------------------------------------------------------------------------

order_is_the_plans() {
	sweep -t 1,2,3 -r 2 getppid1
	expect_equal 'order of the records' \
		"$(records '[group_by(.round)[] | sort_by(.position)[] | .cell.id]')" \
		"$(jq -c '. as $plan | [.order[][] | $plan.cells[.].id]' run/plan.json)"
}

precision_adds_rounds() {
	sweep -t 1 -m processes -r 2 --precision 0.01 --max-rounds 4 getppid1
	expect_equal 'rounds' "$(records length)" 4
	sweep -t 1 -m processes -r 3 --precision 100 --max-rounds 4 --tests "$cases" ticks
	expect_equal 'rounds' "$(records length)" 3
}

# ---- records -------------------------------------------------------------------------------------

machine_is_described() {
	local key
	sweep -t 1 -r 1 -m processes getppid1
	for key in kernel.release kernel.version kernel.cmdline kernel.config_hash cpu.model \
		cpu.microcode cpu.mitigations cpu.smt_active cpu.governor cpu.boost cpu.max_khz \
		cpu.isolated memory.thp memory.numa_balancing memory.overcommit_memory \
		memory.randomize_va_space memory.total_bytes memory.swap_bytes cgroup.mounts \
		cgroup.self load.loadavg virtualisation scratch.fs build.knee build.compiler \
		build.cflags build.libc build.hwloc_api; do
		jq -e "[paths | map(tostring) | join(\".\")] | index(\"$key\")" run/machine.json >/dev/null ||
			echo "$key"
	done >missing
	[ ! -s missing ] || fail "machine.json lacks $(paste -sd' ' missing)"
	expect_equal 'release' "$(jq -r .kernel.release run/machine.json)" "$(uname -r)"
}

params_are_recorded() {
	sweep -t 1 -r 1 -m processes --tests "$cases" --param size=8K --param colour=blue has_params
	expect_equal 'parameters' "$(records '.[0].cell.params | [.number, .size, .colour]')" \
		'["3","8K","blue"]'
	expect_equal 'the id' "$(records '.[0].cell.id | test("size=8K") and test("colour=blue")')" true
	expect_equal 'what arrived' "$(grep -c 'number 3 size 8192 colour blue' run/stderr.log)" 1
}

# Another process on the cell's CPU.
disturbed() {
	local hog
	taskset -c 0 sh -c 'while :; do :; done' &
	hog=$!
	# shellcheck disable=SC2064 # now
	trap "kill -KILL $hog" EXIT
	sweep -t 1 -r 1 -m processes --duration 0.5 getppid1
	kill -KILL $hog
	trap - EXIT
	expect_equal 'the flag' "$(records '.[0].flags | index("disturbed") != null')" true
	expect_equal 'the other work' "$(records '.[0].window.other_pct > 20')" true
}

titles_and_tables() {
	sweep -t 1,2 -r 2 getppid1 mmap1
	for t in getppid1 mmap1; do
		expect_equal "rows of $t" "$(wc -l <run/$t.csv)" 4
		[ -s run/$t.title ] || fail "no title of $t"
	done
	expect_equal 'records' "$(records length)" 16
}

# ---- on a terminal -------------------------------------------------------------------------------

# Runs with stderr on a terminal, which goes to the file "terminal".
on_a_terminal() { # COMMAND...
	python3 - "$@" <<-'END'
		import os, pty, subprocess, sys
		master, slave = pty.openpty()
		child = subprocess.Popen(sys.argv[1:], stderr=slave, stdout=subprocess.DEVNULL)
		os.close(slave)
		with open("terminal", "wb") as out:
		    while True:
		        try:
		            data = os.read(master, 4096)
		        except OSError:
		            break
		        out.write(data)
		sys.exit(child.wait())
	END
}

# shellcheck disable=SC2086 # words
progress() {
	on_a_terminal "$runtest" $short -t 1,2 -r 2 -o run getppid1 || fail 'it failed'
	grep -q 'getppid1' terminal || fail "no progress: $(cat -v terminal)"
	grep -aq '8/8' terminal || fail "no count of cells: $(cat -v terminal)"
	rm -r run
	NO_COLOR=1 on_a_terminal "$runtest" $short -t 1,2 -r 2 -o run getppid1 || fail 'it failed'
	! grep -aq $'\e\[[0-9;]*m' terminal || fail 'colours in spite of NO_COLOR'
	rm -r run
	on_a_terminal "$runtest" --quiet $short -t 1 -r 1 -o run getppid1 || fail 'it failed'
	! grep -aq '1/1\|ETA\|eta' terminal || fail "progress in spite of --quiet: $(cat -v terminal)"
}

no_terminal_no_progress() {
	sweep -t 1 -r 2 getppid1
	expect_only_notes
}

# ---- a run that goes on --------------------------------------------------------------------------

resume_refuses_what_the_plan_says() {
	local arg
	sweep -t 1 -r 1 -m processes getppid1
	for arg in -r9 -t4 -mthreads --duration=9 --placement=scatter --param=x=1 mmap1; do
		run "$runtest" --resume run "$arg"
		expect_status 2
		expect_no_out
		expect_error 'cannot be given'
	done
}

# shellcheck disable=SC2086 # words
one_run_at_a_time() {
	start "$runtest" $short -t 1 -r 50 -m processes -o run getppid1
	until_true 10 test -s run/records.jsonl || fail 'no record'
	run "$runtest" --resume run
	expect_status 2
	expect_error 'another runtest is at work'
	kill -TERM "$pid"
	finished
}

# A file that is opened must not become what is printed to.
# shellcheck disable=SC2086 # words
closed_streams_spoil_nothing() {
	"$runtest" $short -t 1 -r 1 -m processes -o run getppid1 >&- 2>"$work/err"
	status=$?
	expect_status 1
	expect_err 'stdout'
	expect_equal 'lines that are no records' "$(jq -s 'map(select(.schema != "knee-record/1")) | length' \
		run/records.jsonl)" 0
	"$runtest" $short -t 1 -r 1 -m processes --tests "$cases" -o other returns >/dev/null 2>&-
	expect_equal 'lines that are no records' "$(jq -s 'map(select(.schema != "knee-record/1")) | length' \
		other/records.jsonl)" 0
}

it '--resume refuses what the plan says' resume_refuses_what_the_plan_says
it 'one run at a time is at work in a run directory' one_run_at_a_time
it 'closed standard streams spoil no record' closed_streams_spoil_nothing
if [ "$KNEE_FIRST" = 1 ]; then
	it '--plan runs nothing' plan_runs_nothing
	it 'task counts: 1,2,50%,all and 1-7:3' plan_of_points
	it 'rounds are shuffled, by the seed' rounds_are_shuffled
	it '--budget fits the plan, or says what it would drop' budget_fits
	it '--precision adds rounds, within bounds' precision_adds_rounds
	it 'parameters are recorded' params_are_recorded
	it 'progress on a terminal' progress
fi
it '--budget is kept' budget_is_kept
it 'cells are run in the order of the plan' order_is_the_plans
it 'machine.json describes the machine' machine_is_described
it 'other work on the CPU marks the record' disturbed
it 'tables and titles' titles_and_tables
it 'nothing on stderr that is no terminal' no_terminal_no_progress
