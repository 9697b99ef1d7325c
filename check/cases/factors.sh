#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# runtest --vary: levels arrive, are interleaved, and all that was changed is put back.
. "$KNEE_SRC/check/lib.sh"

short='-q --duration 0.03 --warmup 0.02'
overcommit=/proc/sys/vm/overcommit_memory
thp=/sys/kernel/mm/transparent_hugepage/enabled

# shellcheck disable=SC2086 # words
vary() { # ARG...: one round, processes, unless the arguments say otherwise
	rm -rf run
	run "$runtest" --tests "$cases" $short -r 1 -m processes -t 1 -o run "$@"
}

records() { # FILTER
	jq -s -c "$1" run/records.jsonl
}

# What the tasks of the cells whose ids match said of a word: sorted, each once.
told() { # REGEX WORD
	awk -v cell="$1" -v word="$2=" '
		/^# / || /round [0-9]+/ { there = $0 ~ cell }
		there && /^task / { for (i = 3; i <= NF; i++) if (index($i, word) == 1) print substr($i, length(word) + 1) }
	' run/stderr.log | sort -u | paste -sd' '
}

# Settings are the machine's: one test at a time, also of other checks, changes them.
settings() {
	[ "$(id -u)" -eq 0 ] || skip 'only root changes settings'
	[ -w $overcommit ] || skip 'settings cannot be changed here'
	exec 8>/run/lock/knee-check-settings && flock 8
	overcommit_before=$(cat $overcommit)
	thp_before=$(cat $thp 2>/dev/null)
	trap 'put_settings_back' EXIT
}

# Should a test fail.
put_settings_back() {
	echo "$overcommit_before" >$overcommit
	[ -z "$thp_before" ] || grep -o '\[.*\]' <<<"$thp_before" | tr -d '[]' >$thp
}

settings_are_back() {
	[ "$(cat $overcommit)" = "$overcommit_before" ] && [ "$(cat $thp 2>/dev/null)" = "$thp_before" ]
}

no_state_file() {
	[ -z "$(find "$work/locks" -name 'restore*')" ]
}

# A level that is not the present one.
other_overcommit() {
	echo $(((overcommit_before + 1) % 2))
}

# ---- levels arrive -------------------------------------------------------------------------------

environment_arrives() {
	vary --vary env:KNEE_X=one,two tells
	expect_status 0
	expect_equal 'one' "$(told 'env:KNEE_X=one' env)" one
	expect_equal 'two' "$(told 'env:KNEE_X=two' env)" two
	expect_equal 'factors of the cells' "$(records 'map(.cell.factors["env:KNEE_X"]) | sort')" \
		'["one","two"]'
}

parameter_arrives() {
	vary --vary param:slow=3,5 tells
	expect_status 0
	expect_equal '3' "$(told 'slow=3' slow)" 3
	expect_equal '5' "$(told 'slow=5' slow)" 5
	expect_equal 'ids name it once' "$(records 'map(.cell.id) | sort')" \
		'["tells/processes/1/core/slow=3","tells/processes/1/core/slow=5"]'
}

aslr_arrives() {
	vary --vary aslr=on,off tells
	expect_status 0
	expect_equal 'on' "$(told 'aslr=on' aslr)" on
	expect_equal 'off' "$(told 'aslr=off' aslr)" off
	expect_equal 'the records' "$(records 'map({(.cell.factors.aslr): .aslr}) | add | [.on, .off]')" \
		'[true,false]'
}

scratch_arrives() {
	mkdir one two
	vary --vary "scratch=$PWD/one,$PWD/two" tells
	expect_status 0
	case $(told "scratch=$PWD/one" cwd) in "$PWD"/one/knee.*) ;; *) fail 'not in one' ;; esac
	case $(told "scratch=$PWD/two" cwd) in "$PWD"/two/knee.*) ;; *) fail 'not in two' ;; esac
	expect_equal 'left' "$(find one two -name 'knee*')" ''
	expect_equal 'dir of the cells' "$(records 'map(.cell.dir) | sort')" "[\"$PWD/one\",\"$PWD/two\"]"
}

