#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee compare: its forms, its verdicts, what it refuses, and its exit statuses.
. check/golden.sh

runs=check/fixtures/runs
lkp=check/fixtures/lkp
compare="$O/libexec/knee-compare"

for format in text markdown csv json lkp mmtests gbench; do
	$compare -f $format $runs/before $runs/after | golden compare-runs.$format
done
$compare --changed $runs/before $runs/after | golden compare-changed.text
$compare $runs/before $runs/after $runs/before | golden compare-three.text
$compare -f mmtests $runs/before $runs/after $runs/before | golden compare-three.mmtests
$compare -f gbench $runs/after | golden compare-one.gbench
$compare $lkp/matrix-a.json $lkp/matrix-b.json | golden compare-matrix.text
$compare $runs/hostile $runs/hostile | golden compare-hostile.text

for format in text json csv; do
	$compare -f $format $runs/before $runs/after >"$WORK/a"
	$compare -f $format $runs/before $runs/after | cmp -s - "$WORK/a" &&
		pass "the same twice: $format" ||
		fail "the same twice: $format" "it differs"
done

too_wide=$({ $compare $runs/before $runs/after; $compare $lkp/matrix-a.json $lkp/matrix-c.json
	     $compare $runs/hostile $runs/hostile; $compare $runs/wide $runs/wide; } |
	   python3 -c 'import sys; print(sum(len(line.rstrip("\n")) > 80 for line in sys.stdin))')
[ "$too_wide" = 0 ] && pass "text fits 80 columns" ||
	fail "text fits 80 columns" "$too_wide lines are longer"

$compare -f json $runs/before $runs/after >"$WORK/json"
$compare -f csv $runs/before $runs/after >"$WORK/csv"
python3 - "$WORK/json" "$WORK/csv" <<'PY' >"$WORK/why" 2>&1 && pass "CSV and JSON agree" ||
import csv, json, sys
cells = [c for p in json.load(open(sys.argv[1]))["pairs"] for c in p["cells"]]
lines = list(csv.DictReader(open(sys.argv[2])))
assert len(cells) == len(lines) == 10
for cell, line in zip(cells, lines):
    for name, text in line.items():
        if name in ("base", "head", "params", "factors"):
            continue
        value = cell[name]
        assert text == "" if value is None else text == str(value) or float(text) == value, name
PY
	fail "CSV and JSON agree" "$(tail -n 1 "$WORK/why")"

# ---- LKP's own

axes() {
	for axis in tbox_group=tbox1 testcase=will-it-scale rootfs=debian-12 kconfig=x86_64-rhel-9.4 \
		    compiler=gcc-12 nr_task=100% mode=process test=brk1 cpufreq_governor=performance; do
		printf -- '--axis %s ' $axis
	done
}

same_as_lkp() { # HEAD COMMIT
	$compare -f lkp $(axes) --name aaaa000000000000000000000000000000000001 --name "$2" \
		$lkp/matrix-a.json $lkp/matrix-$1.json >"$WORK/table"
	cmp -s "$WORK/table" $lkp/compare-a$1.txt && pass "LKP's table of a and $1" ||
		fail "LKP's table of a and $1" "$(diff "$WORK/table" $lkp/compare-a$1.txt | tr '\n' '|')"
}

same_as_lkp b bbbb000000000000000000000000000000000002
same_as_lkp c cccc000000000000000000000000000000000003

# With other numbers of runs, the share of failures is of each one's own.
jq '."dmesg.WARNING:at_mm/mmap.c:#do_brk" = [1, 1, 1, 1, 0, 0, 0, 0] |
    .stats_source += .stats_source' \
	$lkp/matrix-a.json >"$WORK/eight.json"
$compare -f lkp "$WORK/eight.json" $lkp/matrix-c.json >"$WORK/out"
grep -q 'dmesg' "$WORK/out" && fail "half of eight is half of four" "$(grep dmesg "$WORK/out")" ||
	pass "half of eight is half of four"
$compare -f lkp $lkp/matrix-b.json "$WORK/eight.json" | grep -q ' :4  *50%  *4:8  *dmesg' &&
	pass "shares of different numbers of runs" || fail "shares of different numbers of runs" "no row"

