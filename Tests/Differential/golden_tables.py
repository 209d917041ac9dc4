#!/usr/bin/env python3
"""Writes the golden tables of GoldenTableTests.swift with the answers of other engines.

    golden_tables.py Tests/Golden

Needs python3-dateutil and the system's tzdata. The tables depend only on SEED, on dateutil and on tzdata.

recurrence-table.txt: one rule in each line. The fields are: engine, rule, canonical rule, start, zone, first occurrences,
next occurrences after some instants, last occurrences with some ends. An occurrence is NOMINAL@SECONDS and then g (gap), f
(fold) or 2 (the second instant of a repeated local time).
recurrence-sets.txt: one set in each line. The fields are: rules, start, zone, dates, exclusions, occurrences.
zone-table.txt: one clock change in each line, with the numbers that transitions.py describes. The name is the name of a zone,
or the footer of a zone file that contains nothing else.
"""
import collections
import datetime as dt
import io
import itertools
import os
import random
import signal
import sys
import zoneinfo

from dateutil.rrule import rrulestr

import cases
import chosen_times
import transitions
from cases import DAYS, EPOCH, UTC

SEED = 20
RULES = 430
SETS = 60
ZONES = """UTC America/New_York Europe/Berlin Europe/London Australia/Lord_Howe Pacific/Apia Asia/Kolkata
 America/St_Johns Pacific/Chatham Asia/Kathmandu""".split()
ORDER = """FREQ COUNT UNTIL INTERVAL BYSECOND BYMINUTE BYHOUR BYDAY BYMONTHDAY BYYEARDAY BYWEEKNO BYMONTH BYSETPOS WKST RSCALE
 SKIP""".split()
LENGTH = 250

# An occurrence: the nominal local time, the instant in seconds, and "", "g", "f" or "2".
Due = collections.namedtuple("Due", "nominal second mark")


def text(due):
    return f"{due.nominal:%Y-%m-%dT%H:%M:%S}@{due.second}{due.mark}"


def civil(local, zone):
    """Returns the occurrence of a rule that uses wall-clock time."""
    first, second = (int(local.replace(tzinfo=zone, fold=fold).timestamp()) for fold in (0, 1))
    mark = "" if first == second else "f" if first < second else "g"
    return Due(local, first, mark)


def elapsed(second, zone):
    """Returns the occurrence of a rule that uses elapsed time."""
    moment = dt.datetime.fromtimestamp(second, UTC).astimezone(zone)
    return Due(moment.replace(tzinfo=None, fold=0), second, "2" if moment.fold else "")


def rung(dues):
    """Returns one occurrence for each instant. A time that a gap moved gives way to a time that it did not move."""
    found = {}
    for due in dues:
        if due.second not in found or found[due.second].mark == "g":
            found[due.second] = due
    return [found[second] for second in sorted(found)]


def by_dateutil(rule, start, count):
    return cases.dateutil_times(rule, start, count)


def by_union(rule, start, count):
    """Returns the times of a rule with plain and with numbered weekdays: the union of two rules."""
    parts = rule.parts["BYDAY"].split(",")
    times = set()
    for numbered in (True, False):
        half = cases.Rule()
        half.parts.update(rule.parts)
        half.parts["BYDAY"] = ",".join(d for d in parts if d[-3:-2].isdigit() == numbered)
        times |= set(cases.dateutil_times(half, start, count) or [])
    return sorted(times)[:count] or None


