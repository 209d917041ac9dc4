"""Takes a photo of a finished task with the simulated camera of Chromium. See run.sh."""
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from home import Home

HERE = Path(__file__).parent
CHECKS = (HERE / "checks.js").read_text()
SIZES = {"7in": (800, 480, 5.19), "10in": (1280, 800, 5.9)}
CAMERA = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
# Asks for the camera in the way in which another script of the page would ask.
ASK = "() => navigator.mediaDevices.getUserMedia({ video: true }).then(() => true, () => false)"
faults = []


def check(is_right, what):
    if not is_right:
        faults.append(what)
        print(f"FAILED: {what}", file=sys.stderr, flush=True)


def note(line):
    # In this test, the server refuses a photo, and the browser refuses the camera, on purpose.
    if line.type == "error" and "503" not in line.text and "Permissions policy" not in line.text:
        check(False, f"console: {line.text}")


def press(page, selector):
    """Touches a control. The person first looks at the new screen."""
    page.wait_for_selector(selector)
    time.sleep(0.8)
    page.locator(selector).click(delay=90)


def measure(page, screen, language, size, pictures):
    found = page.evaluate(CHECKS, SIZES[size][2])
    check(not found, f"{screen} {language} {size}: {found}")
    page.screenshot(path=pictures / f"{screen}-{language}-{size}.png")


def finish(home, page, label):
    """A task rings, and the person presses DONE."""
    prompt = home.set_alarm(label)
    press(page, ".end.right")
    page.wait_for_selector("[data-answer=photo-open]")
    return prompt


def main():
    home, pictures = Home(sys.argv[1]), Path(sys.argv[2])
    try:
        urls = {language: home.screen(language, more=["--camera"]) for language in ["en", "de", "vi"]}
        without = home.screen("none", language="en")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=CAMERA)
            views = []
            for language, size in [("en", "7in"), ("de", "7in"), ("vi", "7in"), ("de", "10in")]:
                width, height, _ = SIZES[size]
                page = browser.new_context(viewport={"width": width, "height": height}).new_page()
                page.set_default_timeout(15_000)
                page.on("console", note)
                page.goto(urls[language])
                views.append((page, language, size))
            page = views[0][0]
            prompt = finish(home, page, "Take the pills")
            check(len(home.events("completed")) == 1, "the task is not recorded before the photo")
            for one in views:
                one[0].wait_for_selector("[data-answer=photo-open]")
                measure(*one[:1], "done-camera", *one[1:], pictures)
                press(one[0], "[data-answer=photo-open]")
                one[0].wait_for_function("() => document.querySelector('video').videoWidth > 0")
                measure(*one[:1], "camera", *one[1:], pictures)
                press(one[0], "[data-answer=photo-take]")
                one[0].wait_for_selector("[data-answer=photo-send]")
                measure(*one[:1], "photo", *one[1:], pictures)
            press(page, "[data-answer=photo-retake]")
            press(page, "[data-answer=photo-take]")
            press(page, "[data-answer=photo-send]")
            page.wait_for_selector("[data-photo-sent]:not([hidden])")
            added = home.events("photo_added")
            check([(one["prompt_id"], one["source"]) for one in added] == [(prompt, "screen")], f"recorded: {added}")
            stored = home.ask("image", "list")["images"]
            check([one["prompt_id"] for one in stored] == [prompt] and stored[0]["width"] >= 320, f"stored: {stored}")
            check(len(home.events("completed")) == 1, "the photo completed the task again")
            # If a photo does not arrive, or if the person takes no photo, the task is still done.
            page = views[1][0]
            page.route("**/photo", lambda route: route.fulfill(status=503))
            press(page, "[data-answer=photo-send]")
            page.wait_for_selector("[data-in=failed]:not([hidden])")
            measure(page, "photo-failed", *views[1][1:], pictures)
            for one, _, _ in views[1:]:
                press(one, "[data-answer=photo-close]")
                one.wait_for_selector(".undo")
            check(len(home.events("photo_added")) == 1, "a photo was added that nobody sent")
            check(len(home.events("correction")) == 0, "the camera changed the answer")
            check(page.evaluate(ASK), "the page may not use the camera")
            # A screen without --camera offers no photo, takes none, and may not use the camera.
            page.goto(without)
            page.wait_for_selector(".undo")
            check(page.locator("[data-answer=photo-open]").count() == 0, "a screen without a camera offers a photo")
            check(not page.evaluate(ASK), "a screen without a camera may use the camera")
            browser.close()
    finally:
        home.end()
    print(f"the camera: {len(faults)} checks failed")
    sys.exit(bool(faults))


main()
