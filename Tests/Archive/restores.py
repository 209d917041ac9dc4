#!/usr/bin/env python3
"""A real home and its archive meet wrong keys and wrong dates, and are restored from old copies.

    Tests/Archive/restores.py PROGRAMS_DIRECTORY
"""
import os
import shutil
import sys
import tempfile

import fleet
from fleet import run, until


def certificate(directory, name, start, end, key=None):
    """Makes a certificate with these dates. Without `key`, it also makes the key."""
    if not key:
        key = f"{directory}/{name}.key"
        run("openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", key)
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/conf", "w", encoding="utf-8") as file:
            file.write(f"[ca]\ndefault_ca = own\n[own]\ndatabase = {work}/index\nnew_certs_dir = {work}\nrand_serial = yes\n"
                       "default_md = sha256\npolicy = own_policy\n[own_policy]\ncommonName = supplied\n")
        open(f"{work}/index", "w", encoding="utf-8").close()
        run("openssl", "req", "-new", "-key", key, "-subj", f"/CN={name}", "-out", f"{work}/request")
        run("openssl", "ca", "-batch", "-selfsign", "-notext", "-config", f"{work}/conf", "-keyfile", key, "-in",
            f"{work}/request", "-startdate", start, "-enddate", end, "-out", f"{directory}/{name}.crt")
    return key


PAST = ("20010101000000Z", "20020101000000Z")
FUTURE = ("20900101000000Z", "20990101000000Z")


def end(process):
    process.kill()
    process.wait()


def begin_link(home):
    """A link that could not reach the archive waits for up to a quarter of an hour. A restart contacts it at once."""
    if home.link and home.link.poll() is None:
        end(home.link)
    home.begin_link()


def collect(server, home, what):
    home.ask("add", what, "--schedule", "every day 08:00", "--person", "anna")
    begin_link(home)
    until(f"the archive has all rows of {home.name} after: {what}", 60, lambda: fleet.is_collected(server, home))


def begin_nginx(server):
    server.end_nginx()
    server.begin_nginx()


def pins(server, home):
    """A home gives its code and its rows only to the server with the key of the pin."""
    code = server.tool("home", "add", home.name, "--site", "berlin", "--study", fleet.STUDY).splitlines()[0]
    url = f"https://127.0.0.1:{server.port}"
    wrong = home.link_tool("enrol", url, "--code", code, "--pin", f"sha256//{'A' * 43}=", "--yes", check=False)
    assert wrong.returncode != 0 and not os.path.exists(f"{home.link_state}/enrolment.json"), wrong
    assert server.psql("SELECT count(*) FROM prompter.enrolment_codes WHERE used_at IS NOT NULL") == [["0"]]
    home.link_tool("enrol", url, "--code", code, "--pin", server.pin(), "--yes")
    home.ask("people", "add", "anna", "--name", "Anna")
    home.ask("study", "enrol", "anna", "--pseudonym", "P-1", "--study", fleet.STUDY)
    collect(server, home, "first rows")
    # A different server, with a different key, now has the same address.
    directory = f"{server.work}/nginx"
    for kind in ("key", "crt"):
        shutil.copy(f"{directory}/server.{kind}", f"{directory}/good.{kind}")
    certificate(directory, "server", *FUTURE)
    begin_nginx(server)
    before = server.psql("SELECT contact_at FROM prompter.streams")
    home.ask("add", "tea", "--schedule", "every day 08:00", "--person", "anna")
    begin_link(home)
    until("the link refuses the server", 30, lambda: home.status().get("state") not in ("collecting", None))
    assert server.psql("SELECT contact_at FROM prompter.streams") == before, "the link believed another server"
    for kind in ("key", "crt"):
        shutil.copy(f"{directory}/good.{kind}", f"{directory}/server.{kind}")
    begin_nginx(server)
    collect(server, home, "the right server")


def dates(server, home):
    """An enrolment works with wrong dates in the server's certificate, and with a wrong clock of the home."""
    directory = f"{server.work}/nginx"
    pin = server.pin()
    for start, finish in (PAST, FUTURE):
        certificate(directory, "server", start, finish, key=f"{directory}/server.key")
        assert server.pin() == pin
        begin_nginx(server)
        collect(server, home, f"a certificate from {start}")
    said = run("openssl", "x509", "-in", f"{home.link_state}/home.crt", "-noout", "-dates").stdout
    assert "Jan  1 00:00:00 1970" in said and "Dec 31 23:59:59 9999" in said, said


def rows(server, stream):
    return server.psql(f"SELECT e.seq, e.hash FROM prompter.events e WHERE e.stream = {stream} ORDER BY e.seq")


