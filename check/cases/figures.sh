#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee figures: what testcases measure beside their rates.
. check/golden.sh

figures="$O/libexec/knee-figures"
run=check/fixtures/runs/figures

for format in text markdown csv json; do
	$figures -f $format $run | golden figures.$format
done

# By head: 60 values whose sum is 12000, medians 150, 200 and 140, 99th percentiles 900, 700 and 400.
[ "$($figures -f json $run | jq -c '.rows[0] | [.rounds, .nr, .lost, .mean, .min, .median, .p99, .max] |
	map(. * 1)')" = '[3,60,5,200,90,150,700,1200]' ] &&
	pass "over the rounds" || fail "over the rounds" "$($figures -f json $run | jq -c '.rows[0]')"
[ "$($figures -f json $run | jq -c '.rows[2] | [.nr, .mean, .max]')" = '[0,null,null]' ] &&
	pass "no value makes no figure" || fail "no value makes no figure" "$($figures $run)"

# Both ways of reading a record say the same: an escape makes it jansson's.
mkdir "$WORK/escaped"
cp $run/plan.json "$WORK/escaped"
sed 's/"status": "ok"/"status": "\\u006fk"/' $run/records.jsonl >"$WORK/escaped/records.jsonl"
cmp -s $run/records.jsonl "$WORK/escaped/records.jsonl" && fail "escaped" "nothing was"
$figures -f csv $run >"$WORK/skimmed"
$figures -f csv "$WORK/escaped" | cmp -s - "$WORK/skimmed" && pass "records that are read otherwise" ||
	fail "records that are read otherwise" "$($figures -f csv "$WORK/escaped" | head -n 2)"

error "none" 1 "measured nothing beside their rates" "$figures" check/fixtures/runs/plain
error "no run" 2 "one run directory" "$figures"

finish
