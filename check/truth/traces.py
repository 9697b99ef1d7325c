# SPDX-License-Identifier: GPL-2.0-or-later
"""What a testcase must not leave: processes, files, System V objects, mounts, cgroups, keys."""

import os
import time

from testcase import Wrong

TOKEN = "KNEE_TRUTH"  # in the environment of all that this check starts
patience_s = 5


def processes():
    """Those that were started by this check, as their environment tells, but for itself."""
    token, found = f"{TOKEN}={os.environ[TOKEN]}".encode(), set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environment:
                if token in environment.read().split(b"\0") and int(pid) != os.getpid():
                    found.add(f"process {pid}")
        except OSError:
            pass
    return found


def lines(path, name):
    try:
        with open(path, encoding="utf-8", errors="replace") as table:
            return {f"{name}: {line.strip()}" for line in table}
    except OSError:
        return set()


def system_v():
    """By key and identifier: the other columns change while objects live."""
    found = set()
    for kind in ("shm", "sem", "msg"):
        for line in lines(f"/proc/sysvipc/{kind}", kind):
            found.add(" ".join(line.split()[:3]))
    return found


def keys():
    """Serial number, type and description."""
    found = set()
    for line in lines("/proc/keys", "key"):
        fields = line.split()
        found.add(" ".join([fields[0], fields[1]] + fields[8:]))
    return found


def files():
    found = set()
    for place in ("/dev/shm", "/dev/mqueue"):
        if os.path.isdir(place):
            found |= {f"{place}/{name}" for name in os.listdir(place)}
    return found


def cgroups():
    """Those below this check's own, in each hierarchy: others come and go as they like."""
    found = set()
    for line in lines("/proc/self/cgroup", "own"):
        _, controllers, path = line.removeprefix("own: ").split(":", 2)
        for top in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified", f"/sys/fs/cgroup/{controllers}"):
            found |= {f"cgroup {d}/{name}" for d, names, _ in os.walk(top + path)
                      for name in names if path != "/" or name.startswith("knee")}
    return found


def of_each_run():
    return processes() | files() | system_v() | lines("/proc/self/mountinfo", "mount")


def of_all():
    return of_each_run() | cgroups() | keys()


def expect_none_since(before, look=of_each_run):
    """Wrong, if something is there that was not, and stays. What others make and remove goes by."""
    end = time.monotonic() + patience_s
    left = look() - before
    while left:
        if time.monotonic() > end:
            raise Wrong(f"it left behind: {', '.join(sorted(left))}")
        time.sleep(0.02)
        left &= look()
