"""Two devices with copies of one record and one key send rows. The archive must find the fork and overwrite no
row."""

from chain import Chain
from homes import ask, psql

# The archive opens at most this number of streams for a home in a day (`StreamAppend.forksPerDay`).
FORKS = 8


def contact(twin, written):
    """Does the same as a link. Returns the status of the last reply, and stores the head that the archive
    acknowledged."""
    while True:
        status, reply = ask("GET", f"/v1/streams/{twin.stream}/head", twin.certificate)
        assert status == 200, reply
        seq = int(reply["head"].split("-")[0]) if reply["head"] else 0
        is_own = seq == 0 or seq <= len(twin.chain.rows) and reply["head"] == twin.chain.head(seq)
        if reply["state"] == "collecting" and is_own and seq == len(twin.chain.rows):
            return 200
        after = seq if is_own else max(0, min(seq, len(twin.chain.rows)) - 1)
        status, reply = twin.send(after, len(twin.chain.rows))
        if status == 200:
            assert is_own, "the archive accepted rows after rows of the other device"
            assert reply["head"] == twin.chain.head(), reply
            written.setdefault(twin.stream, []).append(reply["head"])
        elif status == 423:
            twin.stream = reply["stream"]
        else:
            return status


def check(home_class):
    first = home_class("twins")
    first.enrol()
    first.chain.add(30, first.random)
    first.catch_up()
    second = home_class("twins", certificate=first.certificate, is_added=False)
    second.chain, second.stream = Chain(first.chain.rows), first.stream
    written, statuses = {}, []
    for _ in range(FORKS + 2):
        for twin in (first, second):
            twin.chain.add(twin.random.randint(1, 5), twin.random)
            statuses.append(contact(twin, written))
    assert statuses[:2] == [200, 200] and statuses[-1] == 429, statuses
    streams = psql("SELECT number, stream, parent IS NOT NULL FROM prompter.streams WHERE home = 'twins' ORDER BY number")
    assert [row[2] for row in streams] == ["f"] + ["t"] * FORKS, streams
    chains = [[row["hash"] for row in twin.chain.rows] for twin in (first, second)]
    assert chains[0][:30] == chains[1][:30] and chains[0][30] != chains[1][30]
    for number, stream, _ in streams:
        rows = psql(f"SELECT seq, encode(hash, 'hex') FROM prompter.events WHERE stream = {number} ORDER BY seq")
        assert [int(seq) for seq, _ in rows] == list(range(1, len(rows) + 1)), "rows are missing"
        hashes = [text for _, text in rows]
        assert hashes in [chain[:len(rows)] for chain in chains], f"the stream {stream} mixes both devices"
        for head in written.get(stream, []):
            seq, text = head.split("-")
            assert hashes[int(seq) - 1] == text, "an acknowledged row was overwritten"
    found = psql("SELECT count(*) FROM prompter.findings f JOIN prompter.streams s ON s.number = f.stream "
                 "WHERE s.home = 'twins' AND f.kind = 'fork'")
    assert int(found[0][0]) >= FORKS, found
