#!/usr/bin/env python3
"""Measures python-dateutil on one rule: dateutil_bench.py RULE START QUERY... prints JSON.

Queries are instants in seconds. The figure is the CPU time of the best run. The script makes at
most five runs within a second.
"""
import datetime as dt
import json
import sys
import time
import zoneinfo

from dateutil.rrule import rrulestr

ZONE = zoneinfo.ZoneInfo("America/New_York")


def best(action, count):
    times = []
    begin = time.process_time()
    while len(times) < 5 and time.process_time() - begin < 1:
        once = time.process_time_ns()
        action()
        times.append((time.process_time_ns() - once) / max(count, 1))
    return min(times)


def main():
    rule = rrulestr(sys.argv[1], dtstart=dt.datetime.fromisoformat(sys.argv[2]))
    queries = [int(q) for q in sys.argv[3:]]

    def ask(second):
        local = dt.datetime.fromtimestamp(second, ZONE).replace(tzinfo=None)
        found = rule.after(local)
        return int(found.replace(tzinfo=ZONE).timestamp()) if found else 2**63 - 1

    answers = [ask(q) for q in queries]
    begin, end = dt.datetime(2026, 1, 1), dt.datetime(2036, 1, 1)
    count = 0

    def expand():
        nonlocal count
        times = rule.between(begin, end, inc=True)
        count = len([int(t.replace(tzinfo=ZONE).timestamp()) for t in times])

    expand()
    # dateutil walks from the start of the rule. Do not move the start to 2026, because this would
    # change the rule.
    print(json.dumps({
        "next": best(lambda: [ask(q) for q in queries], len(queries)),
        "expansion": best(expand, count), "answers": answers}))


main()
