#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What knee itself costs, as ratios of interleaved pairs: medians over PAIRS.

usage: bench.py BUILD_DIR [harness|start|memory|build|looks]...
"""
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

PAIRS = int(os.environ.get("PAIRS", "9"))
BUILD = os.path.abspath(sys.argv[1])
TESTS = os.path.join(BUILD, "tests")
BARE = os.path.join(BUILD, "check", "bare")
SYNTHETIC = "pack:4 numa:2 l3:4 core:8 pu:2"


def bare(*args):
    """The number that check/bench/bare.c prints."""
    out = subprocess.run([BARE, *map(str, args)], stdout=subprocess.PIPE, check=True)
    return float(out.stdout)


def cell(name, mode, tasks, seconds, *more, env=None):
    """Runs a testcase; returns its result with the gate's and the end's times since exec."""
    read, write = os.pipe()
    begin = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    process = subprocess.Popen(
        [os.path.join(TESTS, name), "--mode", mode, "-t", str(tasks), "-s", str(seconds),
         "--report-fd", str(write), *map(str, more)],
        pass_fds=[write], env={**os.environ, **(env or {})})
    os.close(write)
    events = {}
    with os.fdopen(read) as report:
        for line in report:
            event = json.loads(line)
            events[event["event"]] = event
            events["last_ns"] = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    if process.wait() != 0:
        raise SystemExit(f"{name}: {events.get('failed')}")
    end = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    result = events["result"]
    result["start_s"] = (events["started"]["gate_ns"] - begin) / 1e9
    result["end_s"] = (end - begin) / 1e9
    result["ns_per_op"] = 1e9 / result["ops_per_s"]
    return result


def spread(values):
    return f"{min(values):.4f} .. {max(values):.4f}"


def harness():
    """ns per operation of the testcase over a bare loop's."""
    cpu = max(os.sched_getaffinity(0))
    print("harness: ns per operation, testcase over bare loop (median of pairs; all)")
    for op, test in (("getppid", "getppid1"), ("malloc", "malloc2"), ("mutex", "pthread_mutex2")):
        for kind in ("shared", "register"):
            ratios, ours, theirs = [], [], []
            for pair in range(PAIRS):
                runs = [lambda: ours.append(cell(test, "processes", 1, 0.3, "--cpus", cpu,
                                                 "--warmup", 0.1)["ns_per_op"]),
                        lambda: theirs.append(bare("loop", op, kind, 0.3, cpu))]
                for run in runs if pair % 2 else runs[::-1]:
                    run()
                ratios.append(ours[-1] / theirs[-1])
            print(f"  {test:16} over {kind:8}  {statistics.median(ratios):.3f}  "
                  f"({spread(ratios)})   {statistics.median(ours):.2f} ns")


def start():
    """From exec to the gate opening; teardown: from the end of the window to exit."""
    print("start: seconds from exec to the gate (median), the bare fork-bind-futex loop's, ratio;"
          " and from the result to exit")
    for env, label in ((None, "this machine"), ({"HWLOC_SYNTHETIC": SYNTHETIC}, "512 PUs")):
        for mode in ("processes", "threads"):
            for tasks in (64, 1024, 4096):
                rounds = max(3, PAIRS // (1 + tasks // 1024))
                gate, theirs, end, ratios = [], [], [], []
                for _ in range(rounds):
                    r = cell("getppid1", mode, tasks, 0.1, "--warmup", 0.06, "--warmup-max", 0.06,
                             *(["-n"] if env else []), env=env)
                    gate.append(r["start_s"])
                    end.append(r["end_s"] - r["start_s"] - r["warmup_ns"] / 1e9
                               - r["elapsed_ns"] / 1e9)
                    theirs.append(bare("start", mode, tasks))
                    ratios.append(gate[-1] / theirs[-1])
                print(f"  {label:12} {mode:9} {tasks:5}  {statistics.median(gate):.4f}  "
                      f"{statistics.median(theirs):.4f}  {statistics.median(ratios):.2f}   "
                      f"end {statistics.median(end):.4f}")
    r = cell("getppid1", "processes", 16384, 0.1, "--warmup", 0.06, "--warmup-max", 0.06)
    print(f"  this machine processes 16384  {r['start_s']:.3f}   end "
          f"{r['end_s'] - r['start_s'] - r['warmup_ns'] / 1e9 - r['elapsed_ns'] / 1e9:.3f}")


def memory():
    """Resident size of the supervisor; peak of all together in a memory cgroup."""
    print("memory:")
    for tasks in (1, 1024):
        process = subprocess.Popen([os.path.join(TESTS, "getppid1_processes"), "-t", str(tasks),
                                    "-s", "1"], stdout=subprocess.DEVNULL)
        time.sleep(1)
        with open(f"/proc/{process.pid}/status") as status:
            rss = int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))
        process.wait()
        print(f"  supervisor of {tasks:4} tasks: {rss} KiB resident")
    peak = cgroup_peak(1024)
    print(f"  1024 processes, all together: {peak}")


