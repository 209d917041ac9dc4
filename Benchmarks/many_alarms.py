#!/usr/bin/env python3
"""Measures a home with many alarms: the time of a start, the memory, and all alarms due at the same time.

    many_alarms.py BUILD_DIRECTORY [--alarms N ...] [--due N] [--idle SECONDS]

The daemon creates one alarm. The script copies its rows for the other alarms, each with its own label and its own minute
of the day, and computes the hash chain itself. So 100,000 alarms need seconds instead of an hour. The daemon verifies
these rows like any other record.
"""
import argparse
import datetime
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import daemon as bench


def stop(process):
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)


def row_hash(cells):
    text = b"".join(b"-;" if cell is None else f"{len(str(cell).encode())}:{cell};".encode() for cell in cells)
    return hashlib.sha256(text).hexdigest()


def multiply(path, count, is_daily):
    """Copies the only alarm until the record contains `count` alarms, each with its planned prompt."""
    database = sqlite3.connect(path)
    names = [row[1] for row in database.execute("pragma table_info(events)")]
    made = dict(zip(names, database.execute("select * from events where type = 'alarm_created'").fetchone()))
    planned = dict(zip(names, database.execute("select * from events where type = 'planned'").fetchone()))
    salt, body = database.execute("select salt, body from contents where seq = ?", [made["seq"]]).fetchone()
    columns = [row[1] for row in database.execute("pragma table_info(prompts)")]
    prompt = dict(zip(columns, database.execute("select * from prompts").fetchone()))
    sequence, head = database.execute("select seq, hash from events order by seq desc limit 1").fetchone()
    due = datetime.datetime.fromisoformat(prompt["prompt_id"].split("@")[1] + "+00:00")
    if is_daily:
        due += datetime.timedelta(days=1)  # On the next day, no minute has passed yet.
    rows = {"events": [], "contents": [], "alarms": [], "prompts": []}

    def add(template, **changes):
        nonlocal sequence, head
        sequence += 1
        row = template | changes | {"seq": sequence, "event_id": str(uuid.uuid4()), "prev_hash": head}
        head = row["hash"] = row_hash(list(row.values())[:-1])
        rows["events"].append(list(row.values()))

    for number in range(count - 1):
        alarm, words, task = f"{number:012d}", json.loads(body), json.loads(made["payload"])
        words["label"] = f"Task number {number}"
        if is_daily:
            due = due.replace(hour=number // 60 % 24, minute=number % 60)
            task["schedule"]["start"] = f"{due:%Y-%m-%dT%H:%M:%S}"
            task["schedule"]["rule"] = f"FREQ=DAILY;BYSECOND=0;BYMINUTE={due.minute};BYHOUR={due.hour}"
            words["phrase"] = f"every day {due:%H:%M}"
        words, milliseconds = compact(words), int(due.timestamp()) * 1000
        digest = hashlib.sha256(bytes.fromhex(salt) + words.encode()).hexdigest()
        add(made, alarm_id=alarm, payload=compact(task), payload_digest=digest)
        rows["contents"].append((sequence, salt, words))
        rows["alarms"].append((alarm, 1, sequence, 0))
        name = f"{alarm}@{due:%Y-%m-%dT%H:%M:%S}"
        plan = compact(json.loads(planned["payload"]) | {"due_ms": milliseconds})
        add(planned, alarm_id=alarm, prompt_id=name, payload=plan)
        rows["prompts"].append(list((prompt | {
            "prompt_id": name, "alarm_id": alarm, "nominal_key": milliseconds // 500, "due_ms": milliseconds,
            "next_step_ms": milliseconds}).values()))
    for table, values in rows.items():
        if values:
            marks = ", ".join("?" * len(values[0]))
            database.executemany(f"insert into {table} values ({marks})", values)
    database.commit()
    database.execute("pragma wal_checkpoint(truncate)")
    database.close()


def compact(document):
    return json.dumps(document, separators=(",", ":"))


def home_of(build, directory, log, count, schedule):
    process, home = bench.start(build, directory, log)
    home.ask("POST", "/v1/alarms", {"label": "First", "schedule": schedule, "rings": 1, "zone": "UTC"})
    home.close()
    stop(process)
    multiply(os.path.join(directory, "state", "record.sqlite"), count, schedule.startswith("every"))
    process, home = bench.start(build, directory, log)
    return process, home, process.ready_ms


def idle(build, count, seconds):
    with tempfile.TemporaryDirectory(prefix="prompter-bench-") as directory:
        with open(os.path.join(directory, "log"), "w") as log:
            process, home, ready = home_of(build, directory, log, count, "every day 08:00")
            try:
                known = json.loads(home.ask("GET", "/v1/status"))["alarms"]
                home.close()
                fresh = bench.memory(process.pid)
                bench.settle(process.pid)
                peers = {name: pid for name in ("cron", "systemd-timesyn") for pid in running(name)[:1]}
                own = None if "cron" in peers else start_cron()
                if own:
                    time.sleep(5)
                    peers["cron"] = own.pid
                woken = bench.wakeups([process.pid, *peers.values()], seconds)
                used = bench.memory(process.pid)
                print(f"{known:7,} alarms       READY {ready:5.0f} ms after its start, RSS {fresh['VmRSS']:.1f} MB,"
                      f" anonymous {fresh['RssAnon']:.1f} MB; idle RSS {used['VmRSS']:.1f} MB,"
                      f" anonymous {used['RssAnon']:.1f} MB, {woken[0]:.0f} wake-ups an hour and 4 heartbeats")
                for name, count in zip(peers, woken[1:]):
                    peer = bench.memory(peers[name])
                    print(f"  for comparison, {name}: {count:.0f} wake-ups an hour, RSS {peer['VmRSS']:.1f} MB,"
                          f" anonymous {peer['RssAnon']:.1f} MB")
                for name in {"cron", "systemd-timesyn"} - set(peers):
                    print(f"  {name} does not run on this machine")
                if own:
                    own.terminate()
                    own.wait()
            finally:
                stop(process)


def running(name):
    """Returns the ids of the processes with this name."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and open(f"/proc/{entry}/comm").read().strip() == name:
                found.append(int(entry))
        except OSError:  # The process has ended.
            pass
    return found


def start_cron():
    """Starts a cron without jobs, because empty directories hide its tables. Returns None if cron is
    missing, or if the user is not root."""
    if not shutil.which("cron") or os.getuid():
        return None
    return subprocess.Popen(
        ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /var/spool/cron && mount -t tmpfs none /etc/cron.d"
         " && mount -t tmpfs none /run && { [ ! -e /etc/crontab ] || mount --bind /dev/null /etc/crontab; }"
         " && exec cron -f"], stderr=subprocess.DEVNULL)


def due_at_once(build, count):
    with tempfile.TemporaryDirectory(prefix="prompter-bench-") as directory:
        with open(os.path.join(directory, "log"), "w") as log:
            due = int(time.time()) // 60 * 60 + 120
            moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(due))
            process, home, _ = home_of(build, directory, log, count, moment)
            try:
                watch(home, os.path.join(directory, "state", "record.sqlite"), due, count)
            finally:
                stop(process)


def watch(home, record, due, count):
    if time.time() > due - 2:
        sys.exit("the alarms were due before the daemon was ready")
    time.sleep(due - time.time())
    home.close()  # The daemon has closed the connection after an idle minute.
    answers, classified = [], 0
    database = sqlite3.connect(f"file:{record}?mode=ro", uri=True)
    while classified < count and time.time() < due + 120:
        begin = time.perf_counter()
        home.ask("GET", "/v1/status")
        answers.append((time.perf_counter() - begin) * 1000)
        if len(answers) % 20 == 0:
            classified = database.execute("select count(*) from prompts where phase != 'planned'").fetchone()[0]
    first = database.execute("select min(wall_utc_ms) from events where type = 'ring_started'").fetchone()[0]
    last = database.execute("select max(wall_utc_ms) from events where type = 'due'").fetchone()[0]
    print(f"{count:7,} due at once  first ring after {first / 1000 - due:.2f} s, all {classified:,} classified after"
          f" {last / 1000 - due:.1f} s; requests meanwhile {bench.spread(answers)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--alarms", type=int, nargs="*", default=[12, 1_000, 5_000, 100_000])
    parser.add_argument("--due", type=int, default=100_000)
    parser.add_argument("--idle", type=int, default=120)
    wanted = parser.parse_args()
    for count in wanted.alarms:
        idle(wanted.build, count, wanted.idle)
    if wanted.due:
        due_at_once(wanted.build, wanted.due)


main()
