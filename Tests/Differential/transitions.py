#!/usr/bin/env python3
"""Writes the results of Python's zoneinfo around every transition of every zone, for ZoneFileTests.swift.

    transitions.py [--from 1970] [--to 2037] > transitions.txt

Each transition has one line with three parts: the zone and the instant of the transition; the offset and
fold at each of INSTANTS seconds after the transition; and the instants of fold 0 and fold 1 at each of
LOCALS seconds around the end of the gap or fold (a local time). The script finds the transitions only
from the answers of zoneinfo, by a search day by day and then by bisection. The search also tests the
instants in the zone file, because one day can contain two transitions.
"""
import argparse
import datetime as dt
import hashlib
import os
import sys
import zoneinfo
from zoneinfo import _zoneinfo

INSTANTS = [-90000, -3601, -1, 0, 1, 1799, 3599, 3600, 7200, 90000]
LOCALS = [-86400, -7201, -7200, -3601, -3600, -1801, -1800, -1, 0, 1, 1800, 3600]
ROOT = "/usr/share/zoneinfo"
UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1)
SKIPPED = ("posix", "right", "Etc/GMT", "localtime", "posixrules")


def names():
    seen = set()
    for directory, _, files in sorted(os.walk(ROOT)):
        for file in sorted(files):
            path = os.path.join(directory, file)
            name = os.path.relpath(path, ROOT)
            with open(path, "rb") as opened:
                data = opened.read()
            digest = hashlib.sha256(data).digest()
            if data[:4] == b"TZif" and not name.startswith(SKIPPED) and digest not in seen:
                seen.add(digest)
                yield name


def offset(zone, second):
    moment = dt.datetime.fromtimestamp(second, UTC).astimezone(zone)
    return int(moment.utcoffset().total_seconds()), moment.fold


def listed(path):
    """Returns the instants in a zone file."""
    with open(path, "rb") as opened:
        return _zoneinfo.ZoneInfo.from_file(opened)._trans_utc


def changes(zone, instants, begin, end):
    """Yields the instants at which the offset changes. `instants` are the instants in the zone file."""
    probes = set(range(begin, end, 86400))
    for instant in instants:
        if begin <= instant < end:
            probes |= {instant - 1, instant}
    probes = sorted(probes)
    offsets = [offset(zone, p)[0] for p in probes]
    for index in range(1, len(probes)):
        if offsets[index] == offsets[index - 1]:
            continue
        low, high = probes[index - 1], probes[index]
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle)[0] == offsets[index - 1] else (
                low, middle)
        yield high


def instant(zone, local, fold):
    moment = (EPOCH + dt.timedelta(seconds=local)).replace(tzinfo=zone, fold=fold)
    return int(moment.timestamp())


def numbers(zone, found):
    """Returns the numbers of a line about the transition `found`."""
    values = [found]
    for delta in INSTANTS:
        values += offset(zone, found + delta)
    edge = found + max(offset(zone, found - 1)[0], offset(zone, found)[0])
    for delta in LOCALS:
        values += [instant(zone, edge + delta, 0), instant(zone, edge + delta, 1)]
    return values


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", type=int, default=1970, dest="first")
    parser.add_argument("--to", type=int, default=2037, dest="last")
    options = parser.parse_args()
    begin = int(dt.datetime(options.first, 1, 1, tzinfo=UTC).timestamp())
    end = int(dt.datetime(options.last + 1, 1, 1, tzinfo=UTC).timestamp())
    zones, count = 0, 0
    for name in names():
        zone = zoneinfo.ZoneInfo(name)
        zones += 1
        for found in changes(zone, listed(os.path.join(ROOT, name)), begin, end):
            print(name, *numbers(zone, found))
            count += 1
    print(f"{zones} zones, {count} transitions", file=sys.stderr)


if __name__ == "__main__":
    main()
