"""Runs prompter-image with malformed pictures: image.py PROGRAM FIXTURES SECONDS SEED (0 seconds: 400 pictures)."""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

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
            # A large or a negative number, as in a length or a size.
            data[place : place + 4] = dice.choice([b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\0\0\0\0", b"\0\0\xff\xff"])
        else:
            for _ in range(dice.randint(1, 16)):
                data[dice.randrange(len(data))] = dice.randrange(256)
    return bytes(data)


def decode(program, picture):
    """Returns the exit code of a child, its processor time in seconds, and its report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as upload:
        upload.write(picture)
        upload.seek(0)
        child = subprocess.run([program, "decode"], stdin=upload, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return child.returncode, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, child.stderr


def main(program, fixtures, seconds, seed):
    names = sorted(name for name in os.listdir(fixtures) if name.endswith(EXTENSIONS))
    originals = [open(os.path.join(fixtures, name), "rb").read() for name in names]
    dice = random.Random(seed)
    longest, pictures, refusals, findings, count = 0.0, 0, {}, 0, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end if seconds else count < PICTURES:
        count += 1
        picture = malformed(dice.choice(originals), originals, dice)
        code, taken, said = decode(program, picture)
        longest = max(longest, taken)
        reason = None
        if code == 0:
            pictures += 1
        elif code == 1:
            kind = json.loads(said.splitlines()[-1])["refused"]
            refusals[kind] = refusals.get(kind, 0) + 1
        elif code not in (-24, -6):
            # SIGXCPU: the time is over. SIGABRT: a C++ library got no more memory. The caretaker gets these reasons.
            reason = f"it ended with {code}: {said[-200:]!r}"
        if taken > SECONDS + GRACE_SECONDS:
            reason = f"it took {taken:.1f} s"
        if reason:
            findings += 1
            path = os.path.abspath(f"picture-{seed}-{count}.bin")
            open(path, "wb").write(picture)
            print(f"{path}: {reason}")
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1_024
    print(f"{count} malformed pictures of seed {seed}: {pictures} pictures, refused {dict(sorted(refusals.items()))}, "
          f"at most {longest:.2f} s and {memory:.0f} MiB, {findings} findings")
    if memory > MEBIBYTES:
        sys.exit(f"a child used {memory:.0f} MiB; the limit is {MEBIBYTES} MiB")
    if findings:
        sys.exit(1)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
