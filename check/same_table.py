#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""same_table.py TABLE.json TABLE.csv: both hold the same rows, to the last digit."""

import csv
import json
import sys

with open(sys.argv[1]) as file:
    table = json.load(file)
with open(sys.argv[2], newline="") as file:
    lines = list(csv.DictReader(file))

assert table["schema"] == "knee-table/1", table["schema"]
rows = [(series, row) for series in table["series"] for row in series["rows"]]
assert len(rows) == len(lines), (len(rows), len(lines))
for (series, row), line in zip(rows, lines):
    assert None not in line, f"too many fields: {line}"
    expected = {**row, **{k: series[k] for k in ("testcase", "placement", "scalability")}}
    for name, text in line.items():
        if name in ("params", "factors"):
            assert text == " ".join(f"{k}={v}" for k, v in series[name].items()), text
        elif name == "outliers":
            assert int(text) == len(row["outliers"]), text
        elif name == "flags":
            assert text == " ".join(f"{k}:{v}" for k, v in row["flags"].items()), text
        elif name == "failures":
            assert text == "; ".join(f"{f['status']}:{f['rounds']}:{f['reason']}"
                                     for f in row["failures"]), text
        elif isinstance(expected[name], str):
            assert text == expected[name], (name, text)
        elif expected[name] is None:
            assert text == "", (name, text)
        else:
            assert float(text) == expected[name], (name, text, expected[name])
