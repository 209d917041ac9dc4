"""Reads the exports of the archive, and compares them with the rows and with the own exports of the homes."""

import csv
import hashlib
import json
import os
import re
import subprocess

import views
from chain import COLUMNS, row_hash
from homes import ADMIN, PROGRAMS, psql, tool

# The columns of a row that can be null. In all other columns, an empty cell is an empty text.
OPTIONAL = {"person", "phase", "prompt_id", "ring_no", "alarm_id", "alarm_version", "tone_sha256", "clock_error_ms",
            "payload_digest"}


def read(directory):
    """Returns the manifest. Each file must have the digest, the size and the number of rows that the manifest
    states."""
    with open(f"{directory}/MANIFEST.json", encoding="utf-8") as file:
        manifest = json.load(file)
    assert {file["name"] for file in manifest["files"]} | {"MANIFEST.json"} == set(os.listdir(directory))
    for file in manifest["files"]:
        path = f"{directory}/{file['name']}"
        with open(path, "rb") as opened:
            found = opened.read()
        assert (hashlib.sha256(found).hexdigest(), len(found)) == (file["sha256"], file["bytes"]), file
        if file["rows"] is not None:
            assert len(views.read(path)) == file["rows"], file
        assert os.stat(path).st_mode & 0o777 == 0o600, file
    return manifest


def stored_row(cells):
    """Returns a row of events.csv in the form in which the home hashed it; None if the row has no content."""
    if cells["type"] == "":
        assert not any(cells[name] for name in COLUMNS[1:-2]), cells
        return None
    return {name: None if cells[name] == "" and name in OPTIONAL else int(cells[name]) if name in views.INTEGERS
            else cells[name].removeprefix("'") for name in COLUMNS}


def check_events(directory, manifest):
    """The file alone proves the hash chain of each stream, up to the head in the manifest."""
    streams = {}
    for cells in views.read(f"{directory}/events.csv"):
        streams.setdefault((cells["home"], cells["stream"]), []).append(cells)
    heads = {(home["home"], stream["stream"]): stream for home in manifest["homes"] for stream in home["streams"]}
    for key, rows in streams.items():
        for number, cells in enumerate(rows):
            row = stored_row(cells)
            assert row is None or row_hash(row) == row["hash"], cells
            assert int(cells["seq"]) == heads[key]["start_seq"] + number + 1, cells
            assert number == 0 or cells["prev_hash"] == rows[number - 1]["hash"], cells
        assert heads[key]["head"]["hash"] == rows[-1]["hash"] and heads[key]["rows"] == len(rows), key
        empty = sum(cells["type"] == "" for cells in rows)
        assert heads[key]["sealed_rows"] + heads[key]["withheld_rows"] == empty, key
    stored = psql("SELECT s.home, s.stream, s.head_seq, s.head_hash FROM prompter.streams s")
    assert {(row[0], row[1]) for row in stored} == heads.keys()
    for home, stream, seq, row_hash_text in stored:
        head = heads[home, stream]["head"]
        assert (head is None) == (seq == ""), (home, stream)
        assert head is None or (str(head["seq"]), head["hash"]) == (seq, row_hash_text), (home, stream)
        assert ((home, stream) in streams) == (seq != "")
    return streams


def compare(directory, name, own, study=None):
    """The prompts and events of a home are those of the home's own export, cell for cell.

    With `study`, the function leaves out the rows about people outside the study.
    """
    wanted = {row["prompt_id"]: row for row in views.read(f"{own}/prompts.csv") if study in (None, row["study_id"])}
    found = {row["prompt_id"]: row for row in views.read(f"{directory}/prompts.csv") if row["home"] == name}
    assert found.keys() == wanted.keys(), found.keys() ^ wanted.keys()
    for key, row in wanted.items():
        for column, cell in row.items():
            # The archive has no study of a person who was never enrolled.
            if column != "study_id" or study or cell:
                assert found[key][column] == cell, (key, column, found[key][column], cell)
        assert list(found[key]) == ["site", "home", "device", "study_day", *row], found[key]
    same_rings(directory, name, own, found)
    wanted = {row["seq"]: row for row in views.read(f"{own}/events.csv")}
    events = [row for row in views.read(f"{directory}/events.csv") if row["home"] == name]
    assert list(events[0])[:3] == ["site", "home", "stream"] and list(events[0])[3:] == list(wanted["1"])
    plain = 0
    for row in events:
        own_row = wanted.get(row["seq"])
        if own_row and row["type"]:
            assert {column: row[column] for column in own_row} == own_row, row
            plain += 1
    return len(found), plain


