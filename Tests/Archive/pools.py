"""Compares the export of the archive with a pool of the exports of the same homes, cell for cell.

Also runs a home with two studies, so that the exports have a person in two studies, an unblinded study, an
erasure, a person in another zone, and a gap.
"""

import contextlib
import os
import subprocess
import time

import views
from chain import Chain
from homes import PROGRAMS, tool

# The columns that identify a row of a table.
KEYS = {"prompts.csv": ("prompt_id",), "rings.csv": ("prompt_id", "ring_no", "intended_utc"),
        "participants.csv": ("home", "person", "seq"), "phases.csv": ("home", "person", "phase_no")}
# The home never sends the code of a participant.
NOT_SENT = {"participant"}


class Daemon:
    """A daemon that writes what it plays into files."""

    def __init__(self, directory):
        self.directory, self.socket = directory, f"{directory}/control.sock"
        os.makedirs(f"{directory}/rings")
        self.begin()

    def begin(self):
        sound = os.path.abspath("Tests/Fixtures/sound/asound-file.conf")
        with open(f"{self.directory}/log", "ab") as log:
            self.process = subprocess.Popen(
                [f"{PROGRAMS}/prompterd", "--state", f"{self.directory}/state", "--socket", self.socket, "--device", "rings"],
                stderr=log, env=os.environ | {"ALSA_CONFIG_PATH": sound, "PROMPTER_CAPTURE": f"{self.directory}/rings"})
        end = time.monotonic() + 20
        while subprocess.run([f"{PROGRAMS}/prompter", "--socket", self.socket, "status"], capture_output=True).returncode:
            assert time.monotonic() < end, "the daemon does not answer"
            time.sleep(0.05)

    def close(self):
        self.process.kill()
        self.process.wait()

    def ask(self, *words):
        result = subprocess.run([f"{PROGRAMS}/prompter", "--socket", self.socket, *words], capture_output=True, text=True)
        assert result.returncode == 0, (words, result.stdout, result.stderr)
        return result.stdout

    def wait_for(self, kind, count):
        end = time.monotonic() + 30
        while self.ask("log").count(f'"type":"{kind}"') < count:
            assert time.monotonic() < end, f"fewer than {count} events {kind}"
            time.sleep(0.1)


def two_studies(directory):
    """The limited export of a home with two people, one of them in two studies."""
    with contextlib.closing(Daemon(directory)) as daemon:
        daemon.ask("people", "add", "anna", "--zone", "America/New_York")
        daemon.ask("people", "add", "bob")
        daemon.ask("study", "enrol", "anna", "--pseudonym", "A-1", "--study", "one", "--arm", "AB", "--consent", "2.1",
                   "--consent-scope", "photos,this_study")
        daemon.ask("study", "crossover", "anna", "--days", "3", "--order", "AB", "--follow-up", "2")
        daemon.ask("add", "Pills", "--schedule", "in 1 second", "--person", "anna", "--rings", "1")
        daemon.wait_for("ring_ended", 1)
        daemon.close()
        time.sleep(1.2)
        daemon.begin()
        daemon.ask("study", "withdraw", "anna", "--code", "other", "--data-use", "until_withdrawal")
        daemon.ask("add", "Newspaper", "--schedule", "in 1 second", "--person", "anna", "--rings", "1")
        daemon.wait_for("ring_ended", 2)
        daemon.ask("study", "enrol", "anna", "--pseudonym", "A-9", "--study", "two")
        daemon.ask("study", "phase", "set", "anna", "prompted")
        daemon.ask("study", "enrol", "bob", "--pseudonym", "B-1", "--study", "three", "--arm", "A", "--arm-code", "X",
                   "--hide-phases")
        daemon.ask("add", "Tea", "--schedule", "in 1 second", "--person", "anna", "--rings", "1")
        daemon.ask("add", "Tea", "--schedule", "every day 08:00", "--person", "bob")
        daemon.wait_for("ring_ended", 3)
        daemon.ask("study", "unblind", "three", "--yes")
        daemon.ask("study", "erase", "--person", "bob", "--yes")
        daemon.ask("export", f"{directory}/limited", "--profile", "limited")
    return f"{directory}/limited"


