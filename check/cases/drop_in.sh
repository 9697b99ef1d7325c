#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The drop-in for will-it-scale: what is in it, and runtest.py, runalltests, its Makefile.
. "$KNEE_SRC/check/lib.sh"
[ "$KNEE_ANY" = 1 ] || exit 0
KNEE_FIRST=1	# all of it

drop_in=$KNEE_BUILD/drop-in		# as `make drop-in` laid it out
header=tasks,processes,processes_idle,threads,threads_idle,linear
short='-t 1,2 -r 1 --duration 0.1 --warmup 0.1'

# A drop-in in ./wis that holds these testcases alone; from the tests of the tests, too.
small() { # NAME...
	local name
	mkdir wis
	cp "$drop_in"/{runtest,runtest.py,runalltests,postprocess.py} wis
	for name; do
		cp "$drop_in/${name}_processes" wis 2>/dev/null ||
			cp "$cases/${name}_processes" wis || fail "no testcase $name"
		ln "wis/${name}_processes" "wis/${name}_threads"
	done
	cd wis || fail 'no drop-in'
}

# ---- the layout ----------------------------------------------------------------------------------

regular_files() {
	once
	local nr
	nr=$(find "$KNEE_SRC/tests" -name '*.c' | wc -l)
	expect_equal 'processes' "$(find "$drop_in" -maxdepth 1 -type f -executable -name '*_processes' | wc -l)" "$nr"
	expect_equal 'threads' "$(find "$drop_in" -maxdepth 1 -type f -executable -name '*_threads' | wc -l)" "$nr"
	expect_equal 'sources' "$(find "$drop_in/tests" -name '*.c' | wc -l)" "$nr"
	expect_equal 'symbolic links' "$(find "$drop_in" -type l)" ''
	expect_equal 'shared objects' "$(find "$drop_in" -name '*.so*')" ''
	expect_equal 'programs' "$(find "$drop_in" -maxdepth 1 -type f -executable ! -name '*_*' -printf '%f\n' |
		sort | xargs)" 'postprocess.py runalltests runtest runtest.py'
	! ldd "$drop_in"/getppid1_processes | grep -F "$KNEE_BUILD" || fail 'it needs a library of ours'
}

# Python 3.6 is what the oldest distributions have that clients run on.
old_python() {
	once
	local script
	for script in runtest.py runalltests postprocess.py; do
		python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 6))' \
			"$drop_in/$script" || fail "$script"
		! grep -nE 'strict=|isascii|removesuffix|removeprefix|capture_output|text=True' "$drop_in/$script" ||
			fail "$script: younger than Python 3.6"
	done
}

# Beside other programs, and found by runtest itself.
flat() {
	once
	small getppid1 lseek1
	run ./runtest --list
	expect_status 0
	expect_equal 'testcases' "$(cut -d' ' -f1 "$work/out" | xargs)" 'getppid1 lseek1'
	expect_equal 'names' "$(./runtest --list --json | jq -r '.[].name' | xargs)" 'getppid1 lseek1'
	cd .. || fail 'no directory'
	run "$runtest" --tests wis --list
	expect_equal 'by --tests' "$(cut -d' ' -f1 "$work/out" | xargs)" 'getppid1 lseek1'
}

# The names that LKP's jobs have.
lkp_names() {
	once
	local name
	for name in brk{1,2} context_switch1 dup1 eventfd1 fallocate{1,2} futex{1..4} getppid1 lock{1,2} \
		lseek{1,2} malloc{1,2} mmap{1,2} open{1..3} page_fault{1..3} pipe1 poll{1,2} \
		posix_semaphore1 pread{1..3} pthread_mutex{1..5} pwrite{1..3} read{1..4} \
		readseek{1..3} sched_yield signal1 tlb_flush{1..3} unix1 unlink{1,2} write1 writeseek{1..3}; do
		[ -x "$drop_in/${name}_processes" ] && [ -x "$drop_in/${name}_threads" ] || fail "no $name"
		case $name in *-*) fail "$name: mmtests cuts names at the -" ;; esac
	done
}

