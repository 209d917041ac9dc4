"""Measures the archive of a study, and compares it with COPY and with Mosquitto and a consumer. Prints the figures.

    archive.py BUILD_DIRECTORY [--rows N] [--seconds N]

Starts its own PostgreSQL, nginx, archive and Mosquitto on this machine. Needs postgresql-15, nginx, mosquitto and
openssl. As root, PostgreSQL runs as the user postgres. The rows are the rows of a simulated trial. Each home is a
connection with TLS 1.3 and its own key.
"""
import argparse
import csv
import glob
import gzip
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Archive"))

from chain import COLUMNS, GENESIS, line, row_hash
from fleet import Home, Server, free_port, morning, run, until

NUMBERS = {"seq", "schema_version", "ring_no", "alarm_version", "wall_utc_ms", "utc_offset_s", "boottime_ns", "clock_error_ms"}
TICKS = os.sysconf("SC_CLK_TCK")
# The number of rows in a day of a home with 96 heartbeats and 4 prompts.
DAY = 137
# A batch has at most 1,000 rows and 1 MiB.
BATCH = 1_000


def simulated(programs, work):
    """Returns the rows of each simulated home."""
    trial = f"{work}/trial"
    # With an odd seed, the exports have the profile limited, with all columns.
    run(f"{programs}/prompter-sim", "--trial", trial, "--seed", "1")
    homes = []
    for name in sorted(glob.glob(f"{trial}/h*/events.csv")):
        with open(name, encoding="utf-8", newline="") as file:
            rows = [{column: int(row[column]) if column in NUMBERS and row[column] else row[column] or None
                     for column in COLUMNS} for row in csv.DictReader(file)]
        homes.append(rows)
    return homes


def chained(rows, count, name):
    """Repeats the rows until there are `count` rows, and returns them as one record with a hash chain."""
    found, before = [], GENESIS
    for number in range(count):
        row = dict(rows[number % len(rows)], seq=number + 1, prev_hash=before, study_id="S-1",
                   event_id=f"{name}{number:012x}")
        before = row["hash"] = row_hash(row)
        found.append(row)
    return found


class Sender:
    """A home with its own key, and the connection of its link."""

    def __init__(self, server, work, name):
        self.server, self.name = server, name
        os.makedirs(f"{work}/keys", exist_ok=True)
        self.context = server.client(f"{work}/keys/{name}")
        self.connection = None
        self.connect()
        code = server.tool("home", "add", name, "--site", "berlin", "--study", "S-1").split()[0]
        self.stream = self.ask("POST", "/v1/enrol", json.dumps({"code": code}).encode(), {})["stream"]
        self.head = f"0-{GENESIS}"

    def connect(self):
        self.connection = http.client.HTTPSConnection("127.0.0.1", self.server.port, context=self.context, timeout=60)

    def ask(self, method, path, body=b"", fields={}):
        self.connection.request(method, path, body, fields)
        reply = self.connection.getresponse()
        text = reply.read()
        if reply.status >= 300:
            raise RuntimeError(f"{method} {path}: {reply.status} {text[:300]}")
        return json.loads(text)

    def append(self, body, last):
        reply = self.ask("POST", f"/v1/streams/{self.stream}/append", body,
                         {"Prompter-After": self.head, "Content-Encoding": "gzip"})
        if reply["head"] != last:
            raise RuntimeError(f"{self.name}: the head is {reply['head']}, not {last}")
        self.head = last


def batches(rows):
    """Returns the compressed bodies, each with the head of the record after this body."""
    return [(gzip.compress("".join(map(line, part)).encode(), 6), f"{part[-1]['seq']}-{part[-1]['hash']}")
            for part in (rows[first:first + BATCH] for first in range(0, len(rows), BATCH))]


