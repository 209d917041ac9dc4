#!/usr/bin/env python3
"""Writes recurrence cases with the answers of two other engines, for DifferentialTests.swift.

    cases.py --seed N --count N [--libical PATH] > cases.tsv

Needs python3-dateutil, the system's tzdata, and for --libical the program built from
libical_oracle.c. Columns: oracle, rule, start, zone, due seconds. The rules depend only on the seed.

Both engines expand local times without a time zone. zoneinfo converts them to instants (fold 0: the offset before a gap,
the first pass of a fold), as RFC 5545 section 3.3.5 requires. Elapsed rules are expanded in UTC. If an engine violates
the standard for a kind of rule, the script does not give such a rule to this engine (see QUIRKS).
"""
import argparse
import collections
import datetime as dt
import itertools
import os
import random
import select
import signal
import subprocess
import sys
import zoneinfo

from dateutil.rrule import rrulestr

UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1)
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = """UTC America/New_York Europe/Berlin Europe/London Europe/Dublin Australia/Lord_Howe
 Pacific/Apia Africa/Casablanca Asia/Kolkata Asia/Tehran America/St_Johns Pacific/Chatham
 America/Sao_Paulo Asia/Gaza Antarctica/Troll America/Havana Africa/Cairo Asia/Amman Asia/Beirut
 America/Asuncion America/Santiago Asia/Pyongyang Europe/Lisbon Europe/Moscow Europe/Istanbul
 America/Caracas Pacific/Kiritimati Pacific/Kwajalein Asia/Kathmandu America/Scoresbysund
 America/Godthab Asia/Hovd Africa/Windhoek Africa/El_Aaiun America/Mexico_City Australia/Sydney
 Pacific/Fakaofo America/Nuuk Asia/Tokyo Atlantic/Azores""".split()

# (engine, kind, reason): the script does not give rules of this kind to this engine. The reason is the paragraph of the
# standard that the engine violates.
QUIRKS = [
    ("dateutil", "weekno-alone",
     "BYWEEKNO without BYDAY gives all seven days; RFC 5545 3.3.10: parts that a rule does not "
     "contain are taken from DTSTART, here the weekday"),
    ("dateutil", "mixed-byday",
     "MO,1FR must match both values; 3.3.10: a list is the union of its values"),
    ("dateutil", "weekly-setpos",
     "the first week is cut at DTSTART before BYSETPOS chooses; 3.3.10: BYSETPOS chooses from the "
     "whole set of one interval"),
    ("dateutil", "skip", "SKIP is not supported"),
    ("dateutil", "weekno-first-negative",
     "days of December that lie in week 1 of the next year are not found as its week -52 or -53; "
     "3.3.10: negative numbers count the same weeks from the year's end"),
    ("dateutil", "weekno-last",
     "the first days of January are assigned to the wrong week 52 or 53 (1983-01-01 lies in week 52 "
     "of 1982); 3.3.10: weeks as in ISO 8601. The engine isocalendar replaces it"),
    ("libical", "setpos-times",
     "BYSETPOS is not applied below FREQ=MONTHLY nor to the whole list of several times a day; "
     "3.3.10: it counts within the set of one interval, after all other parts"),
    ("libical", "setpos-twice",
     "a day that two values of BYMONTHDAY name is counted twice; 3.3.10: BYSETPOS counts in a set"),
    ("libical", "yearly-monthday",
     "BYMONTHDAY without BYMONTH stays in the start's month; 3.3.10, table: in FREQ=YEARLY it "
     "expands, in every month"),
    ("libical", "daily-negative-monthday",
     "negative BYMONTHDAY is lost in FREQ=DAILY; 3.3.10: -10 is the tenth to the last day"),
    ("libical", "short-limits",
     "in FREQ=HOURLY and shorter the first match keeps the start's minute or second, and INTERVAL "
     "is counted from the last match; 3.3.10: INTERVAL steps from DTSTART, limits only remove times"),
    ("libical", "weekno",
     "BYWEEKNO with 1, above 51, negative, or without BYDAY, gives other weeks; 3.3.10: weeks "
     "as in ISO 8601, -1 the last of the year, and the weekday comes from DTSTART"),
    ("libical", "skip-byday",
     "SKIP also moves weekdays of BYDAY; RFC 7529 4.1: SKIP is for dates that do not exist"),
    ("libical", "weekly-start",
     "with INTERVAL and WKST, or a start not in the rule, weeks are counted from the first match; "
     "3.3.10: INTERVAL steps from the week of DTSTART, which begins on WKST"),
]


