#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee effect: its forms, a difference that is known, and what it refuses.
. check/golden.sh

effect="$O/libexec/knee-effect"
levels=check/fixtures/runs/levels

for format in text markdown csv json; do
	$effect --factor memcg -f $format $levels | golden effect-levels.$format
done
$effect --factor thp --base always $levels | golden effect-thp.text

too_wide=$($effect --factor memcg $levels | awk 'length > 80' | wc -l)
[ "$too_wide" = 0 ] && pass "text fits 80 columns" ||
	fail "text fits 80 columns" "$too_wide lines are longer"

# ---- measured

sweep() { # RUN ARG...
	run=$WORK/$1
	shift
	rm -rf "$run"
	"$O/runtest" -q --tests "$O/check-tests" --warmup 0.02 -m processes -t 1 -o "$run" "$@" \
		>/dev/null 2>"$WORK/err"
}

# An operation takes 5 % longer: the change is 1 / 1.05 - 1. One interval of 20 misses the truth: so
# three tries.
known() { # FILTER
	for _ in 1 2 3; do
		sweep known -r 10 --duration 0.25 --vary param:slow=0,5 paces
		$effect -f json "$WORK/known" >"$WORK/known.json" &&
			[ "$(jq "$1" "$WORK/known.json")" = true ] && return
	done
	return 1
}
known '.rows[0] | .verdict == "slower" and .ratio_ci95_low <= 1 / 1.05 and .ratio_ci95_high >= 1 / 1.05' &&
	pass "5 % are found in 10 rounds, and the interval holds them" ||
	fail "5 % are found in 10 rounds, and the interval holds them" \
		"$(jq -c '.rows[0] | [.verdict, .ratio_ci95_low, .ratio_ci95_high, .rounds]' "$WORK/known.json")"
[ "$(jq -c '[.factor, .base, .rows[0].level, .rows[0].rounds]' "$WORK/known.json")" = \
  '["param:slow","0","5",10]' ] && pass "a parameter's levels are paired" ||
	fail "a parameter's levels are paired" "$(head -c 300 "$WORK/known.json")"

# The same twice: the truth is 1.
same() {
	for _ in 1 2 3; do
		sweep same -r 8 --duration 0.1 --vary env:KNEE_X=1,2 paces
		[ "$($effect -f json "$WORK/same" | jq -r '.rows[0].verdict')" = noise ] && return
	done
	return 1
}
same && pass "no difference is in the noise" || fail "no difference is in the noise" "$($effect "$WORK/same")"

sweep placed -r 3 --duration 0.1 --vary placement=core,none paces
[ "$($effect -f json "$WORK/placed" | jq -c '[.base, .rows[].level]')" = '["core","none"]' ] &&
	pass "placements are paired" || fail "placements are paired" "$($effect "$WORK/placed" 2>&1)"

# ---- refused

error "no run" 2 "one run directory" "$effect"
error "two runs" 2 "one run directory" "$effect" $levels $levels
error "no such run" 2 "nowhere" "$effect" "$WORK/nowhere"
error "a run that varies nothing" 2 "varies nothing" "$effect" check/fixtures/runs/plain
error "which factor" 2 "memcg, thp: which one" "$effect" $levels
error "not that factor" 2 "does not vary aslr, only memcg, thp" "$effect" --factor aslr $levels
error "no such level" 2 "no level depth9 of memcg" "$effect" --factor memcg --base depth9 $levels

# One round makes no interval: the table says so, and the status.
sweep once -r 1 --duration 0.03 --vary env:KNEE_X=1,2 paces
expect "a single round" 1 "$effect" "$WORK/once"
grep -q 'fewer than two pairs' "$WORK/out" && pass "a single round has no verdict" ||
	fail "a single round has no verdict" "$(cat "$WORK/out")"

finish
