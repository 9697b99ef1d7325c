#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""will-it-scale's postprocess.py: a page NAME.html from each NAME.csv.

    ./postprocess.py [NAME.csv]...      (all in the current directory)

A page needs nothing but itself: no network, no script, no other file. NAME.title, where it is
there, is shown below the name. Needs Python alone. Exit status: 1 if a file could not be read in
full, which its page tells.
"""

import csv
import glob
import math
import os
import sys
from html import escape

COLUMNS = ["tasks", "processes", "processes_idle", "threads", "threads_idle", "linear"]
MODES = ("processes", "threads")

# The picture, in the units of its viewBox.
WIDTH, LEFT, RIGHT = 900, 70, 20
RATE_TOP, RATE_BOTTOM = 30, 380
IDLE_TOP, IDLE_BOTTOM = 420, 500
HEIGHT = 560
LABEL_GAP = 34          # between labels on the axis of tasks

STYLE = """
:root { color-scheme: light dark; --ink: #111; --paper: #fff; --grid: #ddd; --quiet: #666;
        --processes: #0072b2; --threads: #d55e00; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #eee; --paper: #16181c; --grid: #3a3d42; --quiet: #a0a4aa;
          --processes: #56b4e9; --threads: #ff8c42; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       max-width: 960px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; margin: 0; } p { color: var(--quiet); margin: .3em 0 1em; }
.doubt { color: var(--threads); font-weight: 600; }
svg { width: 100%; height: auto; font-size: 13px; }
svg text { fill: var(--ink); } .grid { stroke: var(--grid); } .axis { stroke: var(--quiet); }
.curve { fill: none; stroke-width: 2; } .linear { stroke: var(--quiet); stroke-dasharray: 7 5; }
.processes { stroke: var(--processes); } .threads { stroke: var(--threads); }
circle.processes { fill: var(--processes); } rect.threads { fill: var(--threads); }
.end { text-anchor: end; } .middle { text-anchor: middle; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin-top: 1em; }
th, td { padding: .2em .8em; text-align: right; border-bottom: 1px solid var(--grid); }
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}</title>
<style>{style}</style>
</head>
<body>
<h1>{name}</h1>
{title}{doubts}{picture}
{table}
</body>
</html>
"""


# ---- reading --------------------------------------------------------------------------------------


class Table:
    """The rows of a file, without row 0, ascending by tasks; what was wrong with others."""

    def __init__(self, path):
        self.rows, self.doubts = [], []
        with open(path, encoding="utf-8", newline="") as file:
            reader = csv.reader(file)
            self.ours = next(reader, None) == COLUMNS
            for fields in reader if self.ours else []:
                self.take(fields, reader.line_num)
        self.rows.sort(key=lambda row: row["tasks"])
        self.modes = [m for m in MODES if any(row[m] > 0 for row in self.rows)]

    def take(self, fields, line):
        try:
            row = dict(zip(COLUMNS, map(float, fields)))
            if len(fields) != len(COLUMNS) or not all(0 <= v < math.inf for v in row.values()):
                raise ValueError
        except ValueError:
            self.doubts.append(f"line {line} is incomplete or no row of figures: it is left out")
            return
        if row["tasks"] > 0:
            self.rows.append(row)

    def top(self, column):
        return max((row[column] for row in self.rows), default=0)


def title_of(path):
    """The testcase's description, "" where the file is missing."""
    try:
        with open(path[:-len(".csv")] + ".title", encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except FileNotFoundError:
        return ""


# ---- the picture ----------------------------------------------------------------------------------


def step_of(top, most):
    """The smallest of 1, 2, 5 times a power of ten that makes at most @most steps up to @top."""
    step = 10.0 ** math.floor(math.log10(top / most))
    return next(step * f for f in (1, 2, 5, 10, 20) if top / (step * f) <= most)


def prefix_of(top):
    """SI prefix for figures up to @top, and what it stands for."""
    for prefix, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if top >= factor:
            return prefix, factor
    return "", 1.0


def short(value):
    return f"{value:.6g}"


class Scale:
    """From values 0 to @top to coordinates @zero to @end."""

    def __init__(self, top, zero, end):
        self.top, self.zero, self.end = top, zero, end

    def __call__(self, value):
        return round(self.zero + (self.end - self.zero) * value / self.top, 2)


def text(x, y, what, style=""):
    return f'<text x="{x}" y="{y}" class="{style}">{escape(what)}</text>'


def line(x1, y1, x2, y2, style):
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="{style}"/>'


def polyline(points, style):
    return f'<polyline points="{" ".join(f"{x},{y}" for x, y in points)}" class="curve {style}"/>'


def mark(x, y, mode, tip=""):
    """A circle for processes, a square for threads, so that they differ without colours, too."""
    title = f"<title>{escape(tip)}</title>" if tip else ""
    if mode == "processes":
        return f'<circle cx="{x}" cy="{y}" r="4.5" class="{mode}">{title}</circle>'
    return (f'<rect x="{round(x - 4, 2)}" y="{round(y - 4, 2)}" width="8" height="8" '
            f'class="{mode}">{title}</rect>')


def curve(rows, column, x, y, mode, tip):
    points = [(x(row["tasks"]), y(row[column])) for row in rows]
    return [polyline(points, mode)] + [
        mark(px, py, mode, f"{short(row['tasks'])} {mode}: {tip(row[column])}")
        for row, (px, py) in zip(rows, points)]


def tasks_axis(table, x):
    """A label for each count, from the largest down, where there is room."""
    out, last = [line(LEFT, y, WIDTH - RIGHT, y, "axis") for y in (RATE_BOTTOM, IDLE_BOTTOM)], math.inf
    for row in reversed(table.rows):
        at = x(row["tasks"])
        if last - at >= LABEL_GAP:
            out.append(text(at, IDLE_BOTTOM + 20, short(row["tasks"]), "middle"))
            last = at
    return out + [text((LEFT + WIDTH - RIGHT) / 2, IDLE_BOTTOM + 44, "tasks", "middle")]


def rate_axis(y, unit, factor):
    out, step = [text(4, RATE_TOP - 14, f"{unit}ops/s")], step_of(y.top / factor, 8)
    for i in range(int(y.top / factor / step + 1e-9) + 1):
        at = y(i * step * factor)
        out.append(line(LEFT, at, WIDTH - RIGHT, at, "grid"))
        out.append(text(LEFT - 8, at + 4, short(i * step), "end"))
    return out


def idle_axis(y):
    out = [text(4, IDLE_TOP - 14, "idle, % of all CPUs")]
    for value in (0, 50, 100):
        out.append(line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid"))
        out.append(text(LEFT - 8, y(value) + 4, str(value), "end"))
    return out


def legend(table):
    out, at = [], WIDTH - RIGHT - 110 * (len(table.modes) + 1)
    for mode in table.modes:
        out += [line(at, RATE_TOP - 18, at + 26, RATE_TOP - 18, mode),
                mark(at + 13, RATE_TOP - 18, mode), text(at + 32, RATE_TOP - 14, mode)]
        at += 110
    return out + [line(at, RATE_TOP - 18, at + 26, RATE_TOP - 18, "linear"),
                  text(at + 32, RATE_TOP - 14, "linear")]


def picture(table, name):
    """Rates above, idle below. Linear is cut off where it leaves what was measured."""
    top = max(table.top(mode) for mode in MODES) * 1.05
    if not table.modes:
        return '<p class="doubt">Nothing was measured.</p>'
    prefix, factor = prefix_of(top)
    x = Scale(table.top("tasks") * 1.02, LEFT, WIDTH - RIGHT)
    rate, idle = Scale(top, RATE_BOTTOM, RATE_TOP), Scale(100, IDLE_BOTTOM, IDLE_TOP)
    out = rate_axis(rate, prefix, factor) + idle_axis(idle) + tasks_axis(table, x) + legend(table)
    linear = [(x(row["tasks"]), rate(row["linear"])) for row in table.rows if row["linear"] > 0]
    if linear:
        out += ['<g clip-path="url(#rates)">', polyline([(x(0), rate(0))] + linear, "linear"), "</g>"]
    for mode in table.modes:
        out += curve(table.rows, mode, x, rate, mode, lambda v: f"{v:,.0f} ops/s")
        out += curve(table.rows, mode + "_idle", x, idle, mode, lambda v: f"{v:.2f} % idle")
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(name)}: operations '
            f'per second and idle time against tasks"><clipPath id="rates"><rect x="{LEFT}" '
            f'y="{RATE_TOP}" width="{WIDTH - LEFT - RIGHT}" height="{RATE_BOTTOM - RATE_TOP}"/>'
            '</clipPath>\n' + "\n".join(out) + "\n</svg>")


