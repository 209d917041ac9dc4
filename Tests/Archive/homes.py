"""The archive under test, and homes that send their rows to it."""

import base64
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

from chain import Chain

PROGRAMS, WORK, FAULTS, SEED = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
HOST = f"{WORK}/postgres"
ADMIN = f"host={HOST} user=postgres dbname=prompter"
SERVER = f"host={HOST} user=archive_server dbname=prompter"
SOCKET = f"{WORK}/archive.sock"
PG_CTL = shlex.split(os.environ["PROMPTER_PG_CTL"])


class Unanswered(Exception):
    """The error that a request raises if the home got no reply."""


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
    """A home with its record, and with the heads that the archive acknowledged."""

    def __init__(self, name, site="A", certificate=None, is_added=True, study="S-1"):
        self.random = random.Random(f"{SEED} {name}")
        self.name = name
        self.certificate = certificate or escaped(self.random.randbytes(500))
        self.chain = Chain()
        self.acknowledged = 0
        self.old = {}
        if is_added:
            self.code = tool("home", "add", name, "--site", site, "--study", study).split()[0]

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
        """Does the same as a link: asks for the head, and sends the rows after the head."""
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
