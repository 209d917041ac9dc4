"""People add and remove phones on the page Home: with `prompter open`, and on a phone. Part of test_phones.py."""
import io
import re
import shutil
import subprocess

import zxingcpp
from opened import DESK, PHONE, Opened, Page
from phones import CARETAKER, OTHER

from PIL import Image
from view import check

# A user that exists on every Debian and that has no role.
STRANGER = "uucp"


class Computer:
    """`prompter open` as a user of the device, without the rights of an administrator."""

    def __init__(self, home, phones, browser, user):
        before = []
        program = home.programs / "prompter"
        if user:
            # The programs are in a folder that only root may enter. The other user needs a copy.
            copy = phones.state / "prompter"
            if not copy.exists():
                shutil.copy(program, copy)
            program = copy
            before = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
        self.opened = Opened(home, "--web-socket", phones.control, before=before, program=program)
        self.view = Page(browser, f"computer of {user or 'root'}", PHONE, self.opened.root)
        self.view.page.goto(self.opened.first)
        self.view.wait("nav >> text=Today")

    def end(self):
        self.view.context.close()
        self.opened.end()


def code_on(view):
    """Returns the 8 digits of the code, and whether the page shows the QR code."""
    view.wait("p.digits")
    check(view.page.locator("svg.code").is_visible(), f"{view.name}: there is no QR code")
    return re.sub(r"\s", "", view.page.inner_text("p.digits"))


def scanned(view):
    """The text of the QR code of the page, as a camera reads it; an empty text if it cannot be read."""
    png = Image.open(io.BytesIO(view.page.locator("svg.code").screenshot()))
    return "".join(found.text for found in zxingcpp.read_barcodes(png))


def types(phones, code):
    """A phone sends a code. Returns its cookie; None if the code was refused."""
    reply = phones.request("POST", "/pair", body=f"code={code}".encode())
    return reply.getheader("Set-Cookie").split(";")[0] if reply.status == 303 else None


def by_touch(phones, computer):
    """A caretaker without rights of an administrator adds a phone and removes it again."""
    view = computer.view
    view.page.tap("nav >> text=Home")
    view.wait("h2 >> text=Phones")
    view.look("home with phones")
    shown = view.page.locator("#part-phones li").count()
    own = [one for one in phones.ask("devices")["devices"] if one["user"] == CARETAKER]
    check(shown == len(own), f"the page shows {shown} phones of {len(own)}")
    check(OTHER not in view.page.inner_text("#part-phones"), "the page shows the phone of another user")
    view.page.tap("text=Add a phone")
    view.wait("button[value=invite]")
    check(view.page.locator("[name=user]").count() == 0, "a caretaker may name another user")
    view.look("add a phone")
    view.page.tap("button[value=invite]")
    code = code_on(view)
    view.look("the code")
    for theme in ("dark", "light"):
        view.page.emulate_media(color_scheme=theme)
        text = scanned(view)
        check(text.startswith(f"{phones.address}/pair#"), f"the QR code says {text!r} in a {theme} page")
    cookie = types(phones, code)
    check(cookie is not None, "the code of the page does not work")
    check(types(phones, code) is None, "the code of the page works twice")
    newest = phones.ask("devices")["devices"][-1]
    check(newest["user"] == CARETAKER, f"the phone belongs to {newest['user']}")
    view.page.tap("text=Back to the phones")
    name = f"[aria-label*='device {newest['device']}']"
    view.wait(name)
    check(phones.request("GET", "/live", {"Cookie": cookie + "0"}).status == 401, "a wrong cookie has access")
    view.page.tap(name)
    view.wait(f"[role=status] >> text=Device {newest['device']} has no access now.")
    check(phones.request("GET", "/", {"Cookie": cookie}).getheader("Location") is None
          and phones.request("POST", "/", {"Cookie": cookie}, b"a=b").status == 401, "the removed phone has access")


