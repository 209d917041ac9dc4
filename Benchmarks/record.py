#!/usr/bin/env python3
"""Measures export, verify and purge of a long record, and the bytes that the daemon writes to the disk.

    record.py BUILD_DIRECTORY [--years N] [--homes N] [--days N]

The daemon rings one real prompt on ALSA's null device. The script copies its rows with other times and ids
into a record of ten years of one home, and into a record with the prompts of a thousand homes. The script
computes the hash chain again, and `prompter verify` checks the chain. For comparison, sqlite3 dumps the same
rows. Each figure is the median of RUNS runs. In each run, the script measures the export and sqlite3 one after
the other.
"""
import argparse
import functools
import hashlib
import os
import re
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import daemon as bench

PROMPTS_A_DAY = 12
HEARTBEATS_A_DAY = 96
DAY = 86_400_000
RUNS = 3
INSTANT = re.compile(r"\b1[5-9]\d{11}\b")


# Print each result at once, even if the output is a pipe.
print = functools.partial(print, flush=True)


def until(what, holds, seconds=60):
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            sys.exit(f"{what} in {seconds} s")
        time.sleep(0.05)


class Home:
    """A daemon with its own state directory."""

    def __init__(self, build, state):
        self.build, self.state = build, state
        self.socket = f"{state}.sock"
        self.process = subprocess.Popen(
            [f"{build}/prompterd", "--state", state, "--socket", self.socket, "--device", "null"],
            stderr=subprocess.DEVNULL)
        until("the daemon does not start", lambda: os.path.exists(self.socket), 120)

    def ask(self, *words):
        done = subprocess.run(
            [f"{self.build}/prompter", "--socket", self.socket, *words], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"prompter {' '.join(words)}: {done.stderr}")
        return done.stdout

    def status(self, name, file="status"):
        lines = Path(f"/proc/{self.process.pid}/{file}").read_text().splitlines()
        return int(dict(line.split(":", 1) for line in lines)[name].split()[0])

    def settle(self):
        """Waits until the daemon has written the replica of the record and verified the record."""
        quiet, last = 0, -1
        while quiet < 25:
            time.sleep(1)
            now = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
            quiet, last = quiet + 1 if now == last else 0, now

    def forget_peak(self):
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        os.path.exists(self.socket) and os.unlink(self.socket)


def live_one_prompt(build, state):
    """Rings and completes one prompt. Returns the number of bytes that the daemon wrote to the disk for this
    prompt."""
    home = Home(build, state)
    home.ask("add", "Pills", "--schedule", "in 1 second")
    before = home.status("write_bytes", "io")
    until("nothing rings", lambda: '"type":"ring_started"' in home.ask("log"))
    home.ask("done")
    until("the ring does not end", lambda: '"type":"ring_ended"' in home.ask("log"))
    written = home.status("write_bytes", "io") - before
    home.end()
    return written


