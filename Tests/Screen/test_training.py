"""A caretaker opens the screen to learn how it works. See run.sh. Needs no browser."""
import http.client
import json
import os
import sys
import time
from urllib.parse import urlsplit

from home import Home

# If root runs the tests, the tests act as this user. If a different user runs the tests, this user is an admin, and
# an admin is not a patient either.
CARETAKER = "65534"
AS_CARETAKER = ["setpriv", "--reuid", CARETAKER, "--regid", CARETAKER, "--clear-groups"] if os.getuid() == 0 else []
faults = []


def check(is_right, what):
    if not is_right:
        faults.append(what)
        print(f"FAILED: {what}", file=sys.stderr, flush=True)


def send(url, path, body=None):
    """Sends the same request as the page, and returns the status and the text of the reply."""
    address = urlsplit(url).netloc
    connection = http.client.HTTPConnection(address, timeout=15)
    headers = {"Host": address, "Origin": f"http://{address}", "Content-Type": "application/json"}
    connection.request("POST" if body else "GET", path, body and json.dumps(body), headers)
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


def main():
    home = Home(sys.argv[1], config=f'[roles]\ncaretaker = ["{CARETAKER}"]\n')
    try:
        os.chmod(home.directory.name, 0o755)
        os.chmod(home.socket, 0o666)
        url = home.screen("en", AS_CARETAKER)
        prompt = home.set_alarm("Take the pills")
        end = time.monotonic() + 15
        page = ""
        while "class=\"end right\"" not in page and time.monotonic() < end:
            time.sleep(0.2)
            page = send(url, "/")[1]
        check("Take the pills" in page, "the task does not appear")
        check("data-seen" not in page, "the page of a caretaker reports the task")
        check(send(url, "/seen", {"prompt": prompt})[0] == 409, "the page server takes the report of a caretaker")
        answer = {"prompt": prompt, "answer": "complete", "key": "0123456789abcdef"}
        status, text = send(url, "/answer", answer)
        check(status == 204, f"the answer of a caretaker got {status}: {text}")
        completed = home.events("completed")
        role = "caretaker" if AS_CARETAKER else "admin"
        check([(one["actor_role"], one["source"]) for one in completed] == [(role, "screen")],
              f"the answer is recorded as {completed}")
        for kind in ["presented", "denied"]:
            check(not home.events(kind), f"the record contains {kind}")
    finally:
        home.end()
    print(f"the screen for training: {len(faults)} checks failed")
    sys.exit(bool(faults))


main()
