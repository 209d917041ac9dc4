"""Drives the patient's screen as a person does, and checks each screen. See run.sh."""
import http.client
import signal
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from home import Home
from view import LANGUAGES, SIZES, View, check, end

# Touches the right end of the screen 100 ms after the next screen has appeared. The person wanted to touch the
# previous screen.
EARLY = """() => {
  window.earlyTouches = 0;
  new MutationObserver((_, observer) => {
    const end = document.querySelector(".end.right");
    if (!end) return;
    observer.disconnect();
    const box = end.getBoundingClientRect();
    const place = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, pointerId: 9, bubbles: true };
    const touch = (kind) => {
      window.earlyTouches += 1;
      document.elementFromPoint(place.clientX, place.clientY).dispatchEvent(new PointerEvent(kind, place));
    };
    setTimeout(() => touch("pointerdown"), 100);
    setTimeout(() => touch("pointerup"), 250);
  }).observe(document.getElementById("screen"), { childList: true });
}"""
PICTURE = Path(__file__).parent.parent / "Fixtures/image/glass.png"


def accidents(view, repeats):
    """Tests touches that are not answers: a palm, phantom touches, a finger that leaves the control, a slide
    that turns back."""
    right, left, thumb = view.middle(".end.right"), view.middle(".end.left"), view.middle("[data-thumb]")
    outside = (right[0], 40)
    for _ in range(repeats):
        view.touch("touchStart", right, left)
        time.sleep(0.07)
        view.touch("touchEnd")
        now = time.time()
        view.touch("touchStart", right, at=now)
        view.touch("touchEnd", at=now + 0.04)
        view.touch("touchStart", right)
        time.sleep(0.07)
        view.touch("touchMove", outside)
        view.touch("touchEnd")
        view.touch("touchStart", thumb)
        time.sleep(0.07)
        view.touch("touchMove", right)
        view.touch("touchMove", thumb)
        view.touch("touchEnd")
        view.touch("touchStart", left)
        time.sleep(0.07)
        view.touch("touchMove", right)
        view.touch("touchEnd")


