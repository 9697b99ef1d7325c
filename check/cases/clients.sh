#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# will-it-scale's clients: each runs the drop-in as the client does, through a pipe and with stderr
# merged, and reads it by the client's own rule (check/clients.py).
. "$KNEE_SRC/check/lib.sh"
[ "$KNEE_ANY" = 1 ] || exit 0
KNEE_FIRST=1	# all of it

drop_in=$KNEE_BUILD/drop-in
clients=$KNEE_SRC/check/clients.py

# The executables of the drop-in, run as ./NAME there; what they need is nothing but themselves.
here() {
	cd "$drop_in" || fail 'no drop-in'
}

# What LKP copies of a drop-in; but of the testcases only this one.
lkp_directory() { # NAME
	mkdir benchmark
	find "$drop_in" -maxdepth 1 -type f -executable ! -name '.*' \( ! -name '*_*' -o -name "$1_*" \) \
		-exec cp -t benchmark {} +
	cd benchmark || fail 'no directory'
}

# `client RULE`: what it finds in $work/log.
client() {
	python3 "$clients" "$1" "$work/log" 2>&1
}

run_merged() { # COMMAND...
	printf '%q ' "$@" >"$work/cmd"
	(set -o pipefail; "$@" 2>&1 </dev/null | cat >"$work/log")
	status=$?
	cp "$work/log" "$work/out"
}

# ---- LKP -----------------------------------------------------------------------------------------

lkp_rules() {
	once
	local name fixtures=$KNEE_SRC/check/fixtures/lkp
	for name in sweep oneshot; do
		cp "$fixtures/$name.csv" "$work/log"
		diff <(client lkp) "$fixtures/$name.parsed" || fail "$name"
	done
	# What must never be on stdout: a line of small letters takes the names away.
	sed '2s/^/warmup\n/' "$fixtures/sweep.csv" >"$work/log"
	expect_equal 'statistics of each count' "$(client lkp | grep -c '^[0-9]')" 0
}