# ---- the page -------------------------------------------------------------------------------------


def cells(row, modes):
    yield short(row["tasks"])
    for mode in modes:
        yield f"{row[mode]:,.0f}"
        yield f"{row[mode] / row['tasks']:,.0f}"
        yield f"{row[mode] / row['linear']:.2f}" if row["linear"] > 0 else "-"
        yield f"{row[mode + '_idle']:.2f}"
    yield f"{row['linear']:,.0f}" if row["linear"] > 0 else "-"


def table_html(table):
    heads = ["tasks"]
    for mode in table.modes:
        heads += [mode, "each", "of linear", "idle %"]
    heads.append("linear")
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in cells(row, table.modes)) + "</tr>"
             for row in table.rows]
    return ('<div class="scroll"><table><thead><tr>' + "".join(f"<th>{h}</th>" for h in heads) +
            "</tr></thead><tbody>\n" + "\n".join(lines) + "\n</tbody></table></div>")


def make_page(path):
    """Whether the file could be read in full. One that has other columns is none of ours."""
    name = os.path.basename(path)[:-len(".csv")]
    table = Table(path)
    if not table.ours:
        print(f"postprocess.py: {path}: not the columns of runtest.py: no page", file=sys.stderr)
        return True
    for doubt in table.doubts:
        print(f"postprocess.py: {path}: {doubt}", file=sys.stderr)
    html = PAGE.format(
        name=escape(name), style=STYLE,
        title="".join(f"<p>{escape(t)}</p>\n" for t in [title_of(path)] if t),
        doubts="".join(f'<p class="doubt">{escape(doubt)}</p>\n' for doubt in table.doubts),
        picture=picture(table, name), table=table_html(table))
    with open(path[:-len(".csv")] + ".html", "w", encoding="utf-8") as file:
        file.write(html)
    return not table.doubts


def main():
    if sys.argv[1:2] in (["-h"], ["--help"]):
        print(__doc__.strip())
        return 0
    paths, good = sys.argv[1:] or sorted(glob.glob("*.csv")), True
    for path in paths:
        try:
            if not path.endswith(".csv"):
                raise ValueError("its name does not end in .csv")
            good = make_page(path) and good
        except (OSError, ValueError, csv.Error) as error:
            print(f"postprocess.py: {path}: {error}", file=sys.stderr)
            good = False
    if not paths:
        print("postprocess.py: no *.csv here", file=sys.stderr)
    return 0 if good and paths else 1


sys.exit(main())
