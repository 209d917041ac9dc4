"""Reads the record from standard input, and prints the seconds of silence around the newest restart. The silence
begins with the last event of a ring or with the stop of the daemon before the restart. The silence ends with the
first ring after the restart. If no ring has started since the restart, the script prints -1."""
import json
import sys

events = [json.loads(line) for line in sys.stdin]
start = max(i for i, e in enumerate(events) if e["type"] == "service_start")
before = [e["wall_utc_ms"] for e in events[:start] if e["type"] in
          ("ring_started", "ring_ended", "ring_uncertain", "service_stop")]
after = [e["wall_utc_ms"] for e in events[start:] if e["type"] == "ring_started"]
print(round((after[0] - before[-1]) / 1000, 3) if before and after else -1)
