# SPDX-License-Identifier: GPL-2.0-or-later
"""
A call that fails in mid-run: must() says so and there is no figure.

When the tasks are counting, strace is attached to them, and lets each syscall of the facts fail,
one after the other. This is also the proof that no compiler and no -DNDEBUG took the call or its
check away.
"""

import re
import signal
import subprocess
import tempfile
import time
from fnmatch import fnmatch

from counts import NEVER_RETURN
from testcase import LACKING, Lacking, Outcome, Wrong, start, wait

SECONDS = 300  # the failure ends it long before
CALLED_WITHIN_S = 30  # some are made once in 32,768 operations
ENDED_WITHIN_S = 3

# What fails for each syscall, where that is not every call of its own with EIO. brk has no error
# number: it answers with the break as it was. malloc() falls back on brk where it gets no mapping.
BREAK = "brk:retval=0"
INJECTIONS = {"brk": [BREAK], "mmap": ["mmap:error=ENOMEM", BREAK]}
ERRORS = {"brk": "Cannot allocate memory", "mmap": "Cannot allocate memory"}
ERROR = "Input/output error"
# What has no result to look at: free() tells nobody that munmap failed.
NO_RESULT = {"rt_sigreturn": "*", "munmap": "malloc*"}
# They never fail, and the C library sets no errno: what they return, or the next call, is wrong.
INDIRECT = ("getpid", "gettid", "getppid")


def wait_until_counting(process):
    """What it printed until then. A testcase that ends before tells by its status."""
    said = ""
    for line in process.stdout:
        said += line
        if re.match("min:[1-9]", line):
            return said
    status = process.wait()
    reason = process.stderr.read().strip()
    if status == LACKING:
        raise Lacking(reason)
    raise Wrong(f"ended with status {status} before it counted: {reason}")


def blocks_all_signals(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        blocked = int(re.search(r"^SigBlk:\s*(\w+)", status.read(), re.M).group(1), 16)
    return bool(blocked >> (signal.SIGUSR2 - 1) & 1)


def tasks_of(pid):
    """The supervisor's children, but for its guardian, which only waits for a signal."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True,
                           text=True, check=False)
    return [child for child in found.stdout.split() if not blocks_all_signals(child)]


def attach(process, name, trace):
    injections = INJECTIONS.get(name, [name + ":error=EIO"])
    argv = ["strace", "-f", "-qq", "-o", trace, "-e",
            "trace=" + ",".join(i.split(":")[0] for i in injections)]
    for injection in injections:
        argv += ["-e", "inject=" + injection]
    for pid in tasks_of(process.pid):
        argv += ["-p", pid]
    return subprocess.Popen(argv, stderr=subprocess.PIPE, text=True)


def was_injected(trace):
    with open(trace, encoding="utf-8", errors="replace") as calls:
        return any("(INJECTED)" in line for line in calls)


def await_failure(process, tracer, name, trace):
    """Until the testcase has ended, as it must soon after the call."""
    called_by = time.monotonic() + CALLED_WITHIN_S
    while process.poll() is None:
        time.sleep(0.02)
        if tracer.poll() not in (None, 0) and process.poll() is None:
            raise Lacking("strace cannot attach: " + tracer.stderr.read().strip())
        if was_injected(trace):
            break
        if time.monotonic() > called_by:
            raise Wrong(f"no {name} in {CALLED_WITHIN_S} s")
    ended_by = time.monotonic() + ENDED_WITHIN_S
    while process.poll() is None:
        time.sleep(0.02)
        if time.monotonic() > ended_by:
            raise Wrong(f"{name} failed, and it goes on counting")


def run_with_error(testcase, mode, cpus, name):
    with testcase.scratch_dir() as tmp, tempfile.NamedTemporaryFile() as trace:
        process = start(testcase.argv(mode, 1, cpus, SECONDS), tmp)
        tracer = None
        try:
            out = wait_until_counting(process)
            tracer = attach(process, name, trace.name)
            await_failure(process, tracer, name, trace.name)
            rest, err = wait(process, ENDED_WITHIN_S)
        finally:
            process.kill()
            process.wait()
            if tracer:
                tracer.wait()
    return Outcome(process.returncode, out + rest, err, [])


def expect_failure(name, outcome):
    error = "" if name in INDIRECT else re.escape(ERRORS.get(name, ERROR))
    message = rf"task 0: \S+\.c:\d+: must\(.+\): .*{error}$"
    if "average" in outcome.out or outcome.status == 0:
        raise Wrong(f"{name} failed, and there is a figure (status {outcome.status})")
    if outcome.status != 1:
        raise Wrong(f"{name} failed, and the exit status is {outcome.status}: {outcome.reason()}")
    if not re.search(message, outcome.err, re.M):
        raise Wrong(f"{name} failed, and must() did not say so: {outcome.err.strip()!r}")


def check_errors(testcase, mode, cpus):
    for name in set(testcase.syscalls) - set(NEVER_RETURN):
        if not fnmatch(testcase.name, NO_RESULT.get(name, "")):
            expect_failure(name, run_with_error(testcase, mode, cpus, name))
