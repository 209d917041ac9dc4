"""The main tasks of a caretaker in German and in Vietnamese, by touch and by keyboard. Part of test_caretaker.py.

The other checks of test_caretaker.py do the same tasks in English.
"""
import re
from pathlib import Path

import calendars
from opened import DESK, PHONE, Page

from view import check

TRANSLATIONS = Path(__file__).resolve().parents[2] / "translations"
LOCALES = {"de": "de-AT", "vi": "vi-VN"}


def sentences(language):
    """Returns the sentences of the pages. The key is the key of the catalogue."""
    text = (TRANSLATIONS / f"caretaker-{language}.po").read_text()
    return dict(re.findall(r'^msgid "(.+)"\nmsgstr "(.+)"$', text, re.M))


class Speaker:
    """A page in one language, and the sentences that it must show."""

    def __init__(self, view, language):
        self.view, self.page, self.language = view, view.page, language
        self.words, english = sentences(language), sentences("en")
        self.foreign = [words for key, words in english.items()
                        if words != self.words[key] and "{" not in words and words.count(" ") >= 2]

    def says(self, key, **values):
        """Waits for the notice with this sentence."""
        words = self.words[key].format(**values)
        self.view.wait(f'[role=status] >> text="{words}"', 25)
        self.reads(key)

    def reads(self, what):
        """The page is in one language, except for texts of the daemon, which are marked as English."""
        check(self.page.evaluate("document.documentElement.lang") == self.language, f"{self.language} {what}: another language")
        text = self.page.evaluate("""(() => { const copy = document.body.cloneNode(true);
            for (const one of copy.querySelectorAll("[lang=en], script, template")) one.remove();
            return copy.textContent.replace(/\\s+/g, " "); })()""")
        found = [words for words in self.foreign if words in text]
        check(not found, f"{self.language} {what}: English on the page: {found[:3]}")
        self.view.fits(f"{self.language} {what}")


def by_touch(home, speaker):
    page, root = speaker.page, speaker.view.root
    page.set_viewport_size(PHONE)
    home.set_alarm("Tea 1")
    page.goto(root + "/")
    speaker.view.wait("section.now >> text=Tea 1")
    speaker.reads("today")
    page.tap("section.now button[value=done]")
    speaker.says("answeredDone", label="Tea 1")
    page.goto(root + "/alarms/new")
    page.fill("#label", "Soup")
    page.tap("input[value=monday]")
    page.locator("input[name=time]").first.fill("12:15")
    speaker.view.wait("#preview .rings li")
    speaker.reads("the form")
    page.tap("button[value=save]")
    speaker.says("alarmSet")
    page.goto(root + "/messages")
    page.fill("#text", "See you soon")
    # A message that needs an answer can be called off at any time, also after it sounded.
    page.select_option("#answer", "yes_no")
    page.tap("button[value=say]")
    speaker.says("messageSaid")
    page.locator("li", has_text="See you soon").locator("button[value=cancel]").first.tap()
    speaker.says("messageCalledOff")
    # While a message sounds, the daemon refuses a test ring. Earlier checks sent messages that nobody has answered.
    for message in home.ask("messages")["messages"]:
        if message["answer_wanted"] and message["state"] in ("accepted", "sounded"):
            home.ask("done", message["id"])
    page.goto(root + "/home")
    page.tap("button[value=ring]")
    speaker.says("ringPlayed", device="null")
    page.goto(root + "/import")
    calendars.choose(speaker.view, calendars.CALENDAR.replace("UID:one", "UID:" + speaker.language))
    page.tap("button[value=look]")
    speaker.view.wait(f"text={speaker.words['wouldSet']}", 20)
    speaker.reads("preview of an import")
    page.tap("button[value=import]")
    speaker.says("imported", set=1, changed=0, removed=0)


def by_keyboard(home, speaker):
    page, root = speaker.page, speaker.view.root
    page.set_viewport_size(DESK)
    home.set_alarm("Tea 2")
    page.goto(root + "/")
    speaker.view.wait("section.now >> text=Tea 2")
    page.focus("section.now button[value=done]")
    page.keyboard.press("Enter")
    speaker.says("answeredDone", label="Tea 2")
    alarm = next(one["id"] for one in home.ask("list")["alarms"] if one["label"] == "Soup")
    page.goto(f"{root}/alarms/{alarm}/edit")
    page.fill("#label", "Hot soup")
    page.press("#label", "Enter")
    speaker.says("alarmSaved")
    page.focus("button[value=skip]")
    page.keyboard.press("Enter")
    speaker.says("alarmSkipped")
    page.goto(f"{root}/alarms/{alarm}/remove")
    speaker.reads("remove")
    page.focus("button[value=remove]")
    page.keyboard.press("Enter")
    speaker.says("alarmRemoved")
    for path in page.eval_on_selector_all("nav a", "all => all.map(one => new URL(one.href).pathname)"):
        page.goto(root + path)
        speaker.reads(path)


def speak(home, opened, browser, cookies):
    for language, locale in LOCALES.items():
        view = Page(browser, language, PHONE, opened.root, locale=locale)
        view.context.add_cookies(cookies)
        speaker = Speaker(view, language)
        by_touch(home, speaker)
        by_keyboard(home, speaker)
        view.context.close()
