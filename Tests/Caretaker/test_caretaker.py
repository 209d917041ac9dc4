"""A caretaker uses the pages of `prompter open` with a real daemon. See Tests/Screen/run.sh.

    test_caretaker.py PROGRAMS_DIRECTORY
"""
import http.client
import sys
import time

import alarms
import calendars
import device
import history
import languages
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
    """Markup in the texts of people stays text."""
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
    """The caretaker answers by keyboard on a computer. The browser has another language."""
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
    # After a change at home, the browser replaces the content of the page. The button must keep the focus.
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
    """If a page is old because the daemon does not answer, the page shows this."""
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


def markup_in_each_field(home, view):
    """Markup in each text of each form stays text, after a refusal and after a success, on each page."""
    home.ask("add", MARKUP, "--schedule", "every day 10:00", "--instructions", MARKUP, "--ask", f"pain=text {MARKUP}")
    alarm = next(one["id"] for one in home.ask("list")["alarms"] if one["label"] == MARKUP)
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/")
    pages = view.page.eval_on_selector_all("nav a", "all => all.map(one => new URL(one.href).pathname)")
    pages += ["/alarms/new", f"/alarms/{alarm}", f"/alarms/{alarm}/edit", f"/alarms/{alarm}/remove"]

    def stays_text(what):
        check(view.page.locator("main img[src=x], main b").count() == 0, f"markup became an element {what}")

    sent = 0
    for path in pages:
        view.page.goto(view.root + path)
        stays_text(f"on {path}")
        for index in range(view.page.locator("main form").count()):
            view.page.goto(view.root + path)
            fields = view.page.evaluate("""([index, markup]) => {
                const form = document.querySelectorAll("main form")[index];
                if (!form) return 0;  // The form before it ended a message, for example.
                const fields = [...form.querySelectorAll("input[type=text], textarea")];
                for (const one of fields) one.value = markup;
                form.noValidate = true;
                return fields.length; }""", [index, MARKUP])
            if fields:
                sent += fields
                with view.page.expect_navigation():
                    view.page.evaluate("""(index) => { const form = document.querySelectorAll("main form")[index];
                        form.requestSubmit(form.querySelector("button.main") ?? form.querySelector("button[name=button]")); }""", index)
                stays_text(f"after form {index} of {path}")
    check(sent > 25, f"only {sent} fields were tried")
    for path in pages:
        view.page.goto(view.root + path)
        stays_text(f"on {path} after all forms")
    home.ask("remove", alarm)


def attacks(opened, view):
    """Another host (DNS rebinding), site or origin, and a browser without the cookie, are refused on each route and method."""
    port = int(opened.root.rsplit(":", 1)[1])
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in view.context.cookies())
    good = {"Host": opened.root.split("//")[1], "Origin": opened.root, "Sec-Fetch-Site": "same-origin", "Cookie": cookie,
            "Content-Type": "application/x-www-form-urlencoded"}

    def status(method, path, name=None, value=None):
        fields = {key: one for key, one in {**good, name: value}.items() if key and one is not None}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for key, one in fields.items():
            connection.putheader(key, one)
        body = b"a=b" if method == "POST" else None
        if body:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        connection.close()
        return answer.status

    check(status("GET", "/") == 200, "the request of the test is not a good one")
    view.page.goto(view.root + "/")
    pages = view.page.eval_on_selector_all("nav a", "all => all.map(one => new URL(one.href).pathname)")
    check(len(pages) >= 7, f"the navigation leads to {pages}")
    for path in (*pages, "/live", "/caretaker.css", "/alarms/x", "/alarms/x/edit", "/alarms/preview", "/phones", "/open/0", "/nothing"):
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
            for name, value, wanted in (("Host", "evil.example", 421), ("Host", f"127.0.0.1:{port}", 421),
                                        ("Host", f"evil.localhost:{port}", 421), ("Sec-Fetch-Site", "cross-site", 403),
                                        ("Sec-Fetch-Site", "same-site", 403), ("Cookie", None, 403), ("Cookie", "prompter=0", 403)):
                if not (path.startswith("/open") and method == "GET" and name != "Host"):
                    found = status(method, path, name, value)
                    check(found in (wanted, 405), f"{method} {path} with {name}: {value}: {found}")
        for origin in ("https://evil.example", "null", f"http://localhost:{port}", None):
            found = status("POST", path, "Origin", origin)
            check(found == 403, f"POST {path} from the origin {origin}: {found}")


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
            markup_in_each_field(home, view)
            attacks(opened, view)
            languages.speak(home, opened, browser, view.context.cookies())
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
