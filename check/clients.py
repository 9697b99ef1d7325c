#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""clients.py CLIENT[,CLIENT]... [FILE]: reads stdin or FILE as clients of will-it-scale read it.

    lkp             runtest.py's output: prints the statistics
    benchkit        an executable's output: prints global_count as the newer plugin finds it
    benchkit-old    the same as the older one finds it
    phoronix        the figures that the result template finds in a log
    avocado         a CSV file: tasks of the row taken as the base, peaks and their efficiency

The rules were found by watching the clients (doc/drop-in.md). What makes a client fail ends this
program with an error, too.
"""

import csv
import re
import sys


class Lkp:
    """Two rules for lines: a header names the columns, whenever it comes; a row has their values."""

    def __init__(self, lines):
        self.names, self.stats = None, []
        self.each = {"processes": [], "threads": []}
        self.scalability, self.workload = None, 0
        for line in map(str.rstrip, lines):
            if re.search(r"Assertion .* failed", line):
                self.stats.append((re.sub(r"\W+", "_", line), "1"))
            elif re.fullmatch(r"[a-z_,]+", line):
                self.names = line.split(",")[1:]
            elif re.fullmatch(r"[0-9.,]+", line):
                self.row(*line.split(","))

    def row(self, tasks, *values):
        if int(tasks) == 0:
            return
        processes, threads, linear = (float(values[i]) for i in (0, 2, -1))
        if processes == 0 and threads == 0:
            return
        self.stats += [(f"{tasks}.{name}", value) for name, value in zip(self.names, values)]
        self.each["processes"].append(processes / int(tasks))
        self.each["threads"].append(threads / int(tasks))
        self.workload += int(processes + threads)
        if int(tasks) != 1 and linear:
            self.scalability = processes / linear

    def __str__(self):
        stats = list(self.stats)
        if self.scalability is not None:
            stats.append(("scalability", f"{self.scalability:.6f}"))
        for name, mode in (("per_process_ops", "processes"), ("per_thread_ops", "threads")):
            stats.append((name, int(sum(self.each[mode]) / max(len(self.each[mode]), 1))))
        return "".join(f"{n}: {v}\n" for n, v in stats + [("workload", self.workload)])


def benchkit(text):
    """The totals from the line `measurement` to one that starts with `average:`, or to the end."""
    lines = iter(text.splitlines())
    totals = []
    if "measurement" not in lines:          # takes lines up to it
        raise ValueError("no measurement")
    for line in lines:
        if line.startswith("average:"):
            break
        totals += map(int, re.findall(r"total\s*:\s*(\d+)", line))
    if not totals:
        raise ValueError("no total")
    return sum(totals)


def benchkit_old(text):
    """Each line between the last "measurement" and the "average" after it must end in a total."""
    block, found, _ = text.rpartition("measurement")[2].partition("average")
    if not found:
        raise ValueError("no average")
    return sum(int(re.search(r"total:(\d+)$", line)[1]) for line in block.strip().splitlines())


def phoronix(text):
    """`average: #_RESULT_#`; the blank is not there in will-it-scale's output either."""
    return "\n".join(re.findall(r"average: ?([0-9.]+)", text))


def avocado(lines):
    """Row 0 makes no peak. The second row is the base, whatever its number of tasks."""
    rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]
    for row in rows:
        row["tasks"] = int(row["tasks"])
    one, out = rows[1], [f"base: {rows[1]['tasks']}"]
    for mode in ("processes", "threads"):
        best = max(rows[1:], key=lambda row, mode=mode: row[mode])
        assert 0 <= best[mode + "_idle"] <= 100
        linear = one[mode] * best["tasks"]
        out.append(f"{mode}: {best['tasks']} {best[mode] / linear * 100 if linear > 0 else 0:.1f}")
    out.append(f"linear: {[int(r['processes'] / r['linear'] * 100) for r in rows if r['linear'] > 0]}")
    return "\n".join(out)


def main():
    with open(sys.argv[2], encoding="utf-8") if sys.argv[2:] else sys.stdin as file:
        text = file.read()
    lines = text.splitlines()
    rules = {"lkp": lambda: str(Lkp(lines)).rstrip("\n"), "benchkit": lambda: benchkit(text),
             "benchkit-old": lambda: benchkit_old(text), "phoronix": lambda: phoronix(text),
             "avocado": lambda: avocado(lines)}
    for client in sys.argv[1].split(","):
        print(rules[client]())


main()
