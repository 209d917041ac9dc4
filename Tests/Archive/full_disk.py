"""The disk of the database is full, and later has space again. The disk is a small file system in memory."""

import os
import shutil
import subprocess

from homes import HOST, ask, psql

MEGABYTES = 4


def check(home_class, others):
    assert os.geteuid() == 0, "the test mounts a file system, so it needs root"
    place = f"{HOST}/small"
    os.mkdir(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", place], check=True)
    shutil.chown(place, "postgres")
    psql(f"CREATE TABLESPACE small LOCATION '{place}'")
    psql("ALTER DATABASE prompter SET default_tablespace = small")
    home = home_class("full-disk", study="S-full")
    psql("ALTER DATABASE prompter RESET default_tablespace")
    home.enrol()
    status = 200
    for _ in range(40):
        home.chain.add(1000, home.random)
        seq = home.head()
        status, reply = home.send(seq, seq + 1000)
        if status != 200:
            break
        home.note(status, reply)
    assert (status, reply["kind"]) == (503, "full"), (status, reply)
    assert 0 < home.acknowledged < len(home.chain.rows)
    # Try several times. The archive must store no part of a batch, and its head must stay the same.
    for _ in range(3):
        assert home.send(home.acknowledged, home.acknowledged + 1000)[0] == 503
        home.head()
    home.check()
    # The homes whose rows are on another disk continue to send, and the archive answers.
    others.chain.add(20, others.random)
    others.catch_up()
    others.check()
    assert ask("GET", "/metrics")[0] == 200
    subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
    home.chain.add(20, home.random)
    seq = home.head()
    while seq < len(home.chain.rows):
        seq = home.note(*home.send(seq, min(seq + 1000, len(home.chain.rows))))
    home.check()
    assert home.acknowledged == len(home.chain.rows)
