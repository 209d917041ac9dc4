"""The disk of the write-ahead log is full: PostgreSQL ends, and cannot start again before there is space."""

import os
import shutil
import subprocess
import time

from homes import HOST, PG_CTL, Unanswered, ask, pg

MEGABYTES = 96


def check(home_class, server):
    assert os.geteuid() == 0, "the test mounts a file system, so it needs root"
    home = home_class("full-wal", study="S-wal")
    home.enrol()
    log, place = f"{HOST}/data/pg_wal", f"{HOST}/wal"
    pg("-w", "-m", "fast", "stop")
    os.mkdir(place)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", place], check=True)
    subprocess.run(["cp", "-a", f"{log}/.", place], check=True)
    shutil.rmtree(log)
    os.symlink(place, log)
    shutil.chown(place, "postgres")
    os.chmod(place, 0o700)
    pg("-w", "start")
    wait_for(200)
    fill(place)
    refused = None
    while refused is None:
        home.chain.add(1000, home.random)
        refused = catch_up(home)
    assert 0 < home.acknowledged < len(home.chain.rows), "the log is full before the first row, or never"
    # PostgreSQL restarts by itself. Its recovery also needs a new segment of the log, so PostgreSQL ends again.
    for _ in range(300):
        assert catch_up(home) == 503
        if is_ended():
            break
        time.sleep(0.1)
    assert is_ended() and catch_up(home) == 503 and ask("GET", "/metrics")[0] == 503
    os.remove(f"{place}/filler")
    pg("-w", "start")
    wait_for(200)
    assert server.process.poll() is None, "the archive ended"
    assert catch_up(home) is None
    home.check()
    assert home.acknowledged == len(home.chain.rows)
    pg("-w", "-m", "fast", "stop")
    os.remove(log)
    shutil.copytree(place, log)
    subprocess.run(["chown", "-R", "postgres", log], check=True)
    os.chmod(log, 0o700)
    subprocess.run(["umount", place], check=True)
    pg("-w", "start")
    wait_for(200)


def is_ended():
    return subprocess.run([*PG_CTL, "status"], capture_output=True).returncode == 3


def fill(place):
    """Leaves less space than a segment of the log needs (16 MB)."""
    free = os.statvfs(place)
    with open(f"{place}/filler", "wb") as file:
        os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_bsize - (8 << 20))


def catch_up(home):
    """Sends rows like a link. Returns the status of the first refusal; None if the archive has all rows."""
    while True:
        status, reply = ask("GET", f"/v1/streams/{home.stream}/head", home.certificate)
        if status != 200:
            return status
        seq = 0 if reply["head"] is None else home.note(status, reply)
        if seq == len(home.chain.rows):
            return None
        try:
            status, reply = home.send(seq, min(seq + 1000, len(home.chain.rows)))
        except Unanswered:
            continue
        if status != 200:
            return status
        home.note(status, reply)


def wait_for(wanted):
    for _ in range(200):
        status = ask("GET", "/metrics")[0]
        if status == wanted:
            return
        time.sleep(0.1)
    raise AssertionError(f"the archive replies with {status}")
