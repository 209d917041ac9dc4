"""Compares the views of the archive with prompts.csv of the same rows, for each column of a view."""

import collections
import csv
import datetime
import json
import os
import subprocess

from chain import COLUMNS, row_hash

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INTEGERS = {"seq", "schema_version", "ring_no", "alarm_version", "wall_utc_ms", "utc_offset_s",
            "boottime_ns", "clock_error_ms"}
BOOLEANS = {"is_announcement", "is_delivered"}
# The columns that are in the views, but not in prompts.csv.
OF_ARCHIVE = {"study", "site", "home", "became_due"}
# The columns of prompts.csv that are not in a view, or that are in a view only as an instant.
NOT_IN_PROMPTS = {"study_id", "state", "scheduled_local", "also_scheduled", "fold", "tz_name", "utc_offset_s"}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table(psql, sql):
    """The rows of a query as dictionaries."""
    text = "\n".join("|".join(row) for row in psql(f"SELECT json_agg(v) FROM ({sql}) v"))
    return json.loads(text) if text else []


def value(name, text):
    """Returns the value of a cell in the form that the view uses."""
    if text == "":
        return None
    if name in BOOLEANS:
        return text == "true"
    return int(text) if text.lstrip("-").isdigit() else text


def milliseconds(text):
    if text == "":
        return None
    instant = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round((instant - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc))
                 / datetime.timedelta(milliseconds=1))


def differences(found, wanted):
    """Compares two lists of prompts, both by the id of the prompt."""
    if found.keys() != wanted.keys():
        return [f"other prompts: {sorted(found.keys() ^ wanted.keys())}"]
    return [f"{key} {name}: the view has {found[key][name]!r}, and prompts.csv has {cell!r}"
            for key, row in wanted.items() for name, cell in row.items() if found[key][name] != cell]


def limited(rows):
    """The rows of prompts.csv as the view `prompts` shows them."""
    shown = {}
    for row in rows:
        wanted = {name: value(name, cell) for name, cell in row.items()
                  if name not in NOT_IN_PROMPTS and not name.endswith(("_utc", "_local"))}
        for name in ("due", "first_ring", "answered", "closed"):
            wanted[f"{name}_ms"] = milliseconds(row[f"{name}_utc"])
        wanted["became_due"] = row["late_ms"] != ""
        shown[row["prompt_id"]] = wanted
    return shown


def days(psql, home, rows):
    """Compares the view `days` with the local dates of prompts.csv."""
    wanted = collections.Counter()
    for row in rows:
        key = row["person"] or None, row["due_local"][:10]
        missed = row["outcome"].startswith("missed_")
        wanted[*key, "due"] += row["late_ms"] != "" or missed
        wanted[*key, "done"] += row["outcome"].startswith("completed")
        wanted[*key, "missed"] += missed
    found = {(row["person"], row["local_date"], name): row[name]
             for row in table(psql, f"SELECT * FROM prompter.days WHERE home = '{home}'") for name in ("due", "done", "missed")}
    return [f"days: {key} is {found.get(key)} instead of {count}" for key, count in wanted.items() if found.get(key) != count]


