"""Phones show the caretaker's pages through stunnel and prompter-web, and strangers do not. See Tests/Screen/run.sh.

    test_phones.py PROGRAMS_DIRECTORY PICTURES_DIRECTORY
"""
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from urllib.parse import quote

import own_phones
from opened import PHONE, Page
from phones import CARETAKER, CONFIG, DELEGATE, NAME, OTHER, PATIENT, Phones

from home import Home
from playwright.sync_api import sync_playwright
from view import check, end

MARKUP = "<img src=x onerror=alert(1)> & <b>bold</b>"
DOCUMENTS = Path(__file__).resolve().parents[2] / "docs" / "user" / "caretaker"
LANGUAGES = {"en-GB": "Add this phone", "de-DE": "Dieses Telefon hinzufügen", "vi-VN": "Thêm điện thoại này"}


def adds(phones, browser, user, pictures):
    """A person types a wrong code and then the right code. After this, the phone shows the page Today."""
    view = Page(browser, f"phone of {user}", PHONE, phones.address, ignore_https_errors=True)
    view.page.goto(phones.address + "/alarms")
    view.wait("h1 >> text=Add this phone")
    view.look("the page for the code")
    view.page.screenshot(path=pictures / "phone-pair-360-en.png")
    if "PROMPTER_WRITE_PICTURES" in os.environ:
        view.page.screenshot(path=DOCUMENTS / "phone-pair-360-en.png")
    code = phones.ask("pair", user)["code"]
    view.page.fill("#code", "00000000" if code != "00000000" else "1")
    view.page.tap("button.main")
    view.wait("[role=alert] >> text=You can try 4 more times.")
    view.look("a wrong code")
    view.page.fill("#code", f"{code[:4]} {code[4:]}")
    view.page.tap("button.main")
    view.wait("nav >> text=Today")
    return view


def scans(phones, browser, user):
    """The link of the QR code fills the form. The secret does not stay in the address."""
    view = Page(browser, "a phone that scans", PHONE, phones.address, ignore_https_errors=True)
    view.page.goto(phones.ask("pair", user)["link"])
    view.wait("text=Your phone has read the QR code.")
    check(view.page.url == phones.address + "/pair", f"the secret stays in the address: {view.page.url}")
    view.look("scanned")
    view.page.tap("button.main")
    view.wait("nav >> text=Today")
    view.context.close()


def languages(phones, browser):
    for tag, words in LANGUAGES.items():
        view = Page(browser, f"the code in {tag}", PHONE, phones.address, ignore_https_errors=True, locale=tag)
        view.page.goto(phones.address + "/")
        view.wait(f"h1 >> text={words}")
        view.look("the page for the code", ("light",))
        view.context.close()


def installs(phones, view):
    """Chromium finds a manifest and its icons without a cookie, as a browser asks for them."""
    session = view.context.new_cdp_session(view.page)
    found = session.send("Page.getAppManifest")
    check(found["url"] == phones.address + "/manifest.json" and not found["errors"], f"the manifest: {found}")
    faults = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The browser of the test stores no data, and does not trust the certificate of the home.
    check({one["errorId"] for one in faults} <= {"not-from-secure-origin", "in-incognito"}, f"it cannot be installed: {faults}")


def answers(home, phones, view, device):
    """The record names the caretaker, the program and the device."""
    home.set_alarm(MARKUP)
    view.wait("section.now")
    check(view.page.locator("main img, main b").count() == 0, "markup became an element")
    view.page.tap("section.now button[value=done]")
    view.wait("li.done")
    event = home.events("completed")[-1]
    uids = [subprocess.run(["id", "-u", name], capture_output=True, text=True).stdout.strip()
            for name in (CARETAKER, DELEGATE)]
    check(event["actor_id"] == f"uid:{uids[0]},via:uid:{uids[1]},device:{device}", f"the actor is {event['actor_id']}")
    prompt = home.ask("prompts")["prompts"][0]["id"]
    check(f"{CARETAKER} ({DELEGATE}, device {device})" in str(home.ask("why", prompt)), "why does not name the device")
    check(event["actor_role"] == "caretaker" and event["source"] == "web", f"{event}")


def rights(phones):
    """The daemon decides what a person may do. Neither a patient nor an admin gets more through the pages."""
    researcher = phones.pair(OTHER)
    page = phones.request("GET", "/", {"Cookie": researcher})
    check(page.status == 403, f"a researcher gets the page Today: {page.status}")
    for user in (PATIENT, "root", "daemon", "nobody"):
        refused = phones.run("pair", user)
        check(refused.returncode == 1 and "[delegates]" in refused.stderr, f"{user} may add a phone: {refused.stderr}")


