# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For the recipes, which source it with their name in $recipe: finds knee, and takes the arguments
#
#	recipes/NAME [RUN] [OPTION...]
#
# RUN is where the run directories go (runs/NAME-TIME), in $run; OPTIONs are runtest's: they follow the
# recipe's own, and so override them. KNEE=PROGRAM is the knee to use. $status is the worst exit status so
# far.
set -u

top=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${KNEE:-}" ]; then
	knee=$KNEE
elif [ -x "$top/knee" ]; then
	knee=$top/knee
elif ! knee=$(command -v knee); then
	echo "$0: no knee in $top, nor in PATH (has make been run?)" >&2
	exit 3
fi

case ${1:-} in
-h | --help)
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	exit 0
	;;
'' | -*) run=runs/${recipe:?}-$(date +%Y%m%d-%H%M%S) ;;
*)
	run=$1
	shift
	;;
esac

if [ -e "$run" ]; then
	echo "$0: $run is there already" >&2
	exit 2
fi
mkdir -p "$run" || exit 2
status=0

worse() {
	[ "$1" -le "$status" ] || status=$1
	# Wrong usage, or a signal: what follows would only say it again.
	if [ "$1" -eq 2 ] || [ "$1" -gt 128 ]; then
		exit "$1"
	fi
}

# measure NAME ARG...: into $run/NAME, unless this machine lacks what it needs. CSV is in the run directory.
measure() {
	name=$1
	shift
	"$knee" runtest -o "$run/$name" "$@" >/dev/null || worse $?
}

# Prints a table of a run; one that was not measured has said why.
show() {
	printf '\n'
	"$knee" "$@" || worse $?
}

finish() {
	printf '\nrun directories: %s\n' "$run"
	exit "$status"
}