def pick(rng, values, most):
    return sorted(rng.sample(values, rng.randint(1, min(most, len(values)))))


def signed(rng, top, most):
    values = {rng.choice([1, 1, -1]) * rng.randint(1, top) for _ in range(rng.randint(1, most))}
    return sorted(values)


class Rule:
    """A rule as a list of its parts, so that `quirk` can find its kind."""

    def __init__(self):
        self.parts = collections.OrderedDict()

    def add(self, name, values):
        values = values if isinstance(values, list) else [values]
        self.parts[name] = ",".join(str(v) for v in values)

    def __str__(self):
        return ";".join(f"{k}={v}" for k, v in self.parts.items())

    def has(self, *names):
        return any(n in self.parts for n in names)


def add_times(rng, rule):
    if rng.random() < 0.35:
        rule.add("BYHOUR", pick(rng, list(range(24)), 4))
    if rng.random() < 0.2:
        rule.add("BYMINUTE", pick(rng, list(range(60)), 3))
    if rng.random() < 0.1:
        rule.add("BYSECOND", pick(rng, list(range(60)), 3))


def add_positions(rng, rule, top):
    if rng.random() < 0.25 and any(k.startswith("BY") for k in rule.parts):
        rule.add("BYSETPOS", signed(rng, rng.choice([2, 5, top]), 3))


def plain_days(rng, most=7):
    return sorted(rng.sample(DAYS, rng.randint(1, most)), key=DAYS.index)


def ordinal_days(rng, top):
    return [f"{n}{rng.choice(DAYS)}" for n in signed(rng, top, 3)]


def make_rule(rng):
    rule = Rule()
    freq = rng.choices(
        ["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"],
        [30, 30, 14, 12, 6, 5, 3])[0]
    rule.add("FREQ", freq)
    if rng.random() < 0.4:
        top = {"YEARLY": 6, "MONTHLY": 18, "WEEKLY": 8, "DAILY": 40}.get(freq, 100)
        rule.add("INTERVAL", rng.randint(2, top))
    if freq in ("HOURLY", "MINUTELY", "SECONDLY"):
        make_short(rng, rule, freq)
        return rule
    if rng.random() < 0.3:
        rule.add("BYMONTH", pick(rng, list(range(1, 13)), 4))
    if freq == "YEARLY":
        kind = rng.choice(["", "monthday", "yearday", "weekno", "day", "nday", "nday", "both"])
        if kind == "yearday":
            rule.add("BYYEARDAY", signed(rng, 366, 4))
        if kind == "weekno":
            rule.add("BYWEEKNO", signed(rng, 53, 3))
            if rng.random() < 0.8:
                rule.add("BYDAY", plain_days(rng))
        if kind in ("monthday", "both"):
            rule.add("BYMONTHDAY", signed(rng, 31, 4))
        if kind in ("day", "both"):
            rule.add("BYDAY", plain_days(rng, 3))
        if kind == "nday":
            rule.add("BYDAY", ordinal_days(rng, 5 if rule.has("BYMONTH") else 53))
    elif freq == "MONTHLY":
        kind = rng.choice(["", "monthday", "monthday", "day", "nday", "nday", "both", "mixed"])
        if kind in ("monthday", "both"):
            rule.add("BYMONTHDAY", signed(rng, 31, 4))
        if kind in ("day", "both"):
            rule.add("BYDAY", plain_days(rng, 5))
        if kind == "nday":
            rule.add("BYDAY", ordinal_days(rng, 5))
        if kind == "mixed":
            rule.add("BYDAY", [rng.choice(DAYS)] + ordinal_days(rng, 5))
    else:
        if rng.random() < 0.6:
            rule.add("BYDAY", plain_days(rng))
        if freq == "DAILY" and rng.random() < 0.2:
            rule.add("BYMONTHDAY", signed(rng, 31, 4))
    add_times(rng, rule)
    add_positions(rng, rule, 20)
    if rng.random() < 0.4:
        rule.add("WKST", rng.choice(DAYS))
    if freq in ("YEARLY", "MONTHLY") and rng.random() < 0.12 and not rule.has("BYWEEKNO"):
        rule.add("RSCALE", "GREGORIAN")
        rule.add("SKIP", rng.choice(["OMIT", "FORWARD", "BACKWARD"]))
    # Do not generate a day that counts from the end of the month and moves back. Such a day could move into the month
    # before.
    reaches_back = any(int(d) < -28 for d in rule.parts.get("BYMONTHDAY", "1").split(","))
    if rule.parts.get("SKIP") == "BACKWARD" and reaches_back:
        rule.add("SKIP", "FORWARD")
    return rule


