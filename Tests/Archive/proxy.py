#!/usr/bin/env python3
"""A proxy between the link and nginx cuts connections. No row is lost, and the status never promises too much.

    Tests/Archive/proxy.py PROGRAMS_DIRECTORY

The proxy forwards the encrypted bytes. In each turn, the proxy cuts a connection after another number of
bytes, in one of the two directions, or refuses connections, or drops all bytes of the archive after a number
of bytes. Then the link runs once more without a fault.
"""
import os
import socket
import sys
import threading
import time

import fleet

SECONDS = 45


class Proxy:
    """Forwards connections to a port. `limits` states the number of bytes after which the proxy cuts a
    direction."""

    def __init__(self, port):
        self.port, self.limits, self.is_swallowing = port, {}, False
        self.counts, self.is_cut = {"up": 0, "down": 0}, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def begin(self, limits, is_swallowing=False):
        self.limits, self.is_swallowing = limits, is_swallowing
        self.counts = {"up": 0, "down": 0}
        self.is_cut.clear()

    def accept(self):
        while True:
            client = self.listener.accept()[0]
            try:
                server = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                client.close()
                continue
            for ends in (("up", client, server), ("down", server, client)):
                threading.Thread(target=self.forward, args=ends, daemon=True).start()

    def forward(self, direction, source, target):
        try:
            while data := source.recv(65536):
                limit = self.limits.get(direction)
                if limit is not None and self.counts[direction] + len(data) > limit:
                    data = data[:limit - self.counts[direction]]
                    self.is_cut.set()
                self.counts[direction] += len(data)
                if self.is_cut.is_set() and self.is_swallowing:
                    continue
                target.sendall(data)
                if self.is_cut.is_set():
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def check_status(server, home):
    """The archive has the head that the status names."""
    head = home.status().get("head")
    if head:
        seq, row_hash = head.split("-")
        found = server.psql("SELECT count(*) FROM prompter.events e JOIN prompter.streams s ON s.number = e.stream "
                            f"WHERE s.home = '{home.name}' AND e.seq = {seq} AND encode(e.hash, 'hex') = '{row_hash}'")
        assert found == [["1"]], (head, found)


def end_link(home):
    home.link.kill()
    home.link.wait()


def turn(server, home, proxy, number, limits, is_swallowing):
    home.ask("add", f"tea {number}", "--schedule", "every day 08:00", "--person", "anna")
    proxy.begin(limits, is_swallowing)
    home.begin_link()
    proxy.is_cut.wait(1)
    time.sleep(0.05)
    end_link(home)
    check_status(server, home)
    proxy.begin({})
    home.begin_link()
    fleet.until(f"the archive has all rows after {limits}", 20, lambda: fleet.is_collected(server, home))
    end_link(home)
    check_status(server, home)
    return dict(proxy.counts)


def main(programs):
    with fleet.server_and_home(programs) as (server, home):
        proxy = Proxy(server.port)
        code = server.tool("home", "add", "home-1", "--site", "berlin", "--study", fleet.STUDY).splitlines()[0]
        home.link_tool("enrol", f"https://127.0.0.1:{proxy.own_port}", "--code", code, "--pin", server.pin(), "--yes")
        home.ask("people", "add", "anna", "--name", "Anna")
        home.ask("study", "enrol", "anna", "--pseudonym", "P-1", "--study", fleet.STUDY)
        end, number = time.time() + SECONDS, 0
        sizes = turn(server, home, proxy, "first", {"up": 0}, False)
        assert min(sizes.values()) > 1000, sizes
        while time.time() < end:
            direction = ("up", "down")[number % 2]
            # The golden ratio spreads the places of the cuts evenly, for any number of turns.
            place = int(sizes[direction] * 1.1 * (number * 0.6180339887 % 1))
            turn(server, home, proxy, number, {direction: place}, number % 3 == 2)
            number += 1
        streams = server.psql("SELECT count(*) FROM prompter.streams")
        assert streams == [["1"]], streams
        assert number >= 15, number
    print(f"{number} cuts in exchanges of {sizes['up']} and {sizes['down']} bytes: 0 rows lost, 0 wrong heads")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
