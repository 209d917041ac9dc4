"""Markup in every text that a caretaker can type stays text on the screen. See run.sh."""
import subprocess
import sys
import time

from playwright.sync_api import sync_playwright

from home import Home
from view import View, check, end

# If the page used one of these texts as HTML, the text would run a script, or would end the attribute or the element
# around it.
IMAGE = "<img src=x onerror=window.hit=1>"
SCRIPT = "</section><script>window.hit=2</script>"
QUOTES = "\" onpointerdown=\"window.hit=3\" x='<svg onload=window.hit=4>"
ENTITY = "&lt;b&gt; &#60;i&#62; Tea"
ALL = [IMAGE, SCRIPT, QUOTES, ENTITY]
FOUND = """() => ({
  hit: window.hit ?? null,
  elements: document.querySelectorAll(":is(#screen, .corner) :is(script, img, b, i, svg:not([data-layout=faces] svg))").length,
  handlers: [...document.querySelectorAll("*")].filter((one) => one.getAttributeNames().some((name) => name.startsWith("on"))).length,
})"""


def stays_text(view, where, *texts):
    """The texts are visible exactly as typed, and no part of them became an element, an attribute or a script."""
    shown = " ".join(view.page.inner_text("body").split())
    for text in texts:
        check(" ".join(text.split()) in shown, f"{where}: {text} is not visible as it was typed: {shown}")
    found = view.page.evaluate(FOUND)
    check(found == {"hit": None, "elements": 0, "handlers": 0}, f"{where}: {found}")


def messages(home, view):
    for text in ALL:
        home.ask("say", text, "--answer", "yes_no", "--no-wait")
        view.wait(".end.choice.right")
        stays_text(view, "a message", text)
        view.tap("[data-answer='pick no']")
        view.wait(".answered")
        stays_text(view, "an answered message", text)


def tasks(home, view):
    """Labels, instructions, questions and choices."""
    label, instructions = IMAGE, f"{QUOTES} {ENTITY}"
    home.set_alarm(label, "--instructions", instructions, "--ask", f"pain=scale {IMAGE} {ENTITY}",
                   "--ask", f"feels=choices(a={IMAGE}|b={ENTITY}) {QUOTES}", "--ask", f"mood=mood {SCRIPT}",
                   "--ask", f"note=text(optional) {ENTITY}")
    view.wait(".end.right")
    stays_text(view, "a task", label, instructions)
    view.tap(".end.left")
    view.wait(".undo")
    stays_text(view, "the answer \"later\"", label)
    view.tap(".undo")
    view.wait(".end.right")
    view.tap(".end.right")
    for layouts, question, choices, keys in [
            (["scale"], f"{IMAGE} {ENTITY}", [], ["pick 3"]),
            (["columns", "rows"], QUOTES, [IMAGE, ENTITY], ["toggle a", "next"]), (["faces"], SCRIPT, [], ["pick good"]), (["letters"], ENTITY, [], ["skip"])]:
        places = [f"[data-layout={layout}]" for layout in layouts]
        view.wait(", ".join([*places, "[data-layout=read]"]))
        stays_text(view, f"the question for {layouts}", question)
        if view.page.locator("[data-layout=read]").count():
            view.tap("[data-answer=next]")
            view.wait(", ".join(places))
        stays_text(view, f"the keys {layouts}", *choices)
        for key in keys:
            view.tap(f"[data-answer='{key}']")
    view.wait(".undo")
    stays_text(view, "the answer \"done\"", label)


def name(home, browser, programs):
    """The name of the person, on the screen that a caretaker opens."""
    text = f"{IMAGE} {ENTITY}"[:60]
    home.ask("people", "change", "patient", "--name", text)
    process = subprocess.Popen([f"{programs}/prompter", "--socket", home.socket, "open", "--as", "patient", "--no-browser"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        lines = [process.stdout.readline().strip() for _ in range(2)]
        url = next(line for line in lines if line.startswith("http"))
        view = View(browser, url, "en", "7in")
        view.wait(".corner")
        stays_text(view, "the name of the person", text)
    finally:
        process.terminate()
        process.wait(10)


def main():
    programs = sys.argv[1]
    home = Home(programs)
    begin = time.monotonic()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = View(browser, home.screen("en"), "en", "10in")
            view.wait("[data-clock=time]:not(:empty)")
            messages(home, view)
            tasks(home, view)
            name(home, browser, programs)
            browser.close()
    finally:
        home.end()
    end(f"markup on the screen ({time.monotonic() - begin:.0f} s)")


main()
