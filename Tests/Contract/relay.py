"""Forwards TCP connections of this machine to a Unix socket, for clients that support only TCP.

relay.py SOCKET: prints the port, then forwards until it is killed.
"""
import socket
import sys
import threading


def forward(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    try:
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client, path):
    with client, socket.socket(socket.AF_UNIX) as home:
        home.connect(path)
        back = threading.Thread(target=forward, args=(home, client))
        back.start()
        forward(client, home)
        back.join()


listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    threading.Thread(target=serve, args=(connection, sys.argv[1]), daemon=True).start()