def make_short(rng, rule, freq):
    """Plain steps, wall-clock times (INTERVAL=1 with BYHOUR or BYMINUTE), or limits in UTC."""
    kind = rng.choice(["plain", "civil", "limits"])
    if kind == "plain":
        return
    if kind == "civil":
        rule.parts.pop("INTERVAL", None)
        rule.add("BYHOUR", pick(rng, list(range(24)), 4))
    if rng.random() < 0.5:
        rule.add("BYMINUTE", pick(rng, list(range(60)), 4))
    if rng.random() < 0.3:
        rule.add("BYSECOND", pick(rng, list(range(60)), 3))
    if rng.random() < 0.4:
        rule.add("BYDAY", plain_days(rng))
    if rng.random() < 0.2:
        rule.add("BYMONTH", pick(rng, list(range(1, 13)), 4))
    if rng.random() < 0.2:
        rule.add("BYMONTHDAY", signed(rng, 31, 4))
    if rng.random() < 0.1:
        rule.add("BYYEARDAY", signed(rng, 366, 4))
    if rng.random() < 0.4 and kind == "limits":
        rule.add("BYHOUR", pick(rng, list(range(24)), 4))
    add_positions(rng, rule, 3)


def is_elapsed(rule):
    short = rule.parts["FREQ"] in ("HOURLY", "MINUTELY", "SECONDLY")
    return short and (rule.has("INTERVAL") or not rule.has("BYHOUR", "BYMINUTE"))


def quirk(engine, rule, start):
    """Returns the kind in QUIRKS because of which the script does not give a rule to an engine; None if there is no such
    kind."""
    ordinals = {bool(d.lstrip("+-")[0].isdigit()) for d in rule.parts.get("BYDAY", "MO").split(",")}
    freq = rule.parts["FREQ"]
    found = []
    if rule.has("BYWEEKNO") and not rule.has("BYDAY"):
        found.append("weekno-alone")
    if {"-52", "-53"} & set(rule.parts.get("BYWEEKNO", "").split(",")):
        found.append("weekno-first-negative")
    if {"52", "53"} & set(rule.parts.get("BYWEEKNO", "").split(",")):
        found.append("weekno-last")
    if len(ordinals) == 2:
        found.append("mixed-byday")
    if freq == "WEEKLY" and rule.has("BYSETPOS"):
        found.append("weekly-setpos")
    if rule.has("SKIP"):
        found.append("skip")
    found += libical_quirks(rule, start)
    for name, what, _ in QUIRKS:
        if name == engine and what in found:
            return what
    return None


def libical_quirks(rule, start):
    freq = rule.parts["FREQ"]
    limited = any(k.startswith("BY") for k in rule.parts)
    found = []
    times = [len(rule.parts.get(k, "1").split(",")) for k in ("BYHOUR", "BYMINUTE", "BYSECOND")]
    if rule.has("BYSETPOS") and (max(times) > 1 or freq not in ("MONTHLY", "YEARLY")):
        found.append("setpos-times")
    month_days = rule.parts.get("BYMONTHDAY", "1").split(",")
    if rule.has("BYSETPOS") and len({int(d) > 0 for d in month_days}) == 2:
        found.append("setpos-twice")
    if freq == "YEARLY" and rule.has("BYMONTHDAY") and not rule.has("BYMONTH"):
        found.append("yearly-monthday")
    if freq not in ("MONTHLY", "YEARLY") and "-" in rule.parts.get("BYMONTHDAY", ""):
        found.append("daily-negative-monthday")
    if freq in ("HOURLY", "MINUTELY", "SECONDLY") and limited:
        found.append("short-limits")
    weeks = rule.parts.get("BYWEEKNO", "")
    if any(int(w) < 2 or int(w) > 51 for w in weeks.split(",") if w) or (
            weeks and not rule.has("BYDAY")):
        found.append("weekno")
    if rule.has("SKIP") and rule.has("BYDAY"):
        found.append("skip-byday")
    if freq == "WEEKLY" and rule.has("INTERVAL"):
        days = rule.parts.get("BYDAY", DAYS[start.weekday()]).split(",")
        months = rule.parts.get("BYMONTH", str(start.month)).split(",")
        is_start = DAYS[start.weekday()] in days and str(start.month) in months
        if not is_start or max(times) > 1 or rule.has("BYHOUR", "BYMINUTE", "BYSECOND") or (
                rule.parts.get("WKST", "MO") != "MO"):
            found.append("weekly-start")
    return found