def by_months(rule, start, count):
    """Returns the times of BYMONTHDAY with SKIP, month by month."""
    step = int(rule.parts.get("INTERVAL", "1"))
    yearly = rule.parts["FREQ"] == "YEARLY"
    months = [int(m) for m in rule.parts.get("BYMONTH", "").split(",") if m]
    days = [int(d) for d in rule.parts.get("BYMONTHDAY", str(start.day)).split(",")]
    if yearly and not months and not rule.has("BYMONTHDAY"):
        months = [start.month]
    times = []
    for number in range(start.year * 12 + start.month - 1 - 12, (start.year + 90) * 12):
        year, month = divmod(number, 12)
        month += 1
        distance = year - start.year if yearly else number - (start.year * 12 + start.month - 1)
        if distance < 0 or distance % step or (months and month not in months):
            continue
        first = dt.datetime(year, month, 1, start.hour, start.minute, start.second)
        following = dt.datetime(year + month // 12, month % 12 + 1, 1, start.hour, start.minute, start.second)
        length, found = (following - first).days, set()
        for day in days:
            place = day - 1 if day > 0 else length + day
            if not 0 <= place < length:
                skip = rule.parts.get("SKIP", "OMIT")
                if skip == "OMIT":
                    continue
                place = length - 1 if skip == "BACKWARD" else max(0, min(place, length))
            found.add(first + dt.timedelta(days=place))
        found = sorted(found)
        if rule.has("BYSETPOS"):
            chosen = [int(p) for p in rule.parts["BYSETPOS"].split(",")]
            places = {p - 1 if p > 0 else len(found) + p for p in chosen}
            found = [t for i, t in enumerate(found) if i in places]
        times += found
    return sorted({t for t in times if t >= start})[:count]


def by_steps(rule, start, zone, count):
    """Returns the occurrences of a rule with elapsed time, step by step, from the local time at each step."""
    unit = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}[rule.parts["FREQ"]]
    step = unit * int(rule.parts.get("INTERVAL", "1"))
    wanted = {name: [int(v) for v in rule.parts[name].split(",")] for name in (
        "BYHOUR", "BYMINUTE", "BYSECOND", "BYMONTH", "BYMONTHDAY") if rule.has(name)}
    second, found = civil(start, zone).second, []
    for _ in range(60_000):
        due = elapsed(second, zone)
        at = due.nominal
        length = ((at.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)).day
        values = {"BYHOUR": [at.hour], "BYMINUTE": [at.minute], "BYSECOND": [at.second], "BYMONTH": [at.month],
                  "BYMONTHDAY": [at.day, at.day - length - 1]}
        days = rule.parts.get("BYDAY", DAYS[at.weekday()]).split(",")
        if DAYS[at.weekday()] in days and all(set(w) & set(values[n]) for n, w in wanted.items()):
            found.append(due)
            if len(found) == count:
                break
        second += step
    return found


def make_skip_rule(rng):
    rule = cases.Rule()
    rule.add("FREQ", rng.choice(["MONTHLY", "YEARLY"]))
    if rng.random() < 0.4:
        rule.add("INTERVAL", rng.randint(2, 7))
    skip = rng.choice(["OMIT", "FORWARD", "FORWARD", "BACKWARD"])
    if rng.random() < 0.3:
        rule.add("BYMONTH", cases.pick(rng, list(range(1, 13)), 4))
    if rng.random() < 0.8:
        low = 28 if skip == "BACKWARD" else 31
        values = {rng.choice([rng.randint(28, 31), rng.randint(1, 31), -rng.randint(1, low)]) for _ in range(3)}
        rule.add("BYMONTHDAY", sorted(values))
        if rng.random() < 0.3 and rule.parts["FREQ"] == "MONTHLY":
            rule.add("BYSETPOS", cases.signed(rng, 3, 2))
    if skip != "OMIT":
        rule.add("RSCALE", "GREGORIAN")
        rule.add("SKIP", skip)
    return rule


def make_steps_rule(rng):
    rule = cases.Rule()
    rule.add("FREQ", rng.choice(["HOURLY", "MINUTELY"]))
    rule.add("INTERVAL", rng.choice([2, 3, 4, 5, 6, 7, 8, 12, 24, 25, 36, 90]))
    if rng.random() < 0.6:
        rule.add("BYHOUR", sorted(rng.sample(range(24), 8)))
    if rng.random() < 0.4:
        rule.add("BYDAY", cases.plain_days(rng, 4))
    if rng.random() < 0.2:
        rule.add("BYMONTHDAY", cases.signed(rng, 31, 8))
    if rng.random() < 0.2:
        rule.add("BYMONTH", cases.pick(rng, [1, 3, 4, 10, 11, 12], 4))
    if rule.parts["FREQ"] == "MINUTELY" and rng.random() < 0.5:
        rule.add("BYMINUTE", sorted(rng.sample(range(60), 20)))
    return rule


