"""Answers that the daemon refuses, and a daemon that does not answer. See run.sh.

A relay between the page server and the daemon holds back the events. Therefore the screen still shows an earlier
state, as in the case that two people answer at the same time.
"""
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from home import PATIENT, Home
from relay import Relay
from view import View, check, end

EVENTS = "/v1/events"
REFUSAL = "#refusal:not([hidden])"
# The screen has no option --language, and the settings of the person contain no language. Therefore, the screen shows
# these words in the language of the home.
OVER, LATER, UNDONE, TOO_LATE = ("Das ist schon vorbei.", "Das kann nicht länger warten.", "Das ist schon zurückgenommen.",
                                 "Zu spät, um das zurückzunehmen.")
FAILED = "Das hat nicht geklappt. Bitte noch einmal drücken."


def due(home, view, label, *more):
    """Sets an alarm, and waits until its task calls and its first ring has ended. Returns the id of its prompt."""
    prompt = home.set_alarm(label, *more)
    view.wait(f'.end.right[data-prompt="{prompt}"]', 20)
    # Until the ring ends, the daemon records events. At each event, the page server reads the state of the task
    # again. The test waits until this is over.
    deadline = time.monotonic() + 40
    while any(not [one for one in home.events(kind) if one["prompt_id"] == prompt] for kind in ("presented", "ring_ended")):
        if time.monotonic() > deadline:
            check(False, f"the ring of {label} did not end")
            break
        time.sleep(0.2)
    return prompt


def hold_events(relay):
    """Waits one second, so that the page server can read the changes of the newest event. Then holds back the
    events."""
    time.sleep(1)
    relay.hold(replies=[EVENTS])


def refused(view, selector, words):
    """Touches a control. At the place of the touch, the screen must show the reason why the answer is not
    possible."""
    time.sleep(0.8)
    _, y = view.middle(selector)
    view.press(selector)
    if not view.wait(REFUSAL):
        return
    said = view.page.inner_text("#refusal").strip()
    check(said == words, f"{view.name}: the refusal says {said!r} instead of {words!r}")
    box = view.page.locator("#refusal p").bounding_box()
    check(box["y"] <= y <= box["y"] + box["height"], f"{view.name}: the words are not where the touch was: {box}, {y}")
    check(box["y"] >= 0 and box["y"] + box["height"] <= view.page.viewport_size["height"], f"{view.name}: {box} is outside")


def over(view, selector):
    """After some seconds, the screen shows the true state."""
    begin = time.monotonic()
    view.page.locator(REFUSAL).wait_for(state="hidden", timeout=10_000)
    check(time.monotonic() - begin > 2, "the words were visible for less than two seconds")
    view.wait(selector)


def two_places(home, relay, view):
    """The button completes a task, and the person touches DONE at the same moment."""
    prompt = due(home, view, "Take the pills")
    hold_events(relay)
    home.ask("done", prompt)
    refused(view, ".end.right", OVER)
    check(view.page.inner_text("h1").strip() == "Take the pills", "the task disappeared before its words")
    relay.hold()
    over(view, f'.undo[data-prompt="{prompt}"]')
    check(len(home.events("completed")) == 1, "the task was completed twice")
    hold_events(relay)
    home.ask("undo", prompt)
    refused(view, ".undo", UNDONE)
    relay.hold()
    over(view, f'.end.right[data-prompt="{prompt}"]')
    home.ask("done", prompt)
    view.wait(f'.undo[data-prompt="{prompt}"]')


def no_delay_left(home, relay, view):
    prompt = due(home, view, "Water the flowers", "--delay-limit", "1")
    hold_events(relay)
    home.ask("delay", prompt)
    refused(view, ".end.left", LATER)
    relay.hold()
    over(view, f'.undo[data-prompt="{prompt}"]')
    check(len(home.events("delayed")) == 1, "a refused LATER was recorded")
    home.ask("done", prompt)


def another_calls(home, relay, view):
    """When a task begins to call, it replaces the words of the refusal at once."""
    prompt = due(home, view, "Read the letter")
    hold_events(relay)
    home.ask("done", prompt)
    refused(view, ".end.right", OVER)
    begin = time.monotonic()
    relay.hold()
    other = home.set_alarm("Open the door")
    view.wait(f'.end.right[data-prompt="{other}"]', 15)
    # The words are visible for 5 seconds.
    waited = time.monotonic() - begin
    check(waited < 4.5, f"the words of a refusal kept another task waiting: {waited:.1f} s")
    check(view.page.locator(REFUSAL).count() == 0, "the words of a refusal cover a task that calls")
    home.ask("done", other)


def hung(home, relay, view):
    """If the daemon hangs, a touch counts again after 5 s, and the daemon records the answer only once."""
    prompt = due(home, view, "Feed the cat")
    selector = f'.end.right[data-prompt="{prompt}"]'
    relay.hold(requests=[f"{prompt}/complete"])
    time.sleep(0.8)
    begin = time.monotonic()
    view.press(selector)
    view.wait(f"{selector}[data-pressed]")
    view.wait("[data-failed]:not([hidden])")
    waited = time.monotonic() - begin
    check(4 < waited < 7, f"the page waited {waited:.1f} s for a daemon that hangs")
    check(view.page.inner_text("[data-failed]").strip() == FAILED, "the page does not say that it failed")
    check(view.page.locator("[data-pressed]").count() == 0, "an end stays pressed while the daemon hangs")
    view.press(selector)
    view.wait(f"{selector}[data-pressed]")
    relay.hold()
    view.wait(f'.undo[data-prompt="{prompt}"]')
    time.sleep(1)
    check(len([one for one in home.events("completed") if one["prompt_id"] == prompt]) == 1, "an answer counts twice")


def too_late(home, relay, view):
    """UNDO arrives at the daemon after the time in which an undo is possible."""
    prompt = due(home, view, "Close the window")
    view.tap(".end.right")
    view.wait(f'.undo[data-prompt="{prompt}"]')
    answered = time.monotonic()
    time.sleep(56.5)
    relay.hold(requests=[f"{prompt}/undo"])
    view.press(".undo")
    time.sleep(max(0, answered + 60.5 - time.monotonic()))
    relay.hold()
    view.wait(REFUSAL)
    said = view.page.inner_text("#refusal").strip()
    check(said == TOO_LATE, f"a late UNDO is refused with {said!r}")
    over(view, ".idle")
    check(not [one for one in home.events("correction") if one["prompt_id"] == prompt], "a late UNDO was recorded")


def main():
    home = Home(sys.argv[1], config='language = "de"\n' + PATIENT)
    try:
        path = Path(home.directory.name) / "relay.sock"
        relay = Relay(path, home.socket)
        url = home.screen("home", language="", socket=path)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = View(browser, url, "home", "7in")
            view.may_be_refused = True
            view.wait("[data-clock=time]:not(:empty)")
            check(view.page.inner_text(".nothing") == "Heute ist nichts mehr zu tun", "the screen has not the home's language")
            two_places(home, relay, view)
            no_delay_left(home, relay, view)
            another_calls(home, relay, view)
            hung(home, relay, view)
            too_late(home, relay, view)
            browser.close()
    finally:
        home.end()
    end("the refusals of the screen")


main()
