#!/usr/bin/env python3
"""Simulated links send records through TLS 1.3, a real nginx and a real archive, while the programs are killed.

    Tests/Archive/soak.py PROGRAMS_DIRECTORY [LINKS] [SECONDS] [SEED] [STEP]

Each link has its own key and certificate, and reads a record with a true hash chain. Part 1: for the given time, the links
contact the archive. During this time, the script kills the archive, nginx and PostgreSQL, and restores every 20th home from
an older copy. Part 2: a proxy cuts an exchange after each of its bytes (with STEP, after each STEPth byte), in both
directions. At the end, the script checks four facts: each stream contains exactly the rows of its home from 1 to the head,
each hash is correct, the archive contains each acknowledged row, and only the restored homes have forks.
"""
import collections
import concurrent.futures
import glob
import gzip
import http.client
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import threading
import time

import fleet
import views
from chain import GENESIS, line, row_hash
from fleet import run
from proxy import Proxy

WORKERS = 8
STUDY = "S-soak"


class Record:
    """The rows of a home. The object stores only the hashes, and makes the rows again from the rows of a simulated home."""

    def __init__(self, name, rows):
        self.name, self.rows, self.hashes, self.copies = name, rows, [], []

    def row(self, seq):
        copy = sum(seq > start for start in self.copies)
        before = self.hashes[seq - 2] if seq > 1 else GENESIS
        row = dict(self.rows[(seq - 1) % len(self.rows)], seq=seq, prev_hash=before, study_id=STUDY,
                   event_id=f"{self.name}-{copy}-{seq}")
        row["hash"] = self.hashes[seq - 1] if seq <= len(self.hashes) else row_hash(row)
        return row

    def add(self, count):
        for _ in range(count):
            self.hashes.append(self.row(len(self.hashes) + 1)["hash"])

    def restore(self, seq):
        """Continues the record with other rows after the row `seq`."""
        self.hashes, self.copies = self.hashes[:seq], self.copies + [seq]

    def head(self, seq):
        return f"{seq}-{self.hashes[seq - 1] if seq else GENESIS}"

    def body(self, after, last):
        return gzip.compress("".join(line(self.row(seq)) for seq in range(after + 1, last + 1)).encode(), 1)


