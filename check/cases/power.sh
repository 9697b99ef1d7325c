#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# How often knee compare calls a change that there is, or is not, on recorded noise:
# check/bench/power.c.
. check/golden.sh

expect "false alarms as promised, and no rule finds more" 0 \
	"$O/check/power" check/fixtures/noise.json 300
grep -q "NOT SO" "$WORK/out" && fail "no row is worse" "$(grep "NOT SO" "$WORK/out" | head -n 1)" ||
	pass "no row is worse"
[ "$(grep -c ' % ' "$WORK/out")" -ge 18 ] && pass "all rows are there" ||
	fail "all rows are there" "$(wc -l <"$WORK/out") lines"

finish
