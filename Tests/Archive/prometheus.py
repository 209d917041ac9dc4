"""A real Prometheus reads a running archive, and a real Alertmanager gets its alerts.

The rules are the rules of units/archive/prometheus-rules.yml, but with a shorter waiting time. An alert must last for 1
second instead of some minutes.
"""

import os
import re
import subprocess
import time

from alerts import RULES, Alertmanager
from homes import PROGRAMS, SERVER, psql
from nginx import free_port

STUDY = "S-watch"


def check(home_class, work):
    directory = f"{work}/prometheus"
    os.mkdir(directory)
    homes = {name: home_class(f"watch-{name}", study=STUDY, site=site) for name, site in (
        ("good", "A"), ("silent", "A"), ("new", "A"), ("stopped", "B"), ("fork", "B"), ("withdrawn", "B"))}
    for name, home in homes.items():
        if name != "new":
            home.enrol()
            home.chain.add(20, home.random)
            home.catch_up()
    fork(homes["fork"])
    moved("silent", "contact_at = contact_at - interval '121 minutes'")
    moved("stopped", "received_at = received_at - interval '46 minutes'")
    moved("withdrawn", "contact_at = contact_at - interval '1 day'")
    psql("UPDATE prompter.homes SET state = 'withdrawn' WHERE home = 'watch-withdrawn';"
         "UPDATE prompter.homes SET added_at = added_at - interval '3 hours' WHERE home = 'watch-new'")
    with open(f"{directory}/archive.log", "wb") as log:
        archive = Archive(log)
        archive.start()
        manager = prometheus = None
        try:
            manager = Alertmanager(directory)
            manager.wait()
            prometheus = start(directory, archive.port, manager.url)
            expected = {
                ("PrompterHomeSilent", "watch-silent"), ("PrompterHomeSilent", "watch-new"),
                ("PrompterDaemonStopped", "watch-stopped"), ("PrompterOpenFindings", "watch-fork"),
                ("PrompterWatchdog", "")}
            wait_for(manager, expected, set())
            # The silent home sends again, and its alert ends. The home that has never made a contact stays silent.
            homes["silent"].chain.add(1, homes["silent"].random)
            homes["silent"].catch_up()
            expected.remove(("PrompterHomeSilent", "watch-silent"))
            wait_for(manager, expected, set())
            # The samples of the homes end with the archive. After the archive is back, the alert about the archive continues
            # for some time, and inhibits the alerts about the homes.
            archive.stop()
            down = {("PrompterArchiveDown", ""), ("PrompterWatchdog", "")}
            wait_for(manager, down, set())
            archive.start()
            finding = ("PrompterOpenFindings", "watch-fork")
            wait_for(manager, down | {finding}, expected - down - {finding})
        finally:
            archive.stop()
            for process in (prometheus, manager and manager.process):
                if process:
                    process.kill()
                    process.wait()
    print("Prometheus reads the archive, and the Alertmanager gets the alerts about 4 homes and about the archive")


def fork(home):
    """The home continues from an older state."""
    seq = home.head()
    home.chain.rows[seq - 3:] = []
    home.chain.add(8, home.random)
    status, reply = home.send(seq - 3, len(home.chain.rows))
    assert status == 423, reply
    home.stream, home.acknowledged = reply["stream"], 0
    home.catch_up()


def moved(home, change):
    psql(f"UPDATE prompter.streams SET {change} WHERE home = 'watch-{home}'")


class Archive:
    """The second process, which only serves the metrics."""

    def __init__(self, log):
        self.log, self.port = log, free_port()

    def start(self):
        self.process = subprocess.Popen(
            [f"{PROGRAMS}/prompter-archive", "serve", "--database", SERVER, "--listen", f"127.0.0.1:{self.port}"],
            stderr=self.log)

    def stop(self):
        self.process.kill()
        self.process.wait()


def start(directory, port, manager):
    with open(RULES, encoding="utf-8") as file:
        rules = file.read()
    quick, changes = re.subn(r"^( +(?:for|interval)): \d+m$", r"\1: 1s", rules, flags=re.M)
    assert changes > 3, changes
    with open(f"{directory}/rules.yml", "w", encoding="utf-8") as file:
        file.write(quick)
    with open(f"{directory}/prometheus.yml", "w", encoding="utf-8") as file:
        file.write(f"""\
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [rules.yml]
scrape_configs:
  - job_name: prompter-archive
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
alerting:
  alertmanagers:
    - static_configs: [{{targets: ["{manager.removeprefix('http://')}"]}}]
""")
    with open(f"{directory}/prometheus.log", "wb") as log:
        return subprocess.Popen(
            ["prometheus", f"--config.file={directory}/prometheus.yml", f"--storage.tsdb.path={directory}/tsdb",
             f"--web.listen-address=127.0.0.1:{free_port()}", "--rules.alert.resend-delay=1s"], stdout=log, stderr=log)


def wait_for(manager, active, inhibited):
    """Waits until the Alertmanager has exactly these alerts about the homes of the study and about the archive."""
    found = None
    for _ in range(300):
        found = {True: set(), False: set()}
        for labels, is_inhibited in manager.states():
            if labels.get("study", STUDY) == STUDY:
                found[is_inhibited].add((labels["alertname"], labels.get("home", "")))
        if (found[False], found[True]) == (active, inhibited):
            return
        time.sleep(0.2)
    raise AssertionError(f"wanted {active}, inhibited {inhibited}; found {found}")