def denied(home):
    """Only the delegate may name another user. No other program may do so, even if it has more rights."""
    def ask(user, name):
        run = subprocess.run(
            ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "curl", "-s", "-o", "/dev/null", "-w",
             "%{http_code}", "--unix-socket", home.socket, "-H", f"Prompter-For: {name}", "http://x/v1/day"],
            capture_output=True, text=True)
        return run.stdout
    before = len(home.events("denied"))
    check(ask(CARETAKER, CARETAKER) == "403" and ask("root", CARETAKER) == "403", "another program names a user")
    check(ask(DELEGATE, "nobody") == "403" and ask(DELEGATE, CARETAKER) == "200", "the delegate is not restricted")
    check(len(home.events("denied")) > before, "a refused name is not in the record")


def attacks(phones, cookie):
    """Each request of another site, host or browser is refused on each route and method, except for the public /ca.crt."""
    good = {"Cookie": cookie}
    check(phones.request("GET", "/", good).status == 200, "the cookie does not work")
    pages = re.findall(r'href="(/\w*)"', phones.request("GET", "/", good).text.split("</nav>")[0])
    check(len(set(pages)) >= 7, f"the navigation leads to {pages}")
    others = ["/live", "/pair", "/caretaker.css", "/alarms/x", "/alarms/x/edit", "/alarms/preview", "/phones",
              "/manifest.json", "/nothing"]
    for path in sorted(set(pages)) + others:
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
            body = b"a=b" if method == "POST" else None
            for name, value, status in (
                    ("Host", "evil.example", 421), ("Host", NAME, 421), ("Host", f"127.0.0.1:{phones.port}", 421),
                    ("Sec-Fetch-Site", "cross-site", 403), ("Sec-Fetch-Site", "same-site", 403)):
                if method != "HEAD" or name == "Host":
                    found = phones.request(method, path, {**good, name: value}, body).status
                    check(found == status or (found == 405 and name != "Host") or (found == 401 and path == "/pair"),
                          f"{method} {path} with {name}: {value}: {found}")
        for origin in ("https://evil.example", "null", f"http://{NAME}:{phones.port}", None):
            found = phones.request("POST", path, {**good, "Origin": origin}, b"a=b").status
            check(found == 403, f"POST {path} from the origin {origin}: {found}")
        if path not in ("/pair", "/caretaker.css", "/manifest.json"):
            for wrong in (cookie + "0", "__Host-prompter=" + "0" * 64, f"{cookie}; {cookie}", "prompter=1"):
                found = phones.request("GET", path, {"Cookie": wrong})
                check(found.status == 401 or "Add this phone" in found.text, f"GET {path} with the cookie {wrong[:30]}")
                check(phones.request("POST", path, {"Cookie": wrong}, b"a=b").status == 401, f"POST {path}: {wrong[:30]}")


def fuzz(phones, cookie, seed=2038, count=400):
    """Random addresses and forms never make the server or the daemon fail."""
    chance = random.Random(seed)
    texts = ["", "0", "-1", "99999999999999999999", "á" * 300, "<b>&", "\x00", "%", "..", "2026-13-45", "2026-11-26", "x" * 3000,
             "every day 08:00", "new", "edit", "\u202e", "null", "[]", "07:00", "true"]
    names = ["key", "button", "prompt", "label", "person", "schedule", "day", "month", "version", "text", "name", "rings", "alarm",
             "days", "time", "until", "phase", "contact", "voice", "url", "q",
             "phone", "user"]
    places = ["", "alarms", "messages", "history", "home", "voices", "import", "study", "pair", "live", "phones", "nothing"]

    def fields():
        return "&".join(f"{chance.choice(names)}={quote(chance.choice(texts))}" for _ in range(chance.randrange(8)))

    for number in range(count):
        path = "/" + "/".join([chance.choice(places)] + [quote(chance.choice(texts), safe="") for _ in range(chance.randrange(3))])
        if chance.random() < 0.5:
            path += "?" + fields()
        if path.split("?")[0] == "/live":
            continue
        method = chance.choice(["GET", "POST", "POST"])
        found = phones.request(method, path, {"Cookie": cookie}, fields().encode() if method == "POST" else None)
        check(found.status < 500, f"request {number} of seed {seed}: {method} {path[:120]}: {found.status}: {found.text[-300:]}")


def guesses(phones):
    """After five wrong codes, an invitation ends. After ten wrong codes in an hour, no new phone can be added."""
    code = phones.ask("pair", CARETAKER)["code"]
    wrong = b"code=00000001" if code != "00000001" else b"code=2"
    for _ in range(5):
        check(phones.request("POST", "/pair", body=wrong).status == 403, "a wrong code is accepted")
    late = phones.request("POST", "/pair", body=f"code={code}".encode())
    check(late.status == 403 and "No code is valid now" in late.text, "the right code works after five wrong codes")
    code = phones.ask("pair", CARETAKER)["code"]
    for _ in range(5):
        last = phones.request("POST", "/pair", body=wrong)
    check("60 minutes" in last.text, "ten wrong codes do not lock")
    check("60 minutes" in phones.request("POST", "/pair", body=f"code={code}".encode()).text, "the lock does not hold")
    refused = phones.run("pair", CARETAKER)
    check(refused.returncode == 1 and "wrong codes" in refused.stderr, f"a new code in spite of the lock: {refused}")


