#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""svg.py PICTURE.svg [NAME=COUNT...] [text=TEXT...]: what gnuplot made of a script.

It is well-formed, holds no NaN, and everything lies within its edges. Points are counted by
shape and colour, the one of the legend included: processes, threads, processes_hollow,
threads_hollow, failed (both modes and the legend). text=TEXT: a piece of some text in it.
"""

import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}href"
BLUE, VERMILLION, BLACK = "#0072b2", "#d55e00", "#000000"

# gnuplot's names of its shapes: gpPtN is point type N + 1.
SHAPES = {"processes": ("#gpPt6", [BLUE]), "threads": ("#gpPt4", [VERMILLION]),
          "processes_hollow": ("#gpPt5", [BLUE]), "threads_hollow": ("#gpPt3", [VERMILLION]),
          "failed": ("#gpPt1", [BLUE, VERMILLION, BLACK])}


def colour(text):
    numbers = re.findall(r"\d+", text or "")
    if text and text.startswith("rgb") and len(numbers) == 3:
        return "#%02x%02x%02x" % tuple(int(n) for n in numbers)
    return {"black": BLACK}.get(text, (text or "").lower())


def points(tree):
    """(shape, colour, scale) of each point; those below 2 are the small ones of idle."""
    found = []

    def walk(element, inherited):
        inherited = element.get("color", inherited)
        if element.tag == SVG + "use" and element.get("transform", "").startswith("translate"):
            scale = re.search(r"scale\(([\d.]+)\)", element.get("transform"))
            found.append((element.get(XLINK), colour(inherited), float(scale.group(1))))
        for child in element:
            if child.tag != SVG + "defs":
                walk(child, inherited)

    walk(tree, None)
    return found


def places(tree):
    """Coordinates of everything that is drawn: points, texts, the corners of lines."""
    for element in tree.iter():
        for x, y in re.findall(r"translate\(([-\d.]+),([-\d.]+)\)", element.get("transform", "")):
            yield float(x), float(y)
        if element.tag == SVG + "path" and element.get("id") is None:
            for x, y in re.findall(r"[ML]([-\d.]+),([-\d.]+)", element.get("d", "")):
                yield float(x), float(y)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        source = file.read()
    tree = ET.fromstring(source.encode())
    assert not re.search(r"\bnan\b|\binf\b", re.sub(r"<text>.*?</text>", "", source), re.I), "NaN"
    _, _, width, height = (float(n) for n in tree.get("viewBox").split())
    for x, y in places(tree):
        assert -1 <= x <= width + 1 and -1 <= y <= height + 1, f"({x}, {y}) is outside"
    assert not list(tree.iter(SVG + "script")), "a script element"
    texts = [" ".join("".join(t.itertext()).split()) for t in tree.iter(SVG + "text")]
    drawn = points(tree)
    for argument in sys.argv[2:]:
        name, value = argument.split("=", 1)
        if name == "text":
            assert any(value in text for text in texts), f"no text {value!r} in {texts}"
            continue
        shape, colours = SHAPES[name]
        count = sum(s == shape and c in colours and scale > 2 for s, c, scale in drawn)
        assert count == int(value), f"{count} points of {name}, expected {value}"


main()