def check(home_class, work):
    """The homes of a crossover trial, with a withdrawal and a broken speaker, and a home with two studies."""
    exports = {f"trial-{name}": f"{work}/trial/{name}" for name in ("h001", "h005", "h007")}
    # The tasks of this home are in the night, when the date in UTC is different from the local date.
    exports["trial-night"] = f"{work}/trial/clock-change/limited"
    exports["two-studies"] = two_studies(f"{work}/two-studies")
    with open(f"{work}/pool.csv", "w", encoding="utf-8") as file:
        file.write("directory,site,home\n" + "".join(f"{path},A,{name}\n" for name, path in exports.items()))
    subprocess.run([f"{PROGRAMS}/prompter", "pool", f"{work}/pool", "--list", f"{work}/pool.csv"], check=True,
                   stdout=subprocess.DEVNULL)
    for name, path in exports.items():
        home = home_class(name, study="pooled")
        home.enrol()
        rows = views.stored_rows(f"{path}/events.csv")
        if name == "trial-h001":
            fork(home, rows, 300)
        home.chain = Chain(rows)
        home.catch_up()
    directory = f"{work}/export-pooled"
    tool("export", directory, "--study", "pooled")
    counts = [compare(directory, f"{work}/pool", table) for table in KEYS]
    for study in ("simulated", "one", "two", "three"):
        assert report(directory, study) == report(f"{work}/pool", study), f"other numbers of the study {study}"
    withdrawn = [row for row in views.read(f"{directory}/participants.csv") if row["is_withdrawn"] == "true"]
    assert {row["home"] for row in withdrawn} == {"trial-h005", "two-studies"}, withdrawn
    print("the export of the archive is the pool of the homes: " + ", ".join(counts))


def fork(home, rows, common):
    """The home continues from row `common` of a backup. The comparison ignores the rows after `common` that the
    archive got before."""
    person = next(row["person"] for row in rows if row["type"] == "enrolled")
    home.chain = Chain(rows[:common])
    home.chain.add_one(home.random, person, kind="withdrawn", payload={"person": person, "data_use": "until_withdrawal"})
    home.chain.add_one(home.random, kind="gap", payload={"from_ms": 0, "to_ms": 4_000_000_000_000})
    home.chain.add(3, home.random, wall=1_900_000_000_000)
    home.catch_up()
    home.chain = Chain(rows)
    status, reply = home.send(common, common + 5)
    assert status == 423, reply
    home.stream, home.acknowledged = reply["stream"], 0


def compare(directory, pool, table):
    """The rows of a table of the archive are those of the pool."""
    def rows(path):
        found = views.read(f"{path}/{table}")
        keyed = {tuple(row[name] for name in KEYS[table]): row for row in found}
        assert len(keyed) == len(found), f"{table}: two rows with one key"
        return keyed
    found, wanted = rows(directory), rows(pool)
    assert wanted and found.keys() == wanted.keys(), (table, found.keys() ^ wanted.keys())
    for key, row in wanted.items():
        assert list(found[key]) == list(row), (table, list(found[key]), list(row))
        for column, cell in row.items():
            cell = "" if column in NOT_SENT else cell
            assert found[key][column] == cell, (table, key, column, found[key][column], cell)
    return f"{table} {len(found)} rows"


def report(directory, study):
    """The numbers that `prompter report` computes: the monitored hours, the comparison of the phases and so on."""
    path = os.path.dirname(directory)
    subprocess.run([f"{PROGRAMS}/prompter", "report", directory, "--study", study, "-o", f"{path}/pooled.html"], check=True,
                   stdout=subprocess.DEVNULL)
    numbers = [views.read(f"{path}/{name}.csv") for name in ("summary", "estimates")]
    hours = sum(float(row["value"]) for row in numbers[0] if row["measure"] == "monitored_h")
    assert hours > 10 or study != "simulated", hours
    return numbers
