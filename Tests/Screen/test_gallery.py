"""Checks each screen of the gallery: sizes, contrast, accessibility, touches, memory and pictures. See run.sh."""
import io
import os
import sys
import time
from pathlib import Path

from PIL import Image, ImageChops, ImageFilter
from playwright.sync_api import sync_playwright

from gallery import ROOT, WEB, Gallery, longer
from view import HERE, LANGUAGES, SIZES, View, check, end

CONTRAST = (HERE / "contrast.js").read_text()
TOUCHES = (HERE / "touches.js").read_text()
DIMMED = (HERE / "dimmed.js").read_text()
PICTURE = ROOT / "Tests/Fixtures/image/pills.png"
# The pictures of SCREEN.md are the approved pictures. With PROMPTER_WRITE_PICTURES=1, this program writes them again.
APPROVED = ROOT / "docs/user/screens"
IS_WRITING = "PROMPTER_WRITE_PICTURES" in os.environ
SHOWN = ["idle", "night", "calling", "calling-first", "on-my-way", "done", "later", "message", "yes-or-no", "said-no", "reward",
         "done-camera", "camera", "photo", "question-scale", "question-number", "question-temperature", "question-choices",
         "question-rows", "question-mood", "question-yes-no", "question-text", "refusal", "not-connected"]
# Presses a button of the camera, and waits until the video is visible.
CAMERA = """async (button) => {
  const { photo } = await import("/photo.js");
  await photo(document.querySelector(`[data-answer=photo-${button}]`));
  const video = document.querySelector("video");
  for (let tries = 0; tries < 100 && video.videoWidth === 0; tries += 1) await new Promise((done) => setTimeout(done, 50));
}"""
# Shows a refusal on the screen, and returns the faults in the size and the place of its words.
REFUSE = """async ([words, place, mm]) => {
  const { showRefusal, hideRefusal } = await import("/refusal.js");
  hideRefusal(false);
  showRefusal(words, "gallery", place);
  const box = document.querySelector("#refusal p");
  const [edges, style] = [box.getBoundingClientRect(), getComputedStyle(box)];
  const faults = [];
  if (parseFloat(style.fontSize) * 0.729 / mm < 6.4) faults.push(`the letters of "${words}" are small`);
  if (box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth) faults.push(`"${words}" is cut off`);
  if (edges.top < 0 || edges.bottom > innerHeight) faults.push(`"${words}" is outside of the display`);
  const hit = document.elementFromPoint(innerWidth / 2, innerHeight - 40);
  if (!hit?.closest("#refusal")) faults.push(`"${words}" lets touches through`);
  return faults;
}"""
# The refusal that the pictures show, in each language.
OVER = ["This is already over.", "Das ist schon vorbei.", "Việc này đã kết thúc rồi."]
# The part of a picture that may differ. A different version of the browser or of its font library draws edges
# differently.
TOLERANCE = 0.002
# The maximum size of the page with all its files, without pictures, in bytes.
WEIGHT = 100_000


def differing(one, two):
    """Blurs two pictures a little, and returns the part of them that differs visibly."""
    if one.size != two.size:
        return 1
    blurred = [picture.convert("RGB").filter(ImageFilter.BoxBlur(2)) for picture in (one, two)]
    difference = ImageChops.difference(*blurred).convert("L").point(lambda value: 255 if value > 32 else 0)
    return difference.histogram()[255] / (one.width * one.height)


def approve(view, name, png):
    """Compares a picture with the approved picture."""
    file = APPROVED / f"{name}-{view.name.split('-')[0]}.png"
    picture = Image.open(io.BytesIO(png))
    if IS_WRITING:
        file.parent.mkdir(parents=True, exist_ok=True)
        picture.convert("RGB").quantize(16, dither=Image.Dither.NONE).save(file, optimize=True)
        return
    if not file.exists():
        check(False, f"{file.relative_to(ROOT)} is missing; write it with PROMPTER_WRITE_PICTURES=1")
        return
    part = differing(picture, Image.open(file))
    check(part <= TOLERANCE, f"{view.name} {name}: {part:.2%} of the picture differ from {file.relative_to(ROOT)}")