placement_arrives() {
	vary --vary placement=core,none --vary membind=local,interleave tells
	expect_status 0
	expect_equal 'CPUs' "$(records 'map([.cell.placement, .cell.cpus != null]) | unique')" \
		'[["core",true],["none",false]]'
	expect_equal 'memory' "$(records 'map(.cell.membind) | sort')" \
		'["interleave","interleave","local","local"]'
	expect_equal 'different ids' "$(records 'map(.cell.id) | unique | length')" 4
}

settings_arrive() {
	settings
	vary --vary sysctl:vm.overcommit_memory=0,1 --vary thp=always,never tells
	expect_status 0
	expect_equal '0' "$(told 'overcommit_memory=0' overcommit)" 0
	expect_equal '1' "$(told 'overcommit_memory=1' overcommit)" 1
	if [ -e $thp ]; then
		expect_equal 'always' "$(told 'thp=always' thp)" always
		expect_equal 'never' "$(told 'thp=never' thp)" never
	fi
	settings_are_back || fail 'settings are changed'
	no_state_file || fail 'a state file is left'
}

# The names of sysctl(8) with slashes; several numbers, which the kernel separates by tabs.
settings_of_several_numbers() {
	local file=/proc/sys/net/ipv4/ping_group_range value
	settings
	[ -w $file ] || skip "no $file"
	value=$(cat $file)
	vary --vary 'sysctl:net/ipv4/ping_group_range=5 6,7 8' tells
	expect_equal 'status of the cells' "$(records 'map(.status) | unique')" '["ok"]'
	expect_equal 'put back' "$(cat $file)" "$value"
}

# ---- memory cgroups ------------------------------------------------------------------------------

can_make_groups() {
	"$runtest" --plan --json --vary memcg=child -t 1 -m processes --tests "$cases" tells |
		jq -e '.cells[0].skip == null' >/dev/null
}

own_group() {
	sed -n 's/.*:memory://p' /proc/self/cgroup | grep . || sed -n 's/^0:://p' /proc/self/cgroup
}

root_is_the_root() {
	make_cgroup memory
	in_group "$runtest" --tests "$cases" -q --duration 0.03 --warmup 0.02 -r 1 -m processes -t 1 \
		-o run --vary memcg=root,child tells
	expect_status 0
	expect_equal 'root' "$(told 'memcg=root' memcg)" /
	expect_equal 'path in the record' \
		"$(records '.[] | select(.cell.factors.memcg == "root") | .memcg.path')" "\"${group%/*}\""
	case $(told 'memcg=child' memcg) in
	*/"${group##*/}"/knee.*) ;;
	*) fail "child is $(told 'memcg=child' memcg)" ;;
	esac
	expect_equal 'groups left' "$(find "$group" -mindepth 1 -type d)" ''
}

groups_arrive() {
	can_make_groups || skip 'no memory cgroups can be made here'
	vary -t 2 --vary memcg=depth3,child2,child tells
	expect_status 0
	case $(told 'memcg=depth3' memcg) in */knee.*/deeper/deeper) ;; *) fail 'depth3' ;; esac
	expect_equal 'groups of child2' "$(told 'memcg=child2' memcg | sed 's,[^ ]*/,,g')" 'child0 child1'
	expect_equal 'groups of child' "$(told 'memcg=child ' memcg | wc -w)" 1
	expect_equal 'counts of what was charged' \
		"$(records 'map(.memcg | .version > 0 and (.stat | type) == "object") | unique')" '[true]'
	expect_equal 'dying groups are counted' \
		"$(records 'map(.dying_groups | .before >= 0 and .after >= 0) | unique')" '[true]'
}

threads_share_a_group() {
	vary -m threads --vary memcg=child8,child tells
	expect_status 3
	expect_err 'memcg=child8: skipped: .*threads share their memory'
	expect_equal 'the record' "$(records '.[] | select(.cell.factors.memcg == "child8") |
		[.status, (.reason | test("threads share"))]')" '["skipped",true]'
}

