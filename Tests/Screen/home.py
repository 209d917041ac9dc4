"""A daemon and page servers for the tests of the screen."""
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path


# The user of the tests runs the daemon, and is therefore an admin. But a screen reports painted tasks only for a
# patient.
PATIENT = f'[roles]\npatient = ["{os.getuid()}"]\n'


class Home:
    """Runs a daemon with its own record, and a page server for each language.

    The function `before` receives the directory of the home, and returns words that the class puts before the
    command of each program.
    """

    def __init__(self, programs, config=PATIENT, before=lambda folder: []):
        self.programs = Path(programs)
        self.directory = tempfile.TemporaryDirectory()
        self.before = before(self.directory.name)
        self.socket = Path(self.directory.name) / "control.sock"
        self.screens = {}
        self.config = Path(self.directory.name) / "config.toml"
        self.config.write_text(config)
        self.daemon = None
        self.start()

    def start(self):
        log = open(Path(self.directory.name) / "daemon.log", "a")
        self.daemon = subprocess.Popen(
            [*self.before, self.programs / "prompterd", "--state", Path(self.directory.name) / "state",
             "--socket", self.socket, "--config", self.config, "--device", "null"], stderr=log)
        for _ in range(200):
            if self.socket.exists() and self.ask("status", check=False):
                return
            time.sleep(0.05)
        raise RuntimeError("the daemon did not start")

    def kill(self):
        self.daemon.kill()
        self.daemon.wait()

    def ask(self, *words, check=True):
        """Runs a command of prompter, and returns its JSON."""
        ended = subprocess.run([self.programs / "prompter", "--socket", self.socket, "--json", *words],
                               capture_output=True, text=True)
        if check and ended.returncode:
            raise RuntimeError(f"prompter {' '.join(words)}: {ended.stdout}{ended.stderr}")
        return json.loads(ended.stdout) if ended.returncode == 0 else None

    def screen(self, name, before=(), more=(), language=None, socket=None):
        """Starts a page server, and returns its address. The function puts the words `before` before the
        command of the page server.

        If the language is empty, the page server gets no option --language. The page server can use another
        socket of the daemon.
        """
        language = name if language is None else language
        more = [*(["--language", language] if language else []), *more]
        process = subprocess.Popen(
            [*self.before, *before, self.programs / "prompter-screen", "--socket", socket or self.socket,
             "--listen", "127.0.0.1:0", *more],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.screens[name] = process
        return process.stdout.readline().strip()

    def set_alarm(self, label, *more):
        """Sets an alarm that rings soon, and returns the id of its prompt."""
        added = self.ask("add", label, "--schedule", "in 2 seconds", "--rings", "20", *more)
        return f"{added['alarm']['id']}@{added['next'][0]['local'][:19]}"

    def log(self):
        """Returns all events."""
        ended = subprocess.run([self.programs / "prompter", "--socket", self.socket, "--json", "log"],
                               capture_output=True, text=True, check=True)
        return [json.loads(line) for line in ended.stdout.splitlines() if line.strip()]

    def events(self, kind):
        """Returns the events of one type."""
        return [row for row in self.log() if row.get("type") == kind]

    def end(self):
        for process in [*self.screens.values(), self.daemon]:
            process.kill()
            process.wait()
        self.directory.cleanup()
