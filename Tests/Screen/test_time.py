"""The clock of the screen when summer time begins and ends, at night, and after the clock of the machine was set.

The browser is in Tokyo, and its clock is right. The daemon and the page server get another time from libfaketime.
See run.sh.
"""
import datetime
import glob
import os
import sys
import time

from playwright.sync_api import sync_playwright

from home import PATIENT, Home
from speed import Wire
from view import View, check, end

# The library of the Debian package libfaketime.
FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
CONFIG = 'zone = "Europe/Berlin"\n' + PATIENT
# The time in UTC, and the texts of the clock before and after the next full minute.
NIGHTS = {
    "summer time begins": ("2027-03-28 00:59:40", "01:59", "03:00", "Saturday night", "27 March"),
    "summer time ends": ("2027-10-31 00:59:40", "02:59", "02:00", "Saturday night", "30 October"),
    "night to Tuesday": ("2027-03-29 23:59:40", "01:59", "02:00", "Monday night", "29 March"),
}


def daemon_time(home):
    """The time of the daemon, in seconds."""
    text = Wire(home.socket).ask("GET", "/v1/status")[1]["clock"]["utc"]
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def fake(folder, utc):
    """Returns words that start a program with another time. `set_clock` can change this time."""
    set_clock(folder, utc)
    # libfaketime changes the environment of the first program while this program starts. A Swift program would then
    # lose its arguments. Therefore, the first program is a second "env".
    return ["env", f"LD_PRELOAD={FAKETIME[0]}", f"FAKETIME_TIMESTAMP_FILE={folder}/time", "FAKETIME_DONT_FAKE_MONOTONIC=1",
            "FAKETIME_NO_CACHE=1", "env"]


def set_clock(folder, utc):
    """Sets the clock of the programs in steps of a whole second."""
    wanted = datetime.datetime.fromisoformat(f"{utc}+00:00").timestamp()
    with open(f"{folder}/new", "w") as file:
        file.write(f"{wanted - time.time():+.0f}\n")
    os.rename(f"{folder}/new", f"{folder}/time")


def wait_for(view, text, seconds):
    """Waits until the clock shows a text. Returns false if the clock does not show the text in time."""
    limit = time.monotonic() + seconds
    while (shown := view.page.inner_text("[data-clock=time]")) != text and time.monotonic() < limit:
        time.sleep(0.02)
    return shown == text


def minutes(homes, views):
    """Checks the clocks before and after a full minute. Returns the longest delay of a page, in seconds."""
    shown, late = {name: [] for name in views}, {}
    limit = time.monotonic() + 60
    while len(late) < len(views) and time.monotonic() < limit:
        for name, view in views.items():
            text = view.page.inner_text("[data-clock=time]")
            if text not in shown[name][-1:]:
                shown[name].append(text)
                if text == NIGHTS[name][2]:
                    late[name] = daemon_time(homes[name]) % 60
        time.sleep(0.02)
    for name, (_, before, after, day, date) in NIGHTS.items():
        check(shown[name] == [before, after], f"{name}: the clock showed {shown[name]} instead of {before} and {after}")
        # The page reads its clock once a second, so it can be up to one second late.
        check(late.get(name, 60) < 1.5, f"{name}: the daemon was {late.get(name)} s after the minute")
        words = views[name].page.inner_text("[data-clock=day]")
        check(words == day, f"{name}: the day is {words} instead of {day}")
        check(views[name].page.inner_text("[data-clock=date]").startswith(date), f"{name}: the date is not the {date}")
    return max(late.values(), default=0)


def steps(home, view, folder):
    """The clock of the machine is set forward and back."""
    for utc, shown, day in [("2027-07-14 10:30:20", "12:30", "Wednesday midday"),
                            ("2027-03-29 03:15:05", "05:15", "Sunday night"),
                            ("2026-12-31 23:05:05", "00:05", "Thursday night")]:
        set_clock(folder, utc)
        check(wait_for(view, shown, 6), f"after a step to {utc} the clock does not show {shown}")
        words = view.page.inner_text("[data-clock=day]")
        check(words == day, f"after a step to {utc} the day is {words}")


def main():
    homes = {}
    try:
        for name, expected in NIGHTS.items():
            homes[name] = Home(sys.argv[1], CONFIG, lambda folder, utc=expected[0]: fake(folder, utc))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            views = {name: View(browser, home.screen("en"), "en", "7in") for name, home in homes.items()}
            print(f"the pages showed the minute up to {minutes(homes, views):.2f} s after the daemon")
            name = "night to Tuesday"
            steps(homes[name], views[name], homes[name].directory.name)
            browser.close()
    finally:
        for home in homes.values():
            home.end()
    end("the clock of the screen")


main()