# A group that page cache keeps alive is told; others may go meanwhile, on a machine that is used.
a_group_that_stays() {
	can_make_groups || skip 'no memory cgroups can be made here'
	vary --vary memcg=child tells
	expect_equal 'status' "$(records 'map(.status)')" '["ok"]'
	records '.[0].dying_groups' | grep -q before || skip 'only a part of the hierarchy is seen'
	tries3 stays
}

stays() {
	rm -rf held && mkdir held
	vary -r 6 --duration 0.5 --vary "env:KNEE_X=$PWD/held" --vary memcg=child leaves_cache
	expect_status 0
	expect_equal 'more, and the flag, but not at first' \
		"$(records '[.[5].dying_groups.before > .[0].dying_groups.before] +
			[.[0, 5].flags | index("dying_groups") != null]')" '[true,false,true]'
}

# Testcases that make groups of their own.
groups_of_its_own() {
	run "$runtest" --plan --vary memcg=root,child -t 1 -m processes memcg_create
	expect_status 0
	expect_out 'makes memory cgroups of its own'
}

# ---- what cannot be had --------------------------------------------------------------------------

an_ordinary_user() {
	[ "$(id -u)" -ne 0 ] || skip 'for an ordinary user'
	vary --vary sysctl:vm.overcommit_memory=1,2 tells
	expect_status 3
	expect_err 'sysctl:vm.overcommit_memory cannot be set to 1: Permission denied'
	expect_equal 'cells' "$(records 'map(.status) | unique')" '["skipped"]'
	vary --vary thp=always tells
	expect_status 3
	vary --vary env:KNEE_X=1 tells
	expect_status 0
	if [ "$(own_group)" != / ]; then
		vary --vary memcg=root tells
		expect_status 3
		expect_err 'memcg=root: skipped: cannot leave memory cgroup .* for the root'
	fi
}

levels_that_are_not_there() {
	vary --vary sysctl:vm.no_such_thing=1 tells
	expect_status 3
	expect_err 'skipped: sysctl:vm.no_such_thing cannot be set to 1: this kernel does not have it'
	vary --vary sysctl:../../etc/passwd=1 tells
	expect_status 3
}

# What the kernel refuses, or takes for something else, is not measured; the other level is.
levels_that_are_refused() {
	settings
	vary -r 2 --vary "sysctl:vm.overcommit_memory=7,$(other_overcommit)" tells
	expect_status 3
	expect_err 'overcommit_memory=7: lacking: .* cannot be set to 7'
	expect_equal 'cells' "$(records 'map(.status) | sort')" '["lacking","ok","ok"]'
	settings_are_back || fail 'settings are changed'
}

wrong_usage() { # REGEX LEVELS...
	local regex=$1
	shift
	vary "$@" tells
	expect_status 2
	expect_no_out
	expect_error "$regex"
	[ ! -e run ] || fail 'a run directory was made'
}

usage() {
	wrong_usage 'no such factor; near: memcg;' --vary memgc=root
	wrong_usage 'must be NAME=LEVEL' --vary thp
	wrong_usage 'must be root, child, depthN or childN' --vary memcg=root,depth0
	wrong_usage 'must be root, child, depthN or childN' --vary memcg=child0
	wrong_usage 'must be one of: always madvise never' --vary thp=on
	wrong_usage 'must be one of: on off' --vary aslr=yes
	wrong_usage 'an empty level' --vary env:KNEE_X=1,,2
	wrong_usage 'level 1 is there twice' --vary env:KNEE_X=1,2,1
	wrong_usage 'is given twice' --vary env:KNEE_X=1 --vary env:KNEE_X=2
	wrong_usage 'scratch=/nowhere: No such file' --vary scratch=/nowhere
	wrong_usage 'more than 1000 combinations' --vary "env:A=$(seq -s, 40)" --vary "env:B=$(seq -s, 40)"
	wrong_usage 'slow=101: must be' --vary param:slow=1,101
	wrong_usage 'placement and --cpus exclude' --cpus 0 --vary placement=core
	wrong_usage 'no such factor' --vary sysctl:=1
}

# ---- order ---------------------------------------------------------------------------------------

