#!/usr/bin/env python3
"""Measures the daemon's HTTP server, compared with a minimal server, and how a flood of requests delays a ring.

    http_server.py BUILD_DIRECTORY [--requests N] [--rounds N] [--rings N]

The clients are the clients of http-bench, which use system calls directly. The minimal server replies "hello"
and uses the same HTTP library as the daemon. Each round measures all servers one after another, so that other
load of the machine affects all servers. The script prints the medians of the rounds. The same rounds also
measure a plain SQLite commit of a row of the size of our event, with our pragmas.
"""
import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import daemon as bench

CREATE = json.dumps({"label": "Create", "schedule": "every day 08:00", "zone": "UTC", "duplicate": True})


def load(tool, socket, method, path, count, clients, body=""):
    words = [tool, "load", socket, method, path, str(count), str(clients)] + ([body] if body else [])
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)


def median(rounds, name):
    return statistics.median(figures[name] for figures in rounds)


def line(name, rounds):
    print(f"{name:34} {median(rounds, 'per_second'):8,.0f} requests/s   p50 {median(rounds, 'p50_us') / 1000:7.3f} ms"
          f"   p99 {median(rounds, 'p99_us') / 1000:7.3f} ms")


def as_figures(milliseconds):
    values = sorted(milliseconds)
    return {"per_second": len(values) / (sum(values) / 1000), "p50_us": statistics.median(values) * 1000,
            "p99_us": values[len(values) * 99 // 100] * 1000}


def measure(tool, hello, home, directory, requests, rounds):
    socket = home.path
    shown = "/v1/alarms/" + json.loads(home.ask("POST", "/v1/alarms", json.loads(CREATE)))["alarm"]["id"]
    home.close()
    figures = {}
    for number in range(rounds):
        def note(name, found):
            figures.setdefault(name, []).append(found)
        for clients in (1, 6):
            note(f"hello, {clients} at once", load(tool, hello, "GET", "/", requests, clients))
            note(f"read, {clients} at once", load(tool, socket, "GET", shown, requests, clients))
        commits = os.path.join(directory, f"commits{number}")
        os.mkdir(commits)
        note("plain SQLite commit", as_figures(bench.commit(commits, requests // 4)))
        for clients in (1, 6):
            note(f"durable create, {clients} at once",
                 load(tool, socket, "POST", "/v1/alarms", requests // 4, clients, CREATE))
    for name, found in figures.items():
        line(name, found)

    def ratio(one, other, name):
        return statistics.median(a[name] / b[name] for a, b in zip(figures[one], figures[other]))
    print(f"  read / hello, p50                {ratio('read, 1 at once', 'hello, 1 at once', 'p50_us'):.2f}")
    print(f"  durable create / plain commit, p50 "
          f"{ratio('durable create, 1 at once', 'plain SQLite commit', 'p50_us'):.2f}")


def flood(tool, home, daemon, rings):
    calm, _ = bench.ring(home, rings)
    clients = subprocess.Popen([tool, "flood", home.path, "200"])
    try:
        time.sleep(1)
        due, _ = bench.ring(home, rings)
    finally:
        clients.kill()
        clients.wait()
    peak = [line for line in open(f"/proc/{daemon.pid}/status") if line.startswith("VmHWM")][0]
    print(f"due to first frame, no clients     {bench.spread(calm)}")
    print(f"due to first frame, 200 clients    {bench.spread(due)}")
    print(f"peak memory of the daemon          {int(peak.split()[1]) / 1024:.1f} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rings", type=int, default=40)
    wanted = parser.parse_args()
    tool = os.path.join(wanted.build, "http-bench")
    with tempfile.TemporaryDirectory(prefix="prompter-bench-") as directory:
        with open(os.path.join(directory, "log"), "w") as log:
            path = os.path.join(directory, "hello")
            hello = subprocess.Popen([tool, "hello", path])
            daemon, home = bench.start(wanted.build, directory, log)
            try:
                # The flood comes first, while the home is small: `measure` creates alarms that stay.
                flood(tool, home, daemon, wanted.rings)
                measure(tool, path, home, directory, wanted.requests, wanted.rounds)
            finally:
                daemon.send_signal(signal.SIGTERM)
                daemon.wait(timeout=30)
                hello.kill()
                hello.wait()


main()