def replays(phones):
    code = phones.ask("pair", CARETAKER)["code"].encode()
    check(phones.request("POST", "/pair", body=b"code=" + code).status == 303, "the code does not work")
    check(phones.request("POST", "/pair", body=b"code=" + code).status == 403, "the code works twice")


def revoked(phones, view, device):
    """A removed phone loses its access within a second, even if its page is open. After a restart, the phone still has no
    access."""
    cookies = {one["name"]: one["value"] for one in view.context.cookies()}
    cookie = f"__Host-prompter={cookies['__Host-prompter']}"
    stream = view.page.evaluate("""async () => { const answer = await fetch("/live"); const reader = answer.body.getReader();
        await reader.read(); globalThis.ended = (async () => { try { while (!(await reader.read()).done) {} } catch {} return performance.now(); })();
        return performance.now(); }""")
    told = phones.run("revoke", str(device))
    check(f"Device {device}" in told.stdout, told.stdout + told.stderr)
    ended = view.page.evaluate("globalThis.ended")
    check(ended - stream < 2_000, f"the stream of a removed phone ends after {ended - stream} ms")
    check(phones.request("GET", "/live", {"Cookie": cookie}).status == 401, "a removed phone has access")
    phones.kill()
    phones.start()
    check(phones.request("GET", "/live", {"Cookie": cookie}).status == 401, "a removed phone has access after a restart")
    check(phones.run("revoke", str(device)).returncode == 1, "a phone is removed twice")


def survives(phones, cookie):
    """A phone keeps its access if prompter-web is killed."""
    phones.kill()
    phones.start()
    check(phones.request("GET", "/", {"Cookie": cookie}).status == 200, "the phone lost its access")


def slow(home, phones, cookie):
    """Slow and half-open clients do not block other clients for long, and have no effect on the daemon."""
    lazy = [socket.create_connection(("127.0.0.1", phones.port), 5) for _ in range(60)]
    for one in lazy[:20]:
        one.send(b"\x16\x03\x01")
    begun = time.monotonic()
    check(home.ask("status") is not None and time.monotonic() - begun < 2, "the daemon is slow")
    for one in lazy:
        one.close()
    check(phones.request("GET", "/", {"Cookie": cookie}).status == 200, "the pages do not come back")


def lateness(home, count):
    """Returns the times from a due time to the start of the ring, in milliseconds."""
    before = len(home.events("ring_started"))
    for number in range(count):
        home.ask("add", f"ring {number}", "--schedule", "in 1 second", "--rings", "1")
        until = time.monotonic() + 10
        while len(home.events("ring_started")) <= before + number and time.monotonic() < until:
            time.sleep(0.1)
        home.ask("done")
    due = {one["prompt_id"]: one["wall_utc_ms"] for one in home.events("due")}
    return [one["wall_utc_ms"] - due[one["prompt_id"]] for one in home.events("ring_started")[before:]]


def flooded(home, phones, cookie):
    """While phones request pages without a pause, an alarm rings as early as without these requests."""
    quiet = lateness(home, 2)
    over, counts = threading.Event(), []

    def ask():
        count = 0
        while not over.is_set():
            try:
                count += phones.request("GET", "/", {"Cookie": cookie}).status == 200
            except OSError:
                pass
        counts.append(count)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    busy = lateness(home, 3)
    over.set()
    for thread in threads:
        thread.join()
    check(sum(counts) > 20, f"the flood had only {sum(counts)} pages")
    check(len(busy) == 3 and min(busy) <= max(quiet) + 250 and max(busy) <= max(quiet) + 1_000,
          f"in a flood of {sum(counts)} pages, alarms ring after {busy} ms instead of {quiet} ms")


def main():
    pictures = Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    if os.getuid() != 0:
        raise SystemExit("test_phones.py starts a program as another user: run it as root")
    home = Home(sys.argv[1], CONFIG)
    phones = None
    try:
        phones = Phones(home)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            view = adds(phones, browser, CARETAKER, pictures)
            device = phones.ask("devices")["devices"][0]["device"]
            installs(phones, view)
            scans(phones, browser, CARETAKER)
            languages(phones, browser)
            answers(home, phones, view, device)
            rights(phones)
            denied(home)
            own_phones.manage(home, phones, browser, view, device)
            cookie = phones.pair(CARETAKER)
            attacks(phones, cookie)
            fuzz(phones, cookie)
            replays(phones)
            view.is_silent = True
            survives(phones, cookie)
            slow(home, phones, cookie)
            flooded(home, phones, cookie)
            guesses(phones)
            revoked(phones, view, device)
            browser.close()
    finally:
        if phones:
            phones.end()
        home.end()
    end("the pages for phones")


main()
