#!/usr/bin/env python3
"""Purges the package in a terminal and answers the question about the record.

    purge-by-hand.py yes|no

Fails if dpkg does not ask the question.
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
        # Remove the variables that tell debconf not to ask. After a login, the environment does not contain these
        # variables either.
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
        except OSError:  # The terminal is closed: dpkg has ended.
            break
        said += piece
        if not is_answered and QUESTION in said and b"[yes/no]" in said.split(QUESTION)[-1]:
            is_answered = True
            # First send Ctrl-U, which deletes a proposed answer.
            os.write(terminal, b"\x15" + sys.argv[1].encode() + b"\n")
    else:
        os.kill(child, 9)
    print(said.decode(errors="replace"))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if not is_answered:
        sys.exit("dpkg did not ask about the record")
    sys.exit(status)


main()
