"""Shows the sample pages of the caretaker in a browser: accessibility, widths, weight and pictures. See Tests/Screen/run.sh.

    test_pages.py GALLERY_DIRECTORY PICTURES_DIRECTORY [SAMPLE...]

Without names, it shows all samples. A name such as "alarm" stands for all samples whose names begin with it.
With PROMPTER_WRITE_PICTURES=1, it also writes the pictures of docs/user/CARETAKER.md.
"""
import io
import os
import sys
from pathlib import Path

from opened import DESK, PHONE, Page

from PIL import Image
from playwright.sync_api import sync_playwright
from view import LANGUAGES, check, end

ROOT = Path(__file__).resolve().parents[2]
URL = "http://gallery.localhost"
# The samples whose pictures are in docs/user/CARETAKER.md, at both sizes.
SHOWN = ["today", "alarm", "alarm-edit", "alarm-questions", "alarm-steps", "messages", "history", "history-day", "answers", "home", "phone-code",
         "voices", "voice", "import-preview", "study"]
# The maximum size of a page with all its files, in bytes.
WEIGHT = 200_000
# A window of 1280 pixels at a zoom of 400 %, and a display with 4K.
NARROW, LARGE = {"width": 320, "height": 640}, {"width": 3840, "height": 2160}
TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".html": "text/html; charset=utf-8"}
# The Content-Security-Policy of the page server.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; "
          "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
          "require-trusted-types-for 'script'; trusted-types prompter")


def serve(route, gallery, language):
    """Answers the browser from the files of the gallery."""
    name = route.request.url[len(URL) + 1:].split("?")[0]
    file = gallery / "web" / name if "." in name else gallery / language / f"{name}.html"
    if not file.exists():
        return route.fulfill(status=404, content_type="text/plain", body="")
    route.fulfill(status=200, headers={"content-type": TYPES[file.suffix], "content-security-policy": POLICY},
                  body=file.read_bytes())


def write(name, png):
    folder = ROOT / "docs/user/caretaker"
    folder.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").quantize(32, dither=Image.Dither.NONE).save(
        folder / f"{name}.png", optimize=True)


def look(browser, gallery, pictures, language):
    view = Page(browser, language, DESK, URL)
    view.page.route("**/*", lambda route: serve(route, gallery, language))
    for file in sorted((gallery / language).glob("*.html")):
        if not file.stem.startswith(tuple(sys.argv[3:]) or ""):
            continue
        view.page.goto(f"{URL}/{file.stem}")
        for size, name in [(PHONE, "360"), (DESK, "1280")]:
            view.page.set_viewport_size(size)
            # Check the accessibility in each language, because the words differ. The colours are the same, so check the dark
            # theme only in English.
            view.look(f"{file.stem}-{name}", ("light", "dark") if language == "en" else ("light",))
            png = view.page.screenshot(path=pictures / f"caretaker-{file.stem}-{name}-{language}.png", full_page=True)
            if "PROMPTER_WRITE_PICTURES" in os.environ and file.stem in SHOWN and language == "en":
                write(f"{file.stem}-{name}-{language}", png)
        for size in (NARROW, LARGE):
            view.page.set_viewport_size(size)
            view.fits(f"{file.stem}-{size['width']}")
    view.context.close()


def main():
    gallery, pictures = Path(sys.argv[1]), Path(sys.argv[2])
    files = sum(file.stat().st_size for file in (gallery / "web").iterdir())
    page = max(file.stat().st_size for file in (gallery / "en").iterdir())
    check(files + page <= WEIGHT, f"the page and its files have {files + page} bytes; the limit is {WEIGHT}")
    print(f"the largest sample page and all files: {files + page} bytes", flush=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium")
        for language in LANGUAGES:
            look(browser, gallery, pictures, language)
    end("the sample pages of the caretaker")


main()
