"""Causes faults while homes send rows, and checks the archive after each fault.

Invariants: each stream contains exactly the rows after its start up to its head; each row is the row
that the home sent; each acknowledged row is there; a fork or a broken batch changes no stored row.
"""

import base64
import collections
import gzip
import http.client
import json
import os
import random
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time

from chain import Chain, line
import nginx

PROGRAMS, WORK, FAULTS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
HOST = f"{WORK}/postgres"
ADMIN = f"host={HOST} user=postgres dbname=prompter"
SERVER = f"host={HOST} user=archive_server dbname=prompter"
SOCKET = f"{WORK}/archive.sock"
PG_CTL = shlex.split(os.environ["PROMPTER_PG_CTL"])


class Unanswered(Exception):
    """The home got no reply."""


class Connection(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(40)
        self.sock.connect(SOCKET)


def pg(*arguments):
    subprocess.run([*PG_CTL, *arguments], check=True, stdout=subprocess.DEVNULL)


def psql(sql, database="prompter", user="postgres", is_refused=False):
    result = subprocess.run(
        ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", HOST, "-U", user, "-d", database,
         "-c", sql], capture_output=True, text=True)
    if is_refused:
        assert result.returncode != 0, f"PostgreSQL permits {user}: {sql}"
    else:
        assert result.returncode == 0, result.stderr
    return [row.split("|") for row in result.stdout.splitlines()]


def tool(*arguments, code=0):
    result = subprocess.run(
        [f"{PROGRAMS}/prompter-archive", *arguments, "--database", ADMIN],
        capture_output=True, text=True)
    assert result.returncode == code, (arguments, result.stdout, result.stderr)
    return result.stdout


class Server:
    def __init__(self):
        self.log = open(f"{WORK}/archive.log", "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/prompter-archive", "serve", "--database", SERVER, "--listen", SOCKET],
            stderr=self.log)
        for _ in range(400):
            try:
                ask("GET", "/nowhere")
                return
            except Unanswered:
                assert self.process.poll() is None, "the archive ended"
                time.sleep(0.02)
        raise AssertionError("the archive does not answer")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def ask(method, path, certificate=None, body=b"", **fields):
    """Sends a request. Returns the status and the document."""
    fields = {name.replace("_", "-"): value for name, value in fields.items()}
    if certificate:
        fields["Prompter-Certificate"] = certificate
    connection = Connection("archive")
    try:
        connection.request(method, path, body, fields)
        reply = connection.getresponse()
        text = reply.read().decode()
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered from error
    finally:
        connection.close()
    if reply.status in (429, 503):
        assert int(reply.headers["Retry-After"]) > 0
    if not text.startswith("{"):
        return reply.status, text
    document = json.loads(text)
    if reply.status >= 400:
        assert reply.headers["Content-Type"] == "application/problem+json"
        assert document["status"] == reply.status and document["kind"], document
    return reply.status, document


def escaped(der):
    pem = base64.encodebytes(der).decode()
    text = f"-----BEGIN CERTIFICATE-----\n{pem}-----END CERTIFICATE-----\n"
    return text.replace("\n", "%0A").replace(" ", "%20").replace("+", "%2B")


class Home:
    """A home with its record, and what the archive acknowledged."""

    def __init__(self, name, site="A", certificate=None, is_added=True):
        self.random = random.Random(f"{SEED} {name}")
        self.name = name
        self.certificate = certificate or escaped(self.random.randbytes(500))
        self.chain = Chain()
        self.acknowledged = 0
        self.old = {}
        if is_added:
            self.code = tool("home", "add", name, "--site", site, "--study", "S-1").split()[0]

    def enrol(self):
        status, reply = ask(
            "POST", "/v1/enrol", self.certificate, json.dumps({"code": self.code}).encode())
        assert status == 201 and reply["home"] == self.name and reply["words"], reply
        self.stream = reply["stream"]

    def send(self, after, last, is_sealed=lambda row: False, body=None, after_head=None,
             **fields):
        """Sends the rows after `after` up to `last`."""
        body = self.chain.body(after, last, is_sealed) if body is None else body
        if self.random.random() < 0.5:
            body = gzip.compress(body)
            fields["Content_Encoding"] = "gzip"
        return ask(
            "POST", f"/v1/streams/{self.stream}/append", self.certificate, body,
            Prompter_After=after_head or self.chain.head(after),
            Prompter_Home_Head=str(len(self.chain.rows)), **fields)

    def note(self, status, reply):
        """Remembers an acknowledged head."""
        assert status == 200, (status, reply)
        seq = int(reply["head"].split("-")[0])
        assert reply["head"] == self.chain.head(seq), "the head is another row"
        assert seq >= self.acknowledged, "an acknowledged row is missing"
        self.acknowledged = seq
        return seq

    def head(self):
        status, reply = ask("GET", f"/v1/streams/{self.stream}/head", self.certificate)
        assert status == 200, (status, reply)
        if reply["head"] is None:
            assert self.acknowledged == 0, "an acknowledged row is missing"
            return 0
        return self.note(status, reply)

    def catch_up(self):
        """Does what a link does: asks for the head, and sends what follows."""
        seq = self.head()
        while seq < len(self.chain.rows):
            seq = self.note(*self.send(seq, min(seq + self.random.randint(1, 60),
                                                len(self.chain.rows))))

    def check(self):
        """The rows in the database are the rows of the home, up to the head."""
        check_stream(self.stream, self.chain, self.acknowledged)