# Blocks of cells that differ in levels alone come in a row, shuffled anew in each round.
interleaved() {
	local order
	order=$("$runtest" --plan --json --tests "$cases" --seed 5 -r 20 -t 1,2,3 -m processes \
		--vary env:KNEE_X=a,b,c tells | jq -c '[.block, .order]')
	expect_equal 'a block' "$(jq '.[0]' <<<"$order")" 3
	expect_equal 'a block stays together' \
		"$(jq -c '.[1] | map([range(0; 9; 3) as $i | .[$i:$i + 3] | map(. / 3 | floor) | unique | length])
			| flatten | unique' <<<"$order")" '[1]'
	expect_equal 'orders within the blocks' \
		"$(jq '.[1] | map([range(0; 9; 3) as $i | .[$i:$i + 3] | map(. % 3)]) | flatten(1) | unique | length' \
			<<<"$order")" 6
	vary -r 2 -t 1,2 --vary env:KNEE_X=a,b tells
	expect_equal 'records in the order of the plan' \
		"$(records '[group_by(.round)[] | sort_by(.position)[] | .cell.id]')" \
		"$(jq -c '. as $plan | [.order[][] | $plan.cells[.].id]' run/plan.json)"
}

# All levels have the rounds that one of them needs.
precision_is_paired() {
	vary -r 2 --precision 0.01 --max-rounds 4 --vary env:KNEE_X=a,b tells
	expect_equal 'rounds of each' "$(records 'group_by(.cell.id) | map(map(.round) | sort)')" \
		'[[0,1,2,3],[0,1,2,3]]'
}

resumed() {
	vary -r 2 --vary env:KNEE_X=a,b tells
	head -n 3 run/records.jsonl >some && cp some run/records.jsonl
	run "$runtest" --tests "$cases" -q --resume run
	expect_status 0
	expect_equal 'records' "$(records 'map([.cell.factors["env:KNEE_X"], .round]) | sort')" \
		'[["a",0],["a",1],["b",0],["b",1]]'
	expect_equal 'the level' "$(told 'env:KNEE_X=a round 1' env) $(told 'env:KNEE_X=b round 1' env)" 'a b'
}

# ---- all is put back -----------------------------------------------------------------------------

after_a_failure() {
	settings
	vary --vary "sysctl:vm.overcommit_memory=$(other_overcommit)" -t 2 --duration 1 fails_must
	expect_status 1
	settings_are_back || fail 'settings are changed'
}

start_in_group() {
	# shellcheck disable=SC2016 # for the inner shell
	start bash -c 'echo $$ >"$0"/cgroup.procs && exec "$@"' "$group" "$@"
}

# A run that stays at levels which are not the present ones.
start_long() { # ARG...
	start_in_group "$runtest" --tests "$cases" -q \
		--duration 20 --warmup 0.02 -r 1 -m processes -t 1 -o run "$@"
}

is_changed() {
	[ "$(cat $overcommit)" != "$overcommit_before" ] && find "$group" -mindepth 1 -name cgroup.procs -exec cat {} + | grep -q .
}

start_changed() {
	settings
	make_cgroup memory
	trap 'remove_cgroup; put_settings_back' EXIT
	rm -rf run
	start_long --vary "sysctl:vm.overcommit_memory=$(other_overcommit)" --vary thp=never,always \
		--vary memcg=child,depth4 tells
	until_true 10 is_changed || fail 'nothing was changed'
}

all_is_back() {
	settings_are_back && [ -z "$(find "$group" -mindepth 1 -type d)" ]
}

expect_all_back() {
	until_true 12 all_is_back || fail "not as before: overcommit_memory $(cat $overcommit)," \
		"thp $(cat $thp), groups $(find "$group" -mindepth 1 -type d | paste -sd' ')"
}

after_a_signal() { # SIGNAL NUMBER
	start_changed
	kill -"$1" "$pid"
	finished
	expect_status $((128 + $2))
	all_is_back || fail 'not as before'
	no_state_file || fail 'a state file is left'
}

guardian() {
	pgrep -P "$pid" -x runtest
}

