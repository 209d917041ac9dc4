"""Drives the screens with questions, and the messages that ask for yes or no. See run.sh.

Each language has its own page server, so the three screens ask the questions side by side. The first screen that
answers the last question sends its answers. The other screens then show that the questions are answered.
"""
import http.client
import json
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

import test_screen
from home import Home
from test_screen import everywhere
from view import LANGUAGES, SIZES, View, check, end

MARKUP = "<img src=x onerror=b>"
LONG = "Please think of the whole day and of the night before. " * 3
QUESTIONS = [
    "pain=scale How bad is the pain, from 0 to 10?",
    "weight=number(kg, 30..200) What do you weigh?",
    "heat=temperature(optional) How warm are you?",
    f"feels=choices(cough|fever|cold={MARKUP}) What do you feel?",
    "where=choices(a=In the bedroom beside the large window|b=In the kitchen|c=In the garden) Where were you?",
    "mood=mood How do you feel?",
    f"slept=yes_no {LONG}Did you sleep well?",
    "note=text(optional) Is there anything else that you would like to tell us?",
]


def key(text):
    return f"[data-answer='{text}']"


def press(view, selector):
    """Touches the middle of a key. The screen stays the same, so the person does not wait."""
    for _ in range(50):
        # The page replaces its keys after each touch. Between the old keys and the new keys, the page has no key.
        if view.page.locator(selector).bounding_box():
            break
        time.sleep(0.05)
    view.press(selector)
    time.sleep(0.05)


def steps(views, turn):
    """Returns one page for each language. The turns alternate between the small pages and the large pages."""
    return views[:3] if turn % 2 else views[3:]


def give(views, turn, *inputs):
    """Touches the same keys on the screen of each language."""
    time.sleep(0.8)
    for view in steps(views, turn):
        for one in inputs:
            press(view, key(one))


def draft(views, text):
    """Waits until each page shows the typed text."""
    for view in views:
        for _ in range(50):
            shown = view.page.inner_text(".draft").replace(",", ".").strip()
            if shown == text:
                break
            time.sleep(0.1)
        check(shown == text, f"{view.name}: the draft is {shown} instead of {text}")


def add(home, label, *more):
    asked = [word for question in QUESTIONS for word in ("--ask", question)]
    home.ask("add", label, "--schedule", "in 2 seconds", "--rings", "20", *(more or asked))


def look(views, selector, screen, pictures):
    """Measures a screen without a check by axe, because the screen has no new colours and no new kind of key."""
    for view in views:
        view.wait(selector)
    for view in views:
        view.measure(screen, pictures)


def messages(home, views, pictures):
    for text, choice, way in [("Would you like tea?", "no", "tap"), ("Shall Anna come?", "yes", "slide")]:
        home.ask("say", text, "--answer", "yes_no")
        if choice == "no":
            everywhere(views, ".end.choice.right", "yes-or-no", pictures)
        for view in views:
            view.wait(".end.choice.right")
        view = views[0]
        if way == "tap":
            view.tap(key("pick no"))
        else:
            time.sleep(0.8)
            view.slide(key("pick yes"))
        everywhere(views, ".answered", f"said-{choice}", pictures)
        if choice == "no":
            # The person touched the wrong answer. The person undoes this answer, and gives the right answer after the
            # next sound.
            view.tap(".undo")
            for one in views:
                one.wait(".end.choice.right")
            row = next(row for row in home.ask("messages")["messages"] if row["text"] == text)
            check((row["state"], row["answer"]) == ("sounded", None), f"{text} after the undo: {row}")
            view.tap(key("pick no"))
            for one in views:
                one.wait(".answered")
        row = next(row for row in home.ask("messages")["messages"] if row["text"] == text)
        check((row["state"], row["answer"]) == ("answered", choice), f"{text}: {row['state']}, {row['answer']}")
    check({one.get("source") for one in home.events("response")} == {"screen"}, "a response does not name the screen")


def outage(home, views):
    """The typed text survives a reload of the page and an outage of the daemon."""
    home.kill()
    for view in views:
        view.wait(".trouble", 20)
    home.start()
    for view in views:
        view.wait(".draft", 20)
    views[0].page.reload()
    views[0].wait(".draft")
    draft(views, "70.5 kg")


def refusals(view):
    """Touches on keys that the screen does not show."""
    address = urlsplit(view.url).netloc
    good = {"Host": address, "Origin": f"http://{address}", "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json"}
    prompt = view.page.get_attribute(".keys .key", "data-prompt")
    right = {"prompt": prompt, "question": "pain", "answer": "pick 7", "key": "0123456789abcdef"}
    for change, headers, status in [
            ({"question": "weight"}, {}, 409), ({"prompt": "x@2026-12-01T08:00:00"}, {}, 409),
            ({"answer": "pick 11"}, {}, 409), ({"answer": "type 7"}, {}, 409), ({"answer": "jump"}, {}, 400),
            ({"key": "short"}, {}, 400), ({"answer": "pick " + "7" * 5_000}, {}, 413), ({}, {"Host": "evil"}, 421),
            ({}, {"Origin": "http://evil"}, 403), ({}, {"Content-Type": "text/plain"}, 415)]:
        connection = http.client.HTTPConnection(address, timeout=5)
        connection.request("POST", "/question", json.dumps({**right, **change}), {**good, **headers})
        reply = connection.getresponse()
        check(reply.status == status, f"a touch with {change} {headers} got {reply.status} instead of {status}")


