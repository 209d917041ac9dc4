"""Tests of cases that need no random faults: enrolment, refusals, rights, views, reports, withdrawal, damage."""

import gzip
import http.client
import json
import os
import socket
import subprocess
import time

from chain import COLUMNS, Chain, line, row_hash
from homes import ADMIN, PROGRAMS, WORK, ask, escaped, psql, tool


def post_code(certificate, code):
    return ask("POST", "/v1/enrol", certificate, json.dumps({"code": code}).encode())


def migration():
    """The tables change from version to version; a newer database is refused."""
    assert "now have version 4" in tool("migrate")
    assert "have version 4 already" in tool("migrate")
    # Go back to version 1. The migration to version 3 replaces views, so these views must exist.
    psql("SET client_min_messages = warning; SET search_path = prompter, pg_catalog; DROP VIEW recorded_prompts CASCADE; DROP VIEW participants, barred_people;"
         "DROP FUNCTION whole, plausible, scheduled_seconds, zone_offset, rounded_ms, quarter_of_day, study_day, code;"
         "DROP TABLE erasures, code_secret; CREATE VIEW prompts AS SELECT 1; CREATE VIEW days AS SELECT 1;"
         "DELETE FROM schema_version WHERE version > 1")
    tool("verify", code=2)
    assert "now have version 4" in tool("migrate")
    psql("INSERT INTO prompter.schema_version VALUES (99)")
    tool("migrate", code=2)
    tool("verify", code=2)
    psql("DELETE FROM prompter.schema_version WHERE version = 99")
    assert ", 0 faults" in tool("verify")


def enrolment(home_class):
    """A code works once, for one home, and only its digest is stored."""
    home = home_class("enrolment")
    assert len(home.code) == 19 and home.code not in psql("SELECT * FROM prompter.enrolment_codes")
    assert ask("POST", "/v1/enrol", None, b"{}")[0] == 401
    status, reply = post_code(home.certificate, "AAAA-BBBB-CCCC-DDDD")
    assert (status, reply["kind"]) == (403, "wrong_code"), reply
    psql("UPDATE prompter.enrolment_codes SET expires_at = now()")
    assert post_code(home.certificate, home.code)[0] == 403
    home.code = tool("home", "code", "enrolment").split()[0]
    # A code in small letters and with other separators is the same code.
    home.code = home.code.lower().replace("-", " ")
    home.enrol()
    assert post_code(escaped(b"a thief"), home.code)[0] == 403, "the code worked twice"
    # The first reply was lost. The home sends the code again, and gets the same stream as before.
    before = psql("SELECT * FROM prompter.homes")
    status, reply = post_code(home.certificate, home.code)
    assert (status, reply["stream"]) == (201, home.stream) and psql("SELECT * FROM prompter.homes") == before, reply
    # A new device of the home continues the stream, and the old device loses its access.
    old, stream = home.certificate, home.stream
    home.chain.add(5, home.random)
    home.catch_up()
    home.code = tool("home", "code", "enrolment").split()[0]
    home.certificate = escaped(b"another device")
    home.enrol()
    assert home.stream == stream and home.head() == 5
    assert ask("GET", f"/v1/streams/{stream}/head", old)[0] == 404
    # A certificate belongs to one home.
    other = home_class("other")
    assert post_code(home.certificate, other.code)[0] == 403
    other.enrol()
    assert ask("GET", f"/v1/streams/{stream}/head", other.certificate)[0] == 404
    assert "there is already" in subprocess.run(
        [f"{PROGRAMS}/prompter-archive", "home", "add", "other", "--site", "A", "--study", "S-1",
         "--database", ADMIN], capture_output=True, text=True).stderr
    malformed = [b"", b"[]", b'{"code":1}', b'{"code":"\\u0000"}', b'{"code":"A","x":1}']
    for body in malformed:
        assert ask("POST", "/v1/enrol", home.certificate, body)[0] == 400, body


