"""One home sends its rows through nginx, with TLS 1.3 and its own certificate."""

import json
import os
import subprocess
import time

from homes import psql


def check(home_class, programs, work, archive):
    directory = f"{work}/nginx"
    os.mkdir(directory)

    def make(name):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "10950", "-subj", f"/CN={name}", "-keyout",
             f"{directory}/{name}.key", "-out", f"{directory}/{name}.crt"],
            check=True, capture_output=True)

    for name in ("server", "home", "stranger"):
        make(name)
    with open("units/archive/nginx.conf", encoding="utf-8") as file:
        site = file.read()
    for old, new in (
            ("listen 443 ssl;", "listen 127.0.0.1:0 ssl;"),
            ("/run/prompter-archive/archive.sock", archive),
            ("/etc/prompter-archive/tls", directory)):
        assert old in site, old
        site = site.replace(old, new)
    # nginx cannot choose a free port by itself.
    port = free_port()
    site = site.replace("127.0.0.1:0", f"127.0.0.1:{port}")
    with open(f"{directory}/nginx.conf", "w", encoding="utf-8") as file:
        file.write(
            f"daemon off; user root; pid {directory}/pid; error_log {directory}/error.log;\n"
            "events {}\nhttp {\n"
            + "".join(f"{kind}_temp_path {directory}/{kind};\n" for kind in (
                "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            + f"{site}\n}}\n")
    server = subprocess.Popen(
        ["nginx", "-p", directory, "-e", f"{directory}/error.log", "-c",
         f"{directory}/nginx.conf"])
    try:
        exchange(home_class, directory, port)
    finally:
        server.terminate()
        server.wait()
    for name in os.listdir(directory):
        if name.endswith(".log"):
            with open(f"{directory}/{name}", encoding="utf-8") as file:
                assert "127.0.0.1" not in file.read() or name == "error.log", name


def exchange(home_class, directory, port):
    def curl(path, *arguments, key="home"):
        keys = ["--cert", f"{directory}/{key}.crt", "--key", f"{directory}/{key}.key"]
        result = subprocess.run(
            ["curl", "-sS", "--max-time", "20", "--cacert", f"{directory}/server.crt",
             "--connect-to", f"server:{port}:127.0.0.1:{port}", "-w", "\n%{http_code}",
             *(keys if key else []), *arguments, f"https://server:{port}{path}"],
            capture_output=True, text=True)
        if result.returncode:
            return 0, result.stderr
        text, _, status = result.stdout.rpartition("\n")
        return int(status), json.loads(text) if text.startswith("{") else text

    for _ in range(100):
        if curl("/v1/enrol")[0]:
            break
        time.sleep(0.05)
    home = home_class("behind-nginx")
    code = ["--json", json.dumps({"code": home.code})]
    assert curl("/v1/enrol", *code, key=None)[0] == 401
    forged = ["-H", "Prompter-Certificate: " + home.certificate]
    assert curl("/v1/enrol", *code, *forged, key=None)[0] == 401, "a forged header is believed"
    status, reply = curl("/v1/enrol", *code)
    assert status == 201, reply
    home.chain.add(100, home.random)
    stream = f"/v1/streams/{reply['stream']}"
    with open(f"{directory}/body", "wb") as file:
        file.write(home.chain.body(0, 100))
    body = ["--data-binary", f"@{directory}/body", "-H",
            f"Prompter-After: {home.chain.head(0)}", "-H", "Content-Type: application/x-ndjson"]
    status, reply = curl(f"{stream}/append", *body)
    assert (status, reply["head"]) == (200, home.chain.head()), reply
    assert curl(f"{stream}/head")[1]["head"] == home.chain.head()
    assert curl(f"{stream}/head", key="stranger")[0] == 404
    assert curl("/metrics")[0] == 404, "nginx shows the metrics to everybody"
    assert curl(f"{stream}/head", "--tls-max", "1.2")[0] == 0
    assert psql("SELECT count(*) FROM prompter.events e JOIN prompter.streams s ON s.number = "
                f"e.stream WHERE s.home = 'behind-nginx'") == [["100"]]


def free_port():
    import socket
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
