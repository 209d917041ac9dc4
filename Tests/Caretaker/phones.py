"""prompter-web behind stunnel. Phones at home reach it in the same way: with TLS and a certificate from the own
authority of the home."""
import http.client
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import time
from pathlib import Path

UNITS = Path(__file__).resolve().parents[2] / "units" / "web"
NAME = "home.localhost"
# Users that exist on every Debian. Only the tests of the package's sandboxes use the users of the package.
DELEGATE, CARETAKER, OTHER, PATIENT = "games", "mail", "news", "lp"
CONFIG = f"""
[roles]
caretaker = ["{CARETAKER}"]
researcher = ["{OTHER}"]
patient = ["{PATIENT}"]
[delegates.{DELEGATE}]
people = ["{CARETAKER}", "{OTHER}", "{PATIENT}", "root"]
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Phones:
    """Starts prompter-web as a separate user, and starts stunnel in front of it."""

    def __init__(self, home):
        self.home = home
        self.folder = Path(home.directory.name)
        self.folder.chmod(0o755)
        # Permit every user to connect, as the unit of the package does. The daemon asks the kernel for the user.
        home.socket.chmod(0o666)
        self.port = free_port()
        self.address = f"https://{NAME}:{self.port}"
        self.state = self.folder / "web"
        self.state.mkdir()
        user = pwd.getpwnam(DELEGATE)
        os.chown(self.state, user.pw_uid, user.pw_gid)
        self.control, self.web = self.state / "control.sock", self.state / "web.sock"
        self.own = self.state / "own.sock"
        self.state.chmod(0o755)
        subprocess.run([UNITS / "web-certificate", self.folder / "tls", NAME], check=True)
        (self.folder / "web.toml").write_text(
            f'address = "{self.address}"\nauthority = "{self.folder}/tls/ca.crt"\n')
        # The programs are in a folder that only root may enter. The user of prompter-web needs a copy.
        self.program = self.state / "prompter-web"
        shutil.copy(home.programs / "prompter-web", self.program)
        self.server = None
        self.start()
        text = (UNITS / "stunnel.conf").read_text()
        for before, after in [(":::8443", f"127.0.0.1:{self.port}"), ("/run/prompter-web/web.sock", str(self.web)),
                              ("/etc/prompter-web/tls", str(self.folder / "tls"))]:
            assert before in text, before
            text = text.replace(before, after)
        (self.folder / "stunnel.conf").write_text(text)
        self.tls = subprocess.Popen(["stunnel", self.folder / "stunnel.conf"], stderr=subprocess.DEVNULL)
        self.wait_for(lambda: socket.create_connection(("127.0.0.1", self.port), 1).close())

    def start(self):
        self.server = subprocess.Popen(
            ["setpriv", f"--reuid={DELEGATE}", f"--regid={DELEGATE}", "--clear-groups", self.program,
             "--socket", self.home.socket, "--config", self.folder / "web.toml", "--state", self.state,
             "--listen", self.web, "--control", self.control, "--own", self.own],
            stderr=open(self.folder / "web.log", "a"), env={})
        self.wait_for(lambda: self.ask("devices"))
        # Permit every user to connect, as the unit of the package does. prompter-web asks the kernel for the user.
        self.own.chmod(0o666)

    @staticmethod
    def wait_for(attempt):
        for _ in range(100):
            try:
                return attempt()
            except (OSError, RuntimeError):
                time.sleep(0.05)
        raise RuntimeError("prompter-web or stunnel did not start")

    def kill(self):
        self.server.kill()
        self.server.wait()

    def run(self, *words):
        """Runs `prompter web`."""
        return subprocess.run([self.home.programs / "prompter", "web", *words, "--web-socket", self.control],
                              capture_output=True, text=True)

    def ask(self, *words):
        import json
        ended = self.run(*words, "--json")
        if ended.returncode:
            raise RuntimeError(ended.stderr)
        return json.loads(ended.stdout)

    def request(self, method, path, headers=None, body=None):
        """Sends one request with TLS, as a browser does, and checks the certificate. Returns the response."""
        context = ssl.create_default_context(cafile=str(self.folder / "tls" / "ca.crt"))
        context.check_hostname = True
        raw = socket.create_connection(("127.0.0.1", self.port), 10)
        connection = http.client.HTTPConnection(NAME, self.port)
        connection.sock = context.wrap_socket(raw, server_hostname=NAME)
        fields = {"Host": f"{NAME}:{self.port}", "Origin": self.address, "Sec-Fetch-Site": "same-origin"}
        fields.update(headers or {})
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in fields.items():
            if value is not None:
                connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
            if "Content-Type" not in fields:
                connection.putheader("Content-Type", "application/x-www-form-urlencoded")
        connection.endheaders(body)
        response = connection.getresponse()
        response.text = response.read().decode()
        connection.close()
        return response

    def pair(self, user):
        """Adds a phone without a browser, and returns its cookie."""
        code = self.ask("pair", user)["code"]
        added = self.request("POST", "/pair", body=f"code={code}".encode())
        assert added.status == 303, (added.status, added.text)
        return added.getheader("Set-Cookie").split(";")[0]

    def end(self):
        for process in (self.tls, self.server):
            process.kill()
            process.wait()
