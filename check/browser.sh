#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# `make check-browser`: the pages of postprocess.py in a browser without a network, from a directory
# that holds CSV files and pages alone. Skips with a reason where there is no browser.
set -u
cd "$(dirname "$0")/.." || exit 2

dir=$(mktemp -d "${TMPDIR:-/tmp}/knee-browser.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/pages" "$dir/broken"

# ---- good ones ------------------------------------------------------------------------------------

header=tasks,processes,processes_idle,threads,threads_idle,linear
table() { # NAME ROW...
	printf '%s\n' "$header" 0,0,100,0,100,0 "${@:2}" >"$dir/pages/$1.csv"
}

cp check/fixtures/lkp/*.csv "$dir/pages"
cp check/fixtures/lkp/sweep.csv "$dir/pages/<b>\"&' %2e.csv"
table one_point 1,3,0.00,2,0.00,3
table threads_alone 1,0,0.00,812345,49.90,812345 2,0,0.00,0,0.00,1624690
table large 1,4000000000,0.00,5000000000,0.00,5000000000 1024,4e12,0.00,1e12,0.00,5.12e12
{ cat check/fixtures/lkp/sweep.csv; printf '128,9600'; } >"$dir/pages/cut.csv"
# shellcheck disable=SC2046 # words
table many $(seq -f '%.0f,100000,50.00,90000,40.00,1000000' 400)
src=$PWD
(cd "$dir/pages" && "$src/compat/postprocess.py" 2>"$dir/err")

# ---- broken ones, of which each must be told ------------------------------------------------------

break_page() { # NAME SED-SCRIPT
	sed "$2" "$dir/pages/sweep.html" >"$dir/broken/$1.html"
	! cmp -s "$dir/pages/sweep.html" "$dir/broken/$1.html" || echo "not ok - $1 is not broken" >>"$dir/same"
}
: >"$dir/same"

break_page network 's|<h1>|<img src="http://127.0.0.1:9/x.png"><h1>|; /Content-Security/d'
break_page policy 's|<h1>|<link rel="stylesheet" href="style.css"><h1>|'
break_page script 's|<h1>|<script>1</script><h1>|'
break_page outside 's|<text x="4"|<text x="-400"|'
break_page overlap 's|class="middle">16<|class="middle">16 and very many more besides and more and more and more and more and more<|'
break_page unseen 's|--paper: #[0-9a-f]*|--paper: var(--processes)|g'
break_page curve 's|<polyline points="[0-9]*|<polyline points="NaN|'
break_page picture 's|viewBox="[^"]*"|viewBox="0 0 0 0"|'
break_page table 's|<table>|<table hidden>|'

timeout 200 python3 check/browser.py "$dir"/pages/*.html >"$dir/good" 2>"$dir/why" || [ -s "$dir/good" ] ||
	echo "not ok - the browser: $(tail -n 1 "$dir/why")" >>"$dir/good"
if grep -q '^skip' "$dir/good"; then
	cat "$dir/good"
	exit 0
fi
timeout 200 python3 check/browser.py "$dir"/broken/*.html >"$dir/bad" 2>>"$dir/why"
sed 's/^ok - /not ok - not told: broken /; t; s/^not ok - \([^:]*\): .*/ok - told: broken \1/' "$dir/bad" >>"$dir/good"
cat "$dir/same" >>"$dir/good"

pages=$(ls "$dir"/pages/*.html | wc -l)
[ "$pages" -eq 8 ] || echo "not ok - $pages pages, not 8: $(cat "$dir/err")" >>"$dir/good"
lines=$(grep -c 'ok - ' "$dir/good")
[ "$lines" -ge $((2 * pages + 2 * 9)) ] || echo "not ok - $lines pages were looked at" >>"$dir/good"
cat "$dir/good"
failed=$(grep -c '^not ok' "$dir/good")
echo "$(grep -c '^ok' "$dir/good") passed, $failed failed"
[ "$failed" -eq 0 ]
