# SPDX-License-Identifier: GPL-2.0-or-later
"""
The syscalls of one counted operation, held against the facts.

Each count is the difference of a longer run and a very short one: what the program does before and
after the measurement, and to sample, is the same in both and cancels out. strace sees all
syscalls, but slows them down; the kernel's tracepoints count those that are declared, and all
together, at full speed.
"""

import os
import re
import subprocess
import tempfile

from testcase import Wrong

TOLERANCE = 0.01
TASKS = 2
SHORT_S = 0.01
STRACE_S, PERF_S = 0.12, 0.1
LONGEST_S = 20
OPS_MIN = 3000  # 1 % of them is more than what differs between two starts
# A call that an operation makes only a part of may be on either side of the end of each task, in
# both runs; and a task may be killed between a call and its count.
CALLS_AT_ENDS = 2 * TASKS
# What the supervisor does depends on the clock, a little; how often it sleeps, more than that.
CALLS_OF_OTHERS = 25
SLEEP_OF_SUPERVISOR = "ppoll"
# Operations of hundreds of calls are slow; a few tell enough, and are cut off in their middle.
MANY_CALLS, OPS_MIN_OF_MANY = 100, 100
# strace -c counts what returns. The tracepoint of a syscall may have a name of its own.
NEVER_RETURN = ("exit", "exit_group")
TRACEPOINTS = {"umount2": "umount"}


def strace_counts(testcase, mode, cpus, seconds):
    with tempfile.NamedTemporaryFile("r") as table:
        tracer = ["strace", "-f", "-qq", "-c", "-U", "name,calls", "-o", table.name]
        outcome = testcase.run(testcase.argv(mode, TASKS, cpus, seconds), tracer)
        rows = re.findall(r"^(\w+) +(\d+)$", table.read(), re.M)
    return {n: int(c) for n, c in rows if n not in ("syscall", "total")}, outcome.lifetime_ops()


def perf_counts(testcase, mode, cpus, seconds):
    names = sorted(set(testcase.syscalls) | {SLEEP_OF_SUPERVISOR})
    with tempfile.NamedTemporaryFile("r") as table:
        events = ["raw_syscalls:sys_enter"] + ["syscalls:sys_enter_" + TRACEPOINTS.get(n, n)
                                               for n in names]
        tracer = ["perf", "stat", "-x,", "-o", table.name, "-e", ",".join(events), "--"]
        outcome = testcase.run(testcase.argv(mode, TASKS, cpus, seconds), tracer)
        found = re.findall(r"^(\d+),[^,]*,(?:\w+:sys_enter_?)(\w*),", table.read(), re.M)
    if len(found) != len(events):
        raise Wrong(f"perf stat has counted {len(found)} of {len(events)} events")
    syscalls = {t: n for n, t in TRACEPOINTS.items()}
    return {syscalls.get(n, n) or "all": int(c) for c, n in found}, outcome.lifetime_ops()


def count(counts_of, testcase, mode, cpus, seconds, ops_min):
    """(calls, operations) of a run in which all tasks got to work, and did @ops_min together."""
    while True:
        calls, ops = counts_of(testcase, mode, cpus, seconds)
        if all(ops) and sum(ops) >= ops_min:
            return calls, sum(ops)
        if seconds >= LONGEST_S:
            raise Wrong(f"operations in {seconds} s: {ops}, too few to tell 1 %")
        seconds = min(LONGEST_S, 4 * seconds)


def per_operation(counts_of, testcase, mode, cpus, seconds):
    """(calls, operations): what a longer run has more than a very short one."""
    before, ops_before = count(counts_of, testcase, mode, cpus, SHORT_S, 0)
    ops_min = OPS_MIN_OF_MANY if sum(testcase.syscalls.values()) > MANY_CALLS else OPS_MIN
    after, ops_after = count(counts_of, testcase, mode, cpus, seconds, ops_before + ops_min)
    names = set(before) | set(after)
    return {n: after.get(n, 0) - before.get(n, 0) for n in names}, ops_after - ops_before


def depends_on_luck(testcase, name):
    """Calls that only a contended lock makes: exercised, but not so many an operation."""
    return name not in testcase.syscalls and name in testcase.facts["exercises"]


def depends_on_pages(testcase, name):
    """The facts are those of pages of 4 KiB; larger ones change what is made once in many."""
    return 0 < testcase.syscalls.get(name, 0) < 1 and os.sysconf("SC_PAGE_SIZE") != 4096


def judge(what, calls, expected, ops, others=0):
    slack = TOLERANCE * (expected or ops) + CALLS_AT_ENDS * max(1, expected / ops) + others
    if abs(calls - expected) > slack:
        raise Wrong(f"{what}: {calls} calls in {ops} operations, where the facts say "
                    f"{expected:.0f}")


def check_strace(testcase, mode, cpus):
    calls, ops = per_operation(strace_counts, testcase, mode, cpus, STRACE_S)
    for name in sorted(set(calls) - {SLEEP_OF_SUPERVISOR} | set(testcase.syscalls)):
        if name in NEVER_RETURN:
            continue
        if not depends_on_luck(testcase, name) and not depends_on_pages(testcase, name):
            judge(f"strace, {mode}: {name}", calls.get(name, 0),
                  testcase.syscalls.get(name, 0) * ops, ops,
                  0 if name in testcase.syscalls else CALLS_OF_OTHERS)


def check_perf(testcase, mode, cpus):
    calls, ops = per_operation(perf_counts, testcase, mode, cpus, PERF_S)
    for name, per_op in testcase.syscalls.items():
        if depends_on_pages(testcase, name):
            continue
        judge(f"tracepoint, {mode}: {name}", calls[name], per_op * ops, ops)
    if not depends_on_luck(testcase, "futex"):
        slept = 0 if SLEEP_OF_SUPERVISOR in testcase.syscalls else calls[SLEEP_OF_SUPERVISOR]
        judge(f"tracepoint, {mode}: all syscalls", calls["all"] - slept,
              sum(testcase.syscalls.values()) * ops, ops, CALLS_OF_OTHERS)


def tracepoints_missing():
    """Why the tracepoints cannot be used here, or None."""
    try:
        done = subprocess.run(["perf", "stat", "-x,", "-e", "syscalls:sys_enter_getppid", "true"],
                              capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "perf is not installed"
    if done.returncode != 0 or not re.search(r"^\d+,", done.stderr, re.M):
        return "perf cannot count syscalls here: " + (done.stderr.strip().splitlines() or ["?"])[0]
    return None
