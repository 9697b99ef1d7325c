# SPDX-License-Identifier: GPL-2.0-or-later
"""
Testcases that stay in user space: valgrind's callgrind counts the instructions of testcase() and
the calls that it makes. Each part of a run must have the same number of them an operation.
"""

import glob
import re
import tempfile

from testcase import Wrong

TOLERANCE = 0.01
SECONDS = (1.2, 5, 20)  # longer, if the machine was busy with something else
BLOCKS = 600000  # basic blocks a part: tens of thousands of operations
PARTS_MIN = 3


def stays_in_user_space(testcase):
    return not testcase.syscalls and "user" in testcase.facts["tags"]


def read_part(path, names):
    """(instructions, {function: calls}) of testcase() in one part; @names is kept between parts."""
    instructions, calls, inside, callee = 0, {}, False, None
    for line in open(path, encoding="utf-8"):
        found = re.match(r"(c?fn)=\((\d+)\)(?: (.+))?$", line)
        if found:
            kind, number, name = found.groups()
            if name:
                names[number] = name
            if kind == "fn":
                inside = names.get(number) == "testcase"
            else:
                callee = names.get(number)
        elif inside and line.startswith("calls="):
            calls[callee] = calls.get(callee, 0) + int(line[6:].split()[0])
        elif inside and re.match(r"[*+\-\d]+ \d+$", line):
            instructions += int(line.split()[1])
    return instructions, calls


def per_operation(instructions, calls):
    """Each function that testcase() calls is called once in each operation."""
    if max(calls.values()) - min(calls.values()) > 1:
        raise Wrong(f"testcase() calls {calls}: not each of them once an operation")
    return instructions / max(calls.values())


def whole_parts(pattern):
    """What read_part() has of a process's parts that lie all in testcase(): not the first one."""
    names = {}
    parts = [read_part(p, names) for p in
             sorted(glob.glob(pattern), key=lambda p: int(p.rsplit(".", 1)[1]))]
    return [p for p in parts[1:] if p[1]]


def parts_of_task(tmp):
    """The processes of the runner write parts, too, but are never in testcase()."""
    processes = {p.rsplit(".", 1)[0] for p in glob.glob(f"{tmp}/out.*.*")}
    return max((whole_parts(p + ".*") for p in processes), key=len, default=[])


def figures_of(testcase, mode, cpus, seconds):
    """Instructions an operation, in each whole part of a run."""
    with tempfile.TemporaryDirectory() as tmp:
        tracer = ["valgrind", "--tool=callgrind", f"--dump-every-bb={BLOCKS}",
                  f"--callgrind-out-file={tmp}/out.%p"]
        testcase.run(testcase.argv(mode, 1, cpus, seconds), tracer).lifetime_ops()
        return [per_operation(*part) for part in parts_of_task(tmp)]


def check_instructions(testcase, mode, cpus):
    """Instructions an operation, if they are stable."""
    for seconds in SECONDS:
        figures = figures_of(testcase, mode, cpus, seconds)
        if len(figures) >= PARTS_MIN:
            break
    else:
        raise Wrong(f"callgrind has written {len(figures)} whole parts, not {PARTS_MIN}")
    if max(figures) > min(figures) * (1 + TOLERANCE):
        raise Wrong(f"instructions an operation: from {min(figures):.2f} to {max(figures):.2f}")
    return f"{figures[0]:.1f} instructions an operation"
