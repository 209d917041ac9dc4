"""Kills and stops a real Chromium that prompter-screen started, and waits until the screen is back. See run.sh."""
import http.client
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

from home import Home

# A page reports a painted frame every 10 s. Therefore, the limit of the test must be longer than 10 s. By default,
# the limit is 45 s.
FRAME, RESTART = 13, 5
SHOWN = "the browser shows the screen"
faults = []


def check(is_right, what):
    if not is_right:
        faults.append(what)
    print(f"{'ok' if is_right else 'FAILED'}: {what}", flush=True)


class Kiosk:
    """prompter-screen with a browser, and the lines that prompter-screen wrote to standard error."""

    def __init__(self, home, browser="/usr/bin/chromium", options=("--headless", "--no-sandbox", "--disable-gpu")):
        self.temporary = tempfile.TemporaryDirectory()
        self.log = Path(self.temporary.name) / "log"
        self.process = subprocess.Popen(
            [home.programs / "prompter-screen", "--socket", home.socket, "--listen", "127.0.0.1:0", "--browser", browser,
             "--frame-seconds", str(FRAME), "--restart-seconds", str(RESTART), "--", *options],
            stdout=subprocess.PIPE, stderr=open(self.log, "w"), text=True,
            env={**os.environ, "TMPDIR": self.temporary.name})
        self.url = self.process.stdout.readline().strip()

    def said(self, words):
        return self.log.read_text().count(words)

    def wait(self, words, count, seconds):
        """Returns the time in seconds until prompter-screen has written the words `count` times; None if this did
        not happen in time."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            if self.said(words) >= count:
                return time.monotonic() - began
            time.sleep(0.1)
        return None

    def browsers(self):
        """Returns the first process of the browser."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(line) for line in found.stdout.split()]

    def renderers(self):
        """Returns the processes that paint pages."""
        found = subprocess.run(["pgrep", "-g", ",".join(map(str, self.browsers())), "-f", "type=renderer"],
                               capture_output=True, text=True)
        return [int(line) for line in found.stdout.split()]

    def signal_renderers(self, number):
        for pid in self.renderers():
            os.kill(pid, number)

    def end(self):
        self.process.terminate()
        self.process.wait(10)


def returns(kiosk):
    """The page comes back after the test killed or stopped the process of the page, and after the test killed the
    whole browser."""
    check(kiosk.wait(SHOWN, 1, 30) is not None, "the browser paints the screen")
    time.sleep(RESTART)
    kiosk.signal_renderers(signal.SIGKILL)
    seconds = kiosk.wait(SHOWN, 2, 30)
    check(seconds is not None and seconds <= 15, f"the page is back 15 s after it was killed: {seconds}")
    time.sleep(RESTART)
    first = kiosk.browsers()
    kiosk.signal_renderers(signal.SIGSTOP)
    seconds = kiosk.wait(SHOWN, 3, 45)
    check(seconds is not None and seconds <= FRAME + 15, f"the page is back after it was stopped: {seconds}")
    check(kiosk.said("painted no frame") == 1, "the journal says that no frame was painted")
    check(not any(Path(f"/proc/{pid}/exe").exists() for pid in first), "the stopped browser is gone")
    time.sleep(RESTART)
    for pid in kiosk.browsers():
        os.kill(pid, signal.SIGKILL)
    seconds = kiosk.wait(SHOWN, 4, 30)
    check(seconds is not None and seconds <= 15, f"the browser is back after it was killed: {seconds}")


def unbelieved(kiosk):
    """The page server refuses the report of a frame if the report comes from another site."""
    host = urlsplit(kiosk.url).netloc

    def status(**headers):
        link = http.client.HTTPConnection(host, timeout=5)
        names = {"Host": host, "Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        link.request("POST", "/alive", body="{}", headers={name: value for name, value in names.items() if value})
        return link.getresponse().status

    check(status() == 403, "a report without an origin is refused")
    check(status(Origin="http://evil.example") == 403, "a report of another site is refused")
    check(status(Origin=f"http://{host}", Sec_Fetch_Site="cross-site") == 403, "a report across sites is refused")
    check(status(Origin=f"http://{host}", Host="evil.example") == 421, "a report to another name is refused")
    check(status(Origin=f"http://{host}", Content_Type="text/plain") == 415, "a report of a form is refused")


def refused_browsers(home):
    """If a browser never shows the page, prompter-screen starts it again, but not in a fast loop."""
    kiosk = Kiosk(home, "/bin/false", [])
    seconds = kiosk.wait("the browser ended: exit status 1", 2, 20)
    check(seconds is not None and seconds >= RESTART - 1, f"a browser that ends is started again after a pause: {seconds}")
    kiosk.end()
    kiosk = Kiosk(home, "/nonexistent", [])
    check(kiosk.wait("cannot start /nonexistent: No such file", 1, 10) is not None, "a missing browser is reported")
    check(kiosk.process.poll() is None, "the page server continues without a browser")
    kiosk.end()


def main(programs):
    home = Home(programs)
    try:
        kiosk = Kiosk(home)
        unbelieved(kiosk)
        returns(kiosk)
        last = kiosk.browsers()
        kiosk.end()
        check(not any(Path(f"/proc/{pid}/exe").exists() for pid in last), "the browser ends with the page server")
        check(not list(Path(kiosk.temporary.name).glob("prompter-browser-*")), "no profile is left behind")
        refused_browsers(home)
    finally:
        home.end()
    if faults:
        sys.exit(f"{len(faults)} checks of the browser failed")


main(sys.argv[1])