class Link:
    """Does what prompter-link does: it asks for the head if it does not know it, and sends the rows that follow."""

    def __init__(self, server, work, name, rows):
        self.name, self.port, self.record = name, server.port, Record(name, rows)
        self.random = random.Random(name)
        self.lock = threading.Lock()
        self.acknowledged, self.old, self.forks = 0, {}, 0
        self.context = server.client(f"{work}/keys/{name}")
        code = server.tool("home", "add", name, "--site", f"site-{name[-1]}", "--study", STUDY).split()[0]
        connection = self.connect(server.port)
        self.stream = self.ask(connection, "POST", "/v1/enrol", json.dumps({"code": code}).encode())[1]["stream"]
        connection.close()

    def connect(self, port):
        return http.client.HTTPSConnection("127.0.0.1", port, context=self.context, timeout=30)

    def ask(self, connection, method, path, body=b"", **fields):
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in fields.items()})
        reply = connection.getresponse()
        text = reply.read()
        # While the archive is away, nginx answers 502 with a page.
        return reply.status, json.loads(text) if text.startswith(b"{") else {}

    def note(self, reply):
        """Remembers an acknowledged head, which must be a row of this home."""
        seq = int(reply["head"].split("-")[0]) if reply["head"] else 0
        assert seq <= len(self.record.hashes) and (seq == 0 or reply["head"] == self.record.head(seq)), (self.name, reply)
        assert seq >= self.acknowledged, f"{self.name}: an acknowledged row is missing"
        self.acknowledged = seq
        return seq

    def contact(self, port=None):
        """Sends all rows. Returns how the contact ended."""
        connection = self.connect(port or self.port)
        # If a link knows the head from its last contact, the link does not ask for the head. If such a link has no
        # new rows, the link sends the newest row again.
        knows_head = (not port and self.acknowledged > 0 and not self.expects_fork()
                      and self.random.random() < 0.5)
        try:
            while True:
                if not knows_head:
                    status, reply = self.ask(connection, "GET", f"/v1/streams/{self.stream}/head")
                    if status != 200:
                        return status
                if knows_head:
                    seq = min(self.acknowledged, len(self.record.hashes) - 1)
                    knows_head = False
                elif self.expects_fork():
                    seq = min(int(reply["head"].split("-")[0]), len(self.record.hashes)) - 1
                else:
                    seq = self.note(reply)
                    if seq == len(self.record.hashes):
                        return 200
                last = min(len(self.record.hashes), seq + 500)
                status, reply = self.ask(
                    connection, "POST", f"/v1/streams/{self.stream}/append", self.record.body(seq, last),
                    Prompter_After=self.record.head(seq), Content_Encoding="gzip",
                    Prompter_Home_Head=str(len(self.record.hashes)))
                if status == 423:
                    assert self.expects_fork(), f"{self.name}: an invented fork"
                    self.stream, self.forks, self.is_restored = reply["stream"], self.forks + 1, False
                    continue
                if status != 200:
                    return status
                assert not self.expects_fork(), f"{self.name}: a fork was not found within one batch"
                self.note(reply)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return type(error).__name__
        finally:
            connection.close()

    is_restored = False

    def expects_fork(self):
        return self.is_restored

    def restore(self):
        """The home is restored from an older copy, after the archive has the newer rows."""
        if self.acknowledged < 10:
            return
        self.old[self.stream] = (list(self.record.hashes), self.acknowledged)
        self.record.restore(self.random.randint(1, self.acknowledged - 3))
        self.record.add(5)
        self.acknowledged, self.is_restored = 0, True


def simulated(programs, work):
    """The rows of simulated homes."""
    run(f"{programs}/prompter-sim", "--trial", f"{work}/trial", "--seed", "1")
    names = sorted(glob.glob(f"{work}/trial/h*/events.csv"))
    return [views.stored_rows(name) for name in names]


def kill(server, chance, counts):
    kind = chance.choice(["archive", "archive", "nginx", "postgres"])
    counts[f"kill {kind}"] += 1
    server.kill(kind)


