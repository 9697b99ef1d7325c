# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs with 1, 2 and 8 tasks, and runs that are killed: all tasks count, and nothing is left."""

import os
import signal
import time

from testcase import Wrong, start
from traces import expect_none_since, of_each_run

TASK_COUNTS = (1, 2, 8)
SECONDS, WARMUP_S = 0.05, 0.02
TRIES = 3  # on a busy machine a task may have to wait for its CPU longer than the run lasts
# From before the tasks exist into the window, in seconds.
KILLED_AFTER = (0.001, 0.002, 0.004, 0.006, 0.009, 0.012, 0.016, 0.02, 0.03, 0.05)


def expect_all_count(testcase, mode, tasks, cpus):
    for attempt in range(TRIES):
        argv = testcase.argv(mode, tasks, cpus, SECONDS * 4 ** attempt, WARMUP_S)
        ops = testcase.run(argv).lifetime_ops()
        if len(ops) == tasks and all(ops):
            return
    raise Wrong(f"{mode}, {tasks} tasks: operations counted by each: {ops}")


def check_tasks(testcase, mode, cpus):
    for tasks in TASK_COUNTS:
        before = of_each_run()
        expect_all_count(testcase, mode, tasks, cpus)
        expect_none_since(before)


def start_and_kill(testcase, mode, cpus, tmp, seconds):
    process = start(testcase.argv(mode, 2, cpus, 60, WARMUP_S), tmp)
    time.sleep(seconds)
    os.kill(process.pid, signal.SIGKILL)
    return process


def check_kills(testcase, mode, cpus):
    """Ten starts, each ended by SIGKILL: no process, no file, no object is left."""
    with testcase.scratch_dir() as tmp:
        before = of_each_run()
        killed = [start_and_kill(testcase, mode, cpus, tmp, s) for s in KILLED_AFTER]
        for process in killed:
            process.communicate()
        expect_none_since(before)
        expect_none_since(set(), lambda: set(os.listdir(tmp)))
