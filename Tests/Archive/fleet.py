#!/usr/bin/env python3
"""Three homes send their records to an archive through nginx. All programs are real.

    Tests/Archive/fleet.py PROGRAMS_DIRECTORY show     shows a morning of a study, for `make demo-fleet`
    Tests/Archive/fleet.py PROGRAMS_DIRECTORY check    also kills programs, and compares the archive with the homes

Needs postgresql-15, nginx, openssl and Python 3. As root, PostgreSQL runs as the user postgres.
"""
import base64
import contextlib
import csv
import glob
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

import answers
import views

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOUND = os.path.join(ROOT, "Tests/Fixtures/sound/asound-file.conf")
STUDY = "remind1"
# Words that people type. None of them may reach the archive.
CANARY = "Zqcanary"


def run(*command, check=True, **more):
    result = subprocess.run(command, capture_output=True, text=True, **more)
    if check and result.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{result.stdout}{result.stderr}")
    return result


def until(what, seconds, is_true):
    end = time.time() + seconds
    while not is_true():
        if time.time() > end:
            sys.exit(f"not within {seconds} s: {what}")
        time.sleep(0.1)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """PostgreSQL, the archive and nginx in one directory."""

    def __init__(self, programs, work):
        self.programs, self.work = programs, work
        self.host, self.socket = f"{work}/postgres", f"{work}/archive.sock"
        self.admin = f"host={self.host} user=postgres dbname=prompter"
        self.port = free_port()
        self.archive = self.nginx = None
        binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.as_postgres = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        self.pg_ctl = [*self.as_postgres, f"{binaries}/pg_ctl", "-D", f"{self.host}/data", "-w"]
        os.mkdir(self.host)
        if self.as_postgres:
            shutil.chown(self.host, "postgres")
        run(*self.as_postgres, f"{binaries}/initdb", "-D", f"{self.host}/data", "-A", "trust", "-U", "postgres",
            "--no-sync", "-E", "UTF8", "--no-locale", cwd="/")
        self.begin_postgres()
        run("createdb", "-h", self.host, "-U", "postgres", "prompter")
        self.tool("migrate")
        self.psql('CREATE ROLE archive_server LOGIN IN ROLE prompter_archive')
        self.begin_archive()
        self.begin_nginx()

    def begin_postgres(self):
        run(*self.pg_ctl, "-l", f"{self.host}/log", "-o",
            f"-c listen_addresses= -c unix_socket_directories={self.host}", "start", cwd="/")

    def tool(self, *arguments):
        return run(f"{self.programs}/prompter-archive", *arguments, "--database", self.admin).stdout

    def psql(self, sql):
        out = run("psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", self.host, "-U", "postgres", "-d", "prompter",
                  "-c", sql).stdout
        return [row.split("|") for row in out.splitlines()]

    def begin_archive(self):
        self.archive = subprocess.Popen(
            [f"{self.programs}/prompter-archive", "serve", "--database",
             f"host={self.host} user=archive_server dbname=prompter", "--listen", self.socket],
            stderr=open(f"{self.work}/archive.log", "ab"))
        until("the archive listens", 20, lambda: os.path.exists(self.socket))

    def begin_nginx(self):
        directory = f"{self.work}/nginx"
        if not os.path.isdir(directory):
            os.mkdir(directory)
            run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "10950", "-subj", "/CN=archive", "-keyout", f"{directory}/server.key", "-out",
                f"{directory}/server.crt")
            with open(f"{ROOT}/units/archive/nginx.conf", encoding="utf-8") as file:
                site = file.read()
            for old, new in (("listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
                             ("/run/prompter-archive/archive.sock", self.socket),
                             ("/etc/prompter-archive/tls", directory)):
                assert old in site, old
                site = site.replace(old, new)
            kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
            paths = "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in kinds)
            with open(f"{directory}/nginx.conf", "w", encoding="utf-8") as file:
                file.write(f"daemon off; user root; pid {directory}/pid; error_log {directory}/error.log;\n"
                           f"events {{}}\nhttp {{\n{paths}{site}\n}}\n")
        self.nginx = subprocess.Popen(
            ["/usr/sbin/nginx", "-p", directory, "-e", f"{directory}/error.log", "-c", f"{directory}/nginx.conf"],
            start_new_session=True)

    def pin(self):
        """Returns the SHA-256 of the server's public key in the form that curl uses."""
        key = run("openssl", "x509", "-in", f"{self.work}/nginx/server.crt", "-pubkey", "-noout").stdout
        der = base64.b64decode("".join(key.splitlines()[1:-1]))
        return "sha256//" + base64.b64encode(hashlib.sha256(der).digest()).decode()

    def kill(self, part):
        """Kills the archive, nginx or the database, and starts it again."""
        if part == "archive":
            self.archive.kill()
            self.archive.wait()
            os.unlink(self.socket)
            self.begin_archive()
        elif part == "nginx":
            self.end_nginx()
            self.begin_nginx()
        else:
            run(*self.pg_ctl, "-m", "immediate", "stop", cwd="/")
            self.begin_postgres()

    def client(self, key):
        """Makes a key and a certificate for a home, and returns the settings of its TLS connections."""
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "10950",
            "-subj", "/CN=home", "-keyout", f"{key}.key", "-out", f"{key}.crt")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.check_hostname = False
        context.load_verify_locations(f"{self.work}/nginx/server.crt")
        context.load_cert_chain(f"{key}.crt", f"{key}.key")
        return context

    def end_nginx(self):
        os.killpg(self.nginx.pid, signal.SIGKILL)
        self.nginx.wait()

    def close(self):
        self.end_nginx()
        self.archive.kill()
        run(*self.pg_ctl, "-m", "immediate", "stop", check=False, cwd="/")