# Most answers need some milliseconds. If an engine searches for longer, it will not find a time. The limit is in seconds
# of processor time, so that other programs on the machine do not change the cases.
LIMIT = 0.3


class Timeout(Exception):
    pass


def on_alarm(*_):
    raise Timeout


def dateutil_times(rule, start, count):
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT)
    try:
        return list(itertools.islice(rrulestr(str(rule), dtstart=start), count))
    except (Timeout, ValueError):  # ValueError: dateutil refuses sets that are always empty
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def isocalendar_times(rule, start, count):
    """Returns the times of BYWEEKNO with weeks from Monday, by Python's ISO calendar; None for other rules."""
    if set(rule.parts) - {"FREQ", "BYWEEKNO", "BYDAY"} or not rule.has("BYWEEKNO"):
        return None
    days = rule.parts.get("BYDAY", DAYS[start.weekday()]).split(",")
    times = []
    for year in range(start.year - 1, start.year + 60):
        weeks = dt.date(year, 12, 28).isocalendar()[1]
        for week in {int(w) if int(w) > 0 else weeks + 1 + int(w)
                     for w in rule.parts["BYWEEKNO"].split(",")}:
            if 1 <= week <= weeks:
                for day in days:
                    date = dt.date.fromisocalendar(year, week, DAYS.index(day) + 1)
                    times.append(dt.datetime.combine(date, start.time()))
    return sorted(t for t in times if t >= start)[:count]


class Libical:
    def __init__(self, path):
        self.path, self.process = path, None

    def times(self, rule, start, count):
        if not self.process:
            self.process = subprocess.Popen(
                [self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        line = f"{rule}\t{start:%Y%m%dT%H%M%S}\t{count}\n"
        self.process.stdin.write(line.encode())
        answer, begun = b"", self.used()
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], 0.05)
            if not ready and self.used() - begun < LIMIT:
                continue
            chunk = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not chunk:
                self.process.kill()
                self.process.wait()
                self.process = None
                return None
            answer += chunk
        words = answer.decode().split()
        if words[:1] == ["!"]:
            return None
        return [dt.datetime.strptime(w, "%Y%m%dT%H%M%S") for w in words]


    def used(self):
        """Returns the processor time that the process has used, in seconds."""
        with open(f"/proc/{self.process.pid}/stat", encoding="utf-8") as file:
            return int(file.read().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")


def seconds(local, zone):
    return int(local.replace(tzinfo=zone, fold=0).timestamp())


def due(times, zone, count):
    """Returns the first `count` instants, sorted and unique. `times` contains more elements, because the order of the
    instants can differ from the order of the local times."""
    return sorted({seconds(t, zone) for t in times})[:count]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--libical")
    parser.add_argument("--ring", type=int, default=30, help="due times per case")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, on_alarm)
    rng = random.Random(options.seed)
    libical = Libical(options.libical) if options.libical else None
    tally = collections.Counter()
    extra = 8
    while tally["cases"] < options.count:
        rule = make_rule(rng)
        zone_name = rng.choice(ZONES)
        start = dt.datetime(1971, 1, 1) + dt.timedelta(seconds=rng.randrange(65 * 31_556_952))
        if rng.random() < 0.8:
            start = start.replace(second=0)
        elapsed = is_elapsed(rule)
        limits = any(k.startswith("BY") for k in rule.parts)
        if elapsed and limits:
            zone_name = "UTC"
        zone = zoneinfo.ZoneInfo(zone_name)
        shown = start
        if elapsed and not limits:
            # Expand the rule in UTC from the instant of the start.
            instant = seconds(start, zone)
            start, zone = EPOCH + dt.timedelta(seconds=instant), UTC
        engines = [("dateutil", dateutil_times)]
        if rule.has("BYWEEKNO"):
            engines.append(("isocalendar", isocalendar_times))
        if libical:
            engines.append(("libical", libical.times))
        tally["cases"] += 1
        for engine, expand in engines:
            why = quirk(engine, rule, start)
            if why:
                tally[f"{engine} skipped: {why}"] += 1
                continue
            times = expand(rule, start, options.ring + extra)
            if times is None:
                tally[f"{engine} gave no answer"] += 1
                continue
            tally[engine] += 1
            answers = due(times, zone, options.ring)
            print(engine, rule, shown.strftime("%Y-%m-%dT%H:%M:%S"), zone_name,
                  " ".join(map(str, answers)), sep="\t")
    print(f"seed {options.seed}:", dict(tally), file=sys.stderr)


if __name__ == "__main__":
    main()
