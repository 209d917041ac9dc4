#!/usr/bin/env python3
"""Makes recordings and malformed recordings for the decoder.

    sound.py voice FILE                         writes a WAV that every encoder accepts
    sound.py children PROGRAM CORPUS COUNT SEED SECONDS MEBIBYTES
                                                makes COUNT malformed files from the files of a directory and decodes
                                                each in its own child process. Each child must end with a tone or a
                                                refusal, within the given processor time and memory
"""
import json
import math
import os
import random
import struct
import sys
import wave

import children

# The processor time that a program needs to load its libraries. The sandbox begins to count the time after the
# libraries are loaded.
GRACE_SECONDS = 0.5


def write_voice(path):
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16_000)
        for frame in range(12_800):
            time = frame / 16_000
            envelope = math.sin(math.pi * time / 0.8) * (0.6 + 0.4 * math.sin(2 * math.pi * 4 * time))
            tone = sum(math.sin(2 * math.pi * 140 * n * time) / n for n in range(1, 9))
            file.writeframes(struct.pack("<h", int(6_000 * envelope * tone)))


def malformed(sound, others, dice):
    """Returns a malformed file, made from a good one."""
    sound = bytearray(sound)
    for _ in range(dice.randint(1, 4)):
        # Most changes are after the first 12 bytes, because these bytes identify the format.
        place = dice.choice([0, 12, 12, 12]) + dice.randrange(
            max(1, min(len(sound), dice.choice([16, 64, 512, 1 << 20]))))
        kind = dice.randrange(8)
        if kind == 0:
            del sound[place:]
        elif kind == 1:
            sound[place:place + 4] = struct.pack("<I", dice.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]))
        elif kind == 2:
            sound[place:place + 4] = struct.pack(">I", dice.choice([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF]))
        elif kind == 3:
            sound[place:place] = bytes(dice.randrange(256) for _ in range(dice.randint(1, 64)))
        elif kind == 4:
            other = dice.choice(others)
            sound[place:] = other[dice.randrange(len(other)):]
        elif kind == 5:
            del sound[place:place + dice.randint(1, 4_096)]
        elif kind == 6:
            sound[place:place] = sound[:dice.randint(1, 65_536)] * dice.randint(1, 20)
        else:
            for _ in range(dice.randint(1, 40)):
                if sound:
                    sound[dice.randrange(len(sound))] = dice.randrange(256)
    return bytes(sound[:10 << 20])


def decode_all(program, corpus, count, seed, most_seconds, mebibytes):
    # Use only the files of the encoders. libFuzzer adds other files, and these files differ from machine to machine.
    names = sorted(name for name in os.listdir(corpus) if name.startswith("voice."))
    originals = [open(os.path.join(corpus, name), "rb").read() for name in names]
    dice = random.Random(seed)
    findings = children.Findings(most_seconds + GRACE_SECONDS, mebibytes)
    tones, refusals = 0, {}
    for number in range(count):
        sound = malformed(dice.choice(originals), originals, dice)
        code, seconds, _, said = children.run([program, "decode"], sound)
        reason = None
        if code == 0:
            tones += 1
        elif code == 1:
            # The last line is the report. A decoder may print warnings before the report.
            report = json.loads(said.splitlines()[-1])
            kind = report.get("refused") or "for the other decoder: " + report["other_format"]
            refusals[kind] = refusals.get(kind, 0) + 1
        elif code != -24:  # SIGXCPU: the sandbox ended the child; the caretaker gets this reason.
            reason = f"it ended with {code}: {said[-200:]!r}"
        findings.check(f"child-{number}.bin", sound, seconds, reason)
    findings.end(f"{count} malformed recordings of seed {seed}: {tones} tones, "
                 f"refused {dict(sorted(refusals.items()))}")


if sys.argv[1] == "voice":
    write_voice(sys.argv[2])
else:
    decode_all(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7]))
