#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""browser.py PAGE...: what a browser without a network makes of pages.

Each page is opened from its file in headless chromium, by WebDriver. It must ask for nothing else,
say nothing on the console, and show its picture: curves of some size, marks on them, every text
within the picture and on no other one; and a table that is seen. Prints `ok - NAME` or
`not ok - NAME: WHY` for each page and colour scheme, and `skip - browser: WHY` where there is no
browser. Exit status 1: a page failed.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

START_S = 60
CHROMIUM = ["chromium", "chromium-browser", "google-chrome"]
DRIVER = ["chromedriver", "chromium-driver"]

# What is wrong with a page: a list of texts.
LOOK = r"""
const wrong = [], say = (ok, text) => { if (!ok) wrong.push(text); };
const box = e => e.getBoundingClientRect();
const seen = e => box(e).width > 0 && box(e).height > 0 && getComputedStyle(e).visibility === 'visible';
say(performance.getEntriesByType('resource').length === 0, 'it asks for other files');
say(document.scripts.length === 0, 'it has scripts');
const heading = document.querySelector('h1');
say(heading && seen(heading) && heading.textContent.trim(), 'no heading');
const table = document.querySelector('table');
say(table && seen(table) && table.rows.length > 1, 'no table');
const svg = document.querySelector('svg');
if (!svg) return wrong.concat(['no picture']);
const frame = box(svg);
say(frame.width > 300 && frame.height > 200, `a picture of ${frame.width} by ${frame.height}`);
const inside = (b) => b.left >= frame.left - 1 && b.right <= frame.right + 1 &&
		      b.top >= frame.top - 1 && b.bottom <= frame.bottom + 1;
const marks = [...svg.querySelectorAll('circle, g rect, svg > rect')].filter(e => !e.closest('clipPath'));
say(marks.length > 0 && marks.every(e => seen(e) && inside(box(e))), 'marks that are not seen');
const paper = getComputedStyle(document.body).backgroundColor;
for (const line of svg.querySelectorAll('polyline')) {
	const style = getComputedStyle(line);
	say(style.stroke !== 'none' && style.stroke !== paper, 'a curve that is not seen');
	say(line.points.numberOfItems > 0, 'a curve without points');
	say(!/NaN|Infinity/.test(line.getAttribute('points')), 'a curve through NaN');
}
const texts = [...svg.querySelectorAll('text')];
for (const text of texts) {
	say(inside(box(text)), `"${text.textContent}" is outside`);
	say(getComputedStyle(text).fill !== paper, `"${text.textContent}" is not seen`);
}
for (let i = 0; i < texts.length; i++)
	for (let j = 0; j < i; j++) {
		const a = box(texts[i]), b = box(texts[j]);
		say(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 3 || b.bottom <= a.top + 3,
		    `"${texts[i].textContent}" lies on "${texts[j].textContent}"`);
	}
say(document.documentElement.scrollWidth <= window.innerWidth, 'the page is wider than the window');
return wrong;
"""


def program(names):
    return next(filter(None, map(shutil.which, names)), None)


class Browser:
    """A headless chromium that finds no host, behind its driver."""

    def __init__(self, chromium, driver, profile):
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        try:
            self.base = f"http://127.0.0.1:{self.port()}"
            self.session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": chromium, "args": [
                    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                    "--window-size=1000,900", "--host-resolver-rules=MAP * ~NOTFOUND",
                    f"--user-data-dir={profile}"]}}}})["sessionId"]
        except BaseException:
            self.driver.kill()
            raise

    def port(self):
        """What it says when it is ready: `... started successfully on port N.`"""
        for line in self.driver.stdout:
            if "successfully on port" in line:
                return int(line.rstrip(".\n").rpartition(" ")[2])
        raise RuntimeError("the driver does not start")

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=START_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def do(self, what, **body):
        return self.call("POST", f"/session/{self.session}/{what}", body)

    def look(self, path, scheme):
        """What is wrong with a page in the colour scheme."""
        self.do("goog/cdp/execute", cmd="Emulation.setEmulatedMedia",
                params={"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.do("url", url="file://" + urllib.request.pathname2url(os.path.abspath(path)))
        wrong = self.do("execute/sync", script=LOOK, args=[])
        return wrong + [entry["message"] for entry in self.do("se/log", type="browser")]

    def close(self):
        try:
            self.call("DELETE", f"/session/{self.session}")
        finally:
            self.driver.terminate()
            self.driver.wait()


def look_at(browser, pages):
    good = True
    for page in pages:
        for scheme in ("light", "dark"):
            name = f"{os.path.basename(page)}, {scheme}"
            wrong = browser.look(page, scheme)
            print(f"not ok - {name}: {'; '.join(wrong)}" if wrong else f"ok - {name}", flush=True)
            good = good and not wrong
    return good


def main():
    chromium, driver = program(CHROMIUM), program(DRIVER)
    if not chromium or not driver:
        print(f"skip - browser: no {'chromium' if driver else 'chromium-driver'} is installed")
        return 0
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(chromium, driver, profile)
        try:
            good = look_at(browser, sys.argv[1:])
        finally:
            browser.close()
            time.sleep(0.2)         # its children let go of the profile
    return 0 if good else 1


sys.exit(main())