def check_stream(stream, chain, acknowledged):
    rows = psql(
        f"""SELECT e.seq, encode(e.hash, 'hex') FROM prompter.events e
        JOIN prompter.streams s ON s.number = e.stream WHERE s.stream = '{stream}' ORDER BY 1""")
    head = psql(f"SELECT head_seq, head_hash FROM prompter.streams WHERE stream = '{stream}'")[0]
    assert [int(seq) for seq, _ in rows] == list(range(1, len(rows) + 1)), "rows are missing"
    assert [hash for _, hash in rows] == [r["hash"] for r in chain.rows[:len(rows)]], "other rows"
    assert head == (rows[-1] if rows else ["", ""]), "the head is not the newest row"
    assert len(rows) >= acknowledged, "an acknowledged row is missing"


class Faults:
    def __init__(self, homes, server):
        self.homes, self.server = homes, server
        self.random = random.Random(SEED)
        self.counts = collections.Counter()

    def run(self):
        # Each kind occurs; the slow ones less often.
        kinds = [self.append] * 3 + [self.repeat] * 3 + [self.overlap] * 3 + [
            self.gap, self.broken, self.broken, self.broken, self.kill, self.kill, self.kill,
            self.concurrent, self.concurrent, self.lost_reply, self.sealed, self.fork, self.empty]
        for number in range(FAULTS):
            home = self.random.choice(self.homes)
            home.chain.add(self.random.randint(1, 40), home.random)
            fault = self.crash if number % 15 == 7 else kinds[number % len(kinds)]
            self.counts[fault.__name__] += 1
            fault(home)
            home.catch_up()
            home.check()

    def append(self, home):
        home.catch_up()

    def empty(self, home):
        seq = home.head()
        home.note(*home.send(seq, seq))

    def repeat(self, home):
        home.catch_up()
        last = len(home.chain.rows)
        home.note(*home.send(max(0, last - 30), last))
        assert home.acknowledged == last

    def overlap(self, home):
        seq = home.head()
        home.note(*home.send(self.random.randint(max(0, seq - 50), seq), len(home.chain.rows)))
        assert home.acknowledged == len(home.chain.rows)

    def gap(self, home):
        home.catch_up()
        seq = home.head()
        home.chain.add(3, home.random)
        status, reply = home.send(seq + 2, len(home.chain.rows))
        assert status == 409 and reply["head"] == home.chain.head(seq), reply

    def broken(self, home):
        home.catch_up()
        home.chain.add(6, home.random)
        seq = home.head()
        rows = [dict(row) for row in home.chain.rows[seq:]]
        kind = self.random.choice(["value", "hash", "prev_hash", "missing"])
        if kind == "value":
            rows[3]["source"] = "changed"
        elif kind == "missing":
            del rows[3]
        else:
            rows[3][kind] = "ab" * 32
        status, reply = home.send(seq, 0, body="".join(map(line, rows)).encode())
        assert status == 422 and reply["kind"] == "broken_chain", reply
        assert reply["seq"] == seq + (5 if kind == "missing" else 4), (kind, reply)
        assert home.head() == seq, "a broken batch changed the stream"

    def sealed(self, home):
        seq = home.head()
        home.note(*home.send(seq, len(home.chain.rows), lambda row: row["seq"] % 3 == 0))

    def interrupted(self, home, action):
        """Sends batches while `action` runs, from two threads."""
        homes = [home, next(other for other in self.homes if other is not home)]

        def send(home):
            try:
                home.chain.add(60, home.random)
                home.catch_up()
            except (Unanswered, AssertionError) as error:
                # 503 while the database is away: the home tries again later.
                if isinstance(error, AssertionError) and "unavailable" not in str(error):
                    raise

        threads = [Thread(send, home) for home in homes]
        time.sleep(self.random.random() * 0.1)
        action()
        for thread in threads:
            thread.join()
        return homes

    def kill(self, home):
        homes = self.interrupted(home, self.server.kill)
        self.server.start()
        for home in homes:
            home.catch_up()
            home.check()

    def crash(self, home):
        homes = self.interrupted(home, lambda: pg("stop", "-m", "immediate"))
        status, reply = ask("GET", f"/v1/streams/{home.stream}/head", home.certificate)
        assert status == 503 and reply["kind"] == "unavailable", reply
        pg("-w", "start")
        # The first request of each connection notices the crash.
        for _ in range(20):
            if ask("GET", "/metrics")[0] == 200:
                break
        for home in homes:
            home.catch_up()
            home.check()

    def concurrent(self, home):
        """The same rows and overlapping rows at the same moment."""
        home.catch_up()
        seq = home.head()
        home.chain.add(40, home.random)
        replies = []
        threads = [
            Thread(lambda start: replies.append(home.send(start, seq + self.random.randint(1, 40))),
                   max(0, seq - part)) for part in (0, 0, 0, 5, 9)]
        for thread in threads:
            thread.join()
        for status, reply in replies:
            assert status == 200, reply

    def lost_reply(self, home):
        """The home closes its connection before the reply."""
        seq = home.head()
        body = home.chain.body(seq, len(home.chain.rows))
        connection = Connection("archive")
        connection.request(
            "POST", f"/v1/streams/{home.stream}/append", body,
            {"Prompter-Certificate": home.certificate, "Prompter-After": home.chain.head(seq)})
        if self.random.random() < 0.5:
            time.sleep(self.random.random() * 0.02)
        connection.close()

    def fork(self, home):
        """The home is restored from a backup, and goes on differently."""
        home.catch_up()
        seq = home.acknowledged
        if seq < 10:
            return
        old, old_stream = home.chain, home.stream
        common = self.random.randint(1, seq - 2)
        home.chain = Chain(old.rows[:common])
        home.chain.add(seq - common + 5, home.random)
        after = self.random.choice([common, seq])
        last = min(after + 300, len(home.chain.rows))
        status, reply = home.send(after, last)
        assert status == 423 and reply["kind"] == "fork" and reply["state"] == "fork", reply
        assert reply["seq"] == (common + 1 if after == common else seq), reply
        again = home.send(after, last)
        assert again[0] == 423 and again[1]["stream"] == reply["stream"], "two forks for one"
        home.stream, home.acknowledged = reply["stream"], 0
        home.catch_up()
        home.check()
        check_stream(old_stream, old, seq)


