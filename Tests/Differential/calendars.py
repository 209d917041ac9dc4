#!/usr/bin/env python3
"""Writes calendar files, and the instants at which they ring according to other engines.

    calendars.py --seed N --count N --libical ORACLE DIRECTORY

Writes DIRECTORY/N.ics and DIRECTORY/expected.tsv. Each line of expected.tsv has three fields: the number of the file, the
name of the engine, and the instants in 2027 and 2028 as seconds since 1970, separated by spaces. The engines are
recurring-ical-events (PyPI) and libical. libical expands rules, RDATE and EXDATE with local times. This program then
applies the changes of single occurrences, and converts local times to instants as RFC 5545 section 3.3.5 says, because
libical is one hour off in skipped and repeated local times. An all-day event rings at 09:00 in Berlin.
"""
import argparse
import datetime as dt
import pathlib
import random
import subprocess
import zoneinfo

import icalendar
import recurring_ical_events

ZONES = ["Europe/Berlin", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "UTC"]
BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")
UTC = dt.timezone.utc
WINDOW = (dt.datetime(2027, 1, 1, tzinfo=UTC), dt.datetime(2028, 7, 1, tzinfo=UTC))
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


def text(time):
    return time.strftime("%Y%m%dT%H%M%S" if isinstance(time, dt.datetime) else "%Y%m%d")


def instant(local, zone):
    """Returns the instant of a local time (RFC 5545 3.3.5). A skipped local time uses the offset before the clock
    change. For a repeated local time, the result is the first instant."""
    return local.replace(tzinfo=zoneinfo.ZoneInfo(zone), fold=0).astimezone(UTC)


class Event:
    """An event with a rule, exclusions, additional dates and changed occurrences."""

    def __init__(self, dice, uid, oracle):
        self.dice, self.uid, self.oracle = dice, uid, oracle
        self.is_day = dice.random() < 0.3
        self.zone = dice.choice(ZONES)
        day = dt.date(2027, 1, 1) + dt.timedelta(days=dice.randrange(330))
        # Many of the times are in the hours in which the clocks change.
        clock = dt.time(dice.choice([0, 1, 2, 2, 2, 3, 8, 12, 20, 23]), dice.choice([0, 15, 30, 30, 45]))
        self.start = day if self.is_day else dt.datetime.combine(day, clock)
        self.rule = self.make_rule() if dice.random() < 0.85 else None
        self.exdates, self.rdates, self.changes = [], [], []
        times = self.expand()
        if not times:
            self.rule = None
        self.start = times[0] if times else self.start
        times = self.expand()
        if not self.rule:
            return
        if dice.random() < 0.5:
            self.rdates = sorted({self.near(dice.choice(times)) for _ in range(dice.randrange(1, 4))})
        times = self.expand()
        if dice.random() < 0.6 and len(times) > 2:
            self.exdates = dice.sample(times, min(len(times) - 2, dice.randrange(1, 4)))
        left = [time for time in self.expand()]
        for old in dice.sample(left, min(len(left), dice.randrange(0, 4))):
            kind = dice.random()
            if kind < 0.2:
                new = None
            elif kind < 0.45 and self.exdates:
                new = dice.choice(self.exdates)
            elif kind < 0.6 and self.changes:
                new = self.changes[-1][0]
            else:
                new = self.near(old)
            self.changes.append((old, new))

    def near(self, time):
        if self.is_day:
            return time + dt.timedelta(days=self.dice.randrange(-5, 6))
        return time + dt.timedelta(minutes=15 * self.dice.randrange(-200, 200))

    def make_rule(self):
        dice = self.dice
        kind = dice.choice(["DAILY", "DAILY", "WEEKLY", "WEEKLY", "MONTHLY", "YEARLY"])
        parts = [f"FREQ={kind}"]
        if dice.random() < 0.4:
            parts.append(f"INTERVAL={dice.randrange(2, 5)}")
        if kind == "WEEKLY" and dice.random() < 0.7:
            parts.append("BYDAY=" + ",".join(dice.sample(DAYS, dice.randrange(1, 4))))
            if dice.random() < 0.3:
                parts.append("WKST=SU")
        if kind == "MONTHLY":
            parts += dice.choice([
                [], [f"BYDAY={dice.choice([1, 2, 3, -1])}{dice.choice(DAYS)}"],
                [f"BYMONTHDAY={dice.choice([1, 15, 28, 31, -1])}"],
                ["BYDAY=MO,TU,WE,TH,FR", f"BYSETPOS={dice.choice([1, -1])}"]])
        if kind == "DAILY" and dice.random() < 0.2:
            parts.append("BYDAY=" + ",".join(dice.sample(DAYS, 4)))
        end = dice.random()
        if end < 0.45:
            parts.append(f"COUNT={dice.randrange(2, 40)}")
        elif end < 0.8:
            last = self.start + dt.timedelta(days=dice.randrange(20, 400))
            self.until = last
            parts.append("UNTIL={until}")
        return ";".join(parts)

    def rule_text(self, is_local):
        if "{until}" not in self.rule:
            return self.rule
        if self.is_day or is_local:
            return self.rule.replace("{until}", text(self.until))
        return self.rule.replace("{until}", text(instant(self.until, self.zone)) + "Z")

    def expand(self):
        """Returns the start times that libical computes, without the changes of single occurrences."""
        value = ";VALUE=DATE" if self.is_day else ""
        lines = ["BEGIN:VEVENT", f"DTSTART{value}:{text(self.start)}"]
        if self.rule:
            lines.append("RRULE:" + self.rule_text(True))
        lines += [f"RDATE{value}:{text(time)}" for time in self.rdates]
        lines += [f"EXDATE{value}:{text(time)}" for time in self.exdates]
        found = self.oracle("|".join(lines + ["END:VEVENT"]))
        times = sorted({dt.datetime.strptime(word, "%Y%m%dT%H%M%S") for word in found.split()})
        return [time.date() for time in times] if self.is_day else times

    def value(self, time, allow_utc):
        """Returns the parameters and the value of a property with a time."""
        if self.is_day:
            return f";VALUE=DATE:{text(time)}"
        if self.zone == "UTC":
            return f":{text(time)}Z"
        local = instant(time, self.zone).astimezone(zoneinfo.ZoneInfo(self.zone)).replace(tzinfo=None)
        if allow_utc and local == time and self.dice.random() < 0.3:
            return f":{text(instant(time, self.zone))}Z"
        return f";TZID={self.zone}:{text(time)}"

    def component(self, has_utc):
        """The lines of the event.

        If has_utc is true, some of its times are in UTC. recurring-ical-events confuses a time in UTC with a local
        time that has the same digits. Therefore recurring-ical-events gets the same event without times in UTC.
        """
        lines = ["BEGIN:VEVENT", f"UID:{self.uid}", "DTSTAMP:20261101T120000Z", "SUMMARY:x",
                 "DTSTART" + self.value(self.start, False)]
        if self.rule:
            lines.append("RRULE:" + self.rule_text(False))
        lines += ["RDATE" + self.value(time, has_utc) for time in self.rdates]
        lines += ["EXDATE" + self.value(time, has_utc) for time in self.exdates]
        lines.append("END:VEVENT")
        for old, new in self.changes:
            lines += ["BEGIN:VEVENT", f"UID:{self.uid}", "DTSTAMP:20261101T120000Z", "SUMMARY:x",
                      "RECURRENCE-ID" + self.value(old, has_utc), "DTSTART" + self.value(new or old, False)]
            lines += ["STATUS:CANCELLED"] if new is None else []
            lines.append("END:VEVENT")
        return lines

    def ring(self, time):
        if self.is_day:
            return instant(dt.datetime.combine(time, dt.time(9)), "Europe/Berlin")
        return instant(time, self.zone)

    def confuses(self):
        """Returns true if a removed time in UTC has the same digits as a local time of the event, or the reverse.

        In this case, recurring-ical-events removes both times.
        """
        if self.is_day or self.zone == "UTC":
            return False
        removed = self.exdates + [old for old, _ in self.changes]
        times = set(self.expand()) | {new for _, new in self.changes if new}
        def digits(all_times):
            return {instant(time, self.zone).replace(tzinfo=None) for time in all_times}
        return bool(digits(removed) & times or set(removed) & digits(times))

    def libical(self):
        moved = {old for old, _ in self.changes}
        times = [time for time in self.expand() if time not in moved]
        times += [new for _, new in self.changes if new is not None]
        return {self.ring(time) for time in times}


