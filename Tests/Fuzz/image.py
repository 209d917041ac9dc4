"""Runs prompter-image with malformed pictures: image.py PROGRAM FIXTURES SECONDS SEED (0 seconds: 400 pictures)."""

import json
import os
import random
import sys
import time

import children

SECONDS = 10  # The limit of processor time of prompter-image.
GRACE_SECONDS = 2
MEBIBYTES = 384  # The limit of the address space.
PICTURES = 400
EXTENSIONS = (".jpg", ".png", ".webp", ".heic", ".avif")


def malformed(picture, originals, dice):
    """Changes bytes, numbers and lengths, cuts the file, or joins two files."""
    data = bytearray(picture)
    for _ in range(dice.randint(1, 4)):
        kind = dice.randrange(6)
        if not data:
            break
        place = dice.randrange(len(data))
        if kind == 0:
            data = data[:place]
        elif kind == 1:
            del data[place : place + dice.randint(1, 64)]
        elif kind == 2:
            other = dice.choice(originals)
            data = data[:place] + other[dice.randrange(len(other)) :]
        elif kind == 3:
            # Write a large or a negative number. The file may use these bytes as a length or a size.
            data[place : place + 4] = dice.choice([b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\0\0\xff\xff"])
        else:
            for _ in range(dice.randint(1, 16)):
                data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


def main(program, fixtures, seconds, seed):
    names = sorted(name for name in os.listdir(fixtures) if name.endswith(EXTENSIONS))
    originals = [open(os.path.join(fixtures, name), "rb").read() for name in names]
    dice = random.Random(seed)
    findings = children.Findings(SECONDS + GRACE_SECONDS, MEBIBYTES)
    pictures, refusals, count = 0, {}, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end if seconds else count < PICTURES:
        count += 1
        picture = malformed(dice.choice(originals), originals, dice)
        code, taken, _, said = children.run([program, "decode"], picture)
        reason = None
        if code == 0:
            pictures += 1
        elif code == 1:
            kind = json.loads(said.splitlines()[-1])["refused"]
            refusals[kind] = refusals.get(kind, 0) + 1
        elif code not in (-24, -6):
            # SIGXCPU: the limit of processor time was reached. SIGABRT: a C++ library got no more memory. The
            # caretaker gets these reasons.
            reason = f"it ended with {code}: {said[-200:]!r}"
        findings.check(f"picture-{seed}-{count}.bin", picture, taken, reason)
    findings.end(f"{count} malformed pictures of seed {seed}: {pictures} pictures, "
                 f"refused {dict(sorted(refusals.items()))}")


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
