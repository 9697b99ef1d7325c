#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee summary: its four formats, and what it says of wrong data.
. check/golden.sh

runs=check/fixtures/runs
summary="$O/libexec/knee-summary"

for run in plain failures one_point series zeros hostile; do
	for format in text markdown csv json; do
		$summary --format $format $runs/$run 2>/dev/null | golden summary-$run.$format
	done
done
for run in plain failures outliers zeros; do
	$summary --format statistics $runs/$run 2>/dev/null | golden summary-$run.statistics
done
$summary $runs/outliers | golden summary-outliers.text
$summary --format markdown $runs/outliers | golden summary-outliers.markdown

$summary --format json --seed 2 $runs/outliers >"$WORK/two"
$summary --format json --seed 2 $runs/outliers | cmp -s - "$WORK/two" &&
	pass "the same seed, the same output" || fail "the same seed, the same output" "it differs"
$summary --format json $runs/outliers | cmp -s - "$WORK/two" &&
	fail "another seed, another bootstrap" "it is the same" || pass "another seed, another bootstrap"

too_wide=$(for run in $runs/*; do
		$summary "$run" 2>/dev/null; $summary -f statistics "$run" 2>/dev/null
	   done |
	   python3 -c 'import sys; print(sum(len(line.rstrip("\n")) > 100 for line in sys.stdin))')
[ "$too_wide" = 0 ] && pass "text fits 100 columns" ||
	fail "text fits 100 columns" "$too_wide lines are longer"

$summary $runs/hostile 2>/dev/null | LC_ALL=C grep -q "$(printf '\033')" &&
	fail "no control characters" "an escape came through" || pass "no control characters"

for run in $runs/*; do
	$summary -f json "$run" 2>/dev/null >"$WORK/table.json"
	$summary -f csv "$run" 2>/dev/null >"$WORK/table.csv"
	python3 check/same_table.py "$WORK/table.json" "$WORK/table.csv" >"$WORK/why" 2>&1 &&
		pass "CSV and JSON agree: ${run##*/}" ||
		fail "CSV and JSON agree: ${run##*/}" "$(tail -n 1 "$WORK/why")"
done

# ---- wrong data: file and line, exit status 1

damaged() {
	rm -rf "$WORK/run"
	cp -r $runs/plain "$WORK/run"
}

damaged; sed -i '7s/"ok"/"perfect"/' "$WORK/run/records.jsonl"
error "a wrong status" 1 "records.jsonl:7: status" $summary "$WORK/run"
damaged; sed -i '9s/.*/nonsense/' "$WORK/run/records.jsonl"
error "a line that is no JSON" 1 "records.jsonl:9: " $summary "$WORK/run"
damaged; sed -i '30s/"round": 4, //' "$WORK/run/records.jsonl"
error "a member that is missing" 1 "records.jsonl:30: Object item not found: round" \
	$summary "$WORK/run"
damaged; sed -i '5s/:/;/' "$WORK/run/plan.json"
error "a plan that is no JSON" 1 "plan.json:5: " $summary "$WORK/run"
damaged; sed -i 's/"mode": "threads"/"mode": "fibres"/' "$WORK/run/plan.json"
error "a cell that is wrong" 1 "plan.json: cells[1]: mode" $summary "$WORK/run"
damaged; printf '{' >"$WORK/run/machine.json"
error "a machine that is no JSON" 1 "machine.json:1: " $summary "$WORK/run"

damaged; rm "$WORK/run/records.jsonl" "$WORK/run/machine.json"
expect "a run without records" 0 $summary "$WORK/run"
[ "$(grep -c 'not run in 5 of 5 rounds' "$WORK/out")" = 6 ] && pass "rows without records" ||
	fail "rows without records" "not all six are there"

# ---- wrong usage: exit status 2

error "no such run" 2 "no plan.json" $summary "$WORK/nowhere"
error "a directory that is no run" 2 "no plan.json" $summary check
error "a file" 2 "Not a directory" $summary Makefile
error "no run named" 2 "one run directory" $summary
error "two runs named" 2 "one run directory" $summary $runs/plain $runs/zeros
error "an unknown format" 2 "-f xml: must be one of" $summary -f xml $runs/plain
error "an unknown option" 2 "--frobnicate" $summary --frobnicate $runs/plain
expect "help" 0 $summary --help

if [ -w /dev/full ]; then
	$summary $runs/plain >/dev/full 2>"$WORK/err"
	[ $? = 1 ] && [ "$(wc -l <"$WORK/err")" = 1 ] && pass "a full disk" ||
		fail "a full disk" "not said, or not by status 1"
fi

finish