def expand(rng):
    """Returns a rule with its engine, start, zone and nominal occurrences."""
    while True:
        kind = rng.choices(["dateutil", "months", "steps"], [70, 18, 12])[0]
        make = {"dateutil": cases.make_rule, "months": make_skip_rule, "steps": make_steps_rule}[kind]
        rule = make(rng)
        name = rng.choice(ZONES)
        zone = zoneinfo.ZoneInfo(name)
        start = near_change(rng, zone)
        if kind == "months":
            times = by_months(rule, start, LENGTH)
            if times:
                return kind, rule, start, name, [civil(t, zone) for t in times]
            continue
        if kind == "steps":
            found = by_steps(rule, start, zone, 60)
            if found:
                return kind, rule, start, name, found
            continue
        why = cases.quirk("dateutil", rule, start)
        if why == "weekly-setpos":
            # The answer of dateutil is right only if the start is the first second of a week. Therefore, move the
            # start to this second.
            first = DAYS.index(rule.parts.get("WKST", "MO"))
            start = start.replace(hour=0, minute=0, second=0) - dt.timedelta(days=(start.weekday() - first) % 7)
            why = None
        engine = by_dateutil
        if why == "mixed-byday" and not rule.has("BYSETPOS"):
            engine, why = by_union, None
        is_elapsed = cases.is_elapsed(rule)
        plain = not any(k.startswith("BY") for k in rule.parts)
        if why or (is_elapsed and not plain and name != "UTC"):
            continue
        if is_elapsed:
            begin = EPOCH + dt.timedelta(seconds=civil(start, zone).second)
            times = engine(rule, begin, LENGTH)
            dues = times and [elapsed(int((t - EPOCH).total_seconds()), zone) for t in times]
        else:
            times = engine(rule, start, LENGTH)
            dues = times and [civil(t, zone) for t in times]
        if dues:
            return engine.__name__[3:], rule, start, name, dues


def near_change(rng, zone):
    """Returns a start from 1985 to 2024. Every second start is a few days before a clock change."""
    start = dt.datetime(1985, 1, 1) + dt.timedelta(seconds=rng.randrange(40 * 31_556_952))
    start = start.replace(second=rng.choice([0, 0, 0, start.second]))
    if rng.random() < 0.5:
        return start
    for days in range(400):
        day = start + dt.timedelta(days=days)
        if zone.utcoffset(day) != zone.utcoffset(day + dt.timedelta(days=1)):
            hour = rng.choice([0, 1, 2, 2, 3])
            begin = day - dt.timedelta(days=rng.randint(0, 3))
            return begin.replace(hour=hour, minute=rng.choice([0, 15, 30, 45]), second=0)
    return start


def written(rng, rule):
    """Returns the rule with its parts in another order and its numbers in another notation."""
    parts = []
    for name, value in rule.parts.items():
        values = value.split(",")
        rng.shuffle(values)
        parts.append(f"{name}={','.join(values)}")
    rng.shuffle(parts)
    joined = ";".join(parts)
    return joined.lower() if rng.random() < 0.2 else joined


def canonical(rule):
    parts = []
    for name in ORDER:
        value = rule.parts.get(name)
        if value is None or (name, value) in (("INTERVAL", "1"), ("WKST", "MO"), ("SKIP", "OMIT")):
            continue
        if name == "RSCALE" and rule.parts.get("SKIP", "OMIT") == "OMIT":
            continue
        if name == "BYDAY":
            days = {(int(d[:-2] or 0), DAYS.index(d[-2:])) for d in value.split(",")}
            value = ",".join(f"{n or ''}{DAYS[d]}" for n, d in sorted(days))
        elif name.startswith("BY"):
            value = ",".join(str(v) for v in sorted({int(v) for v in value.split(",")}))
        parts.append(f"{name}={value}")
    return ";".join(parts)


def probes(rng, dues):
    """Returns some instants, each with the next occurrence."""
    rings = rung(dues)
    most = len(rings) - 8
    found = [f"{rings[0].second - 86_400}>{text(rings[0])}"]
    for _ in range(4 if most > 1 else 0):
        place = rng.randrange(most)
        second = rings[place].second + rng.choice([-1, 0, 1, 1800, 3599, 3600])
        following = next((r for r in rings[:most] if r.second > second), None)
        if following:
            found.append(f"{second}>{text(following)}")
    return found


def ends(rng, rule, dues):
    """Returns some values of COUNT and UNTIL, each with the last occurrence."""
    found = []
    most = max(1, len(dues) - 8)
    for count in {rng.choice([1, 2, 3]), rng.randint(1, most)}:
        if count <= most:
            found.append(f"COUNT={count}>{text(rung(dues[:count])[-1])}")
    rings = rung(dues)
    if len(rings) < 12:
        return found
    place = rng.randrange(1, len(rings) - 8)
    chosen, before = rings[place], rings[place - 1]
    moment = EPOCH + dt.timedelta(seconds=chosen.second)
    kind = rng.choice(["instant", "before", "local", "date"])
    nominal = chosen.nominal
    if kind == "instant":
        found.append(f"UNTIL={moment:%Y%m%dT%H%M%S}Z>{text(chosen)}")
    elif kind == "local" and not chosen.mark:
        found.append(f"UNTIL={nominal:%Y%m%dT%H%M%S}>{text(chosen)}")
    elif kind == "date" and not cases.is_elapsed(rule) and rings[-1].nominal.date() > nominal.date():
        last = [d for d in dues if d.nominal.date() <= nominal.date()]
        found.append(f"UNTIL={nominal:%Y%m%d}>{text(rung(last)[-1])}")
    else:
        moment -= dt.timedelta(seconds=1)
        found.append(f"UNTIL={moment:%Y%m%dT%H%M%S}Z>{text(before)}")
    return found


