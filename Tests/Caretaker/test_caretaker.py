"""A caretaker uses the pages of `prompter open` with a real daemon. See Tests/Screen/run.sh.

    test_caretaker.py PROGRAMS_DIRECTORY
"""
import sys
import time

import alarms
import calendars
import device
import history
import messages
import studies
from opened import DESK, PHONE, Opened, Page

from home import Home
from playwright.sync_api import sync_playwright
from view import check, end

MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"
CONTACT = '[contacts.sofia]\ncommand = ["/bin/true"]\ncalls = true\n'


def sources(home, kind):
    return [event["source"] for event in home.events(kind)]


def answers(home, opened, browser):
    """The caretaker answers by touch on a phone. The page follows the home without a reload."""
    view = Page(browser, "phone", PHONE, opened.root)
    view.page.goto(opened.first)
    view.wait("text=No tasks on this day.")
    view.look("empty day")
    home.set_alarm("Take the pills", "--delay", "5m")
    view.wait("section.now >> text=Take the pills")
    view.look("waiting")
    view.page.tap("section.now button[value=later]")
    view.wait("text=“Take the pills” rings again later.")
    view.wait("li.put_off")
    view.page.tap("li.put_off button[value=undo]")
    view.wait("section.now >> text=Take the pills")
    view.page.tap("section.now button[value=done]")
    view.wait("text=“Take the pills” is done.")
    view.look("done")
    check(sources(home, "completed") == ["web"], f"the answer is recorded as {home.events('completed')}")
    view.page.tap("li.done button[value=undo]")
    view.wait("section.now button[value=call_off]")
    view.page.tap("section.now button[value=call_off]")
    view.wait("li.cancelled")
    check(sources(home, "correction") == ["web", "web"], "the answers were not undone")
    return view


def markup(home, view):
    """Texts of people stay texts."""
    home.set_alarm(MARKUP, "--tell", "sofia after 0s")
    view.wait("section.now")
    check(view.page.locator("section.now strong").first.inner_text() == MARKUP, "markup does not stay text")
    check(view.page.locator("main img, main b").count() == 0, "markup became an element")
    view.wait("section.now >> text=sofia was notified at", 15)


def refusal(home, view):
    """Two caretakers at once: the second answer is refused in words."""
    prompt = home.ask("prompts", "--state", "current")["prompts"][0]["id"]
    view.page.evaluate("document.getElementById('main').removeAttribute('data-live')")
    home.ask("done", prompt)
    view.page.tap("section.now button[value=call_off]")
    view.wait("[role=alert] >> text=Nothing was changed")
    view.look("refused")


def keyboard(home, opened, view):
    """The same by keyboard on a desk, in another language of the browser."""
    view.page.set_viewport_size(DESK)
    view.page.goto(opened.root + "/")
    home.set_alarm("Lunch")
    view.wait("section.now >> text=Lunch")
    view.page.keyboard.press("Tab")
    check(view.page.evaluate("document.activeElement.className") == "skip", "the first key does not reach the skip link")
    for _ in range(30):
        if view.page.evaluate("document.activeElement.value") == "done":
            break
        view.page.keyboard.press("Tab")
    outline = view.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    check(outline == "solid", f"the focus is not visible: {outline}")
    # A change at home replaces the page, and the button keeps the focus.
    home.ask("add", "Tea", "--schedule", "in 30 minutes")
    view.wait("ol.day >> text=Tea")
    check(view.page.evaluate("document.activeElement.value") == "done", "the button lost the focus")
    view.page.keyboard.press("Enter")
    view.wait("text=“Lunch” is done.")


def without_script(home, opened, browser, cookies):
    view = Page(browser, "no script", PHONE, opened.root, java_script_enabled=False, locale="de-AT")
    view.context.add_cookies(cookies)
    home.set_alarm("Walk")
    time.sleep(3)
    view.page.goto(opened.root + "/")
    view.wait("section.now >> text=Wartet auf eine Antwort")
    view.page.tap("section.now button[value=done]")
    view.wait("text=„Walk“ ist erledigt.")
    view.context.close()


def offline(home, view):
    """An old page never looks like a new one."""
    view.is_silent = True
    home.kill()
    view.wait("#offline:visible >> text=No connection to the home. This page shows the state of", 25)
    view.look("offline", ("light",))
    view.page.goto(view.root + "/")
    view.wait("h1 >> text=No connection to the home")
    check("No tasks" not in view.page.inner_text("body"), "a home that does not answer looks empty")
    home.start()
    view.page.goto(view.root + "/")
    view.wait("li.done >> text=Lunch", 20)
    view.wait("#offline[hidden]", state="attached")


def main():
    home = Home(sys.argv[1], CONTACT)
    opened = Opened(home)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = answers(home, opened, browser)
            markup(home, view)
            refusal(home, view)
            keyboard(home, opened, view)
            alarms.manage(home, view)
            messages.talk(home, view)
            history.look_back(home, view)
            device.care(home, view)
            calendars.bring(home, view)
            studies.research(home, view)
            without_script(home, opened, browser, view.context.cookies())
            offline(home, view)
            stranger = Page(browser, "stranger", PHONE, opened.root)
            check(stranger.page.goto(opened.root + "/").status == 403, "another browser sees the page")
            check(stranger.page.goto(opened.first).status == 403, "the address works twice")
            browser.close()
    finally:
        opened.end()
        home.end()
    end("the caretaker's pages")


main()
