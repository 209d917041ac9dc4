"""Rows of a home's record, with the hash chain of docs/reference/LOG.md."""

import hashlib
import json

COLUMNS = (
    "seq event_id schema_version study_id person device phase type prompt_id ring_no alarm_id "
    "alarm_version tone_sha256 actor_role actor_id source wall_utc_ms tz_name utc_offset_s "
    "tzdata_version boot_id boottime_ns clock_state clock_error_ms payload payload_digest "
    "prev_hash hash").split()
GENESIS = "0" * 64


def row_hash(row):
    cells = [row[name] for name in COLUMNS[:-1]]
    return hashlib.sha256(b"".join(
        b"-;" if cell is None else b"%d:%s;" % (len(str(cell).encode()), str(cell).encode())
        for cell in cells)).hexdigest()


def line(row):
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"


def sealed(row):
    return {name: row[name] for name in ("seq", "prev_hash", "hash")}


class Chain:
    """The record of one home."""

    def __init__(self, rows=()):
        self.rows = list(rows)

    def head(self, seq=None):
        """The head after the row `seq`, as text."""
        seq = len(self.rows) if seq is None else seq
        return f"{seq}-{self.rows[seq - 1]['hash'] if seq else GENESIS}"

    def add(self, count, random, person=None, wall=1_790_000_000_000):
        for _ in range(count):
            self.add_one(random, person, wall)

    def add_one(self, random, person=None, wall=1_790_000_000_000, kind=None, prompt=None,
                payload=None):
        seq = len(self.rows) + 1
        row = dict.fromkeys(COLUMNS)
        row.update(
            seq=seq, event_id=f"{random.getrandbits(64):016x}", schema_version=1, study_id="S-1",
            person=person, device="D-00000001", type=kind or "heartbeat", prompt_id=prompt,
            actor_role="system", actor_id="prompterd", source="timer", wall_utc_ms=wall + seq,
            tz_name="Europe/Berlin", utc_offset_s=3600, tzdata_version="2026a", boot_id="b",
            boottime_ns=seq * 1000, clock_state="synced", clock_error_ms=3,
            payload=json.dumps(payload, separators=(",", ":")) if payload
            else random.choice(["{}", '{"a":"\\t\\u0000 ä \\\\N"}', '{"tab":"\t"}', "\\.", ""]),
            prev_hash=self.rows[-1]["hash"] if self.rows else GENESIS)
        row["hash"] = row_hash(row)
        self.rows.append(row)

    def body(self, after, last, is_sealed=lambda row: False):
        return "".join(
            line(sealed(row) if is_sealed(row) else row) for row in self.rows[after:last]).encode()