def by_keyboard(phones, computer):
    """An administrator adds a phone for a user, without the mouse. If the daemon does not permit the name, the page
    shows a refusal."""
    view = computer.view
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/home")
    view.page.focus("text=Add a phone")
    view.page.keyboard.press("Enter")
    view.wait("#user")
    view.page.focus("#user")
    view.page.keyboard.type("nobody")
    view.page.keyboard.press("Enter")
    view.wait("main [role=alert]")
    check(view.page.input_value("#user") == "nobody", "the typed name was lost")
    view.look("a refused user")
    view.page.fill("#user", OTHER)
    view.page.keyboard.press("Enter")
    code_on(view)
    cookie = types(phones, scanned(view).split("#")[1])
    newest = phones.ask("devices")["devices"][-1]
    check(cookie is not None and newest["user"] == OTHER, f"the code of {OTHER} made {newest}")
    view.page.focus("text=Back to the phones")
    view.page.keyboard.press("Enter")
    # An administrator sees the phones of all users.
    view.wait(f"#part-phones >> text={CARETAKER}")
    view.page.focus(f"[aria-label*='device {newest['device']}']")
    view.page.keyboard.press("Enter")
    view.wait("[role=status] >> text=has no access now")


def limits(phones, stranger):
    """The socket of a user shows and removes only the phones of this user."""
    other = next(one for one in phones.ask("devices")["devices"] if one["user"] == CARETAKER)

    def ask(method, path, body=None):
        words = ["-d", body, "-H", "Content-Type: application/json"] if body else []
        ended = subprocess.run(
            ["setpriv", f"--reuid={stranger}", f"--regid={stranger}", "--clear-groups", "curl", "-s", "-w", "\n%{http_code}",
             "-X", method, "--unix-socket", phones.own, *words, f"http://x{path}"], capture_output=True, text=True)
        return ended.stdout.rsplit("\n", 1)
    text, status = ask("GET", "/devices")
    check(status == "200" and '"devices":[]' in text.replace(" ", ""), f"a user sees the phones of another user: {text}")
    check(ask("DELETE", f"/devices/{other['device']}")[1] == "404", "a user removes the phone of another user")
    check(ask("POST", "/invitations", f'{{"user": "{CARETAKER}"}}')[1] == "403", "a user gets a code for another user")
    check(ask("POST", "/invitations", "{}")[1] == "403", "a user without a permission gets a code")
    check(other in phones.ask("devices")["devices"], "a refused request removed a phone")
    closed = subprocess.run(
        ["setpriv", f"--reuid={stranger}", f"--regid={stranger}", "--clear-groups", "curl", "-s", "--unix-socket", phones.control,
         "http://x/devices"], capture_output=True)
    check(closed.returncode != 0, "a user reaches the socket of the administrator")


def on_a_phone(phones, view, device):
    """A phone cannot add a phone. It can remove another phone of its user, and then itself."""
    second = phones.pair(CARETAKER)
    number = phones.ask("devices")["devices"][-1]["device"]
    view.page.tap("nav >> text=Home")
    view.wait("text=You use this device now.")
    view.wait("text=A phone cannot add another phone.")
    view.look("home on a phone")
    key = view.page.locator("input[name=key]").first.input_value()
    cookies = {one["name"]: one["value"] for one in view.context.cookies()}
    cookie = f"__Host-prompter={cookies['__Host-prompter']}"
    refused = phones.request("POST", "/phones", {"Cookie": cookie}, f"key={key}&button=invite".encode())
    check(refused.status == 403 and "class=\"digits\"" not in refused.text, f"a phone gets a code: {refused.status}")
    view.page.tap(f"[aria-label*='device {number}']")
    view.wait(f"[role=status] >> text=Device {number} has no access now.")
    check(phones.request("GET", "/live", {"Cookie": second}).status == 401, "the other phone has access")
    others = phones.pair(OTHER)
    foreign = phones.ask("devices")["devices"][-1]["device"]
    taken = phones.request("POST", "/home", {"Cookie": cookie}, f"key={key}&button=revoke&phone={foreign}".encode())
    check(taken.status == 404, f"a phone removes the phone of another user: {taken.status}")
    check(phones.request("GET", "/", {"Cookie": others}).status == 403, "the other user is out")
    phones.ask("revoke", str(foreign))
    check(any(one["device"] == device for one in phones.ask("devices")["devices"]), "the phone is gone")


def manage(home, phones, browser, view, device):
    on_a_phone(phones, view, device)
    phones.pair(OTHER)
    for user, act in [(CARETAKER, by_touch), (None, by_keyboard)]:
        computer = Computer(home, phones, browser, user)
        act(phones, computer)
        computer.end()
    limits(phones, STRANGER)
    for one in phones.ask("devices")["devices"]:
        if one["user"] == OTHER:
            phones.ask("revoke", str(one["device"]))
