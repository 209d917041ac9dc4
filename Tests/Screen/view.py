"""A page of the patient's screen in a browser, and the checks of what it shows."""
import random
import sys
import time
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

HERE = Path(__file__).parent
SIZES = {"7in": (800, 480, 5.19), "10in": (1280, 800, 5.9)}
LANGUAGES = ["en", "de", "vi"]
CHECKS = (HERE / "checks.js").read_text()
AXE = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
    "rules": {"color-contrast-enhanced": {"enabled": True}, "target-size": {"enabled": True}},
}
chance = random.Random(1)
faults = []
passed = 0


def check(is_right, what):
    """Counts a check. Prints a check that failed."""
    global passed
    if is_right:
        passed += 1
    else:
        faults.append(what)
        print(f"FAILED: {what}", file=sys.stderr, flush=True)


def end(name):
    """Prints the result of a test program, and ends the program."""
    print(f"{name}: {passed} checks passed, {len(faults)} failed", flush=True)
    sys.exit(bool(faults) or passed == 0)


class View:
    """One page in a browser with one size and language.

    With `only_dejavu`, the page uses DejaVu Sans even if Inter is installed, so that its pictures are the same on
    each machine.
    """

    def __init__(self, browser, url, language, size, only_dejavu=False):
        width, height, self.mm = SIZES[size]
        self.is_silent = self.may_be_refused = False
        self.name, self.url = f"{language}-{size}", url
        self.origin = "/".join(url.split("/")[:3]) + "/"
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True,
                                      timezone_id="Asia/Tokyo", reduced_motion="reduce")
        self.page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", lambda line: line.type == "error" and self.note(line.text))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.on("request", lambda request: self.is_own(request.url))
        if only_dejavu:
            self.page.route("**/screen.css", self.without_inter)
        self.page.goto(url)
        self.session = context.new_cdp_session(self.page)

    def is_own(self, url):
        """Checks that the page sends requests only to its own server."""
        if not url.startswith((self.origin, "data:")):
            check(False, f"{self.name}: a request to {url}")

    def without_inter(self, route):
        reply = route.fetch()
        route.fulfill(response=reply, body=reply.text().replace("Inter, ", ""))

    def note(self, text):
        # The test kills or stops the page server on purpose. Therefore, some messages are not faults.
        if self.is_silent or self.may_be_refused and "409" in text:
            return
        if "ERR_CONNECTION" not in text and "ERR_INCOMPLETE" not in text:
            check(False, f"{self.name}: console: {text}")

    def wait(self, selector, seconds=10):
        try:
            # A handle keeps its screen in memory. Therefore, dispose of the handle.
            self.page.wait_for_selector(selector, timeout=seconds * 1000).dispose()
            return True
        except Exception as error:
            check(False, f"{self.name}: {selector} did not appear: {str(error).splitlines()[0]}")
            return False

    def measure(self, screen, pictures):
        """Checks sizes and places, and writes a picture of the screen."""
        found = self.page.evaluate(CHECKS, self.mm)
        check(not found, f"{self.name} {screen}: {found}")
        self.page.screenshot(path=pictures / f"{screen}-{self.name}.png")

    def audit(self, screen):
        """Checks contrast and accessibility."""
        for one in Axe().run(self.page, options=AXE).response["violations"]:
            check(False, f"{self.name} {screen}: axe: {one['id']}: {one['nodes'][0]['html'][:90]}")
        check(True, "")

    def middle(self, selector):
        box = self.page.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(self, kind, *points, at=None):
        """Sends a touch. With `at`, the touch has this time, even if this script is slow."""
        touch = {"type": kind, "touchPoints": [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]}
        self.session.send("Input.dispatchTouchEvent", touch if at is None else {**touch, "timestamp": at})

    def tap(self, selector):
        """Touches a control like the hand of an old person: on average 3.4 mm beside the middle. The person first
        looks at a new screen."""
        time.sleep(0.8)
        x, y = self.middle(selector)
        point = (x + chance.gauss(0, 2.7) * self.mm, y + chance.gauss(0, 2.7) * self.mm)
        self.touch("touchStart", point)
        time.sleep(0.09)
        self.touch("touchEnd")

    def press(self, selector):
        """Touches the middle of a control at once."""
        self.touch("touchStart", self.middle(selector))
        time.sleep(0.08)
        self.touch("touchEnd")

    def slide(self, selector):
        """Slides the thumb of the track to an end."""
        x, y = self.middle("[data-thumb]")
        goal, _ = self.middle(selector)
        self.touch("touchStart", (x, y))
        for step in range(1, 9):
            self.touch("touchMove", (x + (goal - x) * step / 8, y))
            time.sleep(0.02)
        self.touch("touchEnd")
