#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Plans for the machines of check/fixtures/topologies, under every placement, against what
# check/golden/plan-*.text holds. `make golden` makes these anew.
. check/golden.sh

unset HWLOC_XMLFILE HWLOC_SYNTHETIC
runtest=$O/runtest

# plan FILE [OPTION...]: headed by the options; errors are part of it.
plan() {
	file=$1
	shift
	printf '\n$ runtest --plan -m processes %s\n' "$*"
	"$runtest" --topology-file "$file" --plan -m processes "$@" getppid1 2>&1 | grep -v '^$'
}

plans() {
	printf '$ runtest --topology\n'
	"$runtest" --topology-file "$1" --topology 2>&1
	for policy in core smt compact scatter none; do
		plan "$1" --placement $policy
	done
	plan "$1" --cpus 6,4-5
	plan "$1" --kind performance
	plan "$1" --kind efficiency
	plan "$1" -t 2,all --avoid 0-1,8
	plan "$1" -t 2,all --skip-isolated --placement compact
	plan "$1" -t 2 --bind core
	for partner in sibling l3 node far; do
		plan "$1" -t 2 --partner $partner | sed '/tasks, wrapping/,$d'
	done
	for memory in interleave node=1 far; do
		plan "$1" -t 2 --membind $memory | sed '/tasks, wrapping/,$d'
	done
	plan "$1" --points powers | sed '/tasks, wrapping/,$d'
}

for file in check/fixtures/topologies/*.xml; do
	name=${file##*/}
	plans "$file" | golden "plan-${name%.xml}.text"
done

# ---- the same machine by hwloc's own variables

xml=check/fixtures/topologies/AMD-17h-Zen-2xEpyc-7451.xml
"$runtest" --topology-file $xml --topology >"$WORK/by_option"
HWLOC_XMLFILE=$xml "$runtest" --topology >"$WORK/by_variable"
cmp -s "$WORK/by_option" "$WORK/by_variable" && pass "HWLOC_XMLFILE" ||
	fail "HWLOC_XMLFILE" "differs from --topology-file"
HWLOC_SYNTHETIC='pack:2 core:3 pu:2' "$runtest" --topology | head -n 1 >"$WORK/synthetic"
[ "$(cat "$WORK/synthetic")" = '2 packages, 1 node, 6 cores, 12 PUs' ] && pass "HWLOC_SYNTHETIC" ||
	fail "HWLOC_SYNTHETIC" "$(cat "$WORK/synthetic")"

# ---- as JSON

"$runtest" --topology-file $xml --plan --json -t 4 --placement compact --partner far --membind far \
	getppid1 >"$WORK/json" 2>/dev/null
jq -e '[.cells[] | .placement, .cpus, .partner_cpus, .membind, .mem_nodes, .skip] == [range(2) |
	"compact+partner=far", "0,48,1,49", null, "far", null,
	"no partner for CPU 0: no other node has usable PUs"]' "$WORK/json" >"$WORK/out" &&
	pass "a plan that cannot be had, as JSON" ||
	fail "a plan that cannot be had, as JSON" "$(jq -c '.cells[0]' "$WORK/json")"

"$runtest" --topology-file check/fixtures/topologies/memorysidecaches.xml --plan --json -t 2,all \
	--placement scatter --partner far --membind far --bind core getppid1 >"$WORK/json"
jq -e '.cells[0] | [.cpus, .bind_cpus, .partner_cpus, .mem_nodes, .span.packages] ==
	["0,1", "0,40/1,41", "5,4", "1,0", 2]' "$WORK/json" >"$WORK/out" &&
	pass "all of a cell, as JSON" || fail "all of a cell, as JSON" "$(jq -c '.cells[0]' "$WORK/json")"

# ---- wrong usage

error "no such file" 3 "nowhere.xml" "$runtest" --topology-file nowhere.xml --topology
echo '<topology>' >"$WORK/broken.xml"
error "a broken file" 3 "broken.xml" "$runtest" --topology-file "$WORK/broken.xml" --topology
error "another machine runs nothing" 2 "--plan" "$runtest" --topology-file $xml getppid1
error "-t and --points" 2 "exclude" "$runtest" -t 1 --points all --plan getppid1
error "--cpus and --placement" 2 "exclude" "$runtest" --cpus 1 --placement smt --plan getppid1
error "--points" 2 "task counts" "$runtest" --points some --plan getppid1
error "--membind" 2 "interleave" "$runtest" --membind near --plan getppid1
error "--cpus" 2 "list of CPUs" "$runtest" --cpus 1- --plan getppid1
error "--cpus of another machine" 3 "CPU 4711" \
	"$runtest" --topology-file $xml --cpus 4711 --plan getppid1
error "--cpus that is not here" 3 "CPU 60000 cannot be used: there is no such CPU" \
	"$runtest" --cpus 60000 --plan getppid1
error "--avoid all" 3 "none is left" "$runtest" --topology-file $xml --avoid 0-95 --plan getppid1
finish
