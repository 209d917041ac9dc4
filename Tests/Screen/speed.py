"""Measures how fast the screen follows a ring and a touch, and compares it with a client of the daemon that paints
nothing."""
import datetime
import http.client
import json
import os
import socket
import statistics
import threading
import time

# Stores three kinds of times: when each screen was painted, when each touch ended, and how long a touched control
# took to show the touch.
WATCH = """() => {
  [window.painted, window.touched, window.felt] = [[], [], []];
  const afterFrame = (act) => requestAnimationFrame(() => requestAnimationFrame(act));
  new MutationObserver(() => {
    const button = document.querySelector("[data-answer]");
    const screen = document.querySelector(".undo") ? "answered" : button ? "calling" : "idle";
    const prompt = button?.getAttribute("data-prompt") ?? null;
    afterFrame(() => window.painted.push({ screen, prompt, at: Date.now() }));
  }).observe(document.getElementById("screen"), { childList: true });
  addEventListener("pointerdown", (event) => afterFrame(() => {
    if (document.querySelector("[data-pressed]")) window.felt.push(performance.now() - event.timeStamp);
  }));
  addEventListener("pointerup", () => window.touched.push(Date.now()), { capture: true });
}"""


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def spread(values):
    return (f"{len(values)} times: median {statistics.median(values):.0f} ms, p95 {percentile(values, 0.95):.0f} ms, "
            f"worst {max(values):.0f} ms")


def shown(view, screen, prompt):
    """Returns the times at which the page painted a screen of a prompt."""
    return [one["at"] for one in view.page.evaluate("window.painted")
            if one["screen"] == screen and one["prompt"] == prompt]


def times(home, kind, prompt):
    """Returns the times of the events of one type and one prompt, in milliseconds since 1970."""
    return [one["wall_utc_ms"] for one in home.events(kind) if one["prompt_id"] == prompt]


class Wire(http.client.HTTPConnection):
    """A connection to the socket of the daemon."""

    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        """Returns the status and the JSON of the reply."""
        self.request(method, path, None if body is None else json.dumps(body))
        reply = self.getresponse()
        return reply.status, json.loads(reply.read() or "null")


class Listener:
    """A client that follows the events of the daemon and paints nothing. It stores the time at which it received the
    event of the first ring."""

    def __init__(self, home):
        self.heard = {}
        self.wire = Wire(home.socket)
        self.wire.request("GET", "/v1/events")
        self.stream = self.wire.getresponse()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.stream:
            if line.startswith(b"data:") and b'"ring_started"' in line:
                self.heard.setdefault(json.loads(line[5:])["prompt_id"], time.time() * 1000)


class Flood:
    """During a `with` block, adds and removes alarms as fast as the daemon permits. Each step is an event that the page
    receives.

    The alarms are due in ten days, so that the list that the page reads has the usual length.
    """

    def __init__(self, home):
        self.home, self.is_over, self.count = home, threading.Event(), 0

    def __enter__(self):
        self.thread = threading.Thread(target=self.run)
        self.thread.start()
        return self

    def run(self):
        wire = Wire(self.home.socket)
        day = datetime.date.today() + datetime.timedelta(days=10)
        while not self.is_over.is_set():
            status, added = wire.ask("POST", "/v1/alarms", {"label": f"Flood {self.count}", "schedule": f"{day} 03:00",
                                                            "person": "patient", "duplicate": True})
            if status != 201:
                raise RuntimeError(f"the daemon refused an alarm: {status} {added}")
            wire.ask("DELETE", f"/v1/alarms/{added['alarm']['id']}")
            self.count += 1

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()


def measure(home, view, count):
    """Measures `count` rings and touches. Returns a list of times in milliseconds for each name."""
    listener = Listener(home)
    found = {"from the ring to the painted task": [], "from the ring to a client that paints nothing": [],
             "from the touch to the painted press": [], "from the touch to the silence": [],
             "from a bare request to the silence": []}
    for number in range(count):
        prompt = home.set_alarm(f"Ring {number}")
        selector = f'.end.right[data-prompt="{prompt}"]'
        if not view.wait(selector, 30):
            break
        time.sleep(0.75)
        # For each fifth task, the script sends a request instead of a touch, to compare the times of both.
        is_bare = number % 5 == 1
        if is_bare:
            touched = time.time() * 1000
            Wire(home.socket).ask("POST", f"/v1/prompts/{prompt}/complete", {})
        else:
            view.press(selector)
        if not view.wait(f'.undo[data-prompt="{prompt}"]', 30):
            break
        if not is_bare:
            touched = view.page.evaluate("window.touched.at(-1)")
        begun, ended = (times(home, kind, prompt) for kind in ("ring_started", "ring_ended"))
        painted = shown(view, "calling", prompt)
        if not begun or not painted or not ended:
            continue
        found["from the ring to the painted task"].append(painted[0] - begun[0])
        if prompt in listener.heard:
            found["from the ring to a client that paints nothing"].append(listener.heard[prompt] - begun[0])
        silence = "from a bare request to the silence" if is_bare else "from the touch to the silence"
        found[silence].append(ended[0] - touched)
    found["from the touch to the painted press"] = view.page.evaluate("window.felt.splice(0)")
    return found


def processor(pids):
    """Returns the total processor time of the processes, in seconds."""
    total = 0
    for pid in pids:
        fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def memory(pid, field="Pss"):
    """Returns the memory of a process in MB. In the field Pss, each process counts only its share of shared memory."""
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    return 0
