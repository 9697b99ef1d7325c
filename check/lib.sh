# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For the files in cases/, which check/run starts: `it NAME FUNCTION [ARG...]` runs one test.
#
# A test is a function. It runs in a subshell and in a directory of its own, and has failed if it
# calls `fail WHY`, if it is killed, or if it leaves a process or a scratch directory behind.
set -u

tests=$KNEE_BUILD/tests		# the testcases
cases=$KNEE_BUILD/check-tests	# those that only these tests know
runtest=$KNEE_BUILD/runtest
case_dir=$(mktemp -d "$TMPDIR/case.XXXXXX") || exit 2
export TMPDIR=$case_dir
test_nr=0
log=$case_dir/log

finish() {
	exec 3>&- 2>/dev/null
	rm -rf "$case_dir"
}
trap finish EXIT

# ---- verdicts ------------------------------------------------------------------------------------

# From within $(...) or a pipeline they end only that: check there with `|| fail`.
fail() {
	echo "$*"
	exit 1
}

skip() {
	echo "$*" >"$case_dir/skip"
	exit 77
}

# What is the same for every user, or slow, is tested once, by root if that may be; what root is not
# needed for at all, by the one who has less to do: see $KNEE_ANY.
once() {
	[ "$KNEE_FIRST" = 1 ] || exit 0
}

it() { # NAME FUNCTION [ARG...]
	local name=$1 status=0
	shift
	: $((++test_nr))
	work=$case_dir/$test_nr
	token=$KNEE_RUN-$KNEE_WHO-$$-$test_nr
	mkdir -p "$work/tmp" "$work/cwd" "$work/locks"
	(
		# Locks on CPUs of its own: other runs on this machine do not matter.
		export KNEE_TEST=$token TMPDIR=$work/tmp KNEE_RUNTIME_DIR=$work/locks
		cd "$work/cwd" || exit 1
		"$@"
		nothing_left 5
	) >"$log" 2>&1 || status=$?
	case $status in
	0) echo "ok - $name" ;;
	77) echo "skip - $name: $(cat "$case_dir/skip")" ;;
	*)
		echo "not ok - $name"
		sed 's/^/    /' "$log"
		show_last
		;;
	esac
	kill_all
	chmod -R u+rwX "$work" 2>/dev/null
	rm -rf "$work"
}

# What the last command said, to explain a failure.
show_last() {
	[ -f "$work/cmd" ] || return
	printf '    $ %s\n' "$(cat "$work/cmd")"
	head -n 20 "$work/out" 2>/dev/null | cut -c 1-300 | sed 's/^/    out: /'
	head -n 20 "$work/err" 2>/dev/null | cut -c 1-300 | sed 's/^/    err: /'
}

# For bounds on time alone, which a busy machine may break: three tries.
tries3() { # FUNCTION [ARG...]
	local try
	for try in 1 2 3; do
		( "$@" ) && return
		echo "(try $try)"
		sleep 1
	done
	exit 1
}

# ---- running -------------------------------------------------------------------------------------