# At random moments: before a level is set, while it is, in a cell, between two.
after_sigkill() {
	local i
	settings
	make_cgroup memory
	trap 'remove_cgroup; put_settings_back' EXIT
	for ((i = 0; i < 50; i++)); do
		rm -rf run
		start_in_group "$runtest" --tests "$cases" -q --duration 0.01 --warmup 0.01 -r 50 -m processes -t 1 -o run \
			--vary sysctl:vm.overcommit_memory=0,1 --vary thp=never,always,madvise \
			--vary memcg=child,depth4 tells
		sleep "0.$(printf %03d $((RANDOM % 200)))"
		kill -KILL "$pid"
		finished 2>/dev/null
		expect_status 137
		expect_all_back
	done
}

after_sigkill_of_the_guardian_too() {
	local guardian
	start_changed
	guardian=$(guardian)
	[ -n "$guardian" ] || fail 'no guardian'
	kill -KILL "$guardian" "$pid"
	finished 2>/dev/null
	until_true 5 no_process || fail 'processes are left'
	! settings_are_back || fail 'the settings came back by themselves: this tests nothing'
	vary getppid1 --tests "$tests"
	expect_status 0
	expect_err "vm/overcommit_memory is put back to \"$overcommit_before\", as it was before a run that was killed"
	settings_are_back || fail 'settings are changed'
	expect_equal 'what machine.json says' "$(jq -r '.memory.overcommit_memory | tostring' run/machine.json)" \
		"$overcommit_before"
	no_state_file || fail 'a state file is left'
}

# Each would take the other's levels for what was there before.
two_runs_at_once() {
	start_changed
	mv run first
	vary --vary "sysctl:vm.overcommit_memory=$overcommit_before" tells
	expect_status 3
	expect_err 'another run varies settings'
	vary --vary env:KNEE_X=1 tells
	expect_status 0
	is_changed || fail 'the other run took a level away'
	kill -INT "$pid"
	finished
	expect_all_back
}

# Others may write into the directory in which runs find each other.
state_of_another() {
	settings
	printf '%s\t%s\n' $overcommit "$(other_overcommit)" >"$work/locks/restore-0"
	chown 12345 "$work/locks/restore-0"
	vary tells
	expect_status 0
	settings_are_back || fail 'it did what the file of another user says'
	rm "$work/locks/restore-0"
	printf '%s\t%s\n' "$PWD/nothing" x >"$work/locks/restore-0"
	vary tells
	expect_status 0
	[ ! -e nothing ] || fail 'it wrote what is no setting'
}

it 'an environment variable arrives' environment_arrives
it 'a parameter arrives' parameter_arrives
it 'address-space randomisation arrives' aslr_arrives
it 'scratch directories arrive' scratch_arrives
it 'placement and membind arrive' placement_arrives
it 'sysctls and THP arrive, and are put back' settings_arrive
it 'a sysctl of several numbers' settings_of_several_numbers
it 'memcg=root is the root memory cgroup, also for those outside of it' root_is_the_root
it 'memory cgroups: depthN, childN, child' groups_arrive
it 'a memory cgroup that stays is flagged' a_group_that_stays
it 'childN in threads is skipped, with the reason' threads_share_a_group
it 'testcases with memory cgroups of their own' groups_of_its_own
it 'an ordinary user: what may not be had is skipped' an_ordinary_user
it 'a setting that is not there' levels_that_are_not_there
it 'a level that the kernel refuses' levels_that_are_refused
it 'wrong usage' usage
it 'levels are interleaved within each round' interleaved
it '--precision adds whole blocks' precision_is_paired
it '--resume runs the levels that are missing' resumed
it 'put back after a failure' after_a_failure
it 'put back after Ctrl-C' after_a_signal INT 2
it 'put back after SIGTERM' after_a_signal TERM 15
it 'put back after SIGKILL at 50 random moments' after_sigkill
it 'put back at the next start after SIGKILL of the guardian, too' after_sigkill_of_the_guardian_too
it 'two runs that vary settings exclude each other' two_runs_at_once
it 'state files that others wrote are not believed' state_of_another