def older_home(server, home):
    """The home is restored from a copy. Its rows go into a new stream, and the old stream stays."""
    state, copy = f"{home.directory}/state", f"{home.directory}/copy"
    for process in (home.link, home.daemon):
        end(process)
    shutil.copytree(state, copy)
    home.begin_daemon()
    collect(server, home, "after the copy")
    streams = server.psql("SELECT number FROM prompter.streams")
    assert len(streams) == 1, streams
    old = rows(server, streams[0][0])
    for process in (home.link, home.daemon):
        end(process)
    shutil.rmtree(state)
    os.rename(copy, state)
    home.begin_daemon()
    for number in range(2):
        home.ask("add", f"after the restore {number}", "--schedule", "every day 09:00", "--person", "anna")
    begin_link(home)

    def newer():
        found = server.psql("SELECT number FROM prompter.streams WHERE parent IS NOT NULL")
        return len(found) == 1 and [int(row[0]) for row in rows(server, found[0][0])] == [
            row["seq"] for row in home.events()]
    until("the restored home has a stream of its own", 60, newer)
    assert rows(server, streams[0][0]) == old, "the old stream changed"
    found = server.psql("SELECT count(*) FROM prompter.findings WHERE kind = 'fork' AND closed_at IS NULL")
    assert found == [["1"]], found


def newest(server, home):
    """Returns true if the newest stream has all rows of the home."""
    wanted = [(row["seq"], row["hash"]) for row in home.events()]
    stream = server.psql("SELECT max(number) FROM prompter.streams")[0][0]
    return [(int(seq), text[2:]) for seq, text in rows(server, stream)] == wanted


def older_server(server, home):
    """PostgreSQL is restored from a copy. The home sends the missing rows again, and keeps what no backup contains."""
    # The daemon refuses a purge while a study continues. Therefore, end the study of the home. A purge can end only
    # at some rows, and a boot is one of these rows.
    home.ask("study", "withdraw", "anna")
    end(home.daemon)
    home.begin_daemon()
    begin_link(home)
    until("the archive has the end of the study", 60, lambda: newest(server, home))
    heads = f"{server.work}/heads.txt"
    with open(heads, "w", encoding="utf-8") as file:
        file.write(server.tool("heads"))
    data, copy = f"{server.host}/data", f"{server.host}/copy"
    run(*server.pg_ctl, "-m", "fast", "stop", cwd="/")
    run("cp", "-a", data, copy)
    server.begin_postgres()
    server.tool("safe", heads)
    home.ask("add", "after the backup", "--schedule", "every day 10:00", "--person", "anna")
    end(home.daemon)
    home.begin_daemon()
    begin_link(home)
    until("the archive has the rows after the backup", 60, lambda: newest(server, home))
    until("the home knows the safe head", 30, lambda: home.status().get("backlog") == 0)
    status = home.status()
    safe = status["safe_head"]
    assert any(line.split()[1] == safe for line in open(heads, encoding="utf-8")), status
    assert int(safe.split("-")[0]) < int(status["head"].split("-")[0]), status
    plan = purge_plan(home)
    assert f"has a backup only up to event {int(safe.split('-')[0])}" in (plan["refusal"] or ""), plan
    verified = len(server.psql("SELECT 1 FROM prompter.events"))
    run(*server.pg_ctl, "-m", "immediate", "stop", cwd="/")
    shutil.rmtree(data)
    os.rename(copy, data)
    server.begin_postgres()
    assert len(server.psql("SELECT 1 FROM prompter.events")) < verified
    home.ask("add", "after the loss", "--schedule", "every day 11:00", "--person", "anna")
    begin_link(home)
    until("the home sends the rows again", 60, lambda: newest(server, home))
    assert server.psql("SELECT count(*) FROM prompter.streams") == [["2"]], "the restore of the server made a fork"
    # The restored database knows no backup. After the next backup, the home may purge its rows.
    assert "has a backup only up to event 0" in (purge_plan(home)["refusal"] or "")
    begin_link(home)
    until("the archive has the rows of the export", 60, lambda: newest(server, home))
    with open(heads, "w", encoding="utf-8") as file:
        file.write(server.tool("heads"))
    server.tool("safe", heads)
    begin_link(home)
    until("the home knows the backup", 30, lambda: home.status().get("safe_head") == home.status().get("head", ""))
    plan = purge_plan(home)
    assert plan["refusal"] is None and plan["events"] > 0, plan


def purge_plan(home):
    """Returns the plan of `prompter log purge` after an export of all rows."""
    with tempfile.TemporaryDirectory() as work:
        home.ask("export", f"{work}/export", "--profile", "limited")
    return home.json("log", "purge", "--keep", "0", "--dry-run")


def main(programs):
    with fleet.server_and_home(programs) as (server, home):
        for case in (pins, dates, older_home, older_server):
            case(server, home)
    print("wrong keys, wrong dates, an older home, an older server: 0 rows lost, 0 rows changed")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
