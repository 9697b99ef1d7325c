#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""will-it-scale's runtest.py, in front of knee's runtest, which measures and prints the CSV.

    ./runtest.py TESTCASE [--all-counts] [OPTION of runtest]...
    ./runtest.py TESTCASE SECONDS process|thread|both NO_AFFINITY SMT N [N]...

The first form sweeps both modes over runtest's own task counts, the first of which is 1, or over
every count up to the CPUs that may be used. The second is LKP's: SECONDS in all for each mode and
N; NO_AFFINITY 1: tasks are not bound; SMT 1: every PU in order.
"""

import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
MODES = {"process": "processes", "thread": "threads", "both": "both"}
PLACEMENT = {("0", "0"): "core", ("0", "1"): "smt", ("1", "0"): "none"}
# Rounds are new processes each: their spread shows how far a figure can be trusted.
ROUNDS = 5
USAGE = 2
LACKING = 3


def die(status, why):
    print(f"runtest.py: {why}", file=sys.stderr)
    sys.exit(status)


def lkp_options(seconds, mode, no_affinity, smt, *counts):
    """runtest's options for LKP's arguments. The windows of all rounds last SECONDS together."""
    try:
        total = float(seconds)
    except ValueError:
        total = math.nan
    if not 0 < total < math.inf:
        die(USAGE, f"{seconds}: must be a number of seconds")
    if mode not in MODES:
        die(USAGE, f"{mode}: must be process, thread or both")
    if (no_affinity, smt) not in PLACEMENT:
        die(USAGE, f"{no_affinity} {smt}: NO_AFFINITY and SMT must be 0 or 1, and not both 1")
    for count in counts:
        if not re.fullmatch("[0-9]+", count):
            die(USAGE, f"{count}: must be a number of tasks")
    rounds = max(1, min(ROUNDS, int(total)))
    return ["-r", str(rounds), "--duration", f"{total / rounds:.6f}", "-m", MODES[mode],
            "--placement", PLACEMENT[no_affinity, smt], "-t", ",".join(counts)]


def options(arguments):
    if not arguments or arguments[0].startswith("-"):
        every = f"-t1-{len(os.sched_getaffinity(0))}"
        return [every if a == "--all-counts" else a for a in arguments]
    if len(arguments) < 5:
        die(USAGE, "usage: runtest.py TESTCASE [--all-counts] [OPTION]... | "
            "runtest.py TESTCASE SECONDS process|thread|both NO_AFFINITY SMT N...")
    return lkp_options(*arguments)


def write_title(testcase):
    """TESTCASE.title in the current directory: whole, also while another copy writes it."""
    program = os.path.join(HERE, testcase + "_processes")
    if not os.access(program, os.X_OK):
        return          # runtest says what is wrong, and names near ones
    facts = subprocess.run([program, "--describe"], stdout=subprocess.PIPE, check=True).stdout
    fd, temporary = tempfile.mkstemp(prefix=f".{testcase}.title.", dir=".")
    try:
        with open(fd, "w", encoding="utf-8") as file:
            file.write(json.loads(facts)["description"] + "\n")
        os.chmod(temporary, 0o644)
        os.rename(temporary, testcase + ".title")
    except BaseException:
        os.unlink(temporary)
        raise


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        wants_help = sys.argv[1:] in (["-h"], ["--help"])
        print(__doc__.strip(), file=sys.stdout if wants_help else sys.stderr)
        sys.exit(0 if wants_help else USAGE)
    # What Python changes is not runtest's business.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    testcase, arguments = sys.argv[1], options(sys.argv[2:])
    if not re.fullmatch(r"\w+", testcase):
        die(USAGE, f"no testcase {ascii(testcase)}")
    try:
        write_title(testcase)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        die(LACKING, f"{testcase}.title: {error}")
    try:
        os.execv(os.path.join(HERE, "runtest"), ["runtest.py", "--tests", HERE, *arguments,
                                                 "--", testcase])
    except OSError as error:
        die(LACKING, f"{HERE}/runtest: {error.strerror}")


main()
