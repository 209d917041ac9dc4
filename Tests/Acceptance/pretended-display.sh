# A simulated display and a simulated browser, for scenarios without Weston and Chromium.

# The simulated browser loads the page, keeps its stream open, and reports a painted frame each second.
cat >/usr/bin/chromium <<'B'
#!/usr/bin/python3
import http.client, os, sys, threading, time, urllib.parse
host = urllib.parse.urlsplit(sys.argv[-1]).netloc
def get(path):
    link = http.client.HTTPConnection(host, timeout=30)
    link.request("GET", path)
    return link.getresponse()
get("/").read()
stream = get("/live")
threading.Thread(target=lambda: [None for _ in iter(lambda: stream.read(1), b"")], daemon=True).start()
open(os.environ["HOME"] + "/arguments", "w").write("\n".join(sys.argv))
while True:
    try:  # The file is a request of the test: take more memory than the unit permits.
        os.unlink(os.environ["HOME"] + "/take-memory")
        print("taking memory", file=sys.stderr, flush=True)
        taken = b"x" * (1 << 30)
    except FileNotFoundError:
        pass
    link = http.client.HTTPConnection(host, timeout=5)
    link.request("POST", "/alive", "{}", {"Content-Type": "application/json", "Origin": f"http://{host}"})
    assert link.getresponse().status == 204
    time.sleep(1)
B
# The simulated display reports that it is ready, creates its socket, and answers the watchdog.
cat >/usr/bin/weston <<'W'
#!/usr/bin/python3
import os, socket, sys, time
path = next(word.split("=", 1)[1] for word in sys.argv if word.startswith("--socket="))
display = socket.socket(socket.AF_UNIX)
display.bind(path)
display.listen()
system = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
system.connect(os.environ["NOTIFY_SOCKET"])
system.send(b"READY=1")
while True:
    system.send(b"WATCHDOG=1")
    time.sleep(5)
W
chmod 755 /usr/bin/chromium /usr/bin/weston

# Starts the unit of the display without a terminal.
without_terminal() {
  mkdir -p /run/systemd/system/prompter-display.service.d
  cat >/run/systemd/system/prompter-display.service.d/container.conf <<'D'
[Unit]
ConditionPathExists=
Conflicts=
[Service]
PAMName=
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
UtmpIdentifier=
StandardInput=null
D
  systemctl daemon-reload
}
