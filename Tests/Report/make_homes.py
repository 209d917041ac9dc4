"""Makes exports of further homes from one export, as if each came from another device:

    python3 make_homes.py EXPORT DIRECTORY COUNT [REPEATS]

Writes the exports h001, h002, … With REPEATS, each home has the rows of its prompts and events
REPEATS times, and each copy has other prompt names.
"""
import csv
import hashlib
import io
import json
import re
import sys
from pathlib import Path

source, target, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 1
TABLES = ["prompts.csv", "rings.csv", "events.csv"]
NAME = re.compile(r"\b(?:[PD]-[0-9a-z]{8}|[a-z]-[0-9a-f]{20})\b")


def names(home, text, alarms):
    """Replaces the names of people, devices, alarms and prompts."""
    def other(found):
        old = found[0]
        digest = hashlib.sha256(f"{home} {old}".encode()).hexdigest()
        return old[:2] + digest[:len(old) - 2]
    text = NAME.sub(other, text)
    return re.sub("|".join(sorted(map(re.escape, alarms), key=len, reverse=True)), lambda m: f"{home}{m[0]}", text)


def alarms(package):
    rows = csv.DictReader(io.StringIO((package / "alarms.csv").read_text()))
    return {row["alarm_id"] for row in rows if not NAME.fullmatch(row["alarm_id"])} or {"no such text"}


known = alarms(source)
for number in range(1, count + 1):
    home = f"h{number:03}"
    out = target / home
    out.mkdir(parents=True)
    manifest = json.loads((source / "MANIFEST.json").read_text())
    for entry in manifest["files"]:
        text = (source / entry["name"]).read_text()
        if entry["name"].endswith((".csv", ".json")) and entry["name"] != "codebook.csv":
            text = names(home, text, known)
        if repeats > 1 and entry["name"] in TABLES:
            head, body = text.split("\n", 1)
            text = head + "\n" + "".join(
                body if turn == 0 or entry["name"] != "prompts.csv"
                else re.sub(r"(?m)^([^,\n]+),", rf"\g<1>x{turn},", body) for turn in range(repeats))
        (out / entry["name"]).write_text(text)
        entry["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        entry["bytes"] = len(text.encode())
    if "head" in manifest:
        manifest["head"]["hash"] = hashlib.sha256(home.encode()).hexdigest()
    (out / "MANIFEST.json").write_text(json.dumps(manifest))