laid_out_again() {
	once
	cd "$KNEE_SRC" || fail "no $KNEE_SRC"
	set -- compat/lay-out "$work/cwd/wis" "$KNEE_BUILD" v1 tests/getppid1.c
	run "$@" tests/lseek1.c
	expect_status 0
	echo result >"$work/cwd/wis/lseek1.csv"
	run "$@"
	expect_status 0
	cd "$work/cwd/wis" || fail 'no drop-in'
	[ -x getppid1_threads ] || fail 'no getppid1'
	[ ! -e lseek1_processes ] && [ ! -e tests/lseek1.c ] || fail 'a testcase that is gone is still there'
	[ -e lseek1.csv ] || fail 'a result is gone'
	mkdir ../other
	touch ../other/file
	run sh -c 'cd "$1" && compat/lay-out "$2" "$3" v1 tests/getppid1.c' - "$KNEE_SRC" "$PWD/../other" "$KNEE_BUILD"
	expect_status 1
	expect_error 'is not empty, and no drop-in'
	expect_equal 'files of others' "$(ls ../other)" file
}

# ---- runtest.py ----------------------------------------------------------------------------------

one_argument() {
	small getppid1 lseek1
	# shellcheck disable=SC2086 # words
	run ./runtest.py getppid1 $short
	expect_status 0
	expect_no_err
	expect_equal 'header' "$(head -n 1 "$work/out")" "$header"
	expect_equal 'row 0' "$(sed -n 2p "$work/out")" 0,0,100,0,100,0
	expect_equal 'rows' "$(sed 1,2d "$work/out" | grep -cE '^[12](,[0-9]+,[0-9]+\.[0-9]+){2},[0-9]+$')" 2
	expect_equal 'title' "$(cat getppid1.title)" 'System call entry and exit (getppid)'
	expect_equal 'run directories' "$(ls runs | wc -l)" 1
}

# Without measuring: the plan alone.
planned_tasks() {
	grep -oE '/processes/[0-9]+' "$work/out" | cut -d/ -f3 | xargs
}

points() {
	once
	small getppid1
	run ./runtest.py getppid1 --plan
	expect_status 0
	expect_equal 'the first count' "$(planned_tasks | cut -d' ' -f1)" 1
	run ./runtest.py getppid1 --all-counts --plan
	expect_equal 'all counts' "$(planned_tasks)" "$(seq "$(nproc)" | xargs)"
	run taskset -c "$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')" ./runtest.py getppid1 --all-counts --plan
	expect_equal 'all counts of one CPU' "$(planned_tasks)" 1
}

# What runtest is told, by a runtest that says it.
lkp_arguments() { # TOLD ARGUMENT...
	local told=$1
	shift
	run ./runtest.py getppid1 "$@"
	expect_equal "$*" "$(sed "s|^--tests $PWD ||" "$work/out")" "$told -- getppid1"
}

lkp_form() {
	once
	small getppid1
	rm runtest
	printf '#!/bin/sh\necho "$@"\n' >runtest
	chmod +x runtest
	lkp_arguments '-r 5 --duration 59.000000 -m processes --placement core -t 52' 295 process 0 0 52
	lkp_arguments '-r 5 --duration 2.000000 -m threads --placement smt -t 1,2,96' 10 thread 0 1 1 2 96
	lkp_arguments '-r 3 --duration 1.000000 -m both --placement none -t 1' 3 both 1 0 1
	lkp_arguments '-r 1 --duration 0.400000 -m both --placement core -t 1' 0.4 both 0 0 1
}

refused() { # REGEX ARG...
	local regex=$1
	shift
	run ./runtest.py "$@"
	[ "$status" -ne 0 ] || fail "$*: exit status 0"
	expect_no_out
	expect_error "$regex"
}

