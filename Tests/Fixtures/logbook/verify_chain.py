#!/usr/bin/env python3
"""Recomputes the hash chain from events.csv (profile identified or limited) or record.sqlite.

usage: verify_chain.py FILE [HEAD_HASH]
Prints "ok EVENTS HEAD", or names the first bad row and exits with 1.
"""
import csv, hashlib, sqlite3, sys

COLUMNS = """seq event_id schema_version study_id person device phase type prompt_id ring_no alarm_id
    alarm_version tone_sha256 actor_role actor_id source wall_utc_ms tz_name utc_offset_s
    tzdata_version boot_id boottime_ns clock_state clock_error_ms payload payload_digest prev_hash
    """.split()
NULLABLE = """person phase prompt_id ring_no alarm_id alarm_version tone_sha256 clock_error_ms
    payload_digest""".split()

def rows(path):
    if path.endswith(".csv"):  # "" is null where null can be; one "'" in front is for spreadsheets
        for row in csv.DictReader(open(path, newline="", encoding="utf-8")):
            yield {k: None if k in NULLABLE and v == "" else v[v.startswith("'"):]
                   for k, v in row.items()}
    else:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        db.row_factory = sqlite3.Row
        yield from db.execute("SELECT * FROM events ORDER BY seq")

def encoded(value):  # "-;", or the number of UTF-8 bytes, ":", the bytes, ";"
    data = b"" if value is None else str(value).encode()
    return b"-;" if value is None else b"%d:%s;" % (len(data), data)

count, head = 0, "0" * 64
for row in rows(sys.argv[1]):
    digest = hashlib.sha256(b"".join(encoded(row[name]) for name in COLUMNS)).hexdigest()
    if (int(row["seq"]), row["prev_hash"], row["hash"]) != (count + 1, head, digest):
        sys.exit(f"row {count + 1} is missing or was changed after it was written")
    count, head = count + 1, digest
if len(sys.argv) > 2 and sys.argv[2] != head:
    sys.exit(f"the head is {head}: its end was cut off, or all rows were written again")
print("ok", count, head)
