"""Measures the caretaker's pages on a phone and on the caretaker's computer, compares them with the daemon, and prints the
figures.

    web.py BUILD_DIRECTORY [--requests N] [--rings N] [--starts N]

Runs as root with the Python of Tests/Screen/venv, because prompter-web needs its own user. The comparison client sends one
request to the daemon. The difference is the work of the page server, of its further requests, and of the encryption.
"""
import argparse
import gzip
import http.client
import re
import socket
import ssl
import statistics
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "Tests/Screen"), str(ROOT / "Tests/Caretaker")]

from playwright.sync_api import sync_playwright

from home import Home
from opened import Opened
from phones import CARETAKER, CONFIG, NAME, Phones
from speed import memory, spread

TASKS = 12


class Kept:
    """A connection that stays open, to a Unix socket or to stunnel."""

    def __init__(self, path=None, port=None, certificate=None):
        self.connection = http.client.HTTPConnection(NAME)
        if path:
            self.connection.sock = socket.socket(socket.AF_UNIX)
            self.connection.sock.connect(str(path))
        else:
            raw = socket.create_connection(("127.0.0.1", port))
            self.connection.sock = ssl.create_default_context(cafile=certificate).wrap_socket(raw, server_hostname=NAME)

    def get(self, path, fields):
        self.connection.request("GET", path, headers=fields)
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"GET {path}: {answer.status}")
        return body


def rate(connection, path, fields, count):
    """Returns the number of requests in a second. The client sends the requests one after another."""
    begun = time.perf_counter()
    for _ in range(count):
        connection.get(path, fields)
    return count / (time.perf_counter() - begun)


def weigh(connection, fields):
    """Returns the number of files of the page Today, and their size in kB without and with gzip."""
    files = {"/": connection.get("/", fields)}
    names = set(re.findall(r'(?:src|href)="(/[\w.-]+\.(?:js|css))"', files["/"].decode()))
    while names - files.keys():
        name = (names - files.keys()).pop()
        files[name] = connection.get(name, fields)
        names |= {f"/{one}" for one in re.findall(r'from "\./([\w.-]+\.js)"', files[name].decode())}
    packed = sum(len(gzip.compress(one)) for one in files.values())
    return len(files), sum(map(len, files.values())) / 1000, packed / 1000


def first_paint(browser, url, cookie):
    context = browser.new_context(viewport={"width": 360, "height": 740}, ignore_https_errors=True)
    if cookie:
        name, value = cookie.split("=")
        context.add_cookies([{"name": name, "value": value, "url": url, "secure": True}])
    page = context.new_page()
    page.goto(url)
    page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    return painted


def lateness(home, count):
    """Returns the times from a due time to the start of the ring, in milliseconds."""
    before = len(home.events("ring_started"))
    for number in range(count):
        home.ask("add", f"ring {number}", "--schedule", "in 2 seconds", "--rings", "1")
        while len(home.events("ring_started")) <= before + number:
            time.sleep(0.2)
        home.ask("done")
    due = {one["prompt_id"]: one["wall_utc_ms"] for one in home.events("due")}
    return [one["wall_utc_ms"] - due[one["prompt_id"]] for one in home.events("ring_started")[before:]]


class Flood:
    """Eight phones that ask for the page Today without a pause."""

    def __init__(self, phones, fields):
        self.is_over, self.count, self.threads = False, 0, []
        for _ in range(8):
            thread = threading.Thread(target=self.ask, args=(phones, fields))
            thread.start()
            self.threads.append(thread)

    def ask(self, phones, fields):
        connection = Kept(phones.web)
        while not self.is_over:
            connection.get("/", fields)
            self.count += 1

    def end(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--rings", type=int, default=7)
    parser.add_argument("--starts", type=int, default=7)
    options = parser.parse_args()
    home = Home(options.build, CONFIG)
    phones = opened = None
    try:
        phones = Phones(home)
        for number in range(TASKS):
            home.ask("add", f"task {number}", "--schedule", f"every day {8 + number}:00")
        cookie = phones.pair(CARETAKER)
        fields = {"Host": f"{NAME}:{phones.port}", "Cookie": cookie}
        web, daemon = Kept(phones.web), Kept(home.socket)
        tls = Kept(port=phones.port, certificate=str(phones.folder / "tls" / "ca.crt"))
        count, size, packed = weigh(web, fields)
        print(f"the page Today with {TASKS} tasks has {count} files with {size:.1f} kB ({packed:.1f} kB with gzip)")
        pages = [(rate(daemon, "/v1/day", {}, options.requests), rate(web, "/", fields, options.requests),
                  rate(tls, "/", fields, options.requests)) for _ in range(3)]
        bare, plain, encrypted = (statistics.median(one) for one in zip(*pages))
        print(f"requests in a second, one after the other: {bare:.0f} GET /v1/day, {plain:.0f} pages Today "
              f"({plain / bare:.2f} times as many), {encrypted:.0f} pages with TLS ({encrypted / bare:.2f} times)")
        opened = Opened(home)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            painted = [first_paint(browser, phones.address + "/", cookie) for _ in range(options.starts)]
            browser.close()
        print(f"cold first paint on a phone, {spread(painted)}")
        print(f"memory: prompter-web {memory(phones.server.pid):.1f} MB, stunnel {memory(phones.tls.pid):.1f} MB, "
              f"prompter open {memory(opened.process.pid):.1f} MB")
        quiet = lateness(home, options.rings)
        flood = Flood(phones, fields)
        begun = time.monotonic()
        busy = lateness(home, options.rings)
        seconds = time.monotonic() - begun
        flood.end()
        print(f"from the due time to the ring, {spread(quiet)}")
        print(f"the same while 8 phones get {flood.count / seconds:.0f} pages in a second, {spread(busy)}")
    finally:
        if opened:
            opened.end()
        if phones:
            phones.end()
        home.end()


main()