now_ms() {
	local t=$EPOCHREALTIME
	echo $((${t%.*} * 1000 + 10#${t#*.} / 1000))
}

# Runs a command: its $status, and $ms that it took; stdout is in $work/out, stderr in $work/err.
run() {
	local begin
	printf '%q ' "$@" >"$work/cmd"
	begin=$(now_ms)
	"$@" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	ms=$(($(now_ms) - begin))
}

# The same in the background: $pid. Its signals are as an interactive shell has them.
start() {
	printf '%q ' "$@" >"$work/cmd"
	env --default-signal=INT,QUIT,TERM,HUP,PIPE "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
}

# Waits for the one that was started: $status.
finished() {
	wait "$pid"
	status=$?
}

# Runs a testcase for its report: JSON lines in $work/report.
report() {
	run "$@" --report-fd=3 3>"$work/report"
}

# A member of the result: `result .ops`.
result() {
	jq -r "select(.event == \"result\") | $1" "$work/report"
}

# Until the command succeeds.
until_true() { # SECONDS COMMAND...
	local end
	end=$(($(now_ms) + $1 * 1000))
	shift
	until "$@"; do
		[ "$(now_ms)" -lt "$end" ] || return 1
		sleep 0.01
	done
}

# ---- expectations --------------------------------------------------------------------------------

expect_status() {
	[ "$status" -eq "$1" ] || fail "exit status $status, not $1"
}

expect_no_out() {
	[ ! -s "$work/out" ] || fail "something on stdout"
}

expect_no_err() {
	[ ! -s "$work/err" ] || fail "something on stderr"
}

# Such as a busy machine may cause.
expect_only_notes() {
	! grep -qv ': note: ' "$work/err" || fail "more than notes on stderr"
}

# One line on stderr, which matches.
expect_error() { # [REGEX]
	[ "$(wc -l <"$work/err")" -eq 1 ] || fail "$(wc -l <"$work/err") lines on stderr, not 1"
	grep -qE -e "${1:-.}" "$work/err" || fail "stderr does not match: $1"
}

# Some line on stderr matches.
expect_err() { # REGEX
	grep -qE -e "$1" "$work/err" || fail "no line on stderr matches: $1"
}

expect_out() { # REGEX
	grep -qE -e "$1" "$work/out" || fail "no line on stdout matches: $1"
}

expect_no_average() {
	! grep -q average "$work/out" || fail "an average was printed"
}

expect_equal() { # WHAT IS SHOULD
	[ "$2" = "$3" ] || fail "$1: $2, not $3"
}

# ---- what is left --------------------------------------------------------------------------------

# The processes that this test started, but for its own shell: by a word in their environment.
left_pids() {
	local files
	files=$(cd /proc && KNEE_TEST='' grep -lzsx "KNEE_TEST=$token" [0-9]*/environ)
	echo "${files//\/environ/}"
}

no_process() {
	[ -z "$(left_pids)" ]
}

no_scratch() {
	[ -z "$(ls -d "$work"/tmp/knee.* 2>/dev/null)" ]
}

nothing_left() { # SECONDS
	until_true "$1" no_process ||
		fail "left after $1 s: $(ps -o pid,ppid,pgid,stat,args -p "$(left_pids | paste -sd,)")"
	until_true "$1" no_scratch || fail "left: $(ls -d "$work"/tmp/knee.*)"
}

kill_all() {
	local p
	for p in $(left_pids); do
		kill -KILL "$p" 2>/dev/null
	done
}

# ---- cgroups -------------------------------------------------------------------------------------

# Makes a group below the root of the controller's hierarchy: $group. Skips where that cannot be.
make_cgroup() { # CONTROLLER
	local controller=$1 base
	[ "$(id -u)" -eq 0 ] || skip "only root makes cgroups"
	base=$(awk -v c="$controller" '{
		for (i = 1; $i != "-"; i++) ;
		if ($(i + 1) == "cgroup" && ("," $(i + 3) ",") ~ ("," c ",")) print $5
	}' /proc/self/mountinfo | head -n 1)
	if [ -z "$base" ]; then
		base=$(awk '{ for (i = 1; $i != "-"; i++) ; if ($(i + 1) == "cgroup2") print $5 }' \
			/proc/self/mountinfo | head -n 1)
		grep -qw "$controller" "$base/cgroup.subtree_control" 2>/dev/null ||
			skip "no cgroup hierarchy offers $controller"
	fi
	group=$base/$KNEE_RUN.$test_nr
	mkdir "$group" 2>/dev/null || skip "cannot make a cgroup in $base"
	trap 'remove_cgroup' EXIT
}

remove_cgroup() {
	kill_all
	until_true 5 rmdir "$group" 2>/dev/null || echo "cannot remove $group"
}

# Sets the first of the files that there is: v1's and v2's names.
set_limit() { # VALUE FILE...
	local value=$1 file
	shift
	for file in "$@"; do
		[ ! -e "$group/$file" ] || { echo "$value" >"$group/$file" && return; }
	done
	fail "cannot set a limit in $group"
}

# Runs in $group.
in_group() {
	# shellcheck disable=SC2016 # for the inner shell
	run bash -c 'echo $$ >"$0"/cgroup.procs && exec "$@"' "$group" "$@"
}
