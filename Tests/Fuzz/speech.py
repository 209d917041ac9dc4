"""Speaks random texts with espeak-ng through prompter-sound: speech.py PROMPTER_SOUND ESPEAK_NG SECONDS; see run-speech.sh."""

import collections
import os
import random
import subprocess
import sys
import tempfile
import time

LANGUAGES = "en en-gb de vi ja cmn ru ar hi fa ko pt-br fr-fr el he ta th zz".split()
RANGES = [
    (0x00, 0x7F), (0x20, 0x7E), (0xA0, 0x5FF), (0x600, 0x1FFF), (0x2000, 0x2FFF), (0x3000, 0xD7FF),
    (0x300, 0x36F), (0xE000, 0xFFFF), (0x10000, 0x1FFFF), (0xE0000, 0x10FFFF),
]
PIECES = ["[[", "]]", "[[h@l'oU", "<speak>", "<break time='9s'/>", "&#65;", "\x01+50p", "\x01", "1e999", "9" * 400,
          "...", "A" * 300, "\u0301" * 50, "\r\n", "{", "^", "_^_de", "12:30", "-" * 100]
# The program may use ten seconds of processor time. On a busy machine, this takes more than ten seconds of wall-clock
# time.
WALL_SECONDS = 60
ORDINARY_TEXTS = 60


def text(chance):
    parts = []
    for _ in range(chance.choice([1, 5, 20, 80])):
        if chance.random() < 0.2:
            parts.append(chance.choice(PIECES))
        else:
            low, high = chance.choice(RANGES)
            parts.append("".join(chr(chance.randint(low, high)) for _ in range(chance.randint(1, 12))))
    raw = "".join(parts).encode("utf-8", "replace")
    if chance.random() < 0.1:
        raw = bytes(byte if chance.random() > 0.05 else chance.randrange(256) for byte in raw)
    return raw[:4096]


def main():
    program, voice, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
    seed = int(os.environ.get("PROMPTER_SEED", "1" if seconds == 0 else str(int(time.time()))))
    chance = random.Random(seed)
    ends = collections.Counter()
    findings = 0
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        number = 0
        while number < ORDINARY_TEXTS if seconds == 0 else time.monotonic() - start < seconds:
            number += 1
            words, language = text(chance), chance.choice(LANGUAGES)
            command = [program, "speak", "--program", voice, "--language", language, "--words-per-minute", "140"]
            try:
                run = subprocess.run(command, input=words, capture_output=True, timeout=WALL_SECONDS, cwd=work)
            except subprocess.TimeoutExpired:
                findings += 1
                print(f"text {number} in {language} did not end in {WALL_SECONDS} s: {words!r}", file=sys.stderr)
                continue
            end = f"signal {-run.returncode}" if run.returncode < 0 else f"status {run.returncode}"
            ends[end] += 1
            if run.returncode in (2, 3):
                findings += 1
                print(f"text {number}: espeak-ng was not started: {run.stderr!r}", file=sys.stderr)
            if run.returncode < 0 and seconds:
                print(f"text {number} in {language} crashed espeak-ng ({end}): {words!r}")
            if os.listdir(work):
                findings += 1
                print(f"text {number} left the files {os.listdir(work)}: {words!r}", file=sys.stderr)
                break
    counts = ", ".join(f"{count} ended with {end}" for end, count in sorted(ends.items()))
    print(f"espeak-ng in its sandbox: {number} texts from seed {seed}: {counts}")
    if not ends["status 0"]:
        findings += 1
        print("no text was spoken", file=sys.stderr)
    return 1 if findings else 0


sys.exit(main())