def compare(psql, home, exports, study=None):
    """Compares both views with the exports `limited` and `safe_harbor` in two directories.

    Returns the differences. With `study`, the function leaves out the prompts of people outside the
    study.
    """
    exact = read(f"{exports}/limited/prompts.csv")
    hidden = read(f"{exports}/safe_harbor/prompts.csv")
    assert len(exact) == len(hidden)
    # Both files have the prompts in the same order.
    pairs = [(row, safe) for row, safe in zip(exact, hidden) if study in (None, row["study_id"])]
    rows = table(psql, f"SELECT * FROM prompter.prompts WHERE home = '{home}'")
    wanted = limited([row for row, _ in pairs])
    for row in rows:
        assert row.keys() == OF_ARCHIVE | next(iter(wanted.values())).keys(), row.keys()
    found = differences({row["prompt_id"]: row for row in rows}, wanted)
    found += days(psql, home, [row for row, _ in pairs])
    # Only the owner of the tables can compute the code of each prompt.
    codes = table(psql, f"""
        SELECT prompt_id AS id, home, prompter.code(secret, 'p', home || ':' || prompt_id) AS prompt_code,
          prompter.code(secret, 'P', home || ':' || person) AS person_code,
          prompter.code(secret, 'a', home || ':' || alarm_id) AS alarm_code,
          prompter.code(secret, 'h', home) AS home_code
        FROM prompter.prompt_facts, prompter.code_secret WHERE home = '{home}'""")
    if not codes:
        return found + ["the view has no prompt"]
    safe = {row["prompt_id"]: row for row in table(
        psql, f"SELECT * FROM prompter.safe_harbor WHERE home = '{codes[0]['home_code']}'")}
    assert len(safe) == len(codes), "other prompts in safe_harbor"
    shown = {}
    for code in codes:
        row = safe[code["prompt_code"]]
        assert row["person"] == code["person_code"] and row["alarm_id"] == code["alarm_code"], row
        assert list(row)[2:] == list(hidden[0]), "the columns of safe_harbor are not those of prompts.csv"
        shown[code["id"]] = row
    coded = {"prompt_id", "person", "alarm_id"} | ({"study_id"} if study is None else set())
    wanted = {row["prompt_id"]: {name: value(name, cell) for name, cell in each.items() if name not in coded}
              for row, each in pairs}
    return found + [f"safe_harbor: {text}" for text in differences(shown, wanted)]


def stored_rows(path):
    """Returns the rows of events.csv in the form in which a home sends them."""
    rows = []
    for cells in read(path):
        row = {name: None if cells[name] == "" else int(cells[name]) if name in INTEGERS else cells[name]
               for name in COLUMNS}
        for name in ("study_id", "source"):
            row[name] = row[name] or ""
        assert row_hash(row) == row["hash"], row
        rows.append(row)
    return rows


def stored(home, psql, exports):
    """Sends the events of an export, and compares the views with the exports of the same record."""
    home.chain.rows = stored_rows(f"{exports}/limited/events.csv")
    home.enrol()
    home.catch_up()
    found = compare(psql, home.name, exports)
    assert not found, "\n".join(found)


def golden(home, psql, work):
    """The export in Tests/Golden has each type of event and each outcome. Both views show its prompts."""
    os.mkdir(f"{work}/golden")
    for profile in ("limited", "safe_harbor"):
        os.symlink(f"{ROOT}/Tests/Golden/export/frictionless-{profile}", f"{work}/golden/{profile}")
    stored(home, psql, f"{work}/golden")
    readers(psql, home.name)
    # A table with many rows makes PostgreSQL choose a parallel query. These settings make it choose one also with few
    # rows.
    psql("SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;"
         "SELECT count(scheduled_time), count(closed_time) FROM prompter.safe_harbor")


def clock_change(home, psql, programs, work):
    """A home in a crossover trial, with tasks in the night in which the clocks change."""
    subprocess.run([f"{programs}/prompter-sim", "--trial", f"{work}/trial", "--seed", "5"], check=True,
                   stdout=subprocess.DEVNULL)
    exports = f"{work}/trial/clock-change"
    night = [row for row in read(f"{exports}/limited/prompts.csv") if "@2027-03-28T02" in row["prompt_id"]]
    assert [row["rings_sounded"] for row in night] != ["0"] * len(night), night
    stored(home, psql, exports)


def readers(psql, home):
    """Each role reads its views, and nobody reads exact times and codes of the same prompts."""
    for user in ("analyst", "limited", "archive_server", "auditor"):
        for name in ("prompts", "days", "participants", "safe_harbor", "prompt_facts", "recorded_prompts", "barred_people",
                     "code_secret"):
            exact = ["prompts", "days", "participants"]
            permitted = {"analyst": ["safe_harbor"], "limited": exact, "auditor": exact}
            psql(f"SELECT * FROM prompter.{name} LIMIT 1", user=user,
                 is_refused=name not in permitted.get(user, []))
    text = psql("SELECT v::text FROM prompter.safe_harbor v", user="analyst")
    for word in (home, "D-16q4g4jx", "k3v9zz", "2026-", "P-cn16fzcc"):
        assert not [row for row in text if any(word in cell for cell in row)], word
