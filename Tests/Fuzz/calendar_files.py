"""Reads malformed calendar files with prompter-calendar: calendar_files.py PROGRAM SECONDS SEED.

Each file has its own process. The process must end with a tree, or at the limit of its lines or its processor
time, and must not need more than its memory limit. With 0 seconds, the script reads 250 files. Large files come
first, because they need the most time and memory.
"""
import json
import random
import signal
import sys
import time

import children

MEBIBYTES, SECONDS = 1_024, 21.0
NOW = "1795248000"

ZONE = """BEGIN:VTIMEZONE
TZID:(UTC+01:00) Amsterdam, Berlin
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
RDATE:20270301T020000,20280301T020000
END:DAYLIGHT
END:VTIMEZONE
"""
EVENT = """BEGIN:VEVENT
UID:1@x
DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin":20270303T080000
SUMMARY:M\u00fcsli \U0001f600 with a text that is long enough for
  a fold
DESCRIPTION;ALTREP="cid:x":<p>Take <b>two</b> &amp; water<br>now</p>
RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=6
EXDATE:20270310T070000Z,20270317T070000Z
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER;RELATED=START:-PT15M
END:VALARM
END:VEVENT
"""
OLD = """BEGIN:VEVENT
DTSTART:20270303T080000
SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCsli =
und Gl=FCck=0D=0A=

RRULE:MP1 1+ MO 2- FR #10
DALARM:20270303T075000;PT5M;2;x
END:VEVENT
"""
TOKENS = [b":", b";", b"=", b"\r\n", b"\n ", b"\r", b"\x00", b"\"", b"<", b"&", b">", b"\xff", b"\xc3", b"BEGIN:VEVENT\n",
          b"END:VEVENT\n", b"BEGIN:VCALENDAR\n", b"END:VCALENDAR\n", b"BEGIN:STANDARD\n", b"RRULE:FREQ=YEARLY;INTERVAL=-1\n",
          b"RRULE:FREQ=SECONDLY\n", b"DTSTART:99991231T235959\n", b"TZOFFSETTO:+9999\n", b"=3D", b"%s%n", b"X" * 200]


def calendar(version, *parts):
    return f"BEGIN:VCALENDAR\r\nVERSION:{version}\r\n{''.join(parts)}END:VCALENDAR\r\n".replace("\n", "\r\n")


CORPUS = [calendar("2.0", ZONE, EVENT, EVENT).encode(), calendar("1.0", OLD, OLD).encode("latin-1"),
          b"\xff\xfe" + calendar("2.0", EVENT).encode("utf-16-le"), calendar("2.0", ZONE * 3).encode()]


def large():
    """Files of about 10 MiB that are slow or need much memory in a careless reader."""
    size = 10 << 20
    head, tail = b"BEGIN:VCALENDAR\nBEGIN:VEVENT\n", b"\nEND:VEVENT\nEND:VCALENDAR\n"
    room = size - len(head) - len(tail) - 100
    yield "as many lines as possible", head + b"A:\n" * 999_990 + tail
    yield "short lines", head + b"A:\n" * (room // 3) + tail
    yield "one line", head + b"DESCRIPTION:" + b"x" * room + tail
    yield "folds", head + b"DESCRIPTION:x" + b"\n y" * (room // 3) + tail
    yield "tags", head + b"DESCRIPTION:" + b"<a " * (room // 3) + tail
    yield "components", b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * (room // 24) + b"END:VCALENDAR\n"
    yield "open components", b"BEGIN:VCALENDAR\n" + b"BEGIN:X\n" * (room // 8)
    yield "parameters", head + b"X" + b";A=b" * (room // 4) + b":x" + tail
    yield "zones", b"BEGIN:VCALENDAR\n" + ZONE.encode() * (room // len(ZONE)) + b"END:VCALENDAR\n"
    yield "dates", head + b"EXDATE:" + b"20270310T070000Z," * (room // 17) + tail
    yield "no letters", bytes(range(128, 256)) * (size // 128)
    yield "soft breaks", head + b"SUMMARY;ENCODING=QUOTED-PRINTABLE:x" + b"=\nx" * (room // 3) + tail


def malformed(dice):
    """Returns a malformed file, made from a good one."""
    file = bytearray(dice.choice(CORPUS))
    for _ in range(dice.randint(1, 12)):
        place = dice.randrange(len(file) + 1)
        kind = dice.randrange(7)
        if kind == 0:
            del file[place:]
        elif kind == 1:
            file[place:place] = dice.choice(TOKENS) * dice.choice([1, 1, 1, 3, 500])
        elif kind == 2:
            del file[place:place + dice.randint(1, 60)]
        elif kind == 3:
            other = dice.choice(CORPUS)
            start = dice.randrange(len(other))
            file[place:place] = other[start:start + dice.randint(1, 400)]
        elif kind == 4:
            file[place:place] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 40)))
        elif kind == 5 and len(file) < 100_000:
            file *= dice.randint(1, 4)
        elif file:
            file[dice.randrange(len(file))] = dice.randrange(256)
    return bytes(file[:10 << 20])


def main(program, seconds, seed):
    dice = random.Random(seed)
    findings = children.Findings(SECONDS, MEBIBYTES)
    count, ended, crowded, longest = 0, 0, 0, ""
    end = time.monotonic() + seconds

    def check(name, file):
        nonlocal count, ended, crowded, longest
        code, took, out, errors = children.run([program, "read", "--now", NOW], file, timeout=600)
        count += 1
        reason = None
        if code == 0:
            tree = json.loads(out)
            if not tree["components"] and not tree["notes"]:
                reason = "it gave neither a component nor a note"
        elif code == 4 and b" lines" in errors:
            # Each line of a file needs memory. Therefore, the program limits the number of lines.
            crowded += 1
        elif code in (-signal.SIGKILL, -signal.SIGXCPU) and took > SECONDS - 4:
            # The sandbox ended the process because of the limit of processor time. The caretaker gets this reason.
            # Only a debug build reaches this limit.
            ended += 1
        else:
            reason = f"it ended with {code}: {errors[-200:]!r}"
        if findings.check(f"calendar-{seed}-{count}.ics", file, took, reason):
            longest = name

    for name, file in large():
        check(name, file)
    number = 0
    while number < 250 if seconds == 0 else time.monotonic() < end:
        number += 1
        check("malformed", malformed(dice))
    findings.end(f"{count} malformed calendar files of seed {seed}: {ended} ended at the limit of time, {crowded} at the limit of lines, longest: {longest}")


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
