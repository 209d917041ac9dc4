"""A caretaker records a voice in the page, with a microphone that plays a file. See Tests/Screen/run.sh.

    test_voices.py PROGRAMS_DIRECTORY

The level of the recording that the page sends must differ from the level of the file by at most 1 dB. The
length of the recording that the daemon stores must differ from the length of the sent recording by at most
50 ms. Its loudness must differ from the promised loudness (-16 LUFS) by at most 1 dB.
"""
import array
import base64
import math
import sys
import tempfile
import wave
from pathlib import Path

from opened import DESK, PHONE, Opened, Page

from home import Home
from playwright.sync_api import sync_playwright
from view import check, end

RATE, HERTZ, AMPLITUDE = 48_000, 1_000, 0.2
SENT = """async () => {
  const bytes = new Uint8Array(await document.getElementById("file").files[0].arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""
STORED = """async (address) => {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def write_tone(path, seconds, amplitude=AMPLITUDE):
    samples = array.array("h", (round(32767 * amplitude * math.sin(2 * math.pi * HERTZ * index / RATE))
                                for index in range(RATE * seconds)))
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def measure(text, folder):
    """Returns the length in seconds, and the level of the middle part in dB (a full-scale sine has -3
    dB)."""
    path = Path(folder) / "measured.wav"
    path.write_bytes(base64.b64decode(text))
    with wave.open(str(path)) as file:
        samples = array.array("h", file.readframes(file.getnframes()))
        length, channels = file.getnframes() / file.getframerate(), file.getnchannels()
    check(channels == 1, f"the file has {channels} channels")
    middle = samples[len(samples) // 4:len(samples) * 3 // 4]
    mean = sum(sample * sample for sample in middle) / max(1, len(middle))
    return length, 10 * math.log10(max(mean, 1e-9)) - 20 * math.log10(32767)


def record(view, seconds):
    view.page.tap("[data-start]")
    view.wait("[data-countdown] >> text=s left")
    view.page.wait_for_timeout(seconds * 1000)
    check(view.page.evaluate("document.querySelector('meter').value") > 0.1, "the meter shows no level")
    view.page.tap("[data-stop]")
    view.wait("[data-verdict] >> text=s recorded.")


def by_touch(home, view, folder):
    view.page.set_viewport_size(PHONE)
    view.page.tap("nav >> text=Voices")
    view.wait("text=There are no recordings yet.")
    view.look("voices, empty")
    record(view, 3)
    view.look("a new voice")
    check("Its level is good." in view.page.inner_text("[data-verdict]"), "a good recording is not called good")
    check(view.page.evaluate("document.querySelector('audio').duration") > 2.5, "the recording cannot be heard")
    sent, level = measure(view.page.evaluate(SENT), folder)
    expected = 20 * math.log10(AMPLITUDE) - 3.01
    heard = level
    check(abs(level - expected) <= 1, f"the level changed from {expected:.1f} to {level:.1f} dB")
    view.page.fill("#name", "dad-pills")
    view.page.tap("button[value=store]")
    view.wait("[role=status] >> text=The recording is stored.", 30)
    tone = home.ask("tone", "list")["tones"][0]
    check(abs(tone["duration_ms"] / 1000 - sent) <= 0.05, f"{sent:.3f} s were sent, {tone['duration_ms']} ms are stored")
    check(abs(tone["loudness_lufs"] + 16) <= 1, f"the daemon reports {tone['loudness_lufs']} LUFS instead of -16 LUFS")
    stored, level = measure(view.page.evaluate(STORED, "/voices/dad-pills/sound"), folder)
    check(abs(stored - sent) <= 0.05, f"{sent:.3f} s were sent, {stored:.3f} s are stored")
    # The daemon measures the loudness as if two speakers play the same channel. This value is 3 dB higher than the
    # loudness of one speaker.
    check(abs(level + 19.01) <= 1, f"the stored voice has {level:.1f} dB instead of -19 dB")
    print(f"voice: {sent:.3f} s sent, {stored:.3f} s stored; {expected:.1f} dB spoken, {heard:.1f} dB sent, "
          f"{level:.1f} dB stored", flush=True)
    view.look("a stored voice")
    view.page.tap("button[value=play]")
    view.wait("[role=status] >> text=The speaker at home played the recording.", 20)


def by_keyboard(home, view, folder):
    """Uploads a file, and renames and removes it."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/voices")
    file = Path(folder) / "upload.wav"
    write_tone(file, 2, 0.4)
    view.page.set_input_files("#file", file)
    view.page.focus("#name")
    view.page.keyboard.type("dad-pills")
    view.page.keyboard.press("Enter")
    view.wait("#error-name", 20)
    view.look("refused voice", ("light",))
    view.page.set_input_files("#file", file)
    view.page.focus("#name")
    view.page.keyboard.press("Control+A")
    view.page.keyboard.type("mum")
    view.page.keyboard.press("Enter")
    view.wait("h1 >> text=mum", 20)
    view.page.focus("#name")
    view.page.keyboard.press("Control+A")
    view.page.keyboard.type("mum-2")
    view.page.keyboard.press("Enter")
    view.wait("text=The recording has a new name.")
    view.page.focus("button[value=remove]")
    view.page.keyboard.press("Enter")
    view.wait("text=The recording was removed.")
    check([one["name"] for one in home.ask("tone", "list")["tones"]] == ["dad-pills"], "the recording is still there")


def refused(browser, opened, cookies):
    """If the page may not use the microphone, the page says so, and the caretaker can still upload a
    file."""
    view = Page(browser, "no microphone", PHONE, opened.root)
    view.context.add_cookies(cookies)
    view.page.goto(opened.root + "/voices")
    view.page.evaluate("() => { navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('denied')); }")
    view.page.tap("[data-start]")
    view.wait("[data-verdict] >> text=The browser does not permit the microphone.")
    view.context.close()


def main():
    home = Home(sys.argv[1], "")
    opened = Opened(home)
    try:
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
            tone = Path(folder) / "microphone.wav"
            write_tone(tone, 10)
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
                "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
                f"--use-file-for-fake-audio-capture={tone}"])
            view = Page(browser, "voices", PHONE, opened.root, permissions=["microphone"])
            view.page.goto(opened.first)
            by_touch(home, view, folder)
            by_keyboard(home, view, folder)
            refused(browser, opened, view.context.cookies())
            browser.close()
    finally:
        opened.end()
        home.end()
    end("the voices of the caretaker's pages")


main()