def storm(server, links, seconds, chance, counts):
    """All links contact the archive again and again, while the programs of the server are killed."""
    finish, failed = time.monotonic() + seconds, []

    def work(seed):
        own = random.Random(seed)
        while time.monotonic() < finish and not failed:
            link = own.choice(links)
            if not link.lock.acquire(blocking=False):
                continue
            try:
                is_collected = link.acknowledged == len(link.record.hashes)
                if int(link.name[5:]) % 20 == 0 and is_collected and link.forks < 6 and own.random() < 0.5:
                    link.restore()
                    counts["restored homes"] += link.is_restored
                if not link.is_restored:
                    link.record.add(own.randint(1, 12))
                status = link.contact()
                counts[f"contact {status}"] += 1
                if status != 200:
                    time.sleep(0.05)
            except Exception as error:  # noqa: BLE001: reported below
                failed.append(error)
            finally:
                link.lock.release()

    threads = [threading.Thread(target=work, args=(chance.random(),)) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    while time.monotonic() < finish - 3 and not failed:
        time.sleep(chance.uniform(1, 4))
        kill(server, chance, counts)
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def settle(link):
    """Contacts the archive until it has all rows."""
    for _ in range(50):
        if link.contact() == 200:
            return
        time.sleep(0.1)
    raise AssertionError(f"{link.name}: the archive does not get the rows")


def cuts(server, links, step, pool, counts):
    """Cuts an exchange after each byte, in both directions. Returns the bytes of the exchange."""
    proxies = {link.name: Proxy(server.port) for link in links}
    sizes = {"up": 0, "down": 0}
    for link in links:
        link.record.add(1)
        assert link.contact(proxies[link.name].own_port) == 200
        sizes = {name: max(size, proxies[link.name].counts[name]) for name, size in sizes.items()}
    # The length of a signature can change by some bytes. Therefore, the last cuts are some bytes after the measured
    # size.
    places = [(direction, place) for direction, size in sizes.items() for place in range(0, size + 16, step)]

    def work(number):
        link = links[number]
        proxy, found = proxies[link.name], collections.Counter()
        for direction, place in places[number::len(links)]:
            link.record.add(1)
            proxy.begin({direction: place})
            found[f"cut {direction}"] += link.contact(proxy.own_port) != 200
            # After each cut, the link and the archive must agree about all rows.
            settle(link)
            assert link.acknowledged == len(link.record.hashes)
        return found

    for found in pool.map(work, range(len(links))):
        counts.update(found)
    return sizes


def check(server, links):
    """Compares the rows of all streams with the records of the homes."""
    stored = collections.defaultdict(list)
    for stream, seq, text in server.psql(
            "SELECT s.stream, e.seq, encode(e.hash, 'hex') FROM prompter.events e "
            "JOIN prompter.streams s ON s.number = e.stream ORDER BY e.stream, e.seq"):
        stored[stream].append((int(seq), text))
    heads = {row[0]: row[1:] for row in server.psql("SELECT stream, head_seq, head_hash FROM prompter.streams")}
    forks = 0
    for link in links:
        wanted = dict(link.old)
        wanted[link.stream] = (link.record.hashes, link.acknowledged)
        forks += len(link.old)
        for stream, (hashes, acknowledged) in wanted.items():
            rows = stored.pop(stream, [])
            assert [seq for seq, _ in rows] == list(range(1, len(rows) + 1)), f"{link.name}: rows are missing"
            assert [text for _, text in rows] == hashes[:len(rows)], f"{link.name}: other rows"
            assert len(rows) >= acknowledged, f"{link.name}: an acknowledged row is missing"
            head = [str(len(rows)), rows[-1][1]] if rows else ["", ""]
            assert heads.pop(stream) == head, f"{link.name}: the head is not the newest row"
        assert link.acknowledged == len(link.record.hashes), f"{link.name}: the archive does not have all rows"
    assert not stored and not heads, "streams that no home opened"
    found = server.psql("SELECT count(*) FROM prompter.findings WHERE kind = 'fork'")
    assert found == [[str(forks)]], (found, forks)
    return forks


def main(programs, count, seconds, seed, step):
    # Without this handler, the programs of the server would still run after a timeout.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("the time is over"))
    began = time.monotonic()
    work = tempfile.mkdtemp(prefix="soak.")
    os.chmod(work, 0o755)
    os.mkdir(f"{work}/keys")
    server = None
    try:
        homes = simulated(programs, work)
        server = fleet.Server(programs, work)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            links = list(pool.map(lambda n: Link(server, work, f"home-{n:04}", homes[n % len(homes)]), range(count)))

            def passed(what):
                print(f"{what} after {time.monotonic() - began:.0f} s", flush=True)

            passed(f"{count} links are enrolled")
            counts = collections.Counter()
            storm(server, links, seconds, random.Random(seed), counts)
            passed("the programs were killed for the last time")
            for _ in pool.map(settle, links):
                pass
            passed("the archive has all rows")
            sizes = cuts(server, links[:WORKERS], step, pool, counts)
            passed("the exchanges were cut")
        forks = check(server, links)
        said = server.tool("verify")
        assert said.endswith(" 0 faults\n"), said
        for name, number in sorted(counts.items()):
            print(f"{name}: {number}")
        print(f"cuts after each byte of an exchange of {sizes['up']} and {sizes['down']} bytes\n{said.strip()}, {forks} forks, "
              f"all of restored homes, in {time.monotonic() - began:.0f} s")
    finally:
        if server:
            server.close()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 6:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), *(int(given) for given in (*sys.argv[2:], *("1000", "240", "1", "1")[len(sys.argv) - 2:])))
