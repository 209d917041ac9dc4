"""Kills the daemon at random moments while a person answers, and measures how fast the screen follows. See run.sh.

PROMPTER_KILLS is the number of times that the test kills the daemon (10). PROMPTER_RINGS is the number of rings that the
test measures (10).
"""
import os
import random
import sys
import time

from playwright.sync_api import sync_playwright

from home import Home
from speed import WATCH, Flood, measure, percentile, shown, spread, times
from view import View, check, end

KILLS = int(os.environ.get("PROMPTER_KILLS", "10"))
RINGS = int(os.environ.get("PROMPTER_RINGS", "10"))
chance = random.Random(int(os.environ.get("SEED", "1")))


def rings(home, view):
    """The time from a ring to its screen, and from a touch to silence."""
    found = measure(home, view, RINGS)
    painted = found["from the ring to the painted task"]
    check(len(painted) == RINGS, f"only {len(painted)} of {RINGS} rings were painted and answered")
    report(found)


def flood(home, view):
    """The time from a ring to its screen while many alarms change."""
    with Flood(home) as changes:
        painted = measure(home, view, RINGS // 10)["from the ring to the painted task"]
    print(f"{changes.count} alarms were added and removed during {len(painted)} rings")
    check(len(painted) == RINGS // 10, f"only {len(painted)} rings were painted in a flood")
    report({"from the ring to the painted task, in a flood": painted})


def report(found):
    """Prints the figures. The limits are 250 ms, 300 ms, and 1 s in a flood on a quiet machine; this one may be busy."""
    for what, values in found.items():
        print(f"figure: {what}, {spread(values)}" if values else f"{what}: no value")
        check(values and percentile(values, 0.95) <= 2_000, f"{what}: {values}")


def kills(home, view):
    """The daemon records no answer twice, and the screen shows no answer that the daemon has not recorded."""
    for number in range(KILLS):
        prompt = home.set_alarm(f"Kill {number}")
        selector = f'.end.right[data-prompt="{prompt}"]'
        if not view.wait(selector):
            return
        time.sleep(0.75)
        view.press(selector)
        time.sleep(chance.choice([0, chance.uniform(0, 0.02), chance.uniform(0, 0.3)]))
        home.kill()
        begin = time.monotonic()
        view.wait(".trouble", 20)
        check(time.monotonic() - begin < 20, "\"not connected\" took longer than 20 s")
        said = shown(view, "answered", prompt)
        home.start()
        begin = time.monotonic()
        view.wait(f'[data-answer][data-prompt="{prompt}"]', 10)
        check(time.monotonic() - begin < 5, f"kill {number}: the screen took longer than 5 s after the start of the daemon")
        # If an answer did not arrive, the page sends the answer again. Wait for this.
        time.sleep(0.5)
        completed = times(home, "completed", prompt)
        check(len(completed) <= 1, f"kill {number}: the answer is recorded {len(completed)} times")
        check(not said or completed, f"kill {number}: the screen said \"done\" without a recorded answer")
        if not completed:
            view.tap(selector)
        view.wait(f'.undo[data-prompt="{prompt}"]')
        completed = times(home, "completed", prompt)
        check(len(completed) == 1, f"kill {number}: {len(completed)} answers are recorded in the end")


def main():
    home = Home(sys.argv[1])
    try:
        url = home.screen("en")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = View(browser, url, "en", "7in")
            view.is_silent = True  # The daemon is killed on purpose, so requests of the page fail.
            view.page.evaluate(WATCH)
            view.wait("[data-clock=time]:not(:empty)")
            rings(home, view)
            kills(home, view)
            if RINGS >= 50:  # A flood also slows down the tests beside this one.
                flood(home, view)
            browser.close()
    finally:
        home.end()
    end("the outages of the screen")


main()