def same_rings(directory, name, own, prompts):
    """The rings of a home are those of the home's own export."""
    wanted = [row for row in views.read(f"{own}/rings.csv") if row["prompt_id"] in prompts]
    found = [row for row in views.read(f"{directory}/rings.csv") if row["home"] == name]
    for row in found:
        assert row.pop("site") and row.pop("home") and row.pop("device"), row
    order = sorted(range(len(wanted)), key=lambda number: (wanted[number]["prompt_id"], number))
    assert wanted and found == [wanted[number] for number in order], f"other rings of {name}"


def check(homes, work):
    """Both profiles, refusals, a chain with a fault, and the report of an export."""
    directory = f"{work}/export"
    os.mkdir(directory)
    said = tool("export", directory)
    assert "missing: never (B) never had a contact" in said and "missing: other (A) is silent" in said, said
    manifest = read(directory)
    streams = check_events(directory, manifest)
    for home in homes:
        rows = streams[home.name, home.stream]
        assert [row["hash"] for row in rows] == [row["hash"] for row in home.chain.rows[:len(rows)]]
        assert len(rows) >= home.acknowledged
    assert len(streams) > len({home for home, _ in streams}), "no home with a fork"
    missing = {home["home"]: home for home in manifest["missing"]}
    contact = psql("SELECT to_char(max(contact_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS') FROM prompter.streams "
                   "WHERE home = 'other'")[0][0]
    assert missing["never"]["reason"] == "never_heard_from" and missing["never"]["site"] == "B", missing
    assert missing["other"]["reason"] == "silent" and abs(int(missing["other"]["since_utc"][17:19]) - int(contact[17:])) <= 1
    assert homes[0].name not in missing, missing
    assert manifest["verified"]["faults"] == [] and manifest["kind"] == "archive", manifest["verified"]
    for name, own in (("golden", f"{work}/golden"), ("clock-change", f"{work}/trial/clock-change")):
        counts = compare(directory, name, f"{own}/limited")
        assert min(counts) > 20, (name, counts)
    withheld(directory, manifest)
    unreadable(said, manifest)
    refusals(directory, work)
    safe_harbor(homes, work)
    reads_report(directory)
    fault(homes[0], work)


def withheld(directory, manifest):
    """No file has the content of a person who forbids each use (see the home "consent" in cases.py)."""
    for name in ("prompts.csv", "rings.csv", "phases.csv", "events.csv"):
        with open(f"{directory}/{name}", encoding="utf-8") as file:
            text = file.read()
        assert "P-0000000a" not in text and "P-0000000b" in text, name
    counts = {home["home"]: sum(stream["withheld_rows"] for stream in home["streams"]) for home in manifest["homes"]}
    assert {home: count for home, count in counts.items() if count} == {"consent": 6}, counts
    # The flow of participants shows that the person withdrew.
    people = [(row["person"], row["arm"], row["is_withdrawn"], row["data_use"])
              for row in views.read(f"{directory}/participants.csv") if row["home"] == "consent"]
    assert people == [("P-0000000a", "x", "true", "none"), ("P-0000000a", "y", "false", ""),
                      ("P-0000000c", "x", "false", "")], people


def unreadable(said, manifest):
    """A row about a participant that the archive cannot read (see the home "consent" in cases.py) is counted."""
    assert "unreadable: consent (A), row 15: cannot read a stored erasure" in said, said
    counts = {home["home"]: sum(stream["unreadable_rows"] for stream in home["streams"]) for home in manifest["homes"]}
    assert {home: count for home, count in counts.items() if count} == {"consent": 1}, counts


