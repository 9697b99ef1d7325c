# SPDX-License-Identifier: GPL-2.0-or-later
"""One testcase executable: its facts, and running it."""

import json
import os
import re
import signal
import subprocess
import tempfile

LACKING = 3  # exit status: this machine or user lacks what the testcase needs
# Root's is one that this check has to itself. It spares the disk what that is slow at: small files.
MEMORY = "/dev/shm"


class Lacking(Exception):
    """This machine cannot run the testcase, for a reason that its message tells."""


class Wrong(Exception):
    """The testcase is not what its facts say."""


class Outcome:
    """How a run ended: status, stdout, stderr, and the events that it reported."""

    def __init__(self, status, out, err, events):
        self.status, self.out, self.err, self.events = status, out, err, events

    def event(self, name):
        return next((e for e in self.events if e["event"] == name), None)

    def lifetime_ops(self):
        """What each task counted until it was killed. Wrong or Lacking where there is none."""
        result = self.event("result")
        if self.status == LACKING:
            raise Lacking(self.reason())
        if self.status != 0 or not result:
            raise Wrong(f"ended with status {self.status}: {self.reason()}")
        return result["lifetime_ops"]

    def reason(self):
        failed = self.event("failed")
        lines = self.err.strip().splitlines()
        return failed["reason"] if failed else lines[-1] if lines else "for no reason known"


class Testcase:
    def __init__(self, path, label):
        self.path, self.label = path, label
        self.facts = json.loads(subprocess.check_output([path, "--describe"]))
        self.name = self.facts["name"]
        self.syscalls = self.facts["syscalls"]
        on_disk = self.facts["needs"]["fs"] in ("disk", "direct")
        self.scratch = None if on_disk or not os.access(MEMORY, os.W_OK) else MEMORY

    def argv(self, mode, tasks, cpus, seconds, warmup=0.01):
        return [self.path, f"--mode={mode}", f"--tasks={tasks}", f"--seconds={seconds}",
                f"--warmup={warmup}", f"--warmup-max={warmup}", "--keep-aslr",
                "--cpus=" + ",".join(map(str, cpus))]

    def scratch_dir(self):
        return tempfile.TemporaryDirectory(prefix="truth.", dir=self.scratch)

    def run(self, argv, prefix=(), timeout=60):
        """Runs it for its report, in a directory of its own, which must be empty afterwards."""
        with self.scratch_dir() as tmp:
            report, write_end = os.pipe()
            process = start(list(prefix) + argv + [f"--report-fd={write_end}"], tmp, write_end)
            os.close(write_end)
            out, err = wait(process, timeout)
            with os.fdopen(report) as lines:
                events = [json.loads(line) for line in lines]
            if os.listdir(tmp):
                raise Wrong(f"it left {os.listdir(tmp)} in its scratch directory")
        return Outcome(process.returncode, out, err, events)


def start(argv, tmp, *fds):
    environment = dict(os.environ, TMPDIR=tmp, LC_ALL="C")
    return subprocess.Popen(argv, env=environment, pass_fds=fds, stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True)


def wait(process, timeout):
    """stdout and stderr. A run that hangs is killed, with the tracer that started it."""
    try:
        return process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired as e:
        where = subprocess.run(["ps", "-o", "pid=,ppid=,stat=,wchan:20=,args=", "-s",
                                str(process.pid)], capture_output=True, text=True,
                               check=False).stdout
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise Wrong(f"it hung: not done after {timeout} s\n{where}") from e


def find(directory, patterns):
    """The testcases in a build's directory, by name. NAME_processes and NAME_threads are links."""
    label = os.path.basename(os.path.dirname(os.path.abspath(directory)))
    names = sorted(n for n in os.listdir(directory) if not re.search("_(processes|threads)$", n))
    return [Testcase(os.path.join(directory, n), label) for n in names
            if not patterns or any(re.fullmatch(p, n) for p in patterns)]