def expand_chosen(rng, make):
    """Returns a rule of chosen_times.py with its engine, start, zone and nominal occurrences."""
    while True:
        name = rng.choice(ZONES)
        zone = zoneinfo.ZoneInfo(name)
        engine, rule, start, dues = make(rng, near_change(rng, zone), zone, LENGTH)
        if dues:
            found = [elapsed(d, zone) if isinstance(d, int) else civil(d, zone) for d in dues]
            return engine, rule, start, name, found[:LENGTH]


def write_rule(rng, file, engine, rule, start, name, dues):
    # The order of the instants can differ from the order of the local times. Therefore, the last occurrences are not
    # certain.
    first = rung(dues[:40])[:6]
    print(engine, written(rng, rule), canonical(rule), f"{start:%Y-%m-%dT%H:%M:%S}", name, " ".join(map(text, first)),
          " ".join(probes(rng, dues)), " ".join(ends(rng, rule, dues)), sep="\t", file=file)


def write_rules(rng, file):
    for _ in range(RULES):
        write_rule(rng, file, *expand(rng))
    for make, count in chosen_times.KINDS:
        for _ in range(count):
            write_rule(rng, file, *expand_chosen(rng, make))


def make_set(rng):
    name = rng.choice(ZONES)
    zone = zoneinfo.ZoneInfo(name)
    start = near_change(rng, zone)
    rules, dues = [], set()
    for _ in range(rng.randint(0, 3)):
        rule = cases.Rule()
        rule.add("FREQ", "DAILY")
        if rng.random() < 0.4:
            rule.add("INTERVAL", rng.randint(2, 3))
        if rng.random() < 0.7:
            rule.add("BYHOUR", sorted(rng.sample([0, 1, 2, 3, 4, 20], rng.randint(1, 3))))
        rule.add("COUNT", rng.randint(3, 14))
        rules.append(rule)
        dues |= {civil(t, zone) for t in rrulestr(str(rule), dtstart=start)}
    if rng.random() < 0.3:
        rule = cases.Rule()
        rule.add("FREQ", "HOURLY")
        rule.add("INTERVAL", rng.randint(1, 5))
        rule.add("COUNT", rng.randint(3, 60))
        rules.append(rule)
        step, begin = 3600 * int(rule.parts["INTERVAL"]), civil(start, zone).second
        dues |= {elapsed(begin + step * i, zone) for i in range(int(rule.parts["COUNT"]))}
    hours = [start.hour, 1, 2, 3]
    dates = [(start + dt.timedelta(days=rng.randint(0, 9))).replace(hour=rng.choice(hours))
             for _ in range(rng.randint(1, 4))]
    dues |= {civil(t, zone) for t in dates}
    exclusions, left = [], set(dues)
    listed = sorted(dues)
    for _ in range(rng.randint(0, 8)):
        due = rng.choice(listed)
        kind = rng.choice(["local", "local", "instant", "day"])
        if kind == "local":
            exclusions.append(f"{due.nominal:%Y-%m-%dT%H:%M:%S}")
            left = {d for d in left if d.nominal != due.nominal}
        elif kind == "instant":
            exclusions.append(f"{EPOCH + dt.timedelta(seconds=due.second):%Y-%m-%dT%H:%M:%S}Z")
            left = {d for d in left if d.second != due.second}
        else:
            exclusions.append(f"{due.nominal:%Y-%m-%d}")
            left = {d for d in left if d.nominal.date() != due.nominal.date()}
    return rules, start, name, dates, exclusions, left


def write_weeks(file):
    """Writes rules for the first and the last weeks of a year, with the answers of Python's ISO calendar."""
    for number in ["1", "-1", "2", "52", "53", "-52", "-53", "1,53", "-53,-1"]:
        for start in [dt.datetime(2019, 12, 29, 8), dt.datetime(2026, 1, 1, 8)]:
            rule = cases.Rule()
            rule.add("FREQ", "YEARLY")
            rule.add("BYWEEKNO", number)
            rule.add("BYDAY", "MO,TH,SU")
            times = cases.isocalendar_times(rule, start, 20)
            rule.add("COUNT", len(times))
            print(rule, f"{start:%Y-%m-%dT%H:%M:%S}", "UTC", "", "", " ".join(text(civil(t, UTC)) for t in times),
                  sep="\t", file=file)


