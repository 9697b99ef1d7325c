#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee plot placement: scripts against check/golden, pictures looked into, wrong usage.
. check/golden.sh

plot="$O/knee plot placement"
unset HWLOC_XMLFILE

if ! command -v gnuplot >/dev/null; then
	skip "plot placement" "gnuplot is not installed"
	finish
fi

machine() { # DESCRIPTION [OPTION...]
	description=$1
	shift
	HWLOC_SYNTHETIC=$description "$O/runtest" --topology --json "$@" >"$WORK/machine.json"
}

# ---- a machine of two packages

machine 'pack:2 numa:1 l3:2 core:2 pu:2'
$plot "$WORK/machine.json" -o "$WORK/two" -f svg,png >"$WORK/out"
[ "$(wc -l <"$WORK/out")" = 8 ] && pass "a picture for each placement" ||
	fail "a picture for each placement" "$(cat "$WORK/out")"
for placement in core scatter; do
	sed -n '/^set xrange/,$p' "$WORK/two/placement-$placement.gp" | golden placement-$placement.gp
done
# The colour of a task is the same wherever it is; its number stands in the picture.
for text in "package 0: node 0" "package 1: node 1" "placement core: 16 tasks on 16 PUs" \
	">0<" ">15<"; do
	grep -qF "$text" "$WORK/two/placement-core.svg" && pass "the picture says $text" ||
		fail "the picture says $text" "it does not"
done

# ---- fewer tasks than PUs, other shapes

machine 'pack:1 numa:2 core:3 pu:4' --cpus 3,2 --bind core
$plot "$WORK/machine.json" -o "$WORK/list" >"$WORK/out"
[ "$(sed -n '/^\$tasks/,/^EOD/p' "$WORK/list"/*.gp | grep -c '[0-9]$')" = 2 ] &&
	[ "$(sed -n '/^\$empty/,/^EOD/p' "$WORK/list"/*.gp | grep -c '[0-9]$')" = 22 ] &&
	pass "PUs without a task are empty" || fail "PUs without a task are empty" "$(cat "$WORK/list"/*.gp)"
for file in check/fixtures/topologies/*.xml; do
	"$O/runtest" --topology --json --topology-file "$file" --placement scatter >"$WORK/machine.json"
	expect "picture of ${file##*/}" 0 $plot "$WORK/machine.json" -o "$WORK/all"
done

# ---- a run

"$O/runtest" --tests "$O/check-tests" -q -r 1 --duration 0.05 --warmup 0.02 -t 1 -m processes -o "$WORK/run" \
	ticks >/dev/null 2>&1
expect "a run" 0 $plot "$WORK/run" -o "$WORK/of_run"
grep -q "placement core: 1 task on" "$WORK/of_run/placement-core.svg" &&
	pass "a run is drawn" || fail "a run is drawn" "its title is missing"
"$O/runtest" --tests "$O/check-tests" -q -r 1 --duration 0.05 --warmup 0.02 -t 1 -m processes \
	--placement none -o "$WORK/unbound" ticks >/dev/null 2>&1
error "a run without a placement" 1 "no task was bound" $plot "$WORK/unbound"
error "a run of an older version" 1 "does not tell which PUs" $plot check/fixtures/runs/plain
error "nothing there" 2 "nowhere" $plot nowhere
error "no operand" 2 "run directory" $plot
error "a format that is none" 2 "svg png" $plot "$WORK/run" -f gif
finish