# A run's figures under LKP's names, as its parser has them.
python3 - "$WORK/swept" <<'PY'
import json, os, sys
os.makedirs(sys.argv[1])
rows = [line.strip().split(",") for line in open("check/fixtures/lkp/sweep.csv")][2:]
cells, records = [], []
for row in rows:
    for mode, ops, idle in ("processes", row[1], row[2]), ("threads", row[3], row[4]):
        cell = {"id": f"t/{mode}/{row[0]}", "testcase": "t", "mode": mode, "tasks": int(row[0]),
                "placement": "core"}
        cells.append(cell)
        records += [{"cell": cell, "round": r, "status": "ok", "elapsed_ns": 1000000000,
                     "ops_per_s": int(ops) * f, "window": {"idle_pct": float(idle)}}
                    for r, f in enumerate((1, 1, 1))]
json.dump({"run": "swept", "rounds": 3, "cells": cells}, open(sys.argv[1] + "/plan.json", "w"))
with open(sys.argv[1] + "/records.jsonl", "w") as f:
    f.writelines(json.dumps(r) + "\n" for r in records)
PY
cp -r "$WORK/swept" "$WORK/tenth"
sed -i 's/"ops_per_s": \([0-9]*\)/"ops_per_s": 1\1/' "$WORK/tenth/records.jsonl"
$compare -f lkp "$WORK/swept" "$WORK/tenth" >"$WORK/out" 2>/dev/null
wrong=$(sed 's/: / /' $lkp/sweep.parsed | while read -r key value; do
	case $key in *_idle) continue ;; esac
	awk -v key="will-it-scale.$key" -v value="$value" \
		'$NF == key { found = 1; if ($1 - value > 0.006 || value - $1 > 0.006) print key, $1 }
		 END { if (!found && key !~ /linear|scalability/) print key, "missing" }' "$WORK/out"
done)
[ -z "$wrong" ] && [ "$(grep -c will-it-scale "$WORK/out")" -gt 8 ] &&
	pass "a run under LKP's names" || fail "a run under LKP's names" "$wrong"

# ---- what differs

altered() { # FILTER: a copy of $runs/after with another machine.json
	rm -rf "$WORK/run"
	cp -r $runs/after "$WORK/run"
	jq "$1" $runs/after/machine.json >"$WORK/run/machine.json"
}

refuses() { # NAME FILTER WHAT
	altered "$2"
	expect "refused: $1" 2 $compare $runs/before "$WORK/run"
	[ -s "$WORK/out" ] && fail "nothing is printed: $1" "$(head -n 1 "$WORK/out")" ||
		pass "nothing is printed: $1"
	grep -q "$3" "$WORK/err" && pass "named: $1" || fail "named: $1" "$(head -n 1 "$WORK/err")"
	expect "allowed: $1" 0 $compare --allow "$4" $runs/before "$WORK/run"
	grep -q "$4.*matters, allowed" "$WORK/out" && pass "listed: $1" ||
		fail "listed: $1" "$(sed -n 5,8p "$WORK/out")"
}

refuses "the CPU" '.cpu.model = "Another CPU"' "cpu.model differs: Example CPU" cpu.model
refuses "the kernel's configuration" '.kernel.config_hash = "fnv1a64:01"' "kernel.config_hash" \
	kernel.config_hash
refuses "the filesystem" '.scratch.fs = "tmpfs"' "scratch.fs differs: -, and tmpfs" scratch.fs
refuses "huge pages" '.memory.thp = "always"' "memory.thp" memory.thp
refuses "the topology" '.topology.pus = 2' "topology.pus differs: 4, and 2" topology

refuses "a mitigation" '.cpu.mitigations.retbleed = "Vulnerable"' "cpu.mitigations.retbleed" cpu
altered '.cpu.mitigations.vmscape = "Not affected"'
expect "a weakness that the CPU has not" 0 $compare $runs/before "$WORK/run"
grep -q "cpu.mitigations.vmscape: - -> Not affected" "$WORK/out" && pass "but it is listed" ||
	fail "but it is listed" "$(sed -n 5,8p "$WORK/out")"