class Home:
    """prompterd and prompter-link. The link has the role courier, because it runs as another user."""

    def __init__(self, programs, work, name):
        self.programs, self.name, self.directory = programs, name, f"{work}/{name}"
        self.socket = f"{self.directory}/control.sock"
        self.link_state = f"{self.directory}/link"
        self.courier = ["setpriv", "--reuid", "65528", "--regid", "65528", "--clear-groups"]
        for path in (self.directory, f"{self.directory}/state", f"{self.directory}/rings", self.link_state):
            os.mkdir(path)
        os.chmod(self.directory, 0o755)
        shutil.chown(self.link_state, 65528, 65528)
        self.config = f"{self.directory}/config.toml"
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(f'link_status = "{self.link_state}/status.json"\n[roles]\ncourier = ["65528"]\n')
        os.chmod(self.config, 0o600)
        with open(f"{self.directory}/link.toml", "w", encoding="utf-8") as file:
            file.write("at_once = true\n")
        self.daemon = self.link = None
        self.begin_daemon()

    def begin_daemon(self):
        environment = dict(os.environ, ALSA_CONFIG_PATH=SOUND, PROMPTER_CAPTURE=f"{self.directory}/rings")
        self.daemon = subprocess.Popen(
            [f"{self.programs}/prompterd", "--state", f"{self.directory}/state", "--socket", self.socket, "--config",
             self.config, "--device", "capture"],
            env=environment, stderr=open(f"{self.directory}/daemon.log", "ab"))
        until(f"the daemon of {self.name} answers", 20, lambda: self.ask("status", check=False).returncode == 0)
        os.chmod(self.socket, 0o666)

    def ask(self, *arguments, check=True):
        return run(f"{self.programs}/prompter", "--socket", self.socket, *arguments, check=check)

    def json(self, *arguments):
        return json.loads(self.ask(*arguments, "--json").stdout)

    def events(self):
        return [json.loads(line) for line in self.ask("log").stdout.splitlines()]

    def export(self, directory):
        os.mkdir(directory)
        for profile in ("limited", "safe_harbor"):
            self.ask("export", f"{directory}/{profile}", "--profile", profile)

    def link_tool(self, *arguments, check=True):
        command = [*self.courier, f"{self.programs}/prompter-link", *arguments, "--state", self.link_state]
        return run(*command, check=check)

    def enrol(self, server):
        code = server.tool("home", "add", self.name, "--site", "berlin", "--study", STUDY).splitlines()[0]
        return self.link_tool("enrol", f"https://127.0.0.1:{server.port}", "--code", code, "--pin", server.pin(),
                              "--yes").stdout

    def begin_link(self):
        self.link = subprocess.Popen(
            [*self.courier, f"{self.programs}/prompter-link", "run", "--socket", self.socket, "--state",
             self.link_state, "--config", f"{self.directory}/link.toml"],
            stderr=open(f"{self.directory}/link.log", "ab"))

    def status(self):
        try:
            with open(f"{self.link_state}/status.json", encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return {}

    def close(self):
        for process in (self.link, self.daemon):
            if process:
                process.kill()
                process.wait()


def morning(home):
    """A caretaker sets alarms for two people; only one of them takes part in the study."""
    home.ask("people", "add", "anna", "--name", f"{CANARY} Anna")
    home.ask("people", "add", "bob", "--name", f"{CANARY} Bob")
    home.ask("study", "enrol", "anna", "--pseudonym", f"P-{home.name}", "--study", STUDY)
    home.ask("add", f"{CANARY} pills", "--schedule", "in 2 seconds", "--person", "anna", "--spacing", "2s")
    home.ask("add", f"{CANARY} newspaper", "--schedule", "in 3 seconds", "--person", "bob", "--spacing", "2s",
             "--rings", "1")


def answer(home):
    until(f"the pills ring in {home.name}", 30, lambda: any(
        row["type"] == "ring_started" for row in home.events()))
    prompt = next(p for p in home.json("prompts")["prompts"] if "pills" in p["label"])
    home.ask("done", prompt["id"])


def is_collected(server, home):
    """Returns true if the archive has each row of the home, with the same hash."""
    wanted = [(str(row["seq"]), row["hash"]) for row in home.events()]
    found = server.psql("SELECT e.seq, encode(e.hash, 'hex') FROM prompter.events e JOIN prompter.streams s ON s.number = e.stream "
                        f"WHERE s.home = '{home.name}' ORDER BY e.seq")
    return found == [list(row) for row in wanted]


def compare_views(server, home, work):
    """Both views show the prompts of the home's own export."""
    for turn in range(30):
        directory = f"{work}/exports-{home.name}-{turn}"
        before, after = f"{directory}-before", f"{directory}-after"
        home.export(before)
        until(f"the archive has all rows of {home.name}", 60, lambda: is_collected(server, home))
        found = views.compare(server.psql, home.name, before, STUDY)
        home.export(after)
        # If a prompt rings during the comparison, the values of this prompt change. In this case, compare again.
        if views.read(f"{before}/limited/prompts.csv") == views.read(f"{after}/limited/prompts.csv"):
            assert not found, "\n".join(found)
            return
        time.sleep(2)
    sys.exit(f"the prompts of {home.name} change again and again")


def say(text, is_quiet):
    if not is_quiet:
        print(text, flush=True)


@contextlib.contextmanager
def server_and_home(programs):
    """A server and one home in a temporary directory. Both end at the end of the `with` block."""
    work = tempfile.mkdtemp(prefix="archive.")
    os.chmod(work, 0o755)
    server = home = None
    try:
        server = Server(programs, work)
        home = Home(programs, work, "home-1")
        yield server, home
        said = server.tool("verify")
        assert said.endswith(" 0 faults\n"), said
    finally:
        if home:
            home.close()
        if server:
            server.close()
        shutil.rmtree(work, ignore_errors=True)


def main(programs, kind):
    is_quiet = kind == "check"
    work = tempfile.mkdtemp(prefix="fleet.")
    os.chmod(work, 0o755)
    server, homes = None, []
    try:
        say("== A server with PostgreSQL, prompter-archive and nginx", is_quiet)
        server = Server(programs, work)
        say("== Three homes: a daemon, and a link that sends the record", is_quiet)
        homes += [Home(programs, work, f"home-{number}") for number in (1, 2, 3)]
        for home in homes:
            words = home.enrol(server)
            say(f"{home.name}: {words.splitlines()[-1]}", is_quiet)
            morning(home)
            home.begin_link()
        for home in homes[:2]:
            answer(home)
        if kind == "check":
            disturb(server, homes)
            answers.give(homes[1], until, CANARY)
        say("== The links send the rows within half a minute", is_quiet)
        for home in homes:
            until(f"the archive has all rows of {home.name}", 120, lambda home=home: is_collected(server, home))
        finish(server, homes, work, is_quiet)
    finally:
        for home in homes:
            home.close()
        if server:
            server.close()
        shutil.rmtree(work, ignore_errors=True)


def disturb(server, homes):
    """Kills the programs at random times while the homes record and send events."""
    chance = random.Random(1)
    for turn in range(12):
        time.sleep(chance.uniform(0, 0.6))
        home = chance.choice(homes)
        home.ask("add", f"{CANARY} tea {turn}", "--schedule", "every day 08:00", "--person",
                 chance.choice(["anna", "bob"]))
        kind = ("link", "archive", "nginx", "database", "daemon")[turn % 5]
        if kind == "link":
            home.link.kill()
            home.link.wait()
            home.begin_link()
        elif kind == "daemon":
            home.daemon.kill()
            home.daemon.wait()
            home.begin_daemon()
        else:
            server.kill(kind)
    # A link sends nothing while its home is paused.
    paused = homes[2]
    paused.link_tool("pause")
    until("the link is paused", 30, lambda: paused.status().get("state") == "paused")
    paused.ask("add", f"{CANARY} walk", "--schedule", "every day 09:00", "--person", "anna")
    time.sleep(3)
    assert not is_collected(server, paused), "a paused link sends rows"
    paused.link_tool("resume")
    # After failures, the links wait up to a quarter of an hour. A link that is restarted contacts the archive at
    # once.
    for home in homes:
        home.link.kill()
        home.link.wait()
        home.begin_link()


def stopped_daemon(server, home):
    """The link of a home contacts the archive, but the daemon of this home gives the link no rows."""
    where = f"FROM prompter.streams WHERE home = '{home.name}'"
    home.daemon.kill()
    home.daemon.wait()
    home.link.kill()
    home.link.wait()
    before = server.psql(f"SELECT contact_at, received_at {where}")[0]
    home.begin_link()
    until(f"a contact of {home.name}", 30, lambda: server.psql(
        f"SELECT contact_at > '{before[0]}' AND received_at = '{before[1]}' {where}") == [["t"]])


def finish(server, homes, work, is_quiet):
    for home in homes:
        until(f"the status of {home.name}", 60, lambda home=home: home.status().get("backlog") == 0)
        out = home.link_tool("status").stdout
        assert "State: collecting" in out, out
    said = server.tool("verify")
    assert said.endswith(" 0 faults\n"), said
    for home in homes:
        link = home.json("status")["archive_link"]
        # While a prompt rings, the record gets new rows that the archive does not have yet.
        assert (link["state"], link["study"]) == ("collecting", STUDY) and link["backlog"] < 30, link
        refused = home.ask("study", "rekey", "--yes", check=False)
        assert refused.returncode == 1 and "has the present pseudonyms" in refused.stderr, refused
    report = f"{work}/report"
    server.tool("report", report)
    with open(f"{report}/summary.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len([row for row in rows if row.get("home", "").startswith("home-")]) == 3, rows
    for home in homes:
        events = home.events()
        bob = next(row["person"] for row in reversed(events) if row["type"] == "person_added")
        sealed = server.psql(
            "SELECT count(*) FROM prompter.events e JOIN prompter.streams s ON s.number = e.stream "
            f"WHERE s.home = '{home.name}' AND e.is_sealed")[0][0]
        about_bob = server.psql(f"SELECT count(*) FROM prompter.events WHERE person = '{bob}'")[0][0]
        assert int(sealed) >= 5 and about_bob == "0", (sealed, about_bob)
        assert len(server.psql(f"SELECT stream FROM prompter.streams WHERE home = '{home.name}'")) == 1
    if is_quiet:
        for home in homes:
            compare_views(server, home, work)
        stopped_daemon(server, homes[2])
    dump = run("pg_dump", "-h", server.host, "-U", "postgres", "prompter").stdout
    for text in [dump] + [open(f"{work}/{name}", encoding="utf-8").read() for name in ("archive.log", "nginx/error.log")]:
        assert CANARY not in text, "a typed word reached the archive"
    assert "127.0.0.1" not in open(f"{work}/archive.log", encoding="utf-8").read(), "an address is in the log"
    if is_quiet:
        count = server.psql("SELECT count(*) FROM prompter.events")[0][0]
        print(f"3 homes, {count} rows: 0 rows lost, 0 typed words")
        return
    print(homes[0].link_tool("status").stdout)
    print("== prompter-archive home list")
    print(server.tool("home", "list"))
    print("== prompter-archive verify")
    print(server.tool("verify"))
    out = os.path.join(ROOT, "demo-out/fleet")
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(report, out)
    print("The report of the study is in demo-out/fleet/index.html")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in ("show", "check"):
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), sys.argv[2])