def cgroup_peak(tasks):
    base = "/sys/fs/cgroup/memory" if os.path.isdir("/sys/fs/cgroup/memory") else "/sys/fs/cgroup"
    peak = "memory.max_usage_in_bytes" if base.endswith("memory") else "memory.peak"
    group = os.path.join(base, f"knee-bench-{os.getpid()}")
    try:
        os.mkdir(group)
    except OSError as error:
        return f"not measured: {error}"
    try:
        subprocess.run(["sh", "-c", 'echo $$ > "$1/cgroup.procs"; shift; exec "$@"', "sh", group,
                        os.path.join(TESTS, "getppid1_processes"), "-t", str(tasks), "-s", "0.5"],
                       stdout=subprocess.DEVNULL, check=True)
        with open(os.path.join(group, peak)) as f:
            return f"{int(f.read()) / 2**20:.1f} MiB"
    finally:
        os.rmdir(group)


def build():
    """Rebuild of one testcase."""
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    times = []
    for _ in range(3):
        os.utime(os.path.join(top, "tests", "getppid1.c"))
        begin = time.monotonic()
        subprocess.run(["make", "-s", "-C", top, f"O={BUILD}"], check=True)
        times.append(time.monotonic() - begin)
    print(f"build: one changed testcase: {statistics.median(times):.2f} s")


def attended(name, seconds):
    """A cell whose window is traced, as runtest does it: its rate."""
    with tempfile.TemporaryDirectory() as top:
        run = os.path.join(top, "run")
        subprocess.run([os.path.join(BUILD, "runtest"), "--tests", TESTS, "-q", "-t", "1", "-m", "processes",
                        "-r", "1", "--duration", str(seconds), "--warmup", "0.1", "-o", run,
                        "--trace", "reclaim", name],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        with open(os.path.join(run, "records.jsonl")) as records:
            plain = json.loads(records.readline())["ops_per_s"]
        try:
            with open(os.path.join(run, "extra.jsonl")) as extra:
                looked = json.loads(extra.readline())
        except OSError:
            return plain, None
        return plain, looked["ops_per_s"] if looked["status"] == "ok" else None


def looks():
    """What --counters and --trace cost a cell: ratios of interleaved pairs."""
    print("looks: rate with it over rate without (median of pairs; all)")
    for test in ("getppid1", "page_fault1", "context_switch1"):
        ratios = []
        for pair in range(PAIRS):
            rates = {}
            for more in ((), ("--counters",))[::1 if pair % 2 else -1]:
                rates[bool(more)] = cell(test, "processes", 1, 0.3, "--warmup", 0.1,
                                         *more)["ops_per_s"]
            ratios.append(rates[True] / rates[False])
        print(f"  --counters      {test:16} {statistics.median(ratios):.3f}  ({spread(ratios)})")
    for test in ("getppid1", "page_fault1", "charge_file"):
        ratios = []
        for _ in range(PAIRS):
            plain, traced = attended(test, 0.3)
            if traced is None:
                break
            ratios.append(traced / plain)
        if ratios:
            print(f"  --trace reclaim {test:16} {statistics.median(ratios):.3f}  ({spread(ratios)})")
        else:
            print(f"  --trace reclaim {test:16} not to be had here")


for part in sys.argv[2:] or ("harness", "start", "memory", "build", "looks"):
    {"harness": harness, "start": start, "memory": memory, "build": build, "looks": looks}[part]()
