#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong usage: one line on stderr, nothing on stdout, exit 2, within 100 ms.
. "$KNEE_SRC/check/lib.sh"

refused() { # REGEX COMMAND...
	local regex=$1
	shift
	run "$@"
	expect_status 2
	expect_no_out
	expect_error "$regex"
}

at_once() {
	refused "$@"
	[ "$ms" -le 100 ] || fail "it took $ms ms"
}

executable() { # ARG...
	tries3 at_once '^getppid1_processes: |^[^ ]*/getppid1_processes: ' "$tests/getppid1_processes" "$@"
}

sweep() { # REGEX ARG...
	local regex=$1
	shift
	tries3 at_once "$regex" "$runtest" "$@"
	[ ! -e runs ] && [ ! -e run ] || fail 'a run directory was made'
}

existing_run() {
	"$runtest" -t 1 -m processes -r 1 --duration 0.05 --warmup 0.05 -o old getppid1 >first || fail "no run"
	cp -r old copy
	tries3 at_once 'old holds a run already.*--resume' "$runtest" -t 1 -o old getppid1
	diff -r old copy || fail 'the old run was changed'
}

# Root may write everywhere but where nobody can.
unwritable() {
	mkdir shut
	chmod 555 shut
	[ "$(id -u)" -eq 0 ] && set -- /proc/version/run || set -- shut/run
	tries3 at_once "$1: " "$runtest" -t 1 -o "$1" getppid1
}

resume_nothing() {
	mkdir empty
	tries3 at_once 'empty' "$runtest" --resume empty
	tries3 at_once 'nowhere' "$runtest" --resume nowhere
	mkdir broken
	echo '{"schema": "knee-plan/1"' >broken/plan.json
	tries3 at_once 'broken/plan.json' "$runtest" --resume broken
}

endless_report() {
	refused 'report-fd.*-s' "$tests/getppid1" --report-fd 3 3>report
	expect_equal 'bytes of the report' "$(wc -c <report)" 0
}

# Control characters in an argument must not break the line.
one_line_whatever() {
	refused . "$tests/getppid1" -t $'1\n2'
	refused . "$runtest" -t $'1\n2' getppid1
	refused . "$runtest" $'a\nb'
	refused . "$tests/getppid1" $'a\nb'
	refused . "$tests/getppid1" $'--a\nb'
}

# The plan must say where the scratch directories were: it is JSON, which has no other names.
not_utf8() {
	mkdir "$work/tmp/"$'\xe9'
	sweep 'UTF-8' --dir "$work/tmp/"$'\xe9' getppid1
}

for arg in abc 0 -1 99999999999 99999999999999999999999 0x10 ' 2' 2x '' 1.5 1e3; do
	it "executable: -t '$arg'" executable -t "$arg"
	it "executable: --tasks='$arg'" executable --tasks="$arg"
done
for arg in -3 abc 0 nan inf 1e9 '' 99999999 1.2.3 -0; do
	it "executable: -s '$arg'" executable -s "$arg"
done
it 'executable: -m with -n' executable -m -n
it 'executable: --cpus with -n' executable --cpus 0 -n
it 'executable: an unknown option' executable -x
it 'executable: an unknown long option' executable --nonsense
it 'executable: an option without its argument' executable -t
it 'executable: a stray word' executable 3
it 'executable: an unknown mode' executable --mode fibres
it 'executable: --cpus is no list' executable --cpus a-b
it 'executable: --cpus is empty' executable --cpus ''
it 'executable: an unknown parameter' executable --param size=4K
it 'executable: a descriptor that is not open' executable --report-fd 99 -s 1
it 'executable: a report of an endless run' endless_report
it 'executable: a mode that is not there' refused 'no processes mode' \
	"$cases/needs_threads_processes" -s 1

for arg in abc 0 -1 99999999999 1,,2 1, '' 4-2 1-3:0 0% -5% all% x1 1-; do
	it "runtest: -t '$arg'" sweep '^runtest: -t|^[^ ]*runtest: ' -t "$arg" getppid1
done
it 'runtest: no testcase' sweep 'which testcase'
it 'runtest: an unknown testcase, with near names' sweep 'getpid1.*getppid1' getpid1
it 'runtest: an unknown testcase, nothing near' sweep 'no testcase qqqqqqqqqq ' qqqqqqqqqq
it 'runtest: a glob that matches nothing' sweep 'zz\*' 'zz*'
it 'runtest: an unknown option' sweep nonsense --nonsense getppid1
it 'runtest: an unknown placement' sweep 'placement.*core.*none' --placement everywhere getppid1
it 'runtest: an unknown mode' sweep 'processes threads both' -m fibres getppid1
it 'runtest: no rounds' sweep '-r 0' -r 0 getppid1
it 'runtest: a negative duration' sweep 'duration' --duration -3 getppid1
it 'runtest: a parameter that a testcase lacks' sweep 'nonsense' --param nonsense=1 getppid1
it 'runtest: a scratch directory that is not there' sweep '/nowhere' --dir /nowhere getppid1
it 'runtest: a parameter that is no UTF-8' sweep 'a text in UTF-8' --tests "$cases" --param text=$'\xff' has_params
it 'runtest: a scratch directory that is no UTF-8' not_utf8
it 'runtest: an output that holds a run' existing_run
it 'runtest: an output that cannot be written' unwritable
it 'runtest: --resume of what is no run' resume_nothing
it 'one line whatever the argument holds' one_line_whatever