def catch_up(server, work, rows, count):
    """Returns the rows per second of four homes that send at the same time. The archive acknowledges each row after the
    commit."""
    senders = []
    for number in range(4):
        sender = Sender(server, work, f"catch-up-{number}")
        senders.append((sender, batches(chained(rows, count // 4, f"{number:04x}"))))
    failed = []

    def send(sender, bodies):
        try:
            sender.connect()  # nginx has closed the connection, if the rows needed long.
            for body, last in bodies:
                sender.append(body, last)
        except Exception as error:  # noqa: BLE001: reported below
            failed.append(error)

    threads = [threading.Thread(target=send, args=one) for one in senders]
    before, begun = processor(server), time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - begun
    if failed:
        raise failed[0]
    used = {name: (after - before[name]) / elapsed for name, after in processor(server).items()}
    return 4 * (count // 4) / elapsed, used


def copy(server, work):
    """Returns the rows per second of COPY from a file into a table with the same columns and the same key."""
    file = f"{work}/postgres/rows"
    server.psql("CREATE TABLE plain (LIKE prompter.events)")
    server.psql("ALTER TABLE plain ADD PRIMARY KEY (study, stream, seq)")
    count = int(server.psql("SELECT count(*) FROM prompter.events")[0][0])
    server.psql(f"COPY (SELECT * FROM prompter.events) TO '{file}'")
    rates = []
    for _ in range(3):
        server.psql("TRUNCATE plain")
        begun = time.perf_counter()
        server.psql(f"COPY plain FROM '{file}'")
        rates.append(count / (time.perf_counter() - begun))
    os.unlink(file)
    server.psql("DROP TABLE plain")
    return sorted(rates)[1]


def mosquitto(server, work, rows):
    """Returns the rows per second through a broker (QoS 1) to a consumer. The consumer copies each row into a table
    without a check."""
    port = free_port()
    directory = f"{work}/mosquitto"
    os.mkdir(directory)
    shutil.chown(directory, "mosquitto") if os.geteuid() == 0 else None
    with open(f"{directory}/conf", "w", encoding="utf-8") as file:
        file.write(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location {directory}/\n"
                   "max_queued_messages 0\nmax_inflight_messages 0\n")
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", f"{directory}/conf"], stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        server.psql("CREATE TABLE consumed (row text NOT NULL)")
        text = "".join(map(line, rows)).encode()
        consumer = subprocess.Popen(
            f"mosquitto_sub -p {port} -q 1 -t rows -C {len(rows)} | psql -XAtq -h {server.host} -U postgres -d prompter "
            r"""-c "COPY consumed FROM STDIN WITH (FORMAT csv, QUOTE E'\x01', DELIMITER E'\x02')" """, shell=True)
        time.sleep(1)
        begun = time.perf_counter()
        subprocess.run(["mosquitto_pub", "-p", str(port), "-q", "1", "-t", "rows", "-l"], input=text, check=True)
        if consumer.wait(timeout=300) != 0:
            raise RuntimeError("the consumer failed")
        elapsed = time.perf_counter() - begun
        if server.psql("SELECT count(*) FROM consumed") != [[str(len(rows))]]:
            raise RuntimeError("the broker lost rows")
        server.psql("DROP TABLE consumed")
        return len(rows) / elapsed
    finally:
        broker.terminate()
        broker.wait()


def processor(server):
    """Returns the processor time that each part of the server has used so far, in seconds."""
    parents = {"archive": server.archive.pid, "nginx": server.nginx.pid,
               "postgres": int(Path(f"{server.host}/data/postmaster.pid").read_text().splitlines()[0])}
    used = dict.fromkeys(parents, 0)
    for process in glob.glob("/proc/[0-9]*/stat"):
        try:
            fields = Path(process).read_text().rpartition(")")[2].split()
        except OSError:
            continue
        number, parent = int(process.split("/")[2]), int(fields[1])
        for name, pid in parents.items():
            if number == pid:
                used[name] += sum(map(int, fields[11:15])) / TICKS
            elif parent == pid:
                used[name] += sum(map(int, fields[11:13])) / TICKS
    return used


def load(server, senders, rows, homes, seconds):
    """Returns the used share of a processor core while homes contact the archive every 15 minutes, each with a new
    connection."""
    interval = 900 / homes
    before, begun, contacts = processor(server), time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        sender = senders[contacts % len(senders)]
        sender.connect()
        # A link asks for the head only in its first contact.
        seq = int(sender.head.split("-")[0])
        # A home has 137 rows and 96 contacts in a day, so a contact sends one or two rows.
        part = rows[sender.name][seq:seq + 1 + contacts % 2]
        sender.append(gzip.compress("".join(map(line, part)).encode()), f"{part[-1]['seq']}-{part[-1]['hash']}")
        sender.connection.close()
        contacts += 1
        time.sleep(max(0, begun + contacts * interval - time.perf_counter()))
    elapsed = time.perf_counter() - begun
    return contacts / elapsed, {
        name: 100 * (after - before[name]) / elapsed for name, after in processor(server).items()}


MEASURE = """
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def link(programs, work, server):
    """Returns the memory of the link in MB between two contacts (all, and its own) and of a contact, and the time of a contact."""
    home = Home(programs, work, "link-home")
    try:
        home.enrol(server)
        morning(home)
        home.begin_link()
        until("the link has sent everything", 60, lambda: home.status().get("backlog") == 0)
        time.sleep(2)
        status = Path(f"/proc/{home.link.pid}/status").read_text()
        between = [int(status.split(f"{name}:")[1].split()[0]) / 1_024 for name in ("VmRSS", "RssAnon")]
        # The kernel counts the memory of the process that begins a program, so a small Python begins the contact.
        contact = [*home.courier, sys.executable, "-Sc", MEASURE, f"{programs}/prompter-link", "contact", "--socket",
                   home.socket, "--state", home.link_state]
        memory, seconds = subprocess.run(contact, check=True, capture_output=True, text=True).stdout.split()
        return [*between, int(memory) / 1_024, 1_000 * float(seconds)]
    finally:
        home.close()


def say(name, text):
    print(f"{name:<44} {text}", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("build")
    arguments.add_argument("--rows", type=int, default=200_000)
    arguments.add_argument("--seconds", type=int, default=60)
    given = arguments.parse_args()
    programs = os.path.abspath(given.build)
    work = tempfile.mkdtemp(prefix="archive-bench.")
    os.chmod(work, 0o755)
    server = None
    try:
        homes = simulated(programs, work)
        rows = [row for home in homes for row in home]
        server = Server(programs, work)
        rate, used = catch_up(server, work, rows, given.rows)
        plain = copy(server, work)
        broker = mosquitto(server, work, chained(rows, given.rows // 4, "ffff"))
        say("catching up through TLS, verified", f"{rate:,.0f} rows/s, {100 * rate / plain:.0f} % of COPY")
        say("  processor: archive, PostgreSQL, nginx",
            ", ".join(f"{used[name]:.2f}" for name in ("archive", "postgres", "nginx")) + " cores")
        say("COPY into a table with the same key", f"{plain:,.0f} rows/s")
        say("Mosquitto (QoS 1) with a consumer, no check", f"{broker:,.0f} rows/s")
        size = int(server.psql(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('prompter.events') WHERE isleaf")[0][0])
        stored = int(server.psql("SELECT count(*) FROM prompter.events")[0][0])
        wire = sum(len(gzip.compress("".join(map(line, home[first:first + 2])).encode()))
                   for home in homes for first in range(0, len(home), 2))
        say(f"one home-day of {DAY} rows",
            f"{wire / len(rows) * DAY / 1_024:.1f} KiB of bodies in batches of 2 rows; "
            f"{size / stored * DAY / 1_024:.1f} KiB in the database ({size / stored:.0f} B a row)")
        senders = [Sender(server, work, f"load-{number}") for number in range(40)]
        records = {sender.name: chained(rows, 200, sender.name[-4:]) for sender in senders}
        server.psql("INSERT INTO prompter.homes (home, site, study) SELECT 'idle-' || n, 'berlin', 'S-1' "
                    "FROM generate_series(1, 10000) n")
        # Do the work now that the rows of the earlier measurements left behind, because this work is not a part of the
        # load.
        server.psql("VACUUM ANALYZE")
        server.psql("CHECKPOINT")
        for count in (1_000, 10_000):
            contacts, shares = load(server, senders, records, count, given.seconds)
            say(f"load of {count:,} homes", f"{contacts:.1f} contacts/s: {sum(shares.values()):.1f} % of a core ("
                + ", ".join(f"{name} {share:.1f}" for name, share in shares.items()) + ")")
        now, own, contact, milliseconds = link(programs, work, server)
        say("memory of the link between two contacts", f"{now:.1f} MB ({own:.1f} MB of its own)")
        say("  a contact, every 15 minutes", f"{contact:.1f} MB more, and {milliseconds:.0f} ms of the processor")
        if not server.tool("verify").endswith(" 0 faults\n"):
            sys.exit("the archive has faults")
    finally:
        if server:
            server.close()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    main()
