"""Computes the times of rules with BYSETPOS, SKIP or short windows, by a plain count.

golden_tables.py uses the functions in KINDS. Each function makes a random rule, and returns the name of its engine, the rule,
its start and its times: local times, or instants in seconds if the rule uses elapsed time. dateutil does not support SKIP, and
it chooses from a cut first period, so it cannot compute these times.
"""
import datetime as dt

import cases
from cases import DAYS, EPOCH, UTC

DAY = dt.timedelta(days=1)


def numbers(rule, name, other=()):
    return [int(v) for v in rule.parts[name].split(",")] if rule.has(name) else list(other)


def times_of_day(rule, start):
    """Returns the times of day of a rule, in seconds after midnight."""
    return sorted(
        hour * 3600 + minute * 60 + second
        for hour in numbers(rule, "BYHOUR", [start.hour])
        for minute in numbers(rule, "BYMINUTE", [start.minute])
        for second in numbers(rule, "BYSECOND", [start.second]))


def moved(places, length, skip):
    """Returns the places of the days 0 ..< length, after SKIP has replaced or removed the days that do not exist."""
    found = set()
    for place in places:
        if 0 <= place < length:
            found.add(place)
        elif skip == "FORWARD":
            found.add(max(0, min(place, length)))
        elif skip == "BACKWARD":
            found.add(length - 1)
    return found


