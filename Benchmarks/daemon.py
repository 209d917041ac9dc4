#!/usr/bin/env python3
"""Measures the running daemon through its socket and prints the figures.

    daemon.py BUILD_DIRECTORY [--rings N] [--creates N] [--idle SECONDS]

Starts the release binaries with a temporary state directory and ALSA's null plug-in as the speaker. The player limits its
own speed. Therefore the times are the same as on a real device, but without the time of the buffer in the sound card. For
comparison, the same run measures a plain SQLite commit on the same file system.
"""
import argparse
import calendar
import http.client
import json
import os
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


class Home(http.client.HTTPConnection):
    """A connection to the daemon's socket that stays open for several requests."""

    def __init__(self, path):
        super().__init__("localhost", timeout=30)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        self.request(method, path, None if body is None else json.dumps(body))
        answer = self.getresponse()
        text = answer.read()
        if answer.status >= 300:
            sys.exit(f"{method} {path}: {answer.status} {text.decode()}")
        return text

    def events(self, after):
        lines = self.ask("GET", f"/v1/log?after={after}&limit=10000").splitlines()
        return [json.loads(line) for line in lines]


def spread(milliseconds):
    values = sorted(milliseconds)
    p99 = values[min(len(values) - 1, int(len(values) * 0.99))]
    return f"p50 {statistics.median(values):7.2f} ms   p99 {p99:7.2f} ms   n={len(values)}"


def memory(pid):
    fields = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status"))
    return {name: int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "RssAnon")}


def switches(pid):
    """Returns the number of voluntary context switches of each thread."""
    counts = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{task}/status"):
            if line.startswith("voluntary_ctxt_switches"):
                counts[task] = int(line.split()[1])
    return counts


def settle(pid, seconds=240):
    """Waits until a process used no processor time for 10 s. The daemon verifies the record half a minute after its
    start."""
    time.sleep(30)
    used, still, end = None, 0, time.monotonic() + seconds
    while still < 10 and time.monotonic() < end:
        time.sleep(2)
        now = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[11:13]
        still, used = (still + 2 if now == used else 0), now


def wakeups(pids, seconds):
    """Returns the wake-ups per hour of each process, measured over some idle seconds."""
    before = [switches(pid) for pid in pids]
    time.sleep(seconds)
    woken = [sum(count - old.get(task, 0) for task, count in switches(pid).items())
             for pid, old in zip(pids, before)]
    return [count * 3600 / seconds for count in woken]


def children(pid):
    return [int(p) for task in os.listdir(f"/proc/{pid}/task")
            for p in open(f"/proc/{pid}/task/{task}/children").read().split()]


def start(build, directory, log):
    config = os.path.join(directory, "asound.conf")
    with open(config, "w") as file:
        file.write("</usr/share/alsa/alsa.conf>\npcm.bench { type null }\n")
    settings = os.path.join(directory, "prompter.toml")
    with open(settings, "w") as file:
        file.write("[limits]\nalarms = 100000\nrings_per_hour = 1000\n")
    path = os.path.join(directory, "socket")
    notices = os.path.join(directory, "notify")
    if os.path.exists(notices):
        os.unlink(notices)
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(notices)
    manager.settimeout(120)
    begin = time.monotonic()
    daemon = subprocess.Popen(
        [os.path.join(build, "prompterd"), "--state", os.path.join(directory, "state"),
         "--socket", path, "--config", settings, "--device", "bench"],
        stderr=log, env=dict(os.environ, ALSA_CONFIG_PATH=config, NOTIFY_SOCKET=notices))
    while b"READY=1" not in manager.recv(4096):
        pass
    # With READY=1, the daemon tells the service manager that the alarms are armed.
    daemon.ready_ms = (time.monotonic() - begin) * 1000
    daemon.manager = manager
    for _ in range(200):
        try:
            home = Home(path)
            home.ask("GET", "/v1/status")
            return daemon, home
        except OSError:
            time.sleep(0.05)
    sys.exit("cannot measure: the daemon did not answer within 10 s of READY=1")


def ring(home, count):
    """Returns two lists of times for `count` prompts, one after another: from the due time to the first frame, and from the
    answer "done" to silence."""
    due, silence = [], []
    seen = home.events(0)[-1]["seq"]
    for number in range(count):
        home.ask("POST", "/v1/alarms", {
            "label": f"Ring {number}", "schedule": "in 1 seconds", "rings": 1,
            "zone": "UTC"})
        due_at = started = completed = ended = None
        while ended is None:
            time.sleep(0.02)
            for event in home.events(seen):
                seen = event["seq"]
                if event["type"] == "due":
                    local = event["prompt_id"].split("@")[1]
                    due_at = utc(local) * 1000
                if event["type"] == "ring_started":
                    started = event["wall_utc_ms"]
                    home.ask("POST", "/v1/prompts/current/complete")
                if event["type"] == "completed":
                    completed = event["wall_utc_ms"]
                if event["type"] == "ring_ended":
                    ended = event["wall_utc_ms"]
        due.append(started - due_at)
        silence.append(ended - completed)
    return due, silence


