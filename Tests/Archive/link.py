#!/usr/bin/env python3
"""The link meets an archive and a disk that fail. The daemon and the archive are small servers of this test.

    Tests/Archive/link.py PROGRAMS_DIRECTORY
"""
import base64
import hashlib
import http.server
import json
import os
import shutil
import signal
import socketserver
import ssl
import subprocess
import sys
import tempfile
import threading
import time

A, B = "a" * 64, "b" * 64


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def address_string(self):
        return ""

    def log_message(self, *_):
        pass

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.paths.append(self.path)
        status, reply, fields = self.server.reply(self.path, body, self.headers)
        reply = reply.encode()
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply)))
        if not self.server.keeps_connections:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        try:
            self.wfile.write(reply)
        except BrokenPipeError:
            self.close_connection = True  # The client was killed.

    do_GET = do_POST = answer


class Daemon(socketserver.ThreadingUnixStreamServer):
    daemon_threads, paths, keeps_connections = True, [], False
    hashes = [A]

    def reply(self, path, _body, _headers):
        if path.startswith("/v1/status"):
            return 200, json.dumps({"record": {"events": len(self.hashes)}}), {}
        if path.startswith("/v1/log"):
            after = int(path.split("after=")[1].split("&")[0])
            rows = [{"seq": seq, "prev_hash": before, "hash": after}
                    for seq, (before, after) in enumerate(zip(["0" * 64] + self.hashes, self.hashes), 1)]
            return 200, "".join(json.dumps(row) + "\n" for row in rows[after:]), {}
        return 200, "data: x\n\n", {}


class Archive(http.server.ThreadingHTTPServer):
    daemon_threads, keeps_connections = True, False


class TLSArchive(Archive):
    """Counts the connections."""
    keeps_connections = True

    def begin_tls(self, directory):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1", "-subj",
             "/CN=x", "-keyout", f"{directory}/home.key", "-out", f"{directory}/home.crt"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{directory}/home.crt", f"{directory}/home.key")
        self.socket, self.connections = context.wrap_socket(self.socket, server_side=True), 0
        key = subprocess.run(["openssl", "x509", "-in", f"{directory}/home.crt", "-pubkey", "-noout"], check=True,
                             capture_output=True, text=True).stdout
        der = base64.b64decode("".join(key.splitlines()[1:-1]))
        self.pin = "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()

    def process_request(self, request, address):
        self.connections += 1
        request.settimeout(5)
        super().process_request(request, address)


def until(what, is_true, seconds=15):
    end = time.time() + seconds
    while not is_true():
        assert time.time() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


def stream(head, safe=None):
    return json.dumps({"head": head, "safe_head": safe, "state": "collecting"})


