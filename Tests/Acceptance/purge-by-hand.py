#!/usr/bin/env python3
"""Purges the package on a terminal, like somebody who sits at it.

    purge-by-hand.py yes|no

Fails where it is not asked what is to become of the record.
"""
import os
import pty
import select
import sys
import time

QUESTION = b"Delete the record of this home"


def main():
    child, terminal = pty.fork()
    if child == 0:
        # As a login has it: nothing says that nobody is there.
        for name in ("DEBIAN_FRONTEND", "DEBCONF_NONINTERACTIVE_SEEN", "DEBIAN_PRIORITY"):
            os.environ.pop(name, None)
        os.environ["TERM"] = "linux"
        os.execvp("dpkg", ["dpkg", "--purge", "prompter"])
    said, is_answered, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # What a terminal says when nobody is left at its other end.
            break
        said += piece
        if not is_answered and QUESTION in said and b"[yes/no]" in said.split(QUESTION)[-1]:
            is_answered = True
            # Over what may stand there as a proposal.
            os.write(terminal, b"\x15" + sys.argv[1].encode() + b"\n")
    else:
        os.kill(child, 9)
    print(said.decode(errors="replace"))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not is_answered:
        sys.exit("nobody was asked")
    sys.exit(status)


main()
