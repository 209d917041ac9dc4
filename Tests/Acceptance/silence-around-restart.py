"""Prints the seconds of silence around the newest restart, from the record on standard input: from the last event of
a ring, or the stop of the daemon, before the restart to the first ring after it. -1 if no ring has started since."""
import json
import sys

events = [json.loads(line) for line in sys.stdin]
start = max(i for i, e in enumerate(events) if e["type"] == "service_start")
before = [e["wall_utc_ms"] for e in events[:start] if e["type"] in
          ("ring_started", "ring_ended", "ring_uncertain", "service_stop")]
after = [e["wall_utc_ms"] for e in events[start:] if e["type"] == "ring_started"]
print(round((after[0] - before[-1]) / 1000, 3) if before and after else -1)