wrong_use() {
	once
	small getppid1 lseek1
	refused 'no testcase getppid; near: getppid1' getppid
	refused 'no testcase nothing' nothing 3 both 0 0 1 2
	refused "no testcase '\*'" '*'
	refused 'usage: ' getppid1 3 both 0 0
	refused 'number of seconds' getppid1 x both 0 0 1
	refused 'process, thread or both' getppid1 3 processes 0 0 1
	refused 'not both 1' getppid1 3 both 1 1 1
	refused 'number of tasks' getppid1 3 both 0 0 1 2x
	refused 'must be task counts' getppid1 3 both 0 0 0
	expect_equal 'titles' "$(ls ./*.title)" ./getppid1.title
	[ ! -e runs ] || fail 'a run directory was made'
	run ./runtest.py
	expect_status 2
	expect_no_out
}

failed_point() {
	small dies
	run ./runtest.py dies 1 both 0 0 1 2
	expect_status 1
	expect_equal 'rows' "$(sed 's/,.*//' "$work/out" | xargs)" 'tasks 0 1'
	expect_err 'dies/processes/2/.*: failed: task 1: killed by signal 11'
	expect_err 'dies/threads/2/.*: failed: task 1: killed by signal 11'
	run ./runtest.py dies 1 thread 0 0 2
	expect_status 1
	expect_equal 'rows' "$(sed 's/,.*//' "$work/out" | xargs)" 'tasks 0'
}

# The same testcase, in the same directory and second.
two_at_once() {
	small write1
	local first second
	# shellcheck disable=SC2086 # words
	./runtest.py write1 $short >1.csv 2>1.err &
	first=$!
	# shellcheck disable=SC2086 # words
	./runtest.py write1 $short >2.csv 2>2.err &
	second=$!
	wait $first || fail "the first: $(cat 1.err)"
	wait $second || fail "the second: $(cat 2.err)"
	# They are on the same CPUs, and that is worth a word.
	! grep -v 'note: another run of knee' 1.err 2.err || fail "stderr: $(cat 1.err 2.err)"
	expect_equal 'rows' "$(cat 1.csv 2.csv | grep -cE '^[12](,[0-9]+,[0-9.]+){2},[0-9]+$')" 4
	expect_equal 'run directories' "$(ls runs | wc -l)" 2
	expect_equal 'records' "$(cat runs/*/records.jsonl | wc -l)" 8
	expect_equal 'names' "$(cat runs/*/records.jsonl | jq -r .run | sort -u)" "$(ls runs)"
	expect_equal 'files' "$(ls -A | grep -c title)" 1
}

no_place_for_the_title() {
	once
	small getppid1
	mkdir getppid1.title
	refused 'getppid1.title: ' getppid1
	expect_equal 'hidden files' "$(find . -maxdepth 1 -name '.?*')" ''
}

# A pipe that is closed ends it, as it ends will-it-scale's, and nothing is said.
closed_pipe() {
	once
	small getppid1
	# shellcheck disable=SC2086 # words
	{ ./runtest.py getppid1 $short 2>"$work/err"; echo $? >"$work/status"; } | true
	expect_equal 'exit status' "$(cat "$work/status")" 141
	expect_no_err
}

# ---- runalltests ---------------------------------------------------------------------------------

all_good() {
	small getppid1 lseek1
	# shellcheck disable=SC2086 # words
	run ./runalltests $short
	expect_status 0
	expect_no_out
	expect_no_err
	local name
	for name in getppid1 lseek1; do
		expect_equal "rows of $name" "$(sed 's/,.*//' $name.csv | xargs)" 'tasks 0 1 2'
		[ "$(wc -l <$name.title)" -eq 1 ] || fail "no $name.title"
	done
}

goes_on() {
	once
	small dies getppid1
	# Time enough for one to die.
	run ./runalltests -t 1,2 -r 1 --duration 1 --warmup 0.1
	expect_status 1
	expect_err '^runalltests: dies: .* status 1$'
	expect_equal 'rows of dies' "$(sed 's/,.*//' dies.csv | xargs)" 'tasks 0 1'
	expect_equal 'rows of getppid1' "$(sed 's/,.*//' getppid1.csv | xargs)" 'tasks 0 1 2'
	[ -s dies.title ] || fail 'no dies.title'
	rm ./*_processes
	run ./runalltests
	expect_status 3
	expect_error 'no testcases'
}

# The one that runs keeps what it has; the next does not begin.
stopped() { # SIGNAL NUMBER
	once
	small getppid1 lseek1
	start ./runalltests -t 1 -m processes -r 40 --duration 0.5 --warmup 0.1
	until_true 20 grep -rqs '"status":"ok"' runs || fail 'no record'
	kill -"$1" $pid
	finished
	expect_status $((128 + $2))
	expect_equal 'rows' "$(sed 's/,.*//' getppid1.csv | xargs)" 'tasks 0 1'
	[ "$(cat runs/*/records.jsonl | wc -l)" -lt 40 ] || fail 'it ran to its end'
	[ ! -e lseek1.csv ] || fail 'the next one began'
}