lkp_sweep() {
	lkp_directory getppid1
	local names
	names=$(ls ./*getppid1_*) || fail 'LKP finds no testcase'
	expect_equal 'names' "$(echo "$names" | wc -l)" 2
	run_merged python3 ./runtest.py getppid1 0.3 both 0 0 1 2
	expect_status 0
	expect_equal 'statistics' "$(client lkp | sed 's/: [0-9.]*$//' | xargs)" \
		"$(for n in 1 2; do echo $n.{processes,processes_idle,threads,threads_idle,linear}; done | xargs) scalability per_process_ops per_thread_ops workload"
	expect_equal 'what is no statistic' "$(client lkp | grep -vE '^[a-z0-9._]+: [0-9.]+$')" ''
}

lkp_one_shot() {
	once
	lkp_directory getppid1
	run_merged python3 ./runtest.py getppid1 0.3 process 1 0 2
	expect_status 0
	expect_equal 'statistics' "$(client lkp | sed 's/: .*//' | xargs)" \
		'2.processes 2.processes_idle 2.threads 2.threads_idle 2.linear per_process_ops per_thread_ops workload'
	expect_equal 'threads' "$(client lkp | grep -E 'thread|linear' | xargs)" \
		'2.threads: 0 2.threads_idle: 0.00 2.linear: 0 per_thread_ops: 0'
}

# As makepkg does: its functions, with its variables; of the tree that is built already.
lkp_package() {
	once
	local pkg=$KNEE_SRC/compat/lkp/pkg packages
	mkdir src
	ln -s "$KNEE_SRC" src/knee
	run env KNEE_URL=file:///nowhere srcdir="$PWD/src" pkgdir="$PWD/pkg" O="${KNEE_BUILD#"$KNEE_SRC"/}" \
		bash -ec '. "$0"; build; package; printf "%s\n" "${source[@]}"' "$pkg/PKGBUILD"
	expect_status 0
	expect_equal 'sources' "$(tail -n 1 "$work/out")" knee::git+file:///nowhere
	expect_equal 'packaged' "$(cd pkg/lkp/benchmarks/will-it-scale && find . -type f -perm -u+x | sort)" \
		"$(cd "$drop_in" && find . -maxdepth 1 -type f -executable | sort)"
	expect_equal 'other files' "$(find pkg ! -type d ! -path '*/will-it-scale/*'; find pkg -type l)" ''
	run env -u KNEE_URL bash -c '. "$0"' "$pkg/PKGBUILD"
	[ "$status" -ne 0 ] || fail 'without KNEE_URL: exit status 0'
	# What .ci/deps installs for building.
	packages=$(sed -n "/^build_needs/,/^'/p" "$KNEE_SRC/.ci/deps" | awk '{ print $2 }' | grep -e '-dev$' |
		grep -v libc6 | LC_ALL=C sort)
	expect_equal 'packages for building' "$(cat "$pkg/depends-dev")" "$packages"
}

# ---- what reads the executables ------------------------------------------------------------------

# Each as the client calls it; they run side by side.
all_read() { # NAME_MODE...
	once
	local name
	here
	for name; do
		timeout 60 "./$name" -t 2 -s 1.0 2>&1 </dev/null | cat >"$work/$name" &
	done
	wait
	for name; do
		cp "$work/$name" "$work/log"
		cp "$work/log" "$work/out"
		# mmtests
		expect_equal "$name: the ninth line" "$(sed 1,8d "$work/log" | head -n 1)" measurement
		expect_equal "$name: samples" "$(sed 1,8d "$work/log" | grep -c total:)" 1
		sed 1,8d "$work/log" | awk '/total:/ { print $3 }' | grep -qE '^total:[0-9]+$' || fail "$name: field 3"
		# benchkit's two, Phoronix, scripts
		expect_equal "$name: a sample of a second" "$(client benchkit,benchkit-old,phoronix | sort -u)" \
			"$(grep -oP 'average:\K[0-9]+' "$work/log" || echo none)"
		expect_equal "$name: lines" "$(wc -l <"$work/log")" 11
	done
}

phoronix_log() {
	once
	here
	./getppid1_processes -s 1 -t "$(nproc)" -n >"$work/log" 2>&1
	expect_equal 'exit status' $? 0
	client phoronix | grep -qxE '[0-9]+' || fail "it finds: $(client phoronix)"
}

# Several samples: a sum, not a mean.
benchkit_sums() {
	once
	here
	run_merged ./lseek1_threads -t 1 -s 2 -n
	expect_status 0
	expect_equal 'the sum' "$(client benchkit,benchkit-old | sort -u)" \
		"$(sed 1,9d "$work/log" | awk -F total: '/total:/ { s += $2 } END { printf "%d", s }')"
}

# Of the same testcase, which makes files.
two_at_once() {
	once
	here
	local pids='' i
	for i in 1 2; do
		./unlink2_processes -t 2 -s 1 >"$work/log$i" 2>&1 </dev/null &
		pids="$pids $!"
	done
	for i in $pids; do
		wait "$i" || fail "exit status $?: $(cat "$work"/log?)"
	done
	for i in 1 2; do
		expect_equal "lines of $i" "$(wc -l <"$work/log$i")" 11
	done
	expect_equal 'files' "$(find . -newer "$work/log1" -type f)" ''
}

# ---- killed by timeout half way ------------------------------------------------------------------

executable_killed() {
	once
	here
	run_merged timeout 4 ./getppid1_processes -t 2 -s 30
	expect_status 124
	expect_equal 'half lines' "$(tail -c 1 "$work/log" | od -An -c | tr -d ' ')" '\n'
	expect_equal 'lines that are none of the grammar' \
		"$(sed 1d "$work/log" | grep -vxE 'warmup|measurement|min:[0-9]+ max:[0-9]+ total:[0-9]+')" ''
	expect_equal 'an average' "$(client phoronix)" ''
	expect_equal 'an average' "$(grep -oP 'average:\K[0-9]+' "$work/log")" ''
	client benchkit-old | grep -q 'no average' || fail 'the older of benchkit took it for a result'
	[ "$(wc -l <"$work/log")" -le 8 ] ||
		expect_equal 'the ninth line' "$(sed 1,8d "$work/log" | head -n 1)" measurement
}

# Some cells are measured, others are not: whole rows, and nothing else.
sweep_killed() {
	once
	lkp_directory getppid1
	run_merged timeout 4 python3 ./runtest.py getppid1 40 both 0 0 1 2
	expect_status 124
	[ ! -s "$work/log" ] || {
		expect_equal 'other lines than rows' \
			"$(sed 1,2d "$work/log" | grep -vxE '[12](,[0-9]+,[0-9.]+){2},[0-9]+')" ''
		client lkp | grep -q '^workload: ' || fail "$(client lkp)"
	}
}

# ---- avocado, and postprocess.py -----------------------------------------------------------------

avocado_reads() {
	once
	cp -a "$drop_in" will-it-scale-master
	cd will-it-scale-master || fail 'no drop-in'
	run sh -c './runtest.py getppid1 -r 1 --duration 0.2 >getppid1.csv && ./postprocess.py'
	expect_status 0
	expect_no_err
	cp getppid1.csv "$work/log"
	expect_equal 'base' "$(client avocado | head -n 1)" 'base: 1'
	client avocado | grep -qE '^processes: [0-9]+ [0-9.]+$' || fail "$(client avocado)"
	client avocado | grep -qE '^threads: [0-9]+ [0-9.]+$' || fail "$(client avocado)"
	[ -s getppid1.html ] || fail 'no page'
}

page() { # FILE: well-formed, and nothing in it comes from elsewhere
	python3 - "$1" <<-'PYTHON' || fail "$1"
		import re, sys, xml.etree.ElementTree as ET
		html = open(sys.argv[1], encoding="utf-8").read()
		ET.fromstring(re.sub(r"<meta ([^>]*)>", r"<meta \1/>", html).split("\n", 1)[1])
		assert not re.search(r"https?:|\bsrc=|\bhref=|<script|@import|url\((?!#)", html), "from elsewhere"
	PYTHON
}

# A directory with CSV files alone, some of them hostile.
pages() {
	once
	local fixtures=$KNEE_SRC/check/fixtures/lkp
	cp "$fixtures"/*.csv .
	head -n 2 "$fixtures/sweep.csv" >empty.csv
	cp "$fixtures/sweep.csv" '<script>&.csv'
	{ cat "$fixtures/sweep.csv"; printf '128,96000'; } >cut.csv
	printf 'a,b\n1,2\n' >other.csv
	printf '<b>&"\377\n' >oneshot.title
	run "$drop_in/postprocess.py"
	expect_status 1
	expect_err 'cut.csv: line 7 is incomplete'
	expect_err 'other.csv: not the columns'
	expect_equal 'pages' "$(ls ./*.html | wc -l)" 5
	local file
	for file in *.html; do
		page "$file"
	done
	grep -q 'line 7 is incomplete' cut.html || fail 'the page does not say what is left out'
	grep -q 'Nothing was measured' empty.html || fail 'an empty table'
	expect_equal 'circles' "$(grep -o '<circle' sweep.html | wc -l)" 9
	expect_equal 'squares of a mode that was not run' "$(grep -c 'class="threads"' oneshot.html)" 0
	expect_equal 'circles of one point' "$(grep -o '<circle' oneshot.html | wc -l)" 3
	grep -q '>48,000,000<' sweep.html || fail 'no figure in the table'
	mkdir nothing
	cd nothing || fail 'no directory'
	run "$drop_in/postprocess.py"
	expect_status 1
	expect_error 'no \*.csv'
}

# ---- words ---------------------------------------------------------------------------------------

# The lines of the grammar are the only texts of the runner with a word that clients look for.
words_of_the_grammar() {
	once
	expect_equal 'texts' "$(cd "$KNEE_SRC" && grep -ohE '"([^"\]|\\.)*"' runner/*.c runtest.c |
		grep -E 'average|total:|measurement' | LC_ALL=C sort | xargs)" ' total:% average:% measurement'
}

it "LKP's parser: what it makes of known tables" lkp_rules
it 'LKP: ten statistics, scalability, per_process_ops, per_thread_ops, workload' lkp_sweep
it 'LKP: one shot' lkp_one_shot
it 'LKP: the package' lkp_package
it 'mmtests, benchkit, Phoronix, grep: read the same executables' all_read \
	getppid1_processes page_fault1_threads write1_threads lock1_processes
it 'Phoronix: a log with stderr in it' phoronix_log
it 'benchkit: the sum of several samples' benchkit_sums
it 'two copies at once' two_at_once
it 'an executable that timeout kills' executable_killed
it 'a sweep that timeout kills' sweep_killed
it 'avocado: columns, and the second row is one task' avocado_reads
it 'postprocess.py: pages from CSV alone, which need nothing else' pages
it 'no note holds a word of the grammar' words_of_the_grammar