altered '.cpu.model = "Another CPU" | .memory.thp = "always"'
expect "one of two allowed" 2 $compare --allow cpu $runs/before "$WORK/run"
[ "$(grep -c differs "$WORK/err")" = 1 ] && pass "the other one is named" ||
	fail "the other one is named" "$(cat "$WORK/err")"
expect "all allowed" 0 $compare --allow all $runs/before "$WORK/run"
altered '.kernel.boot_id = "x" | .load.uptime = "1 1" | .kernel.hostname = "beta"'
expect "what always differs, and names" 0 $compare $runs/before "$WORK/run"
$compare -f json $runs/before "$WORK/run" | jq -e '[.pairs[0].differences[] | .name + " " + .kind] |
	. == ["kernel.hostname listed", "kernel.release listed", "kernel.boot_id always",
	      "load.uptime always"]' >/dev/null && pass "every difference is in the JSON" ||
	fail "every difference is in the JSON" "$(jq -c '.pairs[0].differences' "$WORK/out" 2>&1)"
altered .; rm "$WORK/run/machine.json"
expect "an unknown machine" 0 $compare $runs/before "$WORK/run"
grep -q "machines were not compared" "$WORK/out" && pass "it says so" || fail "it says so" "no"

altered .
sed -i 's/"cpus": "0,1"/"cpus": "0,2"/' "$WORK/run/plan.json" "$WORK/run/records.jsonl"
error_text=$($compare $runs/before "$WORK/run" 2>&1)
case $error_text in
*"cells.cpus differs: 0,1, and 0,2 (6 cells)"*) pass "other CPUs are refused" ;;
*) fail "other CPUs are refused" "$error_text" ;;
esac

# ---- verdicts

expect "a regression of 5 %" 4 $compare --fail-on-regression 5 $runs/before $runs/after
expect "any regression" 4 $compare --fail-on-regression 0 $runs/before $runs/after
expect "no regression of 20 %" 0 $compare --fail-on-regression 20 $runs/before $runs/after
expect "a regression, in another form" 4 $compare -f json --fail-on-regression 5 $runs/before \
	$runs/after
jq -e .schema "$WORK/out" >/dev/null && pass "and all of it" || fail "and all of it" "cut off"
expect "the other way round" 4 $compare --fail-on-regression 5 $runs/after $runs/before
expect "an improvement is no regression" 0 $compare --fail-on-regression 7 $runs/after $runs/before
expect "the same twice" 0 $compare --fail-on-regression 0 $runs/before $runs/before
expect "by LKP's rule" 4 $compare --rule lkp --fail-on-regression 5 $runs/before $runs/after
expect "of LKP's matrices" 4 $compare --fail-on-regression 5 $lkp/matrix-a.json $lkp/matrix-b.json
expect "not of what has no direction" 0 $compare --rule lkp --fail-on-regression 5 $lkp/matrix-a.json \
	$lkp/matrix-c.json

$compare $runs/one_point $runs/one_point | grep -q " few$" && pass "one round is no evidence" ||
	fail "one round is no evidence" "a verdict"

# ---- usage

error "one run" 2 "two runs or more" $compare $runs/before
error "no run" 2 "two runs or more" $compare
error "no such run" 2 "No such file" $compare $runs/before "$WORK/nowhere"
error "a run and a matrix" 2 "is a matrix.json" $compare $runs/before $lkp/matrix-a.json
error "nothing in common" 2 "no cell in common" $compare --allow all $runs/zeros $runs/before
error "too many names" 2 "more names" $compare --name a --name b --name c $runs/before $runs/after
error "no axis" 2 "NAME=VALUE" $compare --axis x $runs/before $runs/after
error "an unknown rule" 2 "must be one of" $compare --rule astrology $runs/before $runs/after
echo '[1]' >"$WORK/list.json"
error "no matrix" 1 "no object" $compare $lkp/matrix-a.json "$WORK/list.json"
echo '{"a": "b"}' >"$WORK/text.json"
error "no numbers" 1 "no array of numbers" $compare $lkp/matrix-a.json "$WORK/text.json"

finish