def refusals(url):
    """Requests that the page server refuses."""
    address = urlsplit(url).netloc
    good = {"Host": address, "Origin": f"http://{address}", "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/json"}
    body = '{"prompt":"x@2026-12-01T08:00:00","answer":"complete","key":"0123456789abcdef"}'
    for change, status in [({}, 409), ({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403),
                           ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Content-Type": "text/plain"}, 415)]:
        connection = http.client.HTTPConnection(address, timeout=5)
        connection.request("POST", "/answer", body, {**good, **change})
        reply = connection.getresponse()
        check(reply.status == status, f"an answer with {change} got {reply.status} instead of {status}")
        check("script-src 'self'" in reply.getheader("Content-Security-Policy", ""), "a reply has no policy")


def everywhere(views, selector, screen, pictures):
    for view in views:
        view.wait(selector)
    for view in views:
        view.measure(screen, pictures)
    # The colours are the same in each language. Therefore, check one page of each size.
    for view in views[0], views[-1]:
        view.audit(screen)


def set_alarm(home, label, *more):
    return home.set_alarm(label, *more)


def answers(home, views, pictures):
    """A task: LATER, undo, a slide to DONE, undo, accidents, DONE."""
    view = views[0]
    set_alarm(home, "Take the evening pills", "--image", str(PICTURE), "--instructions",
              "The small white ones, with a glass of water.")
    everywhere(views, ".end.right", "calling", pictures)
    check(len(home.events("presented")) == 1, "the painted task is not recorded once")
    view.tap(".end.left")
    everywhere(views, ".undo", "later", pictures)
    view.tap(".undo")
    view.wait(".end.right")
    time.sleep(0.8)
    accidents(view, 10)
    check(len(home.events("completed")) == 0 and len(home.events("delayed")) == 1, "an accident became an answer")
    check(view.page.locator("[data-pressed]").count() == 0, "an end stays pressed after accidents")
    view.slide(".end.right")
    everywhere(views, ".undo", "done", pictures)
    check(len(home.events("completed")) == 1, "a slide to DONE is not one answer")
    view.page.evaluate(EARLY)
    view.tap(".undo")
    view.wait(".end.right")
    time.sleep(1)
    check(view.page.evaluate("window.earlyTouches") == 2, "there was no early touch")
    check(len(home.events("completed")) == 1, "a touch within 700 ms of a new screen became an answer")
    view.tap(".end.right")
    view.wait(".undo")
    check(len(home.events("completed")) == 2, "a tap on DONE is not one answer")
    check({one.get("source") for one in home.events("completed")} == {"screen"}, "an answer does not name the screen")


def said_again(home, view):
    """The person hears the voice again, and can still answer. A slide that ends on the button is not a
    press."""
    home.set_alarm("Water the flowers")
    view.wait(".say")
    view.slide(".say")
    time.sleep(0.3)
    check(not home.events("said_again"), "a slide of the thumb pressed \"say it again\"")
    view.may_be_refused = True  # The ring may still sound.
    for _ in range(8):
        view.tap(".say")
        view.wait(".say:not([data-asking])")
        if home.events("said_again"):
            break
    check([one["source"] for one in home.events("said_again")] == ["screen"], "the voice was not said again once")
    view.page.route("**/answer", lambda route: route.fulfill(status=409))
    view.tap(".say")
    view.wait("[data-again-failed]:not([hidden])")
    view.page.unroute("**/answer")
    view.may_be_refused = False
    view.tap(".end.right")
    view.wait(".undo")


def on_my_way(home, views, pictures):
    view = views[-1]
    set_alarm(home, "Bring in the washing", "--complete-by", "15m", "--complete-step", "3 rings every 1m")
    for one in views:
        one.wait(".end.right[data-answer=acknowledge]")
    view.tap(".end.right")
    everywhere(views, ".again", "on-my-way", pictures)
    view.tap(".end.right")
    view.wait(".undo")


def hard_texts(home, views, pictures):
    """A label with markup, and labels that are very long."""
    view = views[0]
    for label in ["<img src=x onerror=alert(1)><b>Tea", "Take the pills from the blue box beside the bread. " * 4,
                  "Donaudampfschifffahrtsgesellschaftskapitän " * 4]:
        label = label[:200].strip()
        set_alarm(home, label)
        everywhere(views, ".end.right", "long", pictures)
        for one in views:
            check(one.page.inner_text("h1").strip() == label, f"{one.name}: the label is not whole: {label}")
        view.tap(".end.right")
        view.wait(".undo")


def outage(home, views, pictures):
    """The daemon is killed, and comes back."""
    home.kill()
    begin = time.monotonic()
    everywhere(views, ".trouble", "not-connected", pictures)
    check(time.monotonic() - begin < 20, "\"not connected\" took longer than 20 s")
    home.start()
    begin = time.monotonic()
    for view in views:
        view.page.wait_for_selector(".trouble", state="detached", timeout=15_000)
    check(time.monotonic() - begin < 5, "the screen took longer than 5 s after the start of the daemon")


def stale(home, view):
    """If the page server hangs, the page says so, and its clock continues."""
    home.screens["en"].send_signal(signal.SIGSTOP)
    begin = time.monotonic()
    view.wait(".trouble", 30)
    check(14 < time.monotonic() - begin < 28, f"the page was stale after {time.monotonic() - begin:.0f} s")
    shown = view.page.inner_text("[data-clock=time]")
    check(shown in [time.strftime("%H:%M", time.gmtime(time.time() - ago)) for ago in (0, 2)],
          f"the clock of a stale page shows {shown}")
    home.screens["en"].send_signal(signal.SIGCONT)
    view.page.wait_for_selector(".trouble", state="detached", timeout=10_000)


def main():
    programs, pictures = sys.argv[1], Path(sys.argv[2])
    home = Home(programs)
    try:
        urls = {language: home.screen(language) for language in LANGUAGES}
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
            views = [View(browser, urls[language], language, size) for size in SIZES for language in LANGUAGES]
            everywhere(views, "[data-clock=time]:not(:empty)", "idle", pictures)
            refusals(urls["en"])
            answers(home, views, pictures)
            said_again(home, views[0])
            on_my_way(home, views, pictures)
            hard_texts(home, views, pictures)
            outage(home, views, pictures)
            stale(home, views[0])
            home.ask("people", "change", "patient", "--quiet-hours", "00:00-23:59")
            views[0].wait("html[data-theme=night] .idle", 60)
            everywhere(views, "html[data-theme=night] .idle", "night", pictures)
            browser.close()
    finally:
        home.end()
    end("the screen")


if __name__ == "__main__":
    main()
