#!/usr/bin/env python3
"""Checks the record of a home after a power cut: the database and the hash chain must be intact, and the record must
contain every confirmed change. The script computes the chain itself and shares no code with the daemon.

    after-the-cut.py DIRECTORY [--forget]

With --forget, the script ignores the contents of the record. In this case, the check must fail.
"""
import hashlib
import os
import sqlite3
import sys


def fail(sentence):
    sys.exit(f"after the cut: {sentence}")


directory = sys.argv[1]
record, noted = os.path.join(directory, "record.sqlite"), os.path.join(directory, "confirmed")
# If the power was cut in the middle of a write, the last line of the file is not complete. Each complete line is a
# confirmed change.
notes = open(noted, "rb").read().replace(b"\0", b"").split(b"\n")[:-1] if os.path.exists(noted) else []
notes = [note.decode() for note in notes if note]
if not os.path.exists(record) or os.path.getsize(record) == 0 and not os.path.exists(record + "-wal"):
    sys.exit(fail("no record, but something was confirmed") if notes else 0)
database = sqlite3.connect(record)
tables = {name for name, in database.execute("select name from sqlite_schema where type = 'table'")}
if "events" not in tables:
    sys.exit(fail("no events, but something was confirmed") if notes else 0)
if database.execute("pragma integrity_check").fetchone()[0] != "ok":
    fail("the database is damaged")

columns = [row[1] for row in database.execute("pragma table_info(events)")]
previous, expected = "0" * 64, 1
for row in database.execute("select * from events order by seq"):
    text = b"".join(
        b"-;" if cell is None else f"{len(str(cell).encode())}:{cell};".encode() for cell in row[:-1])
    event = dict(zip(columns, row))
    if event["seq"] != expected or event["prev_hash"] != previous:
        fail(f"row {event['seq']} does not continue the hash chain")
    if hashlib.sha256(text).hexdigest() != event["hash"]:
        fail(f"row {event['seq']} was changed after it was written")
    previous, expected = event["hash"], expected + 1

texts = [body for body, in database.execute("select body from contents")]
completed = database.execute("select count(*) from events where type = 'completed'").fetchone()[0]
if "--forget" in sys.argv:
    texts, completed = [], 0
for note in notes:
    if note.startswith("done "):
        if completed < int(note.split()[1]):
            fail(f"\"{note}\" was confirmed and is lost; {completed} are left")
    elif not any(f'"{note}"' in text for text in texts):
        fail(f"\"{note}\" was confirmed and is lost")
