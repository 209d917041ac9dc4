"""The caretaker's pages in a browser: `prompter open`, and the checks of what a page shows. See Tests/Screen/run.sh."""
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Screen"))

from axe_playwright_python.sync_playwright import Axe  # noqa: E402
from view import AXE, check  # noqa: E402

PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


class Opened:
    """A run of `prompter open`. Its address works for one browser."""

    def __init__(self, home, *words, before=(), program=None):
        self.process = subprocess.Popen(
            [*before, program or home.programs / "prompter", "open", "--no-browser", "--socket", home.socket, *words],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.process.stdout.readline()
        self.first = self.process.stdout.readline().strip()
        self.root = "/".join(self.first.split("/")[:3])

    def end(self):
        self.process.terminate()
        self.process.wait(10)


class Page:
    """A page of the caretaker in a browser. Each message of the console is a fault."""

    def __init__(self, browser, name, size, root, **more):
        self.name, self.root, self.is_silent = name, root, False
        self.context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce", **more)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", lambda line: line.type == "error" and self.note(line.text))
        self.page.on("pageerror", lambda error: self.note(str(error)))
        self.page.on("request", lambda request: self.is_own(request.url))

    def is_own(self, url):
        if not url.startswith((self.root, "data:", "blob:" + self.root)):
            check(False, f"{self.name}: a request to {url}")

    def note(self, text):
        # Two kinds of messages are not faults: the test kills the daemon on purpose, and a page with a refusal has an
        # error status.
        if not self.is_silent and "status of 4" not in text and "status of 503" not in text:
            check(False, f"{self.name}: console: {text}")

    def wait(self, selector, seconds=10, state="visible"):
        try:
            found = self.page.wait_for_selector(selector, timeout=seconds * 1000, state=state)
            if found:
                found.dispose()
            return True
        except Exception as error:
            check(False, f"{self.name}: {selector} did not appear: {str(error).splitlines()[0]}")
            return False

    def look(self, what, themes=("light", "dark")):
        """Checks the accessibility in the light and in the dark theme. Also checks that no element is wider than the
        page."""
        for theme in themes:
            self.page.emulate_media(color_scheme=theme)
            for one in Axe().run(self.page, options=AXE).response["violations"]:
                node = one["nodes"][0]
                check(False, f"{self.name} {what} {theme}: axe: {one['id']}: {node['html'][:90]}: "
                             f"{node.get('failureSummary', '')[:160]}")
        self.page.emulate_media(color_scheme="light")
        self.fits(what)

    def fits(self, what):
        wide = self.page.evaluate("""[...document.querySelectorAll("body *")]
            .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".skip, .unseen"))
            .map((one) => one.outerHTML.slice(0, 80))""")
        check(not wide, f"{self.name} {what}: wider than the page: {wide[:2]}")
        check(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"),
              f"{self.name} {what}: the page scrolls sideways")
