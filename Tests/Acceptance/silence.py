"""The longest silence inside the newest prompt that rang across a restart, in seconds, from the record on
standard input: from the end of what sounded (the last sign of life before the restart) to the next ring."""
import json
import sys

events = [json.loads(line) for line in sys.stdin]
start = max(i for i, e in enumerate(events) if e["type"] == "service_start")
before = [e["wall_utc_ms"] for e in events[:start] if e["type"] in
          ("ring_started", "ring_ended", "ring_uncertain", "service_stop")]
after = [e["wall_utc_ms"] for e in events[start:] if e["type"] == "ring_started"]
print(round((after[0] - before[-1]) / 1000, 3) if before and after else -1)
