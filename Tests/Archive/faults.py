"""Causes faults while homes send rows, and checks the archive after each fault.

Invariants: each stream contains exactly the rows after its start up to its head. Each row is the
row that the home sent. The archive contains each acknowledged row. A fork or a broken batch changes
no stored row.
"""

import collections
import random
import subprocess
import time

import cases
import dumps
import exports
import full_disk
import full_wal
import nginx
import pools
import prometheus
import report
import twins
import views
from chain import Chain, line
from homes import (
    ADMIN, FAULTS, PROGRAMS, SEED, SERVER, SOCKET, WORK, Connection, Home, Server, Thread,
    Unanswered, ask, check_stream, pg, psql, tool)


class Faults:
    def __init__(self, homes, server):
        self.homes, self.server = homes, server
        self.random = random.Random(SEED)
        self.counts = collections.Counter()

    def run(self):
        # Each kind of fault occurs. The slow kinds occur less often.
        kinds = [self.append] * 3 + [self.repeat] * 3 + [self.overlap] * 3 + [
            self.gap, self.broken, self.broken, self.broken, self.kill, self.kill, self.kill,
            self.concurrent, self.concurrent, self.lost_reply, self.sealed, self.fork, self.empty]
        for number in range(FAULTS):
            home = self.random.choice(self.homes)
            home.chain.add(self.random.randint(1, 40), home.random)
            fault = self.crash if number % 15 == 7 else kinds[number % len(kinds)]
            self.counts[fault.__name__] += 1
            fault(home)
            home.catch_up()
            home.check()

    def append(self, home):
        home.catch_up()

    def empty(self, home):
        seq = home.head()
        home.note(*home.send(seq, seq))

    def repeat(self, home):
        home.catch_up()
        last = len(home.chain.rows)
        home.note(*home.send(max(0, last - 30), last))
        assert home.acknowledged == last

    def overlap(self, home):
        seq = home.head()
        home.note(*home.send(self.random.randint(max(0, seq - 50), seq), len(home.chain.rows)))
        assert home.acknowledged == len(home.chain.rows)

    def gap(self, home):
        home.catch_up()
        seq = home.head()
        home.chain.add(3, home.random)
        status, reply = home.send(seq + 2, len(home.chain.rows))
        assert status == 409 and reply["head"] == home.chain.head(seq), reply

    def broken(self, home):
        home.catch_up()
        home.chain.add(6, home.random)
        seq = home.head()
        rows = [dict(row) for row in home.chain.rows[seq:]]
        kind = self.random.choice(["value", "hash", "prev_hash", "missing"])
        if kind == "value":
            rows[3]["source"] = "changed"
        elif kind == "missing":
            del rows[3]
        else:
            rows[3][kind] = "ab" * 32
        status, reply = home.send(seq, 0, body="".join(map(line, rows)).encode())
        assert status == 422 and reply["kind"] == "broken_chain", reply
        assert reply["seq"] == seq + (5 if kind == "missing" else 4), (kind, reply)
        assert home.head() == seq, "a broken batch changed the stream"

    def sealed(self, home):
        seq = home.head()
        home.note(*home.send(seq, len(home.chain.rows), lambda row: row["seq"] % 3 == 0))

    def interrupted(self, home, action):
        """Sends batches while `action` runs, from two threads."""
        homes = [home, next(other for other in self.homes if other is not home)]

        def send(home):
            try:
                home.chain.add(60, home.random)
                home.catch_up()
            except (Unanswered, AssertionError) as error:
                # While the database is not available, the archive answers 503, and the home tries
                # again later.
                if isinstance(error, AssertionError) and "unavailable" not in str(error):
                    raise

        threads = [Thread(send, home) for home in homes]
        time.sleep(self.random.random() * 0.1)
        action()
        for thread in threads:
            thread.join()
        return homes

    def kill(self, home):
        homes = self.interrupted(home, self.server.kill)
        self.server.start()
        for home in homes:
            home.catch_up()
            home.check()

    def crash(self, home):
        homes = self.interrupted(home, lambda: pg("stop", "-m", "immediate"))
        status, reply = ask("GET", f"/v1/streams/{home.stream}/head", home.certificate)
        assert status == 503 and reply["kind"] == "unavailable", reply
        pg("-w", "start")
        # After the crash, the first request on each connection to the database fails.
        for _ in range(20):
            if ask("GET", "/metrics")[0] == 200:
                break
        for home in homes:
            home.catch_up()
            home.check()

    def concurrent(self, home):
        """The same rows and overlapping rows at the same moment."""
        home.catch_up()
        seq = home.head()
        home.chain.add(40, home.random)
        replies = []
        threads = [
            Thread(lambda start: replies.append(home.send(start, seq + self.random.randint(1, 40))),
                   max(0, seq - part)) for part in (0, 0, 0, 5, 9)]
        for thread in threads:
            thread.join()
        for status, reply in replies:
            assert status == 200, reply

    def lost_reply(self, home):
        """The home closes its connection before the reply."""
        seq = home.head()
        body = home.chain.body(seq, len(home.chain.rows))
        connection = Connection("archive")
        connection.request(
            "POST", f"/v1/streams/{home.stream}/append", body,
            {"Prompter-Certificate": home.certificate, "Prompter-After": home.chain.head(seq)})
        if self.random.random() < 0.5:
            time.sleep(self.random.random() * 0.02)
        connection.close()

    def fork(self, home):
        """The home is restored from a backup, and then records other rows than before."""
        home.catch_up()
        seq = home.acknowledged
        if seq < 10:
            return
        # The archive opens at most 8 streams for a home in a day. A long run needs more streams, so the test moves
        # the streams back by two days.
        psql(f"UPDATE prompter.streams SET created_at = created_at - interval '2 days' WHERE home = '{home.name}'")
        old, old_stream = home.chain, home.stream
        common = self.random.randint(1, seq - 2)
        home.chain = Chain(old.rows[:common])
        home.chain.add(seq - common + 5, home.random)
        after = self.random.choice([common, seq])
        last = min(after + 300, len(home.chain.rows))
        status, reply = home.send(after, last)
        assert status == 423 and reply["kind"] == "fork" and reply["state"] == "fork", reply
        assert reply["seq"] == (common + 1 if after == common else seq), reply
        again = home.send(after, last)
        assert again[0] == 423 and again[1]["stream"] == reply["stream"], "two forks for one"
        home.stream, home.acknowledged = reply["stream"], 0
        home.catch_up()
        home.check()
        check_stream(old_stream, old, seq)


