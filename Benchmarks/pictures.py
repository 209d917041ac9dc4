#!/usr/bin/env python3
"""Measures how long prompter-image needs for a picture, and how much memory: pictures.py PATH-TO-PROMPTER-IMAGE."""

import os
import pathlib
import subprocess
import sys

PROGRAM = os.path.abspath(sys.argv[1])
FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Tests/Fixtures/image"
# Start each child process from a separate process, because the kernel reports only one number for all children of a
# process: their largest memory.
CHILD = """
import resource, subprocess, sys
code = subprocess.run([sys.argv[1], "decode"], stdin=open(sys.argv[2], "rb"), stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL).returncode
use = resource.getrusage(resource.RUSAGE_CHILDREN)
print(code, use.ru_utime + use.ru_stime, use.ru_maxrss / 1024)
"""

for name, words in (("phone.heic", "HEIC, 4 tiles, 0.01 megapixels"), ("large.heic", "HEIC, 192 tiles, 50 megapixels, turned")):
    line = subprocess.run([sys.executable, "-c", CHILD, PROGRAM, str(FIXTURES / name)], capture_output=True, check=True,
                          text=True).stdout.split()
    if line[0] != "0":
        sys.exit(f"{name} was refused")
    print(f"{words:<40} {float(line[1]):6.2f} s  {float(line[2]):6.0f} MB")
