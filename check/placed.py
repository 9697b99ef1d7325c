#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs holds_memory and compares where its tasks are with where the plan says.

usage: placed.py BUILD_DIR OUT_DIR [OPTION of runtest]...

The options make one cell (-m, -t). Looks, while it runs, at each task's and partner's own
/proc/PID/status, stat and numa_maps. Prints what differs; exit status 1 if anything does, 3 if
runtest says that the machine lacks what was asked for.
"""
import json
import os
import subprocess
import sys
import time

BYTES = 2 << 20
PAGES = BYTES // os.sysconf("SC_PAGESIZE")
BUILD, OUT = sys.argv[1:3]
COMMAND = [os.path.join(BUILD, "runtest"), "--tests", os.path.join(BUILD, "check-tests"),
           "holds_memory", *sys.argv[3:]]
wrong = []


def parse_list(text):
    cpus = []
    for word in text.split(","):
        first, _, last = word.partition("-")
        cpus += range(int(first), int(last or first) + 1)
    return cpus


def read(path):
    with open(path) as file:
        return file.read()


def status_of(path):
    return dict(line.split(":\t", 1) for line in read(path + "/status").splitlines() if ":\t" in line)


def processor_of(path):
    return int(read(path + "/stat").rsplit(")", 1)[1].split()[36])


def children(pid):
    return [int(word) for word in read(f"/proc/{pid}/task/{pid}/children").split()]


def find_tasks(runner):
    """{"task": [path], "partner": [path]} of the processes, or of the threads of the one process."""
    found = {"task": [], "partner": []}
    for supervisor in children(runner):
        for pid in children(supervisor):
            for thread in os.listdir(f"/proc/{pid}/task"):
                path = f"/proc/{pid}/task/{thread}"
                name = read(path + "/comm").strip()
                if name in found:
                    found[name].append(path)
    return found


def await_tasks(runner, nr):
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and runner.poll() is None:
        try:
            found = find_tasks(runner.pid)
            if len(found["task"]) == len(found["partner"]) == nr:
                return found
        except (FileNotFoundError, ProcessLookupError):
            pass
        time.sleep(0.05)
    return None


def nodes_with_memory():
    try:
        return parse_list(read("/sys/devices/system/node/has_memory").strip())
    except (OSError, ValueError):
        return [0]


def node_of_cpu(cpu):
    for name in os.listdir(f"/sys/devices/system/cpu/cpu{cpu}"):
        if name.startswith("node"):
            return int(name[4:])
    return 0


def held_on(path):
    """Node to pages of the mapping that the task holds."""
    for line in read(path + "/numa_maps").splitlines():
        words = line.split()
        if f"anon={PAGES}" in words and f"dirty={PAGES}" in words:
            return {int(word[1:].split("=")[0]): int(word.split("=")[1]) for word in words
                    if word[0] == "N" and word[1:2].isdigit()}
    return None


def masks(cell, nr):
    """The CPUs that each task, and each partner, should be allowed."""
    if not cell["cpus"]:
        return None, None
    cpus = [[cpu] for cpu in parse_list(cell["cpus"])]
    if cell["bind_cpus"]:
        cpus = [parse_list(text) for text in cell["bind_cpus"].split("/")]
    partners = cpus
    if cell["partner_cpus"]:
        partners = [[cpu] for cpu in parse_list(cell["partner_cpus"])]
    return ([cpus[i % len(cpus)] for i in range(nr)],
            [partners[i % len(partners)] for i in range(nr)])


def compare_masks(kind, paths, expected):
    allowed = [parse_list(status_of(path)["Cpus_allowed_list"]) for path in paths]
    if sorted(allowed) != sorted(expected):
        wrong.append(f"{kind}s are bound to {sorted(allowed)}, not {sorted(expected)}")
    for path, mask in zip(paths, allowed):
        if processor_of(path) not in mask:
            wrong.append(f"{kind} {path} runs on CPU {processor_of(path)}, not on {mask}")


def expected_nodes(cell, cpu):
    """{node: pages} for the task on that CPU; None: not known."""
    memory = nodes_with_memory()
    if cell["mem_nodes"]:
        nodes = parse_list(cell["mem_nodes"])
        place = parse_list(cell["cpus"]).index(cpu) if cell["cpus"] else 0
        return {nodes[place % len(nodes)]: PAGES}
    if cell["membind"] == "interleave":
        return {node: PAGES / len(memory) for node in memory}
    node = node_of_cpu(cpu)
    return {node: PAGES} if node in memory else None


def compare_memory(cell, path):
    cpu = parse_list(status_of(path)["Cpus_allowed_list"])[0]
    want, have = expected_nodes(cell, cpu), held_on(path)
    while have is None:     # it is still filling it; at its end the file is gone
        time.sleep(0.05)
        have = held_on(path)
    if want and any(abs(want.get(node, 0) - have.get(node, 0)) > PAGES // 64
                      for node in {*want, *have}):
        wrong.append(f"the task on CPU {cpu} has pages on nodes {have}, not {want}")


def compare(cell, found):
    tasks, partners = masks(cell, cell["tasks"])
    if not tasks:
        return
    compare_masks("task", found["task"], tasks)
    compare_masks("partner", found["partner"], partners)
    if cell["mode"] == "processes" and os.path.exists("/proc/self/numa_maps"):
        for path in found["task"]:
            compare_memory(cell, path)


def main():
    plan = subprocess.run([*COMMAND, "--plan", "--json"], stdout=subprocess.PIPE, text=True)
    if plan.returncode:
        sys.exit(plan.returncode)
    cell, = json.loads(plan.stdout)["cells"]
    if cell["skip"]:
        print("skipped:", cell["skip"])
        sys.exit(3)
    runner = subprocess.Popen([*COMMAND, "-q", "-r", "1", "-o", OUT,
                               "--duration", os.environ.get("PLACED_S", "1.5"), "--warmup", "0.1"],
                              stdout=subprocess.DEVNULL)
    found = await_tasks(runner, cell["tasks"])
    if not found:
        runner.terminate()
        runner.wait()
        sys.exit("the tasks did not come")
    try:
        compare(cell, found)
    except (FileNotFoundError, ProcessLookupError) as error:
        wrong.append(f"it ended too early: {error}")
    status = runner.wait()
    if status:
        wrong.append(f"runtest ended with status {status}")
    record, = map(json.loads, read(os.path.join(OUT, "records.jsonl")).splitlines())
    if record["status"] != "ok":
        wrong.append(f"the cell is {record['status']}: {record['reason']}")
    elif cell["membind"] and not (record["membind_verified_pct"] or 0) > 95:
        wrong.append(f"membind_verified_pct is {record['membind_verified_pct']}")
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
