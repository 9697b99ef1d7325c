#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee scaling: its forms, its verdicts, and what it refuses.
. check/golden.sh

runs=check/fixtures/runs
csv=check/fixtures/csv
scaling="$O/libexec/knee-scaling"

for format in text markdown csv json; do
	$scaling -f $format $runs/wide | golden scaling-wide.$format
	$scaling -f $format --csv $csv/raytracer.csv | golden scaling-raytracer.$format
done
$scaling $runs/plain 2>/dev/null | golden scaling-plain.text
$scaling $runs/hostile 2>/dev/null | golden scaling-hostile.text
$scaling -f markdown $runs/hostile 2>/dev/null | golden scaling-hostile.markdown

too_wide=$(for run in $runs/*; do $scaling "$run" 2>/dev/null; done |
	   python3 -c 'import sys; print(sum(len(line.rstrip("\n")) > 80 for line in sys.stdin))')
[ "$too_wide" = 0 ] && pass "text fits 80 columns" ||
	fail "text fits 80 columns" "$too_wide lines are longer"

# ---- verdicts

verdict() { # NAME TEXT "TASKS RATE, ..."
	echo "$3" | tr ',' '\n' >"$WORK/points"
	got=$($scaling -f json --csv "$WORK/points" 2>/dev/null | jq -r '.curves[0].verdict')
	case $got in
	"$2"*) pass "verdict: $1" ;;
	*) fail "verdict: $1" "$got" ;;
	esac
}

verdict linear "linear to 16, the most that was measured" "1 10, 2 20, 4 39, 8 79, 16 157"
verdict flat "linear to 4, flattens at 8" "1 10, 2 20, 4 38, 8 60, 16 61, 32 60.5"
verdict retrograde "linear to 2, retrograde after 8" "1 10, 2 19, 4 30, 8 40, 16 30, 32 20"
verdict rising "linear to 2, still rising at 16" "1 10, 2 19, 4 32, 8 52, 16 80"
verdict "from the first" "retrograde after 1" "1 100, 2 60, 4 40, 8 30, 16 25"
verdict "a fall within the rounds' spread" "linear to 4, flattens at 8" \
	"1 10, 1 11, 2 20, 2 22, 4 38, 4 42, 8 55, 8 75, 16 45, 16 75"

# ---- files of numbers

# What will-it-scale's runtest.py prints, threads chosen by name; blanks and remarks.
printf 'tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n' >"$WORK/wis"
printf '%s\n' 1,100,75,90,75,100 2,190,50,120,50,200 4,300,0,100,0,400 8,310,0,80,0,800 >>"$WORK/wis"
expect "a table of will-it-scale's" 0 $scaling -f json --csv "$WORK/wis" --column threads
[ "$(jq -c '[.curves[0].points[] | .ops_per_s]' "$WORK/out")" = "[90,120,100,80]" ] &&
	pass "a column by name" || fail "a column by name" "$(head -c 300 "$WORK/out")"
printf '# remark\n 1 ; 10\n\n2; 20 # two\n4\t37\n8   60\n8 62\n' >"$WORK/free"
expect "blanks, semicolons, remarks" 0 $scaling -f json --csv "$WORK/free"
[ "$(jq -c '[.curves[0].points[] | .ops_per_s, .rounds]' "$WORK/out")" = \
  "[10,1,20,1,37,1,61,2]" ] &&
	pass "lines of the same tasks are rounds" ||
	fail "lines of the same tasks are rounds" "$(head -c 300 "$WORK/out")"
$scaling -f json --csv - <$csv/raytracer.csv | jq -e '.curves[0].model.lambda.estimate > 21' \
	>/dev/null && pass "from stdin" || fail "from stdin" "no model"

# ---- refused

printf '1,10\n2,20\n4,39\n' >"$WORK/three"
expect "three points" 1 $scaling -f json --csv "$WORK/three"
[ "$(jq -c '.curves[0].model' "$WORK/out")" = null ] &&
	jq -r '.curves[0].refused' "$WORK/out" | grep -q "too few points" &&
	pass "no model of three points" || fail "no model of three points" "$(head -c 200 "$WORK/out")"
grep -q "too few points" "$WORK/err" && pass "it says why" || fail "it says why" "$(cat "$WORK/err")"
expect "a run with three task counts" 1 $scaling $runs/plain
: >"$WORK/empty"
expect "an empty file" 1 $scaling --csv "$WORK/empty"
printf '1,10\n2,abc\n' >"$WORK/bad"
error "no number" 1 "bad:2: no number" $scaling --csv "$WORK/bad"
printf '1,10\n2\n' >"$WORK/bad"
error "a missing column" 1 "bad:2: too few columns" $scaling --csv "$WORK/bad"
printf '1,10\n2,-5\n' >"$WORK/bad"
error "a rate below 0" 1 "bad:2: less than 0" $scaling --csv "$WORK/bad"
error "no such column" 1 "no column has the name" $scaling --csv $csv/raytracer.csv --column x
error "no such file" 2 "No such file" $scaling --csv "$WORK/nowhere"
error "no such run" 2 "no plan.json" $scaling "$WORK/nowhere"
error "nothing named" 2 "one run directory" $scaling
error "both named" 2 "one run directory" $scaling --csv $csv/raytracer.csv $runs/wide
error "a column of a run" 2 "goes with --csv" $scaling --column x $runs/wide

finish
