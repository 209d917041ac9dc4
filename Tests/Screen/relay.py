"""A relay between the page server and the daemon that can hold back requests and replies."""
import socket
import threading


class Relay:
    """Listens on one Unix socket, and passes everything to another one.

    A test can hold the replies to all requests whose first line contains a word, for example the stream of events. A
    test can also hold such requests before the daemon receives them.
    """

    def __init__(self, path, target):
        self.target = str(target)
        self.change = threading.Condition()
        self.held_replies, self.held_requests = set(), set()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def hold(self, replies=(), requests=()):
        """From now on, holds the replies and the requests with these words. Without words, the relay holds nothing any
        more."""
        with self.change:
            self.held_replies, self.held_requests = set(replies), set(requests)
            self.change.notify_all()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            daemon = socket.socket(socket.AF_UNIX)
            try:
                daemon.connect(self.target)
            except OSError:
                client.close()
                continue
            line = [b""]
            for source, goal, held in [(client, daemon, "held_requests"), (daemon, client, "held_replies")]:
                threading.Thread(target=self.copy, args=(source, goal, held, line), daemon=True).start()

    def copy(self, source, goal, held, line):
        """Copies bytes in one direction. Stores the first line of the newest request in `line`."""
        try:
            while data := source.recv(65536):
                if held == "held_requests" and b" HTTP/1.1\r\n" in data:
                    line[0] = data.split(b"\r\n")[0]
                with self.change:
                    self.change.wait_for(lambda: not any(word.encode() in line[0] for word in getattr(self, held)))
                goal.sendall(data)
        except OSError:
            pass  # One side ended the connection.
        for one in (source, goal):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # The other thread was faster.
