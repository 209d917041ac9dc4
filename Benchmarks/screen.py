"""Measures the patient's screen in a browser, compares it with clients of the daemon that paint nothing, and prints
the figures.

    screen.py BUILD_DIRECTORY [--rings N] [--starts N]

Runs with the Python of Tests/Screen/venv. To measure a ring, the comparison client follows the same events and paints
nothing. To measure an answer, the comparison client sends one request to the daemon. The difference is the work of the
page server and of the browser.
"""
import argparse
import gzip
import re
import statistics
import sys
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Tests/Screen"))

from playwright.sync_api import sync_playwright

from home import Home
from speed import WATCH, Flood, measure, memory, spread
from view import View

PAIRS = [("from the ring to the painted task", "from the ring to a client that paints nothing"),
         ("from the touch to the silence", "from a bare request to the silence")]


def weigh(url):
    """Returns the number of files of the page, and their size in kB without and with gzip."""
    page = urllib.request.urlopen(url).read()
    names = set(re.findall(r'(?:src|href)="/?([\w.-]+\.(?:js|css))"', page.decode()))
    files = {"": page}
    while names - files.keys():
        name = (names - files.keys()).pop()
        files[name] = urllib.request.urlopen(url + name).read()
        names |= set(re.findall(r'from "\./([\w.-]+\.js)"', files[name].decode()))
    packed = sum(len(gzip.compress(one)) for one in files.values())
    return len(files), sum(map(len, files.values())) / 1000, packed / 1000


def first_paint(browser, url):
    """Returns the time from the request for the page to its first painted frame, in a browser that has not loaded the
    page before."""
    context = browser.new_context(viewport={"width": 800, "height": 480})
    page = context.new_page()
    page.goto(url)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return painted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--rings", type=int, default=20)
    parser.add_argument("--starts", type=int, default=7)
    options = parser.parse_args()
    home = Home(options.build)
    try:
        url = home.screen("en")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = View(browser, url, "en", "7in")
            view.page.evaluate(WATCH)
            view.wait("[data-clock=time]:not(:empty)")
            found = measure(home, view, options.rings)
            for what, values in found.items():
                print(f"{what}, {spread(values)}")
            for one, two in PAIRS:
                ratio = statistics.median(found[one]) / statistics.median(found[two])
                print(f"{one}: {ratio:.1f} times as long as {two}")
            with Flood(home):
                values = measure(home, view, max(3, options.rings // 4))[PAIRS[0][0]]
            print(f"{PAIRS[0][0]}, while alarms are added and removed, {spread(values)}")
            count, size, packed = weigh(url)
            print(f"the page has {count} files with {size:.1f} kB ({packed:.1f} kB with gzip)")
            print(f"cold first paint, {spread([first_paint(browser, url) for _ in range(options.starts)])}")
            print(f"the page server uses {memory(home.screens['en'].pid):.1f} MB of memory")
            browser.close()
    finally:
        home.end()


main()