def film(picture, file):
    """Writes a film of one picture, which the camera of the browser then sees."""
    size = (640, 480)
    frame = Image.new("RGB", size, "white")
    shown = Image.open(picture).convert("RGB")
    shown.thumbnail(size)
    frame.paste(shown, ((size[0] - shown.width) // 2, (size[1] - shown.height) // 2))
    light, blue, red = frame.convert("YCbCr").split()
    half = [plane.resize((size[0] // 2, size[1] // 2)).tobytes() for plane in (blue, red)]
    file.write_bytes(b"YUV4MPEG2 W640 H480 F5:1 Ip A1:1 C420jpeg\nFRAME\n" + light.tobytes() + half[0] + half[1])
    return file


def camera(view, server, pictures):
    """The camera, and the photo before it is sent."""
    view.wait(server.show(server.screen("done-camera")))
    for name, button in [("camera", "open"), ("photo", "take")]:
        view.page.evaluate(CAMERA, button)
        inspect(view, name, pictures)


def refusals(view, server, pictures):
    """The words of each refusal."""
    view.wait(server.show(server.screen("calling")))
    view.page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
    _, place = view.middle(".end.right")
    for words in server.refusals:
        faults = view.page.evaluate(REFUSE, [words, place, view.mm])
        check(not faults, f"{view.name}: {faults}")
    words = next(words for words in server.refusals if words in [*OVER, longer(OVER[0])])
    view.page.evaluate(REFUSE, [words, place, view.mm])
    view.page.screenshot(path=pictures / f"refusal-{view.name}.png")
    finish(view, "refusal", pictures)
    view.page.evaluate("import('/refusal.js').then(({ hideRefusal }) => hideRefusal(false))")


def inspect(view, name, pictures):
    """Checks the visible screen, and compares it with its approved picture."""
    view.measure(name, pictures)
    measured = view.page.evaluate(CONTRAST)
    check(not measured["faults"], f"{view.name} {name}: {measured['faults']}")
    finish(view, name, pictures)


def finish(view, name, pictures):
    language, size = view.name.split("-")
    if language in ("en", "pseudo"):
        view.audit(name)
    if size == "7in" and name in SHOWN and language in LANGUAGES:
        approve(view, name, (pictures / f"{name}-{view.name}.png").read_bytes())


def look(view, server, pictures):
    """Checks each screen at one size in one language."""
    for name in server.names:
        view.wait(server.show(server.screen(name)))
        view.page.evaluate("Promise.all([...document.images].map((image) => image.decode()))")
        inspect(view, name, pictures)


def touches(view, server):
    """Imprecise taps, accidents and slides on each screen with controls."""
    server.answers.clear()
    for number, name in enumerate(["calling", "calling-first", "calling-last", "message", "on-my-way", "done", "long", "yes-or-no"]):
        view.wait(server.show(server.screen(name)))
        faults = view.page.evaluate(TOUCHES, {"mm": view.mm, "taps": 1_000, "accidents": 500, "seed": number})
        check(not faults, f"{view.name} {name}: {faults}")
    check(not server.answers, f"{view.name}: an answer went to the server: {server.answers}")


def dimmed(view, server):
    """Touches on the dark screen of the night, and too early touches on the screen that a ring lights up."""
    view.wait(server.show(server.screen("night")))
    lit = server.screen("calling-first")
    lit["html"] = lit["html"].replace(" data-seen=", " data-not-reported=")
    faults = view.page.evaluate(DIMMED, {"mm": view.mm, "tries": 500, "seed": 1, "dark": server.screen("night"), "lit": lit})
    check(not faults, f"{view.name}: {faults}")


def early(view, server):
    """Touches within 700 ms of a new screen, with the real clock of the browser."""
    for wait, count in [(0.05, 0), (0.5, 0), (1, 1)]:
        # On a busy machine, the touch can come later after the new screen than `wait`. The test does not count such a
        # try.
        for _ in range(5):
            server.answers.clear()
            before = time.time()
            view.wait(server.show(server.screen("calling")))
            x, y = view.middle(".end.right")
            begin = time.time()
            view.touch("touchStart", (x, y), at=begin + wait)
            view.touch("touchEnd", at=begin + wait + 0.1)
            time.sleep(0.2)
            if count or begin + wait - before < 0.65:
                break
        check(len(server.answers) == count, f"{view.name}: a touch {wait} s after the screen sent {len(server.answers)} answers")


def clock(view, server):
    """The clock at a change of the offset. The browser is in Tokyo."""
    update = server.screen("idle")
    begin = 1_774_746_000_000  # 2026-03-29T01:00:00Z, when summer time begins in Berlin
    segment = {"day": "Saturday night", "date": "28 March 2026"}
    update["clock"] = {"now_ms": begin - 2_500, "segments": [
        {"from_ms": begin - 60_000, "offset_seconds": 3_600, **segment}, {"from_ms": begin, "offset_seconds": 7_200, **segment}]}
    view.wait(server.show(update))
    check(view.page.inner_text("[data-clock=time]") == "01:59", "the clock is wrong before the change of the offset")
    time.sleep(4)
    check(view.page.inner_text("[data-clock=time]") == "03:00", "the clock is wrong after the change of the offset")


def memory(view, server, rounds):
    """A week in fast motion: the heap, the nodes and the listeners stay the same."""
    names = ["idle", "calling", "on-my-way", "done", "later", "calling-first", "not-connected", "night", "message", "long"]
    screens = [server.screen(name) for name in names]

    def run(count):
        for number in range(count):
            selector = server.show(screens[number % len(screens)])
            if number % 50 == 49:
                view.wait(selector)
        view.wait(server.show(screens[0]))
        for _ in range(3):
            view.session.send("HeapProfiler.collectGarbage")
            time.sleep(0.1)
        found = {one["name"]: one["value"] for one in view.session.send("Performance.getMetrics")["metrics"]}
        return found["JSHeapUsedSize"], found["Nodes"], found["JSEventListeners"]

    view.session.send("Performance.enable")
    run(500)
    before = run(100)
    begin = time.monotonic()
    after = run(rounds)
    growth = (after[0] - before[0]) / 1e6
    print(f"{rounds} screens in {time.monotonic() - begin:.1f} s: the heap grew by {growth:.2f} MB to {after[0] / 1e6:.1f} MB")
    check(growth <= 2, f"{rounds} screens: the heap grew by {growth:.1f} MB")
    check(after[1] - before[1] <= 20, f"{rounds} screens: {after[1] - before[1]} more nodes")
    check(after[2] == before[2], f"{rounds} screens: {after[2] - before[2]} more listeners")


def weight(server):
    """The size of the page. Benchmarks/screen.py measures the time until the browser paints it."""
    total = len(server.page.encode()) + sum(file.stat().st_size for file in WEB.iterdir())
    check(total <= WEIGHT, f"the page with its files has {total} bytes; the limit is {WEIGHT}")
    print(f"the page has {total} bytes")


def main():
    folder, pictures = sys.argv[1], Path(sys.argv[2])
    servers = {language: Gallery(folder, language, PICTURE) for language in [*LANGUAGES, "pseudo"]}
    with sync_playwright() as playwright:
        seen = film(PICTURE, pictures / "camera.y4m")
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
            "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={seen}"])
        for language, server in servers.items():
            for size in SIZES:
                view = View(browser, server.url, language, size, only_dejavu=True)
                view.wait("main section")
                if language == "en":
                    weight(server)
                look(view, server, pictures)
                camera(view, server, pictures)
                refusals(view, server, pictures)
                if language == "en":
                    touches(view, server)
                    dimmed(view, server)
                    early(view, server)
                if language == "en" and size == "7in":
                    clock(view, server)
                    memory(view, server, int(os.environ.get("PROMPTER_SCREENS", "2000")))
                view.page.context.close()
        browser.close()
    end("the gallery of the screen")


main()