class Case:
    """A link with its own directory. `reply` is the archive."""

    def __init__(self, programs, work, reply, is_at_once=False, kind=Archive):
        self.state = tempfile.mkdtemp(dir=work)
        self.daemon = Daemon(f"{self.state}/socket", Handler)
        self.archive = kind(("127.0.0.1", 0), Handler)
        self.archive.reply, self.archive.paths = reply, []
        self.url, self.pin = f"http://127.0.0.1:{self.archive.server_port}", f"sha256//{'A' * 43}="
        if kind is TLSArchive:
            self.archive.begin_tls(self.state)
            self.url, self.pin = self.url.replace("http:", "https:"), self.archive.pin
        for server in (self.daemon, self.archive):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        self.write("old")
        with open(f"{self.state}/config.toml", "w", encoding="utf-8") as file:
            file.write(f"at_once = {'true' if is_at_once else 'false'}\n")
        self.command = [f"{programs}/prompter-link", "run", "--socket", f"{self.state}/socket", "--state", self.state,
                        "--config", f"{self.state}/config.toml"]
        self.process = None

    def write(self, name):
        with open(f"{self.state}/enrolment.json", "w", encoding="utf-8") as file:
            json.dump({"url": self.url, "pin": self.pin, "home": "h", "site": "s", "study": "S-1", "stream": name}, file)

    def stream(self):
        with open(f"{self.state}/enrolment.json", encoding="utf-8") as file:
            return json.load(file)["stream"]

    def begin(self):
        self.process = subprocess.Popen(self.command, stderr=open(f"{self.state}/log", "ab"))

    def status(self):
        try:
            with open(f"{self.state}/status.json", encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def log(self):
        with open(f"{self.state}/log", encoding="utf-8") as file:
            return file.read()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.archive.shutdown()
        self.daemon.shutdown()


def fork(make):
    """After a fork, the status shows no head of the old stream."""
    def reply(path, _body, _headers):
        if "/old/head" in path:
            return 200, stream(f"9-{B}", f"9-{B}"), {}
        if "/old/append" in path:
            return 423, json.dumps({"kind": "fork", "stream": "new"}), {}
        return 503, "{}", {"Retry-After": "600"}
    case = make(reply)
    case.begin()
    # The link first writes the status without heads, and then the enrolment.
    until("the new stream begins", lambda: case.stream() == "new")
    assert (case.status()["head"], case.status()["safe_head"]) == (None, None), case.status()
    until("the archive has a request for the new stream", lambda: any("/new/" in path for path in case.archive.paths))
    return case


def same_number(make):
    """A restored home with as many rows as the archive, but other rows, sends its newest row."""
    case = make(lambda path, body, headers: (
        (200, stream(f"1-{B}"), {}) if path.endswith("head") or not body
        else (409, stream(f"1-{B}"), {})))
    case.begin()
    until("the link sees that the rows differ", lambda: case.status().get("state") == "refused")
    return case


def no_progress(make):
    """An archive that accepts rows and keeps its old head does not get them again and again."""
    case = make(lambda *_: (200, stream(None), {}))
    case.begin()
    until("the link stops", lambda: case.status().get("state") == "refused")
    assert len(case.archive.paths) < 5, len(case.archive.paths)
    return case


def retry_after(make):
    """New events do not shorten the pause that the archive asks for."""
    case = make(lambda *_: (429, "{}", {"Retry-After": "3600"}), True)
    case.begin()
    until("the link waits", lambda: case.status().get("state") == "waiting")
    case.quiet_until = time.time() + 24
    return case


def one_connection(make):
    """A contact needs one connection."""
    case = make(lambda *_: (200, stream(f"1-{A}"), {}), True, TLSArchive)
    case.begin()
    until("the first contact ends", lambda: case.status().get("state") == "collecting")
    assert case.archive.connections == 1 and len(case.archive.paths) == 2, (case.archive.connections, case.archive.paths)
    return case


def lost_rows(make):
    """The archive is restored from an older copy between two contacts, and the link sends all rows again."""
    heads = [f"1-{A}"]

    def reply(path, body, headers):
        if path.endswith("append"):
            if headers["Prompter-After"] != (heads[-1] or f"0-{'0' * 64}") and len(heads) > 1:
                return 409, stream(heads[-1]), {}
            heads.append(f"{len(case.daemon.hashes)}-{case.daemon.hashes[-1]}")
        return 200, stream(heads[-1]), {}
    case = make(reply, True)
    case.begin()
    until("the first contact ends", lambda: case.status().get("state") == "collecting")
    heads[:] = [None, None]
    case.daemon.hashes = [A, B]
    case.heads = heads
    return case


def full_disk(make):
    """A status that cannot be written does not end the link."""
    case = make(lambda *_: (200, stream(f"1-{A}"), {}))
    os.mkdir(f"{case.state}/status.json.new")
    case.begin()
    until("the link reports the disk", lambda: "cannot write" in case.log())
    time.sleep(0.5)
    assert case.process.poll() is None, "the link ended"
    return case


def revoke(make):
    """A revocation during a contact leaves no status, and the link ends at its next contact."""
    def reply(path, _body, _headers):
        for name in ("enrolment.json", "status.json"):
            if os.path.exists(f"{case.state}/{name}"):
                os.unlink(f"{case.state}/{name}")
        return 503, "{}", {}
    case = make(reply)
    case.begin()
    until("the link ends", lambda: case.process.poll() is not None)
    assert "is not enrolled" in case.log() and not case.status(), case.log()
    return case


def contacts(case):
    """The processes of contacts that the link has started."""
    try:
        with open(f"/proc/{case.process.pid}/task/{case.process.pid}/children", encoding="utf-8") as file:
            return [int(child) for child in file.read().split()]
    except FileNotFoundError:
        return []


def killed_contact(make):
    """A contact that is killed is repeated, and the link goes on."""
    hold = threading.Event()

    def reply(*_):
        hold.wait(20)
        return 200, stream(f"1-{A}"), {}
    case = make(reply)
    case.begin()
    until("the archive has a request", lambda: case.archive.paths)
    child, = contacts(case)
    os.kill(child, signal.SIGKILL)
    until("the link reports the end", lambda: "a contact ended with signal 9" in case.log())
    hold.set()
    until("the next contact is good", lambda: case.status().get("state") == "collecting")
    assert case.process.poll() is None, "the link ended"
    return case


def killed_link(make):
    """If the link is killed, its contact ends too: two contacts would write the same files."""
    hold = threading.Event()

    def reply(*_):
        hold.wait(20)
        return 200, stream(f"1-{A}"), {}
    case = make(reply)
    case.begin()
    until("the archive has a request", lambda: case.archive.paths)
    child, = contacts(case)
    case.process.kill()
    case.process.wait()
    until("the contact ends", lambda: not os.path.exists(f"/proc/{child}"))
    hold.set()
    case.begin()
    until("the next contact is good", lambda: case.status().get("state") == "collecting")
    return case


def restart(make):
    """A link that starts again goes on from the head in its status, without a request for the head."""
    heads = [None]

    def reply(path, _body, _headers):
        if path.endswith("append"):
            heads[0] = f"{len(case.daemon.hashes)}-{case.daemon.hashes[-1]}"
        return 200, stream(heads[0]), {}
    case = make(reply)
    case.begin()
    until("the first contact ends", lambda: case.status().get("state") == "collecting")
    case.process.kill()
    case.process.wait()
    case.daemon.hashes = [A, B]
    case.begin()
    until("the second contact ends", lambda: case.status().get("head") == f"2-{B}")
    assert [path.rpartition("/")[2] for path in case.archive.paths] == ["head", "append", "append"], case.archive.paths
    return case


def paused(make):
    """A pause and its end take effect within seconds, not at the next contact."""
    case = make(lambda *_: (200, stream(f"1-{A}"), {}))
    case.begin()
    until("the first contact ends", lambda: case.status().get("state") == "collecting")
    for command, state in (("pause", "paused"), ("resume", "collecting")):
        subprocess.run([case.command[0], command, "--state", case.state], check=True, stdout=subprocess.DEVNULL)
        until(f"the link is {state}", lambda: case.status().get("state") == state)
    return case


def main(programs):
    work = tempfile.mkdtemp(prefix="link.")
    cases = []
    try:
        def make(reply, is_at_once=False, kind=Archive):
            case = Case(programs, work, reply, is_at_once, kind)
            cases.append(case)
            return case

        waiting, resuming, losing = retry_after(make), one_connection(make), lost_rows(make)
        for check in (fork, same_number, no_progress, full_disk, revoke, killed_contact, killed_link, restart, paused):
            check(make)
        time.sleep(max(0, waiting.quiet_until - time.time()))
        assert len(waiting.archive.paths) == 1, waiting.archive.paths
        until("the second contact", lambda: resuming.archive.connections > 1, 30)
        # The link knows the head from its first contact, so the second contact does not ask for the head again.
        until("the second contact sends", lambda: len(resuming.archive.paths) == 3)
        assert resuming.archive.paths[2].endswith("/append"), resuming.archive.paths
        until("the archive has the lost rows again", lambda: losing.heads[-1] == f"2-{B}", 30)
        # The link asks for the head and sends the rows. Its next append gets 409, and it then sends all rows from the
        # first row.
        assert [path.rpartition("/")[2] for path in losing.archive.paths[:4]] == ["head", "append", "append", "append"]
        # The enrolment now contains a different pin. The link must refuse the server.
        before, resuming.pin = len(resuming.archive.paths), f"sha256//{'A' * 43}="
        resuming.write("old")
        until("the link refuses the server", lambda: "another key" in str(resuming.status().get("detail")), 60)
        assert len(resuming.archive.paths) == before, resuming.archive.paths
        print("11 cases with faults of the archive, the disk and the link: the link is right in each")
    finally:
        for case in cases:
            case.end()
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