def check_in(home, views, pictures):
    """All kinds of questions after DONE."""
    add(home, "Evening questions")
    for view in views:
        view.wait(".end.right")
    views[0].tap(".end.right")
    everywhere(views, "[data-layout=scale]", "question-scale", pictures)
    check(len(home.events("completed")) - test_screen.before == 1, "DONE is not recorded before the questions")
    check(views[0].page.locator("[data-answer=undo]").count() == 1, "the first question has no UNDO")
    refusals(views[0])
    give(views, 0, "pick 7")
    for view in views:
        view.wait("[data-layout=pad]")
    give(views, 1, "type 7", "type 0", "type .", "type 5")
    draft(views, "70.5 kg")
    look(views, "[data-layout=pad]", "question-number", pictures)
    outage(home, views)
    give(views, 1, "next")
    for view in views:
        view.wait(key("skip"))
    give(views, 0, "type 9")
    everywhere(views, ".range", "question-range", pictures)
    give(views, 0, "delete", "skip")
    everywhere(views, "[data-layout=columns]", "question-choices", pictures)
    for view in views:
        check(MARKUP in view.page.inner_text(".keys"), f"{view.name}: the markup of a choice is not shown as text")
    give(views, 1, "toggle cold", "toggle fever", "next")
    look(views, "[data-layout=rows]", "question-rows", pictures)
    give(views, 0, "toggle b", "more")
    for view in views:
        view.wait(key("pick none"))
    give(views, 1, "more")
    for view in views:
        view.wait(key("toggle b"))
    give(views, 1, "next")
    everywhere(views, "[data-layout=faces]", "question-mood", pictures)
    give(views, 0, "pick good")
    look(views, "[data-layout=read]", "question-long", pictures)
    give(views, 1, "next")
    look(views, "[data-layout=two]", "question-yes-no", pictures)
    give(views, 0, "back")
    for view in views:
        view.wait("[data-layout=read]")
    give(views, 0, "next")
    for view in views:
        view.wait("[data-layout=two]")
    give(views, 1, "pick yes")
    for view in views:
        view.wait("[data-layout=read]")
    give(views, 0, "next")
    for view in views:
        view.wait("[data-layout=letters]")
    give(views, 0, "type a", "type l", "type  ", "type o", "type k", "delete", "more")
    for view in views:
        view.wait(key("type 2"))
    give(views, 1, "type 2")
    draft(views, "al o2")
    give(views, 1, "more")
    everywhere(views, key("type a"), "question-letters", pictures)
    views[0].tap(key("next"))
    for view in views:
        view.wait(".answered")
    given = {one["payload"]["question"]: one["payload"].get("value") for one in home.events("response")}
    given.pop("answer", None)
    given.pop("note", None)
    check(given == {"pain": 7, "weight": 70.5, "feels": ["fever", "cold"], "where": ["b"], "mood": "good",
                    "slept": True}, f"the responses are {given}")


def held(home, views, pictures):
    """The questions of an alarm that needs responses come before the answer "done" is sent."""
    view = views[0]
    count = len(home.events("completed"))
    add(home, "Pain", "--answers-required", "yes", "--ask", "pain=scale How bad is the pain?")
    for one in views:
        one.wait(".end.right")
    view.tap(".end.right")
    view.wait("[data-layout=scale]")
    check(len(home.events("acknowledged")) == 1, "the sound does not stop for the questions")
    check(view.page.locator(key("skip")).count() == 0, "a required question can be skipped")
    view.tap(key("back"))
    view.wait(".end.right")
    view.tap(".end.right")
    view.wait("[data-layout=scale]")
    check(len(home.events("completed")) == count, "the task is completed before the response")
    view.tap(key("pick 3"))
    view.wait(".undo")
    check(len(home.events("completed")) == count + 1, "the response does not complete the task")
    view.tap(".undo")
    view.wait(".end.right")
    view.tap(".end.right")
    view.wait(".undo")


def main():
    programs, pictures = sys.argv[1], Path(sys.argv[2])
    home = Home(programs)
    begin = time.monotonic()
    try:
        urls = {language: home.screen(language) for language in LANGUAGES}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            views = [View(browser, urls[language], language, size) for size in SIZES for language in LANGUAGES]
            messages(home, views, pictures)
            test_screen.before = len(home.events("completed"))
            check_in(home, views, pictures)
            held(home, views, pictures)
            browser.close()
    finally:
        home.end()
    end(f"the questions ({time.monotonic() - begin:.0f} s)")


main()