class Thread(threading.Thread):
    """A thread whose `join` raises the error of the thread."""

    def __init__(self, action, argument):
        super().__init__()
        self.action, self.argument, self.error = action, argument, None
        self.start()

    def run(self):
        try:
            self.action(self.argument)
        except Exception as error:  # noqa: BLE001
            self.error = error

    def join(self, timeout=None):
        super().join(timeout)
        if self.error:
            raise self.error


def main():
    began = time.monotonic()
    # The cases use this file, so Python must know it by its name first.
    import cases
    pg("-w", "start")
    psql("CREATE DATABASE prompter", database="postgres")
    assert "migrate" in subprocess.run(
        [f"{PROGRAMS}/prompter-archive", "verify", "--database", ADMIN],
        capture_output=True, text=True).stderr
    cases.migration()
    psql("CREATE ROLE archive_server LOGIN; GRANT prompter_archive TO archive_server;"
         "CREATE ROLE analyst LOGIN; GRANT prompter_analyst TO analyst")
    server = Server()
    try:
        cases.enrolment(Home)
        homes = [Home(f"home-{number}", site="AB"[number % 2]) for number in range(4)]
        for home in homes:
            home.enrol()
        faults = Faults(homes, server)
        faults.run()
        cases.refusals(homes[0])
        cases.rights(homes[0])
        cases.real_record(Home("real"))
        cases.prompts(Home("prompts"))
        cases.report()
        cases.safe_heads(homes[0])
        cases.erasure(Home("erasure"))
        cases.network(SERVER)
        cases.withdrawal(homes)
        nginx.check(Home, PROGRAMS, WORK, SOCKET)
        print(tool("verify").strip())
        cases.damage(homes[1])
    finally:
        server.process.terminate()
        with open(f"{WORK}/archive.log") as log:
            text = log.read()
    assert "Fatal" not in text and "overflow" not in text, text
    counts = ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items()))
    print(f"{sum(faults.counts.values())} faults ({counts}) in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    sys.modules["faults"] = sys.modules["__main__"]
    main()