class RecordWriter:
    """Adds copies of the existing rows to a record."""

    def __init__(self, path, is_synced=False):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute(f"PRAGMA synchronous = {'FULL' if is_synced else 'OFF'}")
        self.triggers = self.db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        self.db.execute("BEGIN")
        for name, _ in self.triggers:
            self.db.execute(f"DROP TRIGGER {name}")
        self.names = [row[1] for row in self.db.execute("PRAGMA table_info(events)")]
        self.at = {name: place for place, name in enumerate(self.names)}
        self.seq, self.hash = self.db.execute("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        self.id = self.db.execute("SELECT prompt_id FROM prompts").fetchone()[0]
        self.life = self.db.execute("SELECT * FROM events WHERE prompt_id = ? ORDER BY seq", [self.id]).fetchall()
        self.alarm = self.db.execute("SELECT * FROM events WHERE type = 'alarm_created'").fetchone()
        self.words = self.db.execute(
            "SELECT salt, body FROM contents WHERE seq = ?", [self.alarm[self.at["seq"]]]).fetchone()
        cursor = self.db.execute("SELECT * FROM prompts")
        self.prompt, self.columns = cursor.fetchone(), [column[0] for column in cursor.description]
        self.places = ",".join("?" * len(self.names))

    def add(self, row, shift, **changes):
        at = self.at
        row = list(row)
        self.seq += 1
        row[at["seq"]], row[at["prev_hash"]] = self.seq, self.hash
        row[at["wall_utc_ms"]] += shift
        # Each copy has a different boot time, because a purge does not separate rows that were written at the
        # same instant.
        row[at["boottime_ns"]] += self.seq
        row[at["payload"]] = INSTANT.sub(lambda found: str(int(found[0]) + shift), row[at["payload"]])
        for name, value in changes.items():
            row[at[name]] = value
        digest = hashlib.sha256()
        for cell in row[:-1]:
            digest.update(b"-;" if cell is None else b"%d:%s;" % (len(text := str(cell).encode()), text))
        self.hash = row[-1] = digest.hexdigest()
        self.db.execute(f"INSERT INTO events VALUES ({self.places})", row)

    def heartbeat(self, shift):
        # A heartbeat contains no typed words, so the row contains no digest of such words.
        self.add(self.alarm, shift, type="heartbeat", payload="{}", payload_digest=None, alarm_id=None,
                 alarm_version=None, person=None)

    def copy_alarm(self, name):
        self.add(self.alarm, 0, alarm_id=name)
        self.db.execute("INSERT INTO contents VALUES (?, ?, ?)", [self.seq, *self.words])
        self.db.execute("INSERT INTO alarms VALUES (?, 1, ?, 0)", [name, self.seq])

    def copy_prompt(self, alarm, shift):
        nominal = datetime.fromisoformat(self.id.split("@")[1]) + timedelta(milliseconds=shift)
        name = f"{alarm}@{nominal.isoformat()}"
        for row in self.life:
            self.add(row, shift, prompt_id=name, alarm_id=alarm)
        cells = list(self.prompt)
        for place, column in enumerate(self.columns):
            if column == "nominal_key":
                cells[place] += shift // 1_000 * 2
            elif column.endswith("_ms") and cells[place] is not None:
                cells[place] += shift
            elif isinstance(cells[place], str):
                cells[place] = INSTANT.sub(lambda found: str(int(found[0]) + shift), cells[place])
        cells[0], cells[1] = name, alarm
        self.db.execute(f"INSERT INTO prompts VALUES ({','.join('?' * len(cells))})", cells)

    def close(self):
        for _, sql in self.triggers:
            self.db.execute(sql)
        self.db.execute("COMMIT")
        self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.db.close()


def ten_years(writer, years):
    days = years * 365
    alarm = writer.id.split("@")[0]
    for day in range(-days, 0):
        for part in range(HEARTBEATS_A_DAY):
            writer.heartbeat(day * DAY + part * DAY // HEARTBEATS_A_DAY)
            if part % (HEARTBEATS_A_DAY // PROMPTS_A_DAY) == 0:
                writer.copy_prompt(alarm, day * DAY + part * DAY // HEARTBEATS_A_DAY)
    return days


def many_homes(writer, homes, days):
    for home in range(homes):
        writer.copy_alarm(f"home{home:05}")
    for day in range(-days, 0):
        for part in range(PROMPTS_A_DAY):
            for home in range(homes):
                writer.copy_prompt(f"home{home:05}", day * DAY + part * DAY // PROMPTS_A_DAY)


def bytes_of_heartbeats(path, count):
    """Returns the number of bytes written to the disk for a heartbeat, which is one synced row in the
    write-ahead log."""
    writer = RecordWriter(path, is_synced=True)
    writer.db.execute("COMMIT")
    before = own_writes()
    for number in range(count):
        writer.db.execute("BEGIN IMMEDIATE")
        writer.heartbeat(number * DAY // HEARTBEATS_A_DAY)
        writer.db.execute("COMMIT")
    return (own_writes() - before) / count


def own_writes():
    lines = Path("/proc/self/io").read_text().splitlines()
    return int(dict(line.split(":", 1) for line in lines)["write_bytes"])


def seconds(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def dump(path, target):
    with open(target, "wb") as file:
        subprocess.run(
            ["sqlite3", "-csv", path, "SELECT * FROM prompts; SELECT * FROM events;"], stdout=file, check=True)


class Measurement:
    """A record and the daemon that keeps it."""

    def __init__(self, build, state):
        self.path, self.state = f"{state}/record.sqlite", state
        db = sqlite3.connect(self.path)
        self.events, self.prompts = (
            db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("events", "prompts"))
        db.close()
        self.size = os.path.getsize(self.path)
        self.home = Home(build, state)
        self.home.settle()

    def export(self, layout):
        target = f"{self.state}.{layout}"
        shutil.rmtree(target, ignore_errors=True)
        return seconds(lambda: self.home.ask("export", target, "--profile", "limited", "--layout", layout))

    def all_exports(self):
        idle = self.home.status("VmRSS") / 1024
        self.home.forget_peak()
        runs = [(seconds(lambda: dump(self.path, f"{self.state}.csv")), self.export("frictionless")) for _ in range(RUNS)]
        bare, taken = (statistics.median(one) for one in zip(*runs))
        self.print_export("frictionless", taken, idle)
        print(f"    sqlite3 -csv of the same rows {bare:.2f} s: {statistics.median(b / a for a, b in runs):.2f} x")
        for layout in ("mpath", "cleanadh"):
            self.home.forget_peak()
            self.print_export(layout, statistics.median(self.export(layout) for _ in range(RUNS)), idle)

    def print_export(self, layout, taken, idle):
        print(f"  export {layout:12} {taken:6.2f} s  {self.prompts / taken:9,.0f} prompts/s"
              f" {self.events / taken:11,.0f} events/s"
              f"  peak {self.home.status('VmHWM') / 1024:.0f} MiB, {idle:.0f} MiB before")

    def verify(self):
        self.home.forget_peak()
        taken = statistics.median(seconds(lambda: self.home.ask("verify")) for _ in range(RUNS))
        print(f"  verify              {taken:6.2f} s  {self.events / taken:31,.0f} events/s"
              f"  peak {self.home.status('VmHWM') / 1024:.0f} MiB")

    def purge(self):
        """Measures a purge of all exported events, and the time for which the changes of a caretaker wait
        during the purge."""
        archive, water = f"{self.state}.archive", {
            "label": "Water", "schedule": "every day 08:00", "duplicate": True}
        purging = subprocess.Popen(
            [f"{self.home.build}/prompter", "--socket", self.home.socket, "log", "purge", "--before", "2999-01-01",
             "--archive", archive, "--yes"], stdout=subprocess.DEVNULL)
        start, waits, home = time.perf_counter(), [], bench.Home(self.home.socket)
        while purging.poll() is None:
            waits.append(seconds(lambda: home.ask("POST", "/v1/alarms", water)) * 1_000)
            time.sleep(0.005)
        home.close()
        if purging.returncode:
            self.home.end()
            sys.exit("the purge failed")
        print(f"  purge               {time.perf_counter() - start:6.2f} s  {os.path.getsize(archive) / 2**20:.0f} MiB archive,"
              f" a change meanwhile waits {bench.spread(waits)}   longest {max(waits):.0f} ms")

    def report(self):
        print(f"  report              {seconds(lambda: self.home.ask('report', f'{self.state}.frictionless')):6.2f} s")


def measure(build, state, title, purged=False):
    one = Measurement(build, state)
    print(f"{title}: {one.prompts:,} prompts, {one.events:,} events, {one.size / 2**20:.0f} MiB")
    one.all_exports()
    one.verify()
    one.report()
    if purged:
        one.purge()
    one.home.end()
    return one.size


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--homes", type=int, default=1_000)
    parser.add_argument("--days", type=int, default=28)
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    with tempfile.TemporaryDirectory(prefix="prompter-bench-") as work:
        template = f"{work}/template"
        os.mkdir(template, 0o700)
        prompt = live_one_prompt(build, template)
        for name in ("beats", "years", "homes"):
            subprocess.run(["cp", "-rp", template, f"{work}/{name}"], check=True)
        beat = bytes_of_heartbeats(f"{work}/beats/record.sqlite", 2 * HEARTBEATS_A_DAY)
        a_day = PROMPTS_A_DAY * prompt + HEARTBEATS_A_DAY * beat
        print(f"disk: {prompt / 1024:.0f} KiB written for one prompt's life, {beat / 1024:.1f} KiB for a heartbeat:"
              f" {a_day / 2**20:.1f} MiB a device-day ({PROMPTS_A_DAY} prompts, {HEARTBEATS_A_DAY} heartbeats)")
        writer = RecordWriter(f"{work}/years/record.sqlite")
        days = ten_years(writer, options.years)
        writer.close()
        size = measure(build, f"{work}/years", f"{options.years} years of one home", purged=True)
        print(f"  {size / days / 1024:.1f} KiB of record a device-day")
        shutil.rmtree(f"{work}/years.frictionless")
        writer = RecordWriter(f"{work}/homes/record.sqlite")
        many_homes(writer, options.homes, options.days)
        writer.close()
        measure(build, f"{work}/homes", f"{options.homes:,} homes' prompts of {options.days} days in one file")


if __name__ == "__main__":
    main()
