#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
Is each testcase what its facts say? Started by `make check-truth`; see doc/testcases.md.

    truth.py [-s SECTION,...] [-n NAME]... [-j N] [-p SECONDS] DIR...

DIR is a build's directory of testcases. The first one is asked everything in both modes. The others
are the same testcases by another compiler: they are asked what a compiler can break, and in one
mode, as the code is the same in both. NAME is a regular expression; what is there SECONDS after
the end of a run is left behind.
"""

import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import time
import uuid

import counts
import errors
import instructions
import tasks
import testcase
import traces

# section: what is asked, in how many modes of further builds, and whether several at a time
SECTIONS = {
    "strace": (counts.check_strace, 1, True),
    "tracepoints": (counts.check_perf, 1, True),
    "errors": (errors.check_errors, 1, True),
    "instructions": (instructions.check_instructions, 1, True),
    "tasks": (tasks.check_tasks, 0, False),
    "kills": (tasks.check_kills, 0, False),
}


class Score:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def say(self, verdict, what, why=""):
        print(f"{verdict} - {what}{': ' if why else ''}{why}", flush=True)

    def ok(self, what, remark):
        self.passed += 1
        self.say("ok", what, remark)

    def wrong(self, what, why):
        self.failed += 1
        self.say("not ok", what, why)

    def lacking(self, what, why):
        self.skipped += 1
        self.say("skip", what, why)

    def last_line(self):
        skips = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{skips}"


def modes_of(section, case):
    """User-space instructions are only those of a task alone if nothing is shared."""
    modes = case.facts["modes"]
    if section == "errors" and not case.syscalls:
        return []
    if section == "instructions":
        if not instructions.stays_in_user_space(case):
            return []
        return [m for m in modes if case.facts["sharing"][m] == "private"]
    return modes


def ask(section, case, mode, cpus):
    """(verdict, remark) of one question."""
    try:
        return "ok", SECTIONS[section][0](case, mode, cpus) or ""
    except testcase.Lacking as e:
        return "lacking", str(e)
    except testcase.Wrong as e:
        return "wrong", str(e)


def ask_all(section, questions, cpus, jobs, score):
    """One testcase a CPU at a time where they do not disturb each other, else one on all CPUs."""
    parallel = SECTIONS[section][2]
    workers = min(jobs, len(cpus)) if parallel else 1
    free = [[cpu] for cpu in cpus[:workers]] if parallel else [cpus]

    def one(question):
        mine = free.pop()
        try:
            return ask(section, *question, mine)
        finally:
            free.append(mine)

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for (case, mode), (verdict, remark) in zip(questions, pool.map(one, questions)):
            getattr(score, verdict)(f"{section}: {case.name} ({case.label}, {mode})", remark)


def why_not(section):
    """Why this machine cannot answer a section's questions, or None."""
    if section == "tracepoints":
        return counts.tracepoints_missing()
    tool = {"strace": "strace", "errors": "strace", "instructions": "valgrind"}.get(section)
    return f"{tool} is not installed" if tool and not shutil.which(tool) else None


def ask_builds(section, builds, cpus, jobs, score):
    reason = why_not(section)
    if reason:
        score.lacking(section, reason)
        return
    for i, build in enumerate(builds):
        nr_modes = SECTIONS[section][1] if i else None
        questions = [(c, m) for c in build for m in modes_of(section, c)[:nr_modes]]
        ask_all(section, questions, cpus, jobs, score)


def alone():
    """
    Root goes where nobody else makes System V objects, mounts or files in /dev/shm: all that is
    left there is ours. Where a container forbids that, others' are waited for to go.
    """
    if os.geteuid() != 0 or traces.TOKEN in os.environ:
        return
    apart = ["unshare", "--ipc", "--mount", "sh", "-c",
             'mount -t tmpfs tmpfs /dev/shm && exec "$0" "$@"']
    if subprocess.run(apart + ["true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.environ[traces.TOKEN] = uuid.uuid4().hex
        os.execvp(apart[0], apart + [sys.executable] + sys.argv)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("-s", "--sections", default=",".join(SECTIONS))
    parser.add_argument("-n", "--name", action="append", default=[])
    parser.add_argument("-j", "--jobs", type=int, default=0)
    parser.add_argument("-p", "--patience", type=float, default=traces.patience_s)
    parser.add_argument("directories", nargs="+", metavar="DIR")
    return parser.parse_args()


def main():
    alone()
    os.environ.setdefault(traces.TOKEN, uuid.uuid4().hex)
    options = arguments()
    traces.patience_s = options.patience
    cpus = sorted(os.sched_getaffinity(0))
    builds = [testcase.find(d, options.name) for d in options.directories]
    if not all(builds):
        sys.exit("truth.py: a directory without such testcases")
    before, score = traces.of_all(), Score()
    for section in options.sections.split(","):
        begin = time.monotonic()
        ask_builds(section, builds, cpus, options.jobs or len(cpus), score)
        print(f"== {section}: {time.monotonic() - begin:.0f} s", flush=True)
    try:
        traces.expect_none_since(before, traces.of_all)
    except testcase.Wrong as e:
        score.wrong("all of it", str(e))
    print(score.last_line())
    return 1 if score.failed or not score.passed else 0


if __name__ == "__main__":
    sys.exit(main())