def days_of_month(rule, year, month, start):
    first = dt.date(year, month, 1)
    length = (dt.date(year + month // 12, month % 12 + 1, 1) - first).days
    days = numbers(rule, "BYMONTHDAY", [] if rule.has("BYDAY") else [start.day])
    if not days:
        return [first + n * DAY for n in range(length)]
    places = [d - 1 if d > 0 else length + d for d in days]
    return [first + n * DAY for n in moved(places, length, rule.parts.get("SKIP"))]


def days_of_year(rule, year, start):
    first = dt.date(year, 1, 1)
    length = (dt.date(year + 1, 1, 1) - first).days
    places = [d - 1 if d > 0 else length + d for d in numbers(rule, "BYYEARDAY")]
    return [first + n * DAY for n in moved(places, length, rule.parts.get("SKIP"))]


def periods(rule, start):
    """Yields the days of each period of the rule, before BYDAY limits them."""
    step = int(rule.parts.get("INTERVAL", "1"))
    months = numbers(rule, "BYMONTH", range(1, 13))
    if rule.parts["FREQ"] == "WEEKLY":
        lead = (start.weekday() - DAYS.index(rule.parts.get("WKST", "MO"))) % 7
        first = start.date() - lead * DAY
        for week in range(0, 52 * 60, step):
            days = [first + (week * 7 + n) * DAY for n in range(7)]
            yield [d for d in days if d.month in months]
    elif rule.parts["FREQ"] == "MONTHLY":
        for number in range(start.year * 12 + start.month - 1, (start.year + 60) * 12, step):
            if number % 12 + 1 in months:
                yield days_of_month(rule, number // 12, number % 12 + 1, start)
    else:
        for year in range(start.year, start.year + 120, step):
            if rule.has("BYYEARDAY"):
                yield days_of_year(rule, year, start)
            else:
                yield [day for month in months for day in days_of_month(rule, year, month, start)]


def chosen(found, positions):
    places = {p - 1 if p > 0 else len(found) + p for p in positions}
    return [time for place, time in enumerate(found) if not positions or place in places]


def by_count(rule, start, count):
    other = DAYS[start.weekday()] if rule.parts["FREQ"] == "WEEKLY" else ",".join(DAYS)
    weekdays = rule.parts.get("BYDAY", other).split(",")
    seconds = times_of_day(rule, start)
    times = set()
    for days in periods(rule, start):
        days = sorted({d for d in days if DAYS[d.weekday()] in weekdays})
        midnights = [dt.datetime(d.year, d.month, d.day) for d in days]
        found = [midnight + dt.timedelta(seconds=s) for midnight in midnights for s in seconds]
        times |= {t for t in chosen(found, numbers(rule, "BYSETPOS")) if t >= start}
        if len(times) > count + 40:
            break
    return sorted(times)[:count]


def add_positions(rng, rule, most):
    rule.add("BYSETPOS", cases.signed(rng, rng.choice([2, most]), 3))


def add_times(rng, rule, most=3):
    rule.add("BYHOUR", sorted(rng.sample(range(24), rng.randint(1, most))))
    if rng.random() < 0.3:
        rule.add("BYMINUTE", sorted(rng.sample(range(60), rng.randint(1, most))))


def add_skip(rng, rule):
    skip = rng.choice(["FORWARD", "FORWARD", "FORWARD", "BACKWARD", "OMIT"])
    if skip != "OMIT":
        rule.add("RSCALE", "GREGORIAN")
        rule.add("SKIP", skip)
    return skip


def year_days(rng, start, zone, count):
    """Rules for days of the year, of which day 366 does not exist in most years."""
    rule = cases.Rule()
    rule.add("FREQ", "YEARLY")
    if rng.random() < 0.4:
        rule.add("INTERVAL", rng.randint(2, 5))
    days = {rng.choice([366, 366, 365, 1, 2, 59, 60, 61, -1, -365, rng.randint(1, 366)]) for _ in range(3)}
    skip = add_skip(rng, rule)
    if skip != "BACKWARD" and rng.random() < 0.3:
        days.add(-366)
    rule.add("BYYEARDAY", sorted(days))
    if rng.random() < 0.3:
        rule.add("BYDAY", cases.plain_days(rng, 5))
    if rng.random() < 0.6:
        add_times(rng, rule)
    if rng.random() < 0.7:
        add_positions(rng, rule, 6)
    return "count", rule, start, by_count(rule, start, count)


def month_days(rng, start, zone, count):
    """Rules for days of the month, with several times of day and BYSETPOS."""
    rule = cases.Rule()
    rule.add("FREQ", rng.choice(["MONTHLY", "MONTHLY", "YEARLY"]))
    if rng.random() < 0.5:
        rule.add("INTERVAL", rng.choice([2, 3, 5, 12]))
    skip = add_skip(rng, rule)
    low = 28 if skip == "BACKWARD" else 31
    if rng.random() < 0.3:
        rule.add("BYMONTH", cases.pick(rng, list(range(1, 13)), 4))
    # In a yearly rule, the first day of the next period would belong to the next month of the same year.
    top = 28 if rule.parts["FREQ"] == "YEARLY" and skip == "FORWARD" else 31
    values = {rng.choice([rng.randint(top - 3, top), rng.randint(1, top), -rng.randint(1, low)]) for _ in range(3)}
    rule.add("BYMONTHDAY", sorted(values))
    if rng.random() < 0.3:
        rule.add("BYDAY", cases.plain_days(rng, 5))
    add_times(rng, rule)
    add_positions(rng, rule, rng.choice([4, 9, 80]))
    return "count", rule, start, by_count(rule, start, count)


def weeks(rng, start, zone, count):
    """Weekly rules with BYSETPOS and several times of day, or with BYMONTH, which cuts weeks."""
    rule = cases.Rule()
    rule.add("FREQ", "WEEKLY")
    if rng.random() < 0.4:
        rule.add("INTERVAL", rng.randint(2, 5))
    if rng.random() < 0.6:
        rule.add("BYMONTH", cases.pick(rng, list(range(1, 13)), 5))
    if rng.random() < 0.9:
        rule.add("BYDAY", cases.plain_days(rng))
    add_times(rng, rule)
    add_positions(rng, rule, 6)
    if rng.random() < 0.5:
        rule.add("WKST", rng.choice(DAYS))
    return "count", rule, start, by_count(rule, start, count)


def add_units(rng, rule, frequency, positions):
    """Adds BYMINUTE and BYSECOND, and BYSETPOS, which chooses from the times of one hour or of one minute."""
    if rng.random() < 0.7:
        rule.add("BYMINUTE", sorted(rng.sample(range(60), rng.choice([1, 2, 5]))))
    if rng.random() < 0.6 or frequency == "MINUTELY":
        rule.add("BYSECOND", sorted(rng.sample(range(60), rng.choice([1, 2, 4]))))
    if positions and rng.random() < 0.7:
        add_positions(rng, rule, 6)


def clock_hours(rng, start, zone, count):
    """Hourly, minutely and secondly rules with wall-clock time."""
    rule = cases.Rule()
    frequency = rng.choice(["HOURLY", "HOURLY", "MINUTELY", "MINUTELY", "SECONDLY"])
    rule.add("FREQ", frequency)
    rule.add("BYHOUR", sorted(rng.sample(range(24), rng.randint(1, 4))))
    add_units(rng, rule, frequency, True)
    if rng.random() < 0.3:
        rule.add("BYDAY", cases.plain_days(rng, 4))
    return "dateutil", rule, start, cases.dateutil_times(rule, start, count)


def windows(rng, start, zone, count):
    """Hourly, minutely and secondly rules of elapsed time, with limits."""
    rule = cases.Rule()
    frequency = rng.choice(["HOURLY", "HOURLY", "MINUTELY", "MINUTELY", "SECONDLY"])
    rule.add("FREQ", frequency)
    top = {"HOURLY": 30, "MINUTELY": 200, "SECONDLY": 4000}[frequency]
    rule.add("INTERVAL", rng.choice([2, 3, 7, rng.randint(2, top)]))
    if rng.random() < 0.6:
        rule.add("BYHOUR", sorted(rng.sample(range(24), rng.choice([2, 6, 12]))))
    if rng.random() < 0.3:
        rule.add("BYDAY", cases.plain_days(rng, 5))
    add_units(rng, rule, frequency, str(zone) == "UTC")
    return "windows", rule, start, by_windows(rule, start, zone, min(count, 80))


def by_windows(rule, start, zone, count):
    """Returns the instants of a rule of elapsed time: the fitting seconds of each of its windows."""
    frequency = rule.parts["FREQ"]
    step = {"HOURLY": 3600, "MINUTELY": 60, "SECONDLY": 1}[frequency] * int(rule.parts["INTERVAL"])
    width = 1
    if frequency == "HOURLY" and rule.has("BYMINUTE"):
        width = 3600
    elif frequency != "SECONDLY" and rule.has("BYSECOND"):
        width = 60
    begin = int(start.replace(tzinfo=zone, fold=0).timestamp())
    shown = local(begin, zone)
    origin = begin - (shown - EPOCH).seconds % width
    # An hourly rule with BYMINUTE takes a missing BYSECOND from its start.
    seconds = numbers(rule, "BYSECOND", [shown.second] if width == 3600 else range(60))
    limits = {"hour": numbers(rule, "BYHOUR", range(24)), "minute": numbers(rule, "BYMINUTE", range(60)),
              "second": seconds}
    weekdays = rule.parts.get("BYDAY", ",".join(DAYS)).split(",")
    found = []
    for window in range(origin, origin + step * 40_000, step):
        fitting = []
        for second in range(window, window + width):
            if width > 1 and second % 60 not in seconds:
                continue
            at = local(second, zone)
            if DAYS[at.weekday()] in weekdays and all(getattr(at, unit) in values for unit, values in limits.items()):
                fitting.append(second)
        found += [s for s in chosen(fitting, numbers(rule, "BYSETPOS")) if s >= begin]
        if len(found) >= count:
            break
    return found[:count]


def local(second, zone):
    return dt.datetime.fromtimestamp(second, UTC).astimezone(zone).replace(tzinfo=None)


KINDS = [(year_days, 40), (month_days, 40), (weeks, 30), (clock_hours, 40), (windows, 50)]
