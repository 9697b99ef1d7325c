#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What it takes to compare two runs of 200 testcases, 16 points and 10 rounds.

usage: compare.py BUILD_DIR
"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

TASKS = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128]


def write(path, seed):
    """Records as runtest writes them, with a window of ten samples."""
    noise = random.Random(seed)
    os.mkdir(path)
    cells = [{"id": f"t{t}/processes/{n}/core", "testcase": f"t{t}", "mode": "processes",
              "tasks": n, "placement": "core", "cpus": ",".join(map(str, range(n))), "params": {},
              "factors": {}}
             for t in range(200) for n in TASKS]
    with open(os.path.join(path, "plan.json"), "w") as file:
        json.dump({"schema": "knee-plan/1", "run": os.path.basename(path), "rounds": 10,
                   "duration_s": 1.0, "cells": cells}, file)
    window = {"idle_pct": 49.9, "cell_idle_pct": 0.1, "steal_pct": 0.0, "other_pct": 0.3,
              "context_switches_hz": 312.0, "cell_mhz": 2445.4, "kernel_tasks": 2}
    with open(os.path.join(path, "records.jsonl"), "w") as file:
        for i, cell in ((i, cell) for i in range(10) for cell in cells):
            rate = 20000 * cell["tasks"] * noise.gauss(1, 0.01)
            each = int(rate / cell["tasks"])
            json.dump({"schema": "knee-record/1", "run": "x", "cell": cell, "round": i,
                       "time": "2026-11-30T13:52:31Z", "wall_ns": 1412345678, "status": "ok",
                       "reason": None, "exit_status": 0, "elapsed_ns": 1000123456, "ops": int(rate),
                       "ops_per_s": rate, "min_task_ops": each, "max_task_ops": each,
                       "task_ops": [each] * cell["tasks"], "flags": [], "late_s": 0.0,
                       "slices": [[100012345, int(rate / 10)]] * 10, "window": window,
                       "compiler": "gcc (Debian 12.2.0-14) 12.2.0", "scratch_fs": "ext4"}, file)
            file.write("\n")


def main():
    program = os.path.join(os.path.abspath(sys.argv[1]), "libexec", "knee-compare")
    with tempfile.TemporaryDirectory() as work:
        for seed, name in enumerate(("base", "head")):
            write(os.path.join(work, name), seed)
        wall, cpu = [], []
        for _ in range(5):
            begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([program, "-f", "csv", "base", "head"], cwd=work, check=True,
                           stdout=subprocess.DEVNULL)
            end = resource.getrusage(resource.RUSAGE_CHILDREN)
            wall.append(time.monotonic() - begin)
            cpu.append(end.ru_utime + end.ru_stime - used.ru_utime - used.ru_stime)
        size = sum(os.path.getsize(os.path.join(work, name, "records.jsonl"))
                   for name in ("base", "head"))
    print(f"compare: 2 x 32000 records, {size / 1e6:.0f} MB: least of 5: {min(wall):.2f} s, "
          f"{min(cpu):.2f} s of a CPU")


main()
