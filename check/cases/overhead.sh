#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee overhead: the published table from its run times, tables of runs, and what it refuses.
. check/golden.sh

overhead="$O/libexec/knee-overhead"
kmem=check/fixtures/csv/kmem-overhead.csv
levels=check/fixtures/runs/levels

# W. Long's own figures, digit for digit: not to be made anew from what this prints.
$overhead --csv $kmem -f markdown >"$WORK/out"
if cmp -s "$WORK/out" check/golden/overhead-kmem.markdown; then
	pass "the published table"
else
	fail "the published table" "$(diff check/golden/overhead-kmem.markdown "$WORK/out" | head -n 5)"
fi
for format in text csv json; do
	$overhead --csv - -f $format <$kmem | golden overhead-kmem.$format
done

# ---- rounds

says() { # NAME EXPECTED FILTER ARG...
	says_name=$1 says_expected=$2 says_filter=$3
	shift 3
	says_got=$("$overhead" -f json "$@" 2>"$WORK/err" | jq -c "$says_filter")
	if [ "$says_got" = "$says_expected" ]; then
		pass "$says_name"
	else
		fail "$says_name" "$says_got $(cat "$WORK/err")"
	fi
}

printf 'a,disabled,2\na,disabled,9\na, disabled , 4\na,none,10\na,none,14 # slow\n' >"$WORK/rounds"
one='.objects[0] | [.disabled_s, .rows[0].run_s, .rows[0].overhead_s, .rows[0].pct_1] | map(. * 1)'
says "the mean" '[5,12,7,100]' "$one" --csv "$WORK/rounds"
says "the median" '[4,12,8,100]' "$one" --csv "$WORK/rounds" --statistic median
says "the minimum" '[2,10,8,100]' "$one" --csv "$WORK/rounds" --statistic min
printf 'a,disabled,2\na,none,1\na,x,3\n' >"$WORK/faster"
says "no overhead makes no percentage of it" '[null,null]' '[.objects[0].rows[].pct_1]' --csv "$WORK/faster"

# ---- runs

$overhead --level child -f text $levels | golden overhead-levels.text
$overhead --level child -f markdown --name '1-2' $levels $levels | golden overhead-levels.markdown
# 172,000 operations a second, 200,000 to do.
says "operations are each task's" '[true,true]' \
	'[.objects[] | select(.object | test("never\\], 2 proc")) | (.disabled_s, .rows[0].run_s) | . > 0.9 and . < 1.4]' \
	--level child --operations 100000 $levels
says "the same kernel patched is the same" '[[100,100]]' \
	'[.objects[] | [.rows[].pct_1] | select(.[0] != null) | map(. * 1)] | unique' --level child $levels --name x $levels

# ---- refused

error "nothing" 2 "run directories are expected" "$overhead"
error "runs and a file" 2 "run directories are expected" "$overhead" --csv $kmem $levels
error "no such file" 2 "nowhere" "$overhead" --csv "$WORK/nowhere"
error "which level" 2 "child and depth4: which one" "$overhead" $levels
error "a run without memcg" 2 "no memcg level beside root" "$overhead" check/fixtures/runs/plain
error "more names than runs" 2 "more names than PATCHED" "$overhead" --level child --name x $levels
error "two runs of one name" 2 "two runs are called none" "$overhead" --level child --name none $levels $levels

refused() { # TEXT LINES
	printf '%b' "$2" >"$WORK/bad"
	error "refused: $1" 1 "$1" "$overhead" --csv "$WORK/bad"
}
refused 'no run time of the unpatched kernel' 'a,disabled,1\na,x,2\n'
refused 'no run time with accounting disabled' 'a,none,1\n'
refused 'bad:2: OBJECT,PATCHES,SECONDS' 'a,disabled,1\na,none\n'
refused 'bad:2: OBJECT,PATCHES,SECONDS' 'a,disabled,1\na,none,-1\n'
refused 'bad:2: OBJECT,PATCHES,SECONDS' 'a,disabled,1\na,none,2 s\n'
refused 'bad:1: OBJECT,PATCHES,SECONDS' 'a,disabled,0\n'
refused 'there are no run times' 'object,patches,seconds\n# none\n'

finish