def main():
    began = time.monotonic()
    pg("-w", "start")
    psql("CREATE DATABASE prompter", database="postgres")
    assert "migrate" in subprocess.run(
        [f"{PROGRAMS}/prompter-archive", "verify", "--database", ADMIN],
        capture_output=True, text=True).stderr
    cases.migration()
    psql("CREATE ROLE archive_server LOGIN; GRANT prompter_archive TO archive_server;"
         "CREATE ROLE analyst LOGIN IN ROLE prompter_analyst;"
         "CREATE ROLE limited LOGIN IN ROLE prompter_limited;"
         "CREATE ROLE auditor LOGIN IN ROLE prompter_auditor")
    server = Server()
    try:
        cases.enrolment(Home)
        homes = [Home(f"home-{number}", site="AB"[number % 2]) for number in range(4)]
        for home in homes:
            home.enrol()
        faults = Faults(homes, server)
        faults.run()
        counts = ", ".join(f"{name} {count}" for name, count in sorted(faults.counts.items()))
        print(f"{sum(faults.counts.values())} faults ({counts}) in {time.monotonic() - began:.0f} s", flush=True)
        cases.refusals(homes[0])
        cases.rights(homes[0])
        cases.real_record(Home("real"))
        cases.consent(Home("consent"))
        cases.prompts(Home("prompts"))
        views.golden(Home("golden"), psql, WORK)
        views.clock_change(Home("clock-change"), psql, PROGRAMS, WORK)
        pools.check(Home, WORK)
        report.check()
        exports.check(homes, WORK)
        cases.safe_heads(homes[0])
        cases.erasure(Home("erasure"))
        cases.network(SERVER)
        cases.withdrawal(homes)
        nginx.check(Home, PROGRAMS, WORK, SOCKET)
        prometheus.check(Home, WORK)
        twins.check(Home)
        full_disk.check(Home, homes[0])
        full_wal.check(Home, server)
        dumps.check(homes[0], server)
        print(tool("verify").strip())
        cases.damage(homes[1])
    finally:
        server.process.terminate()
        with open(f"{WORK}/archive.log") as log:
            text = log.read()
    assert "Fatal" not in text and "overflow" not in text, text


if __name__ == "__main__":
    main()
