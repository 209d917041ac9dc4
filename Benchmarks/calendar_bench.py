#!/usr/bin/env python3
"""Measures the reading of a calendar with 10,000 events: calendar_bench.py BUILD_DIRECTORY

Compares prompter-calendar, which reads the file with libical in its sandbox, with the Python
package icalendar, in the same run. Prints the processor time and the peak memory of each process,
for the best of three runs.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

EVENTS = 10_000
PEER = """
import sys, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(sum(1 for part in calendar.walk("VEVENT")))
"""
ZONE = """BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
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
END:DAYLIGHT
END:VTIMEZONE
"""


def event(number):
    day = f"2027{number % 12 + 1:02}{number % 28 + 1:02}"
    return f"""BEGIN:VEVENT
UID:{number}@bench.example
DTSTAMP:20261101T120000Z
DTSTART;TZID=W. Europe Standard Time:{day}T080000
DTEND;TZID=W. Europe Standard Time:{day}T090000
SUMMARY:Appointment {number} with a doctor whose name is long enough for
  a second line
DESCRIPTION:Take the bus\\, line 4\\nBring the card
RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10
EXDATE;TZID=W. Europe Standard Time:{day}T080000
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Reminder
TRIGGER:-PT15M
END:VALARM
END:VEVENT
"""


def measure(words, file):
    """Returns the processor time in seconds, the peak memory in MiB and the output of a process."""
    with tempfile.TemporaryFile() as out:
        pid = os.fork()
        if pid == 0:
            os.dup2(os.open(file, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.execv(words[0], words)
        _, status, usage = os.wait4(pid, 0)
        if status != 0:
            sys.exit(f"{words[0]} ended with status {status}")
        out.seek(0)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1_024, out.read()


def main(build):
    text = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//bench//EN\n" + ZONE
    text += "".join(event(number) for number in range(EVENTS)) + "END:VCALENDAR\n"
    with tempfile.NamedTemporaryFile(suffix=".ics") as file:
        file.write(text.replace("\n", "\r\n").encode())
        file.flush()
        print(f"calendar             {EVENTS} events, {os.path.getsize(file.name) / 1e6:.1f} MB")
        ours = [os.path.join(build, "prompter-calendar"), "read", "--now", "1795248000"]
        for name, words in [("prompter-calendar", ours), ("Python icalendar", ["/usr/bin/python3", "-c", PEER])]:
            runs = [measure(words, file.name) for _ in range(3)]
            seconds, mebibytes, out = min(runs, key=lambda run: run[0])
            if words is ours:
                found = json.loads(out)["components"][0][3]
                count = sum(1 for component in found if component[0] == "VEVENT")
            else:
                count = int(out)
            if count != EVENTS:
                sys.exit(f"{name} read {count} events, not {EVENTS}")
            print(f"{name:20} {seconds:.2f} s of processor time, {mebibytes:.0f} MiB")


main(sys.argv[1])
