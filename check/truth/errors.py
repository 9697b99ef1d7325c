# SPDX-License-Identifier: GPL-2.0-or-later
"""
A call that fails in mid-run: must() says so and there is no figure.

strace lets one call of each syscall of the facts fail, late enough to be a task's own, as it counts
the calls of each process for itself. This is also the proof that no compiler and no -DNDEBUG took
the call or its check away.
"""

import math
import re

from counts import SHORT_S, count, strace_counts
from testcase import Wrong

SECONDS = 20  # the failure ends it long before
NO_RESULT = ("rt_sigreturn",)
# They never fail, and the C library sets no errno: what they return, or the call after it, is wrong.
INDIRECT = ("getpid", "gettid", "getppid")
# brk() has no error number: it answers with the break as it was.
INJECTED = {"brk": "retval=0"}
ERROR = ("error=EIO", "Input/output error")


def own_calls(testcase, mode, cpus):
    """How many calls of each syscall are not an operation's: a short run's, less what it counted."""
    calls, ops = count(strace_counts, testcase, mode, cpus, SHORT_S, 0)
    return {n: max(0, math.ceil(calls.get(n, 0) - per_op * ops)) for n, per_op in
            testcase.syscalls.items()}


def run_with_error(testcase, mode, cpus, name, when):
    injection = f"{name}:{INJECTED.get(name, ERROR[0])}:when={when}"
    tracer = ["strace", "-f", "-qq", "-o", "/dev/null", "--seccomp-bpf", "-e", f"trace={name}",
              "-e", f"inject={injection}"]
    return testcase.run_plain(testcase.argv(mode, 1, cpus, SECONDS), tracer)


def expect_failure(name, outcome):
    error = "" if name in INDIRECT or name in INJECTED else re.escape(ERROR[1])
    message = rf"task 0: \S+\.c:\d+: must\(.+\): .*{error}$"
    if "average" in outcome.out or outcome.status == 0:
        raise Wrong(f"{name} failed, and there is a figure (status {outcome.status})")
    if outcome.status != 1:
        raise Wrong(f"{name} failed, and the exit status is {outcome.status}: {outcome.reason()}")
    if not re.search(message, outcome.err, re.M):
        raise Wrong(f"{name} failed, and must() did not say so: {outcome.err.strip()!r}")


def check_errors(testcase, mode, cpus):
    names = [n for n in testcase.syscalls if n not in NO_RESULT]
    own = own_calls(testcase, mode, cpus) if names else {}
    for name in names:
        expect_failure(name, run_with_error(testcase, mode, cpus, name, own[name] + 3))