def refusals(home):
    """Requests that the archive does not accept. None of them changes a stream."""
    home.catch_up()
    seq = home.head()
    home.chain.add(2, home.random)
    path = f"/v1/streams/{home.stream}/append"
    after = home.chain.head(seq)
    good = home.chain.body(seq, seq + 1)

    def refused(status, body, **fields):
        found, reply = ask("POST", path, home.certificate, body, **fields)
        assert found == status, (found, reply)
        return reply

    assert ask("POST", path, None, good, Prompter_After=after)[0] == 401
    for certificate in ("x", "%ZZ", escaped(b""), escaped(b"a") + escaped(b"b")):
        assert ask("POST", path, certificate, good, Prompter_After=after)[0] == 401
    refused(400, good)
    refused(400, good, Prompter_After="1")
    refused(400, good, Prompter_After=after, Prompter_Home_Head="-1")
    refused(400, good, Prompter_After=after, Content_Encoding="gzip")
    refused(415, good, Prompter_After=after, Content_Encoding="br")
    large = gzip.compress(b" " * 100_000_000)
    reply = refused(413, large, Prompter_After=after, Content_Encoding="gzip")
    assert reply["rows"] == 1000 and reply["bytes"] == 1 << 20
    refused(413, b" " * 1_200_000, Prompter_After=after)
    many = Chain(home.chain.rows)
    many.add(1001, home.random)
    refused(413, many.body(seq, seq + 1001), Prompter_After=after)
    row = json.loads(good)
    for name in ("salt", "body"):
        reply = refused(400, line(row | {name: "word"}).encode(), Prompter_After=after)
        assert (reply["kind"], reply["member"], reply["line"]) == ("malformed_row", name, 1)
    reply = refused(400, good[:-1], Prompter_After=after)
    assert reply["reason"] == "no_line_end"
    row["source"] = "a\0"
    reply = refused(400, line(row).encode(), Prompter_After=after)
    assert reply["reason"] == "null_character"
    assert ask("GET", "/v1/streams/nothing/head", home.certificate)[0] == 404
    assert ask("DELETE", path, home.certificate)[0] == 404
    assert home.head() == seq, "a refused request changed the stream"
    home.catch_up()


def rights(home):
    """PostgreSQL itself prevents that the server changes rows, and that the analyst reads the rows."""
    for sql in ("UPDATE prompter.events SET type = 'x'", "DELETE FROM prompter.events",
                "TRUNCATE prompter.events", "DROP TABLE prompter.events",
                "DELETE FROM prompter.findings", "DELETE FROM prompter.streams"):
        psql(sql, user="archive_server", is_refused=True)
    psql("SELECT * FROM prompter.events", user="analyst", is_refused=True)
    psql("SELECT * FROM prompter.homes", user="analyst", is_refused=True)
    psql("SELECT * FROM prompter.days", user="limited")
    # The table accepts at most one row for each (study, stream, seq).
    psql("INSERT INTO prompter.events SELECT * FROM prompter.events LIMIT 1", is_refused=True)
    findings = {row[0]: int(row[1]) for row in psql(
        "SELECT kind, sum(count) FROM prompter.findings GROUP BY kind")}
    for kind in ("broken", "fork", "gap"):
        assert findings.get(kind, 0) > 0, findings


