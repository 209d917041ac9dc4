#!/usr/bin/env python3
"""Checks the rules for Prometheus, and checks which alerts a real Alertmanager sends.

    Tests/Archive/alerts.py

Needs the Debian packages prometheus and prometheus-alertmanager. The Alertmanager listens only on
the loopback interface.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RULES, CONFIGURATION = f"{ROOT}/units/archive/prometheus-rules.yml", f"{ROOT}/units/archive/alertmanager.yml"
# The alerts of the test. In the study S, the site A is down, and in the site B one home is silent.
SITE_A, SITE_B = "study=S,site=A", "study=S,site=B"
ALERTS = [
    f"PrompterSiteDown,{SITE_A}",
    f"PrompterHomeSilent,{SITE_A},home=a1", f"PrompterHomeSilent,{SITE_A},home=a2",
    f"PrompterDaemonStopped,{SITE_A},home=a1", f"PrompterDaemonStopped,{SITE_A},home=a3",
    f"PrompterOpenFindings,{SITE_A},home=a1,kind=fork",
    f"PrompterHomeSilent,{SITE_B},home=b1", f"PrompterBacklogGrows,{SITE_B},home=b1",
    f"PrompterBacklogGrows,{SITE_B},home=b2", "PrompterHomeSilent,study=T,site=A,home=t1"]
INHIBITED = {
    f"PrompterHomeSilent,{SITE_A},home=a1", f"PrompterHomeSilent,{SITE_A},home=a2",
    f"PrompterDaemonStopped,{SITE_A},home=a1", f"PrompterBacklogGrows,{SITE_B},home=b1"}
NOT_INHIBITED_BY_ARCHIVE = {"PrompterArchiveDown,", f"PrompterOpenFindings,{SITE_A},home=a1,kind=fork"}


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"failed: {' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


class Alertmanager:
    def __init__(self, work):
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.url = f"http://127.0.0.1:{found.getsockname()[1]}"
        self.log = open(f"{work}/alertmanager.log", "ab")
        self.process = subprocess.Popen(
            ["prometheus-alertmanager", f"--config.file={CONFIGURATION}", f"--storage.path={work}/data",
             f"--web.listen-address={self.url[7:]}", "--cluster.listen-address="], stderr=self.log, stdout=self.log)

    def ask(self, path, document=None):
        body = None if document is None else json.dumps(document).encode()
        request = urllib.request.Request(f"{self.url}/api/v2/{path}", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=5) as reply:
            return reply.read()

    def wait(self):
        for _ in range(200):
            try:
                return self.ask("status")
            except OSError:
                assert self.process.poll() is None, "the Alertmanager ended"
                time.sleep(0.05)
        raise AssertionError("the Alertmanager does not answer")

    def fire(self, alerts):
        self.ask("alerts", [{"labels": labels(alert)} for alert in alerts])

    def states(self):
        """Returns the labels of each alert, and whether another alert inhibits this alert."""
        return [(alert["labels"], bool(alert["status"]["inhibitedBy"]))
                for alert in json.loads(self.ask("alerts")) if alert["status"]["state"] != "unprocessed"]

    def check(self, alerts, inhibited):
        wanted = sorted((sorted(labels(alert).items()), alert in inhibited) for alert in alerts)
        for _ in range(100):
            found = sorted((sorted(each.items()), is_inhibited) for each, is_inhibited in self.states())
            if found == wanted:
                return
            time.sleep(0.1)
        raise AssertionError(f"wanted {wanted}\nfound {found}")


def labels(alert):
    name, *pairs = alert.split(",")
    return {"alertname": name} | dict(pair.split("=") for pair in pairs if pair)


def main():
    run("promtool", "check", "rules", RULES)
    run("promtool", "test", "rules", f"{ROOT}/Tests/Archive/rules-test.yml")
    run("amtool", "check-config", CONFIGURATION)
    routes = ["amtool", "config", "routes", "test", f"--config.file={CONFIGURATION}"]
    for name, receiver in (("PrompterWatchdog", "watchdog"), ("PrompterSiteDown", "data-manager")):
        found = run(*routes, f"alertname={name}").strip()
        assert found == receiver, (name, found)
    work = tempfile.mkdtemp(prefix="alerts.")
    manager = None
    try:
        manager = Alertmanager(work)
        manager.wait()
        manager.fire(ALERTS)
        manager.check(ALERTS, INHIBITED)
        # While the archive is down, Alertmanager sends only the alerts that do not depend on the archive.
        alerts = ALERTS + ["PrompterArchiveDown,"]
        manager.fire(alerts)
        manager.check(alerts, set(alerts) - NOT_INHIBITED_BY_ARCHIVE)
    finally:
        if manager:
            manager.process.kill()
            manager.process.wait()
        shutil.rmtree(work, ignore_errors=True)
    print("the rules pass their tests, and one alert about a site inhibits those about its homes")


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    main()