def write_sets(rng, file):
    for _ in range(SETS):
        rules, start, name, dates, exclusions, left = make_set(rng)
        rings = itertools.groupby(sorted(left, key=lambda d: (d.second, d.nominal)), key=lambda d: d.second)
        answer = [",".join(map(text, group)) for _, group in rings]
        print("|".join(map(str, rules)), f"{start:%Y-%m-%dT%H:%M:%S}", name,
              " ".join(f"{t:%Y-%m-%dT%H:%M:%S}" for t in dates), " ".join(exclusions), " ".join(answer), sep="\t",
              file=file)
    write_weeks(file)


# Zones, each with a first and a last year. The table contains all clock changes of these years.
ZONE_YEARS = [
    ("America/New_York", 1966, 1976), ("America/New_York", 2005, 2009), ("America/New_York", 2036, 2039),
    ("Europe/Berlin", 1940, 1950), ("Europe/Berlin", 1979, 1982), ("Europe/Berlin", 2198, 2201),
    ("Europe/London", 1939, 1948), ("Europe/London", 1967, 1973), ("Europe/Dublin", 1970, 1974),
    ("Australia/Lord_Howe", 1981, 1988), ("Pacific/Apia", 2009, 2013), ("Asia/Kolkata", 1940, 1946),
    ("Asia/Kathmandu", 1985, 1987), ("America/St_Johns", 1986, 1990), ("Pacific/Chatham", 2006, 2009),
    ("Africa/Casablanca", 2011, 2015), ("Asia/Gaza", 2009, 2014), ("Antarctica/Troll", 2004, 2008),
    ("Pacific/Kwajalein", 1968, 1994), ("America/Caracas", 2006, 2017), ("Asia/Pyongyang", 2014, 2019),
    ("Europe/Lisbon", 1990, 1997), ("Asia/Tokyo", 1947, 1952),
]
# zoneinfo differs from POSIX in three cases, so no footer here contains them: the form Jn moves J59 in a leap year, although
# only the days from J60 on follow February 29; the form n begins with 1 instead of 0; and a change in the last hours of a
# year is computed in the wrong year. ZoneTests contains the values of POSIX for the forms Jn and n.
# A footer with M2.5.4 and M2.5.5 is also left out: the order of its two changes differs from year to year, and
# Prompter and zoneinfo give different results. No zone of tzdata has such a footer.
FOOTERS = [
    "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "NZST-12NZDT,M9.5.0,M4.1.0/3",
    "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "IST-1GMT0,M10.5.0,M3.5.0/1", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
    "EET-2EEST,M3.4.4/50,M10.4.4/50", "ABC3:15:30DEF1:45:10,M1.1.1/0:00:01,M12.4.6/23:59:59",
    "AAA0BBB,J58/0,J60/0", "AAA+1BBB-1,J2/3,J364/1",
    "AAA0BBB,M6.1.0/-24:30,M7.4.3/167",
]
# The table contains all clock changes of the footers in these years.
FOOTER_YEARS = [
    (1903, 1904), (2000, 2001), (2028, 2028), (2100, 2100), (2199, 2200), (2304, 2304), (2704, 2705), (9001, 9001)]


def footer_file(footer):
    """Returns a zone file of version 2 with no clock change before its footer."""
    header = b"TZif2" + bytes(15) + bytes(19) + bytes([1, 0, 0, 0, 1])
    block = bytes(7)
    return header + block + header + block + b"\n" + footer.encode() + b"\n"


def write_zones(_, file):
    def write(name, zone, listed, first, last):
        begin, end = (int(dt.datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (first, last + 1))
        for found in transitions.changes(zone, listed, begin, end):
            print(name, *transitions.numbers(zone, found), sep="\t", file=file)

    for name, first, last in ZONE_YEARS:
        path = os.path.join(transitions.ROOT, name)
        write(name, zoneinfo.ZoneInfo(name), transitions.listed(path), first, last)
    for footer in FOOTERS:
        zone = zoneinfo.ZoneInfo.from_file(io.BytesIO(footer_file(footer)))
        for first, last in FOOTER_YEARS:
            write(footer, zone, [], first, last)


def main():
    # With the short time limit of cases.py, the tables would depend on the speed of the machine.
    cases.LIMIT = 3
    signal.signal(signal.SIGVTALRM, cases.on_alarm)
    for name, write in [("recurrence-table.txt", write_rules), ("recurrence-sets.txt", write_sets),
                        ("zone-table.txt", write_zones)]:
        with open(os.path.join(sys.argv[1], name), "w", encoding="utf-8") as file:
            write(random.Random(SEED), file)


if __name__ == "__main__":
    main()