def month(home, pid):
    """Prints the memory before and after a month. In this month, 30 times twelve prompts ring and get an answer."""
    before, seen = memory(pid), 0
    for _ in range(30):
        made = [json.loads(home.ask("POST", "/v1/alarms", {
            "label": f"Day {number}", "schedule": "in 2 seconds", "rings": 1, "zone": "UTC"}))["alarm"]["id"]
            for number in range(12)]
        open_prompts = set(made)
        while open_prompts:
            time.sleep(0.02)
            for event in home.events(seen):
                seen = event["seq"]
                if event["type"] == "ring_started" and event["alarm_id"] in open_prompts:
                    home.ask("POST", f"/v1/prompts/{event['prompt_id']}/complete")
                    open_prompts.discard(event["alarm_id"])
        for alarm in made:
            home.ask("DELETE", f"/v1/alarms/{alarm}")
    after = memory(pid)
    print(f"a month of 360 prompts that rang and were answered: anonymous {before['RssAnon']:.1f} MB before,"
          f" {after['RssAnon']:.1f} MB after")


def utc(text):
    """Returns seconds since 1970 of the local time of an alarm, whose zone is UTC."""
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def create(home, count):
    times = []
    for number in range(count):
        body = {"label": f"Create {number}", "schedule": "every day 08:00", "zone": "UTC"}
        begin = time.perf_counter()
        home.ask("POST", "/v1/alarms", body)
        times.append((time.perf_counter() - begin) * 1000)
    return times


def read(home, count):
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        home.ask("GET", "/v1/status")
        times.append((time.perf_counter() - begin) * 1000)
    return times


def commit(directory, count):
    """Returns the times to commit a row of the size of our event, with synchronous=FULL in WAL mode."""
    database = sqlite3.connect(os.path.join(directory, "bare.sqlite"), isolation_level=None)
    database.execute("pragma journal_mode=wal")
    database.execute("pragma synchronous=full")
    database.execute("create table event(seq integer primary key, body text)")
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        database.execute("begin immediate")
        database.execute("insert into event(body) values(?)", ("x" * 700,))
        database.execute("commit")
        times.append((time.perf_counter() - begin) * 1000)
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--rings", type=int, default=40)
    parser.add_argument("--creates", type=int, default=1000)
    parser.add_argument("--idle", type=int, default=60)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="prompter-bench-") as directory:
        with open(os.path.join(directory, "log"), "w") as log:
            daemon, home = start(wanted.build, directory, log)
            try:
                report(wanted, directory, daemon, home)
            finally:
                daemon.send_signal(signal.SIGTERM)
                daemon.wait(timeout=10)


def report(wanted, directory, daemon, home):
    create(home, 12)
    time.sleep(3)
    before = switches(daemon.pid)
    begin = time.monotonic()
    time.sleep(wanted.idle)
    minutes = (time.monotonic() - begin) / 60
    home.close()  # The daemon has closed the connection after an idle minute.
    woken = sum(count - before.get(task, 0) for task, count in switches(daemon.pid).items()) / minutes
    idle = memory(daemon.pid)
    print(f"idle, 12 alarms      daemon RSS {idle['VmRSS']:.1f} MB, anonymous {idle['RssAnon']:.1f} MB,"
          f" {woken:.1f} voluntary context switches a minute over {wanted.idle} s")
    for child in children(daemon.pid):
        player = memory(child)
        print(f"                     player RSS {player['VmRSS']:.1f} MB,"
              f" anonymous {player['RssAnon']:.1f} MB")
    month(home, daemon.pid)
    due, silence = ring(home, wanted.rings)
    print(f"due to first frame   {spread(due)}")
    print(f"complete to silence  {spread(silence)}")
    create(home, 50)
    ours = create(home, wanted.creates)
    bare = commit(directory, wanted.creates)
    print(f"durable create       {spread(ours)}")
    print(f"plain SQLite commit  {spread(bare)}")
    print(f"  ratio of medians   {statistics.median(ours) / statistics.median(bare):.2f}")
    print(f"read over the socket {spread(read(home, wanted.creates))}")
    busy = memory(daemon.pid)
    print(f"after {wanted.creates} creates   daemon RSS {busy['VmRSS']:.1f} MB,"
          f" anonymous {busy['RssAnon']:.1f} MB")


if __name__ == "__main__":
    main()