class Daemon(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(f"{WORK}/daemon.sock")


def real_record(home):
    """The rows of a real daemon are stored as they are, and their hashes are right."""
    os.mkdir(f"{WORK}/capture")
    with open(f"{WORK}/daemon.log", "wb") as log:
        daemon = subprocess.Popen(
            [f"{PROGRAMS}/prompterd", "--state", f"{WORK}/state", "--socket",
             f"{WORK}/daemon.sock", "--device", "rings"], stderr=log,
            env=os.environ | {
                "ALSA_CONFIG_PATH": os.path.abspath("Tests/Fixtures/sound/asound-file.conf"),
                "PROMPTER_CAPTURE": f"{WORK}/capture"})
    try:
        for _ in range(200):
            if os.path.exists(f"{WORK}/daemon.sock"):
                break
            time.sleep(0.05)
        for words in (["add", "Tëa \"1\"", "--schedule", "every day 08:00"],
                      ["add", "Pills", "--schedule", "in 1 hour"], ["say", "Hello"]):
            subprocess.run(
                [f"{PROGRAMS}/prompter", "--socket", f"{WORK}/daemon.sock", *words], check=True,
                capture_output=True)
        connection = Daemon("daemon")
        connection.request("GET", "/v1/log?limit=500")
        rows = [json.loads(text) for text in connection.getresponse().read().splitlines()]
    finally:
        daemon.terminate()
        daemon.wait()
    assert len(rows) > 5, rows
    for row in sorted(rows, key=lambda row: row["seq"]):
        row = {name: row[name] for name in COLUMNS}
        row["payload"] = json.dumps(row["payload"], ensure_ascii=False, separators=(",", ":"))
        home.chain.rows.append(row)
    home.enrol()
    home.catch_up()
    assert home.acknowledged == len(rows)
    home.check()
    number = psql(f"SELECT number FROM prompter.streams WHERE stream = '{home.stream}'")[0][0]
    names = [name for name in COLUMNS if name not in ("prev_hash", "hash")]
    stored = [json.loads(row[0]) for row in psql(
        "SELECT replace(to_jsonb(e)::text, '|', '') FROM prompter.events e "
        f"WHERE stream = {number} ORDER BY seq")]
    for row, sent in zip(stored, home.chain.rows):
        assert {name: row[name] for name in names} == {name: sent[name] for name in names}


def consent(home):
    """A person who forbids each use of the data is in no view of prompts, and the consent of each person is known."""
    home.enrol()
    due = 1_790_000_000_000

    def add(who, kind, payload, prompt=None):
        home.chain.add_one(home.random, who, due, kind, prompt, payload)

    people = {"P-0000000a": "none", "P-0000000b": "until_withdrawal", "P-0000000c": None}
    for who, use in people.items():
        if who != "P-0000000b":
            add(who, "enrolled", {"person": who, "study": "S-1", "arm": "x", "from_ms": due, "consent": "2.1",
                                  "consent_scope": ["photos"]})
        add(who, "planned", {"due_ms": due}, who)
        add(who, "ring_intent", {"step": 0, "gain_db": -3}, who)
        if use:
            add(who, "withdrawn", {"person": who, "code": "other", "data_use": use})
    # The person forbade the use of the data. A new enrolment of the person does not permit the use.
    add("P-0000000a", "enrolled", {"person": "P-0000000a", "study": "S-1", "arm": "y", "from_ms": due})
    for who in people:
        add(who, "phase_changed", {"person": who, "phases": [{"kind": "prompted", "from_ms": due, "to_ms": None}]})
    # A version of Prompter that is newer than the archive can have scopes that the archive does not know.
    add("P-0000000c", "erased", {"scope": "galaxy"})
    home.catch_up()
    for view in ("prompts", "prompt_facts", "days"):
        found = psql(f"SELECT person FROM prompter.{view} WHERE home = 'consent' ORDER BY 1")
        assert found == [["P-0000000b"], ["P-0000000c"]], (view, found)
    code = psql("SELECT prompter.code(secret, 'h', 'consent') FROM prompter.code_secret")[0][0]
    assert psql(f"SELECT count(*) FROM prompter.safe_harbor WHERE home = '{code}'") == [["2"]]
    found = psql("SELECT person, enrolled_ms - wall, arm, consent, consent_scope, withdrawn_ms - wall, reason_code, data_use "
                 f"FROM prompter.participants, (VALUES ({due})) v(wall) WHERE home = 'consent' ORDER BY 1", user="limited")
    assert found == [
        ["P-0000000a", "11", "y", "", "", "", "", "none"],
        ["P-0000000b", "", "", "", "", "7", "other", "until_withdrawal"],
        ["P-0000000c", "8", "x", "2.1", '["photos"]', "", "", ""]], found


def prompts(home):
    """The view `prompts` has one row for each prompt, with its newest outcome."""
    home.enrol()
    due, who = 1_790_000_000_000, "P-00000001"

    def add(kind, prompt, payload=None):
        home.chain.add_one(home.random, who, due, kind, prompt, payload)

    for prompt in ("done", "undone", "missed", "planned", "off"):
        add("planned", prompt, {"due_ms": due, "phase": {"name": "planned"}})
    for prompt in ("done", "undone", "missed"):
        add("due", prompt, {"late_ms": 3})
        add("ring_started", prompt, {"x": 1})
    add("completed", "done", {"outcome": "completed", "reason": "none"})
    add("completed", "undone", {"outcome": "completed", "reason": "none"})
    add("correction", "undone", {"undone": "completed"})
    # The prompt "joined" was planned before the home joined the study. The prompt "again" is planned again after it
    # ended.
    add("due", "joined", {"late_ms": 7})
    joined = due + len(home.chain.rows) - 7
    add("superseded", "again", {"outcome": "superseded_by_edit", "reason": "none"})
    add("planned", "again", {"due_ms": due, "rings_intended": 0, "rings_sounded": 0})
    # The device was off at the due time of the prompt "off". Therefore, the record contains no row "due" for it.
    add("missed", "off", {"outcome": "missed_device_off", "reason": "none"})
    add("missed", "missed", {"outcome": "missed_no_response", "reason": "none"})
    home.catch_up()
    found = psql("SELECT prompt_id, outcome, became_due, rings_sounded, due_ms FROM "
                 "prompter.prompts WHERE home = 'prompts' ORDER BY 1")
    assert found == [
        ["again", "", "f", "0", str(due)],
        ["done", "completed", "t", "1", str(due)],
        ["joined", "", "t", "0", str(joined)],
        ["missed", "missed_no_response", "t", "1", str(due)],
        ["off", "missed_device_off", "f", "0", str(due)],
        ["planned", "", "f", "0", str(due)],
        ["undone", "", "t", "1", str(due)]], found
    # After a fork, the view still contains each prompt once, with the outcome of the newer stream.
    home.chain = Chain(home.chain.rows[:-1])
    add("missed", "missed", {"outcome": "missed_device_off", "reason": "none"})
    add("frobbed", "missed", {"x": 1})
    status, reply = home.send(5, len(home.chain.rows))
    assert status == 423, reply
    home.stream, home.acknowledged = reply["stream"], 0
    home.catch_up()
    found = psql("SELECT prompt_id, outcome FROM prompter.prompts WHERE home = 'prompts' "
                 "ORDER BY 1")
    assert len(found) == 7 and found[3] == ["missed", "missed_device_off"], found
    assert psql("SELECT due, done, missed FROM prompter.days WHERE home = 'prompts'",
                user="limited") == [["5", "1", "2"]]
    assert psql("SELECT detail FROM prompter.findings WHERE kind = 'unknown_type'") == [["frobbed"]]
    # A home can invent types and long values. Such a home must not fill the table of findings, and must not stop its
    # stream.
    for number in range(300):
        home.chain.add_one(home.random, None, kind=f"{number}" + "ä" * 3000 * (number == 7),
                           prompt="p" * 9000 * (number == 8) or None)
    home.catch_up()
    home.check()
    # The home sends at most 60 rows at once.
    invented = [row[0] for row in psql(
        "SELECT detail FROM prompter.findings WHERE kind = 'unknown_type'")]
    assert 5 < len(invented) < 100 and max(map(len, invented)) <= 64, len(invented)
    # The clock of the home is ahead. After that, the home reports a head that is older than the head in the archive.
    home.chain.add(1, home.random, wall=4_000_000_000_000)
    home.catch_up()
    ask("POST", f"/v1/streams/{home.stream}/append", home.certificate, b"",
        Prompter_After=home.chain.head(), Prompter_Home_Head="3")
    kinds = {row[0] for row in psql("SELECT kind FROM prompter.findings")}
    assert {"skew", "rewound"} <= kinds, kinds


def safe_heads(home):
    """A home gets the head of the newest backup, and never a head that the archive does not have."""
    home.catch_up()
    before = home.chain.head()
    heads = tool("heads")
    assert f"{home.stream} {before}\n" in heads
    home.chain.add(5, home.random)
    home.catch_up()

    def safe(text, code=0):
        with open(f"{WORK}/heads.txt", "w", encoding="utf-8") as file:
            file.write(text)
        return tool("safe", f"{WORK}/heads.txt", code=code)

    def head():
        return ask("GET", f"/v1/streams/{home.stream}/head", home.certificate)[1]["safe_head"]

    assert head() is None
    for bad in ("x\n", f"{home.stream} {home.chain.head()[:-1]}\n", f"none {before}\n",
                f"{home.stream} {before}\n{home.stream} 3-{'ab' * 32}\n"):
        safe(bad, code=2)
        assert head() is None, "a refused list changed a safe head"
    assert safe(heads) == f"{heads.count(chr(10))} streams have a new safe head.\n"
    assert head() == before
    # A list of older heads changes nothing.
    safe(f"{home.stream} {home.chain.head(1)}\n")
    assert head() == before
    assert home.send(len(home.chain.rows), len(home.chain.rows))[1]["safe_head"] == before


def erasure(home):
    """Erased rows keep their hashes, and never come back."""
    home.enrol()
    home.chain.add(3, home.random, person="P-aaaaaaaa")
    home.chain.add_one(home.random, None, kind="person_changed", payload={"person": "P-aaaaaaaa"})
    home.chain.add(3, home.random, person="P-bbbbbbbb")
    home.catch_up()
    assert tool("home", "erase", "erasure", "--person", "P-aaaaaaaa") == "4 rows were erased.\n"
    home.chain.add(2, home.random, person="P-aaaaaaaa")
    home.chain.add(1, home.random, person="P-bbbbbbbb")
    home.catch_up()

    def stored(pattern):
        """Returns the number of rows in which any value contains the pattern."""
        return psql("SELECT count(*) FROM prompter.events e JOIN prompter.streams s ON s.number = "
                    f"e.stream WHERE s.home = 'erasure' AND e::text LIKE '%{pattern}%'")[0][0]

    assert (stored("P-aaaaaaaa"), stored("P-bbbbbbbb")) == ("0", "4")
    assert stored(home.chain.rows[0]["event_id"]) == "0", "the random id remained"
    home.check()
    # The home is restored from a backup, and sends all rows again.
    home.chain = Chain(home.chain.rows[:-1])
    home.chain.add(2, home.random, person="P-bbbbbbbb")
    status, reply = home.send(0, len(home.chain.rows))
    assert status == 423, reply
    home.stream, home.acknowledged = reply["stream"], 0
    home.catch_up()
    assert (stored("P-aaaaaaaa"), stored("P-bbbbbbbb")) == ("0", "9")
    home.check()
    tool("home", "erase", "erasure", "--person", "x", code=2)
    tool("home", "erase", "nobody", code=2)
    assert tool("home", "erase", "erasure") == "9 rows were erased.\n"
    home.chain.add(1, home.random, person="P-bbbbbbbb")
    home.catch_up()
    assert stored("P-bbbbbbbb") == "0"
    home.check()


def network(server):
    """On a port, no request has a certificate."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    other = subprocess.Popen(
        [f"{PROGRAMS}/prompter-archive", "serve", "--database", server, "--listen",
         f"127.0.0.1:{port}"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port)
                connection.request("GET", "/metrics")
                break
            except OSError:
                time.sleep(0.02)
        reply = connection.getresponse()
        assert reply.status == 200 and b"home_expected" in reply.read()
        connection.request("GET", "/v1/streams/a/head", headers={
            "Prompter-Certificate": escaped(b"x")})
        assert connection.getresponse().status == 401
    finally:
        other.terminate()
        other.wait()


def withdrawal(homes):
    """The archive keeps the rows, and accepts no further row."""
    home = homes[3]
    home.catch_up()
    rows = home.acknowledged
    for command, wanted in (("withdraw", 410), ("revoke", 410)):
        tool("home", command, home.name)
        home.chain.add(1, home.random)
        status, reply = home.send(rows, rows + 1)
        assert status == wanted and reply["kind"] == "withdrawn", reply
        assert reply["state"] == "withdrawn"
    home.check()
    tool("home", "revoke", "nobody", code=2)
    listed = {row.split("\t")[2]: row.split("\t") for row in tool("home", "list").splitlines()}
    assert listed[home.name][:4] == ["S-1", "B", home.name, "revoked"], listed
    assert listed["never"][3:] == ["expected", "never"], listed


def damage(home):
    """`verify` finds each changed, missing and added row."""
    number = psql(f"SELECT number FROM prompter.streams WHERE stream = '{home.stream}'")[0][0]
    where = f"stream = {number} AND seq ="
    row = home.chain.rows[4]

    def found(change, back, words):
        psql(change)
        text = tool("verify", code=1)
        assert words in text and home.stream in text and "1 faults" in text, text
        psql(back)

    found(f"UPDATE prompter.events SET source = 'x' WHERE {where} 5",
          f"UPDATE prompter.events SET source = 'timer' WHERE {where} 5",
          "row 5: the hash is not")
    found(f"UPDATE prompter.events SET hash = '\\x{'ab' * 32}' WHERE {where} 5",
          f"UPDATE prompter.events SET hash = '\\x{row['hash']}' WHERE {where} 5",
          "row 5: ")
    found(f"CREATE TABLE t AS SELECT * FROM prompter.events WHERE {where} 5; "
          f"DELETE FROM prompter.events WHERE {where} 5",
          "INSERT INTO prompter.events SELECT * FROM t", "row 5: the row is missing")
    last = len(psql(f"SELECT 1 FROM prompter.events WHERE stream = {number}"))
    found(f"UPDATE prompter.streams SET head_seq = {last + 1} WHERE number = {number}",
          f"UPDATE prompter.streams SET head_seq = {last} WHERE number = {number}",
          f"the head is row {last + 1}")
    assert ", 0 faults" in tool("verify")
    assert row_hash(row) == row["hash"]
