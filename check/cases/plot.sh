#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# knee plot curves: its scripts, and what gnuplot makes of them.
. check/golden.sh

runs=check/fixtures/runs
plot="$O/libexec/knee-plot"

# draw RUN NAME SVG-EXPECTATION...: the script is the golden one, the picture as expected.
draw() {
	run=$1 name=$2
	shift 2
	$plot curves $runs/"$run" -o "$WORK/$run" -f svg,png >"$WORK/out" 2>"$WORK/err" ||
		fail "plot $run" "exit status $?: $(cat "$WORK/err")"
	golden "curves-$run-$name.gp" <"$WORK/$run/$name.gp"
	python3 check/svg.py "$WORK/$run/$name.svg" "$@" 2>"$WORK/why" &&
		pass "svg of $run" || fail "svg of $run" "$(tail -n 1 "$WORK/why")"
	# "\211PNG"
	[ "$(head -c 4 "$WORK/$run/$name.png" | od -An -tx1)" = " 89 50 4e 47" ] &&
		pass "png of $run" || fail "png of $run" "it is none"
}

if ! command -v gnuplot >/dev/null; then
	skip "plot" "gnuplot is not installed"
	finish
fi

# Counts: the points of the curve, and one in the legend.
draw plain mmap1 processes=4 threads=4 processes_hollow=0 threads_hollow=0 failed=0 \
	"text=mmap1: Anonymous memory mmap/munmap of 128MB" "text=kops/s" \
	"text=1 op: mmap + munmap of 128 MiB" "text=tasks" "text=idle, % of all CPUs" text=linear
draw failures getppid1 processes=2 threads=1 processes_hollow=2 threads_hollow=1 failed=5 \
	"text=doubtful: drift, disturbed, solar_flare, rounds that failed" "text=not measured"
draw one_point mmap1 processes=2 threads=0
draw two_points mmap1 processes=0 threads=3
draw zeros lock1 processes=1 threads=1 processes_hollow=3 threads_hollow=3
draw wide page_fault1 processes=17 threads=15 threads_hollow=2 text=Mops/s text=384
draw hostile _.__a_b__c___d_ processes=1 processes_hollow=2 failed=2 \
	'text=system("touch /tmp/knee_was_here") `touch' "text=<script>alert(1)" "text=it's 100%" \
	'text=\n @x $y |z|' "text=中文"
[ -e /tmp/knee_was_here ] && fail "hostile texts" "one of them was run" || pass "hostile texts"

python3 check/fixtures/make.py many "$WORK/400"
expect "400 points" 0 $plot curves "$WORK/400" -o "$WORK/many"
python3 check/svg.py "$WORK/many/mmap1.svg" processes=1 threads=1 text=400 2>"$WORK/why" &&
	pass "svg of 400 points" || fail "svg of 400 points" "$(tail -n 1 "$WORK/why")"

$plot curves $runs/series -o "$WORK/series" >"$WORK/out" 2>/dev/null
[ "$(wc -l <"$WORK/out")" = 6 ] && [ "$(ls "$WORK/series"/*.svg | wc -l)" = 6 ] &&
	pass "a picture for each series" || fail "a picture for each series" "$(cat "$WORK/out")"

# A script, run again by hand, makes the same picture.
cp "$WORK/plain/mmap1.svg" "$WORK/before.svg"
(cd "$WORK/plain" && gnuplot -d mmap1.gp)
cmp -s "$WORK/before.svg" "$WORK/plain/mmap1.svg" && pass "a script is run again" ||
	fail "a script is run again" "the picture differs"

# ---- on the terminal: a page of letters

# terminal RUN TESTCASE LETTERS: how often P, p, T, t and x stand in the page, below its heading.
terminal() {
	COLUMNS=80 LINES=24 $plot curves $runs/"$1" "$2" --terminal 2>"$WORK/err" >"$WORK/page"
	sed '/ops\/s against tasks/,$!d' "$WORK/page" | sed 1d | grep '|\|^ *0 +' >"$WORK/letters"
	counts=$(for letter in P p T t x; do tr -cd $letter <"$WORK/letters" | wc -c; done | xargs)
	if LC_ALL=C grep -q "$(printf '[\f\033]')" "$WORK/page"; then
		fail "terminal $1" "control characters"
	elif [ "$(wc -L <"$WORK/page")" -gt 80 ] || [ "$(wc -l <"$WORK/page")" -gt 24 ]; then
		fail "terminal $1" "larger than the terminal"
	elif [ "$counts" != "$3" ]; then
		fail "terminal $1" "P p T t x: $counts, expected $3"
	else
		pass "terminal $1"
	fi
}

terminal plain mmap1 "2 0 3 0 0"		# one T stands on a P
terminal failures getppid1 "0 2 0 1 4"
terminal one_point mmap1 "1 0 0 0 0"
terminal zeros lock1 "0 0 0 3 0"

# ---- choice of testcases and wrong usage

expect "one testcase" 0 $plot curves $runs/failures page_fault3 -o "$WORK/one"
[ "$(ls "$WORK/one")" = "page_fault3.gp
page_fault3.svg" ] && pass "no other picture" || fail "no other picture" "$(ls "$WORK/one")"
error "an unknown testcase" 2 "near it: mmap1" $plot curves $runs/plain mmap2 -o "$WORK/no"
error "an unknown format" 2 "svg png" $plot curves $runs/plain -f svg,gif -o "$WORK/no"
error "an unknown kind" 2 "near it: curves" $plot curvs $runs/plain
error "no kind" 2 "kind of picture" $plot
error "no run" 2 "no plan.json" $plot curves "$WORK/nowhere" -o "$WORK/no"
error "no run named" 2 "run directory" $plot curves
error "a directory that cannot be made" 2 "/proc/no" $plot curves $runs/plain -o /proc/no
[ ! -e "$WORK/no" ] && pass "nothing was left" || fail "nothing was left" "$(ls "$WORK/no")"
expect "help" 0 $plot --help
expect "help of curves" 0 $plot curves --help

# ---- gnuplot is missing, fails, complains

mkdir "$WORK/bin"
error "no gnuplot" 3 "not installed" env PATH="$WORK/bin" $plot curves $runs/plain -o "$WORK/none"
printf '#!/bin/sh\necho "line 7: no such thing" >&2\nexit 1\n' >"$WORK/bin/gnuplot"
chmod +x "$WORK/bin/gnuplot"
error "gnuplot fails" 1 "gnuplot: line 7: no such thing" \
	env PATH="$WORK/bin:$PATH" $plot curves $runs/plain -o "$WORK/none"
printf '#!/bin/sh\nkill -9 $$\n' >"$WORK/bin/gnuplot"
error "gnuplot is killed" 1 "killed by signal 9" \
	env PATH="$WORK/bin:$PATH" $plot curves $runs/plain -o "$WORK/none"

finish