def calendar(events, has_utc):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//prompter//differential//EN"]
    for event in events:
        lines += event.component(has_utc)
    return "\r\n".join(lines + ["END:VCALENDAR", ""])


def recurring(calendar):
    """Returns the instants that recurring-ical-events computes."""
    found = set()
    first, last = WINDOW[0] - dt.timedelta(days=3), WINDOW[1] + dt.timedelta(days=3)
    for event in recurring_ical_events.of(icalendar.Calendar.from_ical(calendar)).between(first, last):
        if event.get("STATUS") == "CANCELLED":
            continue
        start = event["DTSTART"].dt
        if not isinstance(start, dt.datetime):
            start = dt.datetime.combine(start, dt.time(9), BERLIN)
        found.add(start.astimezone(UTC))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--libical", required=True)
    parser.add_argument("directory", type=pathlib.Path)
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([options.libical], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def oracle(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        if answer.startswith("!"):
            raise SystemExit(f"libical refused {line}")
        return answer

    dice = random.Random(options.seed)
    lines = []
    skipped = 0
    for number in range(options.count):
        events = [Event(dice, f"{number}-{index}@example", oracle) for index in range(dice.randrange(1, 4))]
        (options.directory / f"{number}.ics").write_text(calendar(events, True), newline="")
        answers = {"libical": set().union(*(event.libical() for event in events))}
        if any(event.confuses() for event in events):
            skipped += 1
        else:
            answers["recurring-ical-events"] = recurring(calendar(events, False))
        for engine, times in answers.items():
            seconds = sorted(int(time.timestamp()) for time in times if WINDOW[0] <= time < WINDOW[1])
            lines.append(f"{number}\t{engine}\t{' '.join(map(str, seconds))}")
    (options.directory / "expected.tsv").write_text("\n".join(lines) + "\n")
    process.stdin.close()
    print(f"wrote {options.count} calendars (seed {options.seed}), {skipped} of them without recurring-ical-events, "
          "which confuses times in UTC with local times")


if __name__ == "__main__":
    main()