def refusals(directory, work):
    before = sorted(os.listdir(work))
    assert "not empty" in refused("export", directory)
    assert "no such study" in refused("export", f"{work}/export-none", "--study", "nothing")
    assert "cannot export into" in refused("export", f"{work}/nowhere/export")
    tool("export", f"{work}/export-none", "--profile", "identified", code=64)
    assert sorted(os.listdir(work)) == before, "something remained of a refused export"
    tool("export", f"{work}/export-study", "--study", "S-1")
    assert read(f"{work}/export-study")["study"] == "S-1"


def refused(*arguments):
    result = subprocess.run([f"{PROGRAMS}/prompter-archive", *arguments, "--database", ADMIN],
                            capture_output=True, text=True)
    assert result.returncode == 2, result
    return result.stderr


def safe_harbor(homes, work):
    """The files contain no date, no hash of a row, and no name of a home or site."""
    directory = f"{work}/export-safe"
    tool("export", directory, "--profile", "safe_harbor")
    manifest = read(directory)
    own = views.read(f"{work}/golden/safe_harbor/prompts.csv")
    rows = views.read(f"{directory}/prompts.csv")
    assert list(rows[0]) == ["site", "home", *own[0]], rows[0]
    shown = psql("SELECT json_agg(v) FROM (SELECT * FROM prompter.safe_harbor ORDER BY home, prompt_id) v")
    shown = json.loads("\n".join("|".join(row) for row in shown))
    assert [{name: views.value(name, cell) for name, cell in row.items()} for row in rows] == shown
    names = [home.name for home in homes] + ["golden", "clock-change", "never"]
    hashes = {row["hash"] for home in homes for row in home.chain.rows}
    for name in ("prompts.csv", "MANIFEST.json"):
        with open(f"{directory}/{name}", encoding="utf-8") as file:
            text = file.read()
        assert not re.search(r"\d{4}-\d{2}-\d{2}|_utc", text), name
        assert not [word for word in names if f'"{word}"' in text or f",{word}," in text], name
        assert not hashes.intersection(re.findall(r"[0-9a-f]{64}", text)), name
    assert manifest["missing_homes"]["never_heard_from"] >= 1 and manifest["expected_homes"] >= 4, manifest
    assert {(home["site"], home["home"]) for home in manifest["homes"]} == {(row["site"], row["home"]) for row in rows}


def reads_report(directory):
    """`prompter report` accepts the export, and its page says that rows are missing."""
    subprocess.run([f"{PROGRAMS}/prompter", "report", directory, "--everybody", "-o", f"{directory}-report.html"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(f"{directory}-report.html", encoding="utf-8") as file:
        page = file.read()
    assert "the archive of " in page and " missing" in page
    tasks = [row for row in views.read(f"{directory}/prompts.csv") if row["is_announcement"] != "true"]
    with open(f"{os.path.dirname(directory)}/summary.csv", encoding="utf-8", newline="") as file:
        assert tasks and list(csv.DictReader(file)), "the report has no numbers"


def fault(home, work):
    """A changed row does not stop the export. The manifest names it, and the exit code is 1."""
    number = psql(f"SELECT number FROM prompter.streams WHERE stream = '{home.stream}'")[0][0]
    where = f"WHERE stream = {number} AND seq = 5"
    psql(f"UPDATE prompter.events SET source = 'x' {where}")
    said = tool("export", f"{work}/export-fault", code=1)
    psql(f"UPDATE prompter.events SET source = 'timer' {where}")
    manifest = read(f"{work}/export-fault")
    wanted = f"stream {home.stream}, row 5: the hash is not the hash of the values"
    assert f"fault: {wanted}" in said and manifest["verified"]["faults"] == [wanted], said
    faults = {stream["stream"]: stream["fault"] for each in manifest["homes"] for stream in each["streams"]}
    assert [stream for stream, text in faults.items() if text] == [home.stream], faults