# ---- its Makefile --------------------------------------------------------------------------------

# SUSE's makefile.patch of avocado changes the second line, and no other may have moved.
makefile() {
	once
	cp -a "$drop_in" wis
	cd wis || fail 'no drop-in'
	cat >makefile.patch <<-'PATCH'
		--- a/Makefile
		+++ b/Makefile
		@@ -1,3 +1,3 @@
		 CFLAGS+=-Wall -O2 -g
		-LDFLAGS+=-lhwloc
		+LDFLAGS+=-lhwloc -Wl,--defsym=patched=0
		 
	PATCH
	run patch -p1 --fuzz=0 -i makefile.patch
	expect_status 0
	run make clean
	expect_status 0
	expect_equal 'programs after make clean' "$(find . -maxdepth 1 -type f -executable -printf '%f\n' | sort | xargs)" \
		'postprocess.py runalltests runtest.py'
	run make -j2 getppid1_processes getppid1_threads OBJ_DIR="$work/objects" WARMUP_ITERATIONS=1 CFLAGS=-O0
	expect_status 0
	expect_no_err
	expect_equal 'testcases' "$(ls -d ./*_processes ./*_threads | xargs)" './getppid1_processes ./getppid1_threads'
	nm getppid1_processes | grep -q ' patched$' || fail 'the patch has no effect'
	run ./getppid1_processes -s 0.2
	expect_equal 'lines of warm-up' "$(sed -n '/^warmup/,/^measurement/p' "$work/out" | grep -c total:)" 2
	run make -n all
	expect_equal 'programs to make' "$(grep -oE 'build/tests/[a-z_0-9]*_(processes|threads)' "$work/out" | sort -u | wc -l)" \
		$((2 * $(ls tests/*.c | wc -l)))
}

version() {
	once
	cp -a "$drop_in" wis
	git init -q wis		# of a client, not ours
	run make -C wis -s -f knee.mk O=build --eval='version: ; @echo $(VERSION)' version
	expect_equal 'version' "$(cat "$work/out")" "$(cat "$KNEE_BUILD/version")"
}

if [ ! -x "$drop_in/runtest.py" ]; then
	echo "not ok - no drop-in in $drop_in"
	exit 1
fi

it 'regular files, an executable for each testcase and mode' regular_files
it 'its scripts are for Python 3.6 and later' old_python
it 'runtest finds the testcases beside it' flat
it "LKP's testcases are there" lkp_names
it 'laid out again: what is gone is gone, results stay, other directories too' laid_out_again
it 'runtest.py TESTCASE: CSV, title, run directory' one_argument
it 'runtest.py: the first count is 1; all counts on request' points
it "runtest.py: LKP's arguments" lkp_form
it 'runtest.py: wrong use: exit not 0, stdout empty' wrong_use
it 'runtest.py: a failed point has no row, the others have, exit 1' failed_point
it 'runtest.py: two copies at once' two_at_once
it 'runtest.py: a title that cannot be written' no_place_for_the_title
it 'runtest.py: a closed pipe' closed_pipe
it 'runalltests: CSV and title of every testcase' all_good
it 'runalltests goes on after a failure, and exits with 1' goes_on
it 'runalltests: SIGTERM' stopped TERM 15
it 'runalltests: SIGINT' stopped INT 2
it 'its Makefile: patched, one target for each binary, warm-up lines' makefile
it 'its version is that of the tree it came from' version
