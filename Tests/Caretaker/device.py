"""A caretaker looks after the device: test ring, contacts, pauses. Part of test_caretaker.py."""
from opened import DESK, PHONE

from view import check


def by_touch(home, view):
    """A test ring, a test message, and a pause that ends."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(view.root + "/")
    view.page.tap("nav >> text=Home")
    view.wait("h2 >> text=Contacts")
    view.look("home")
    view.page.tap("button[value=ring]")
    view.wait("[role=status] >> text=The test ring was played on null.", 20)
    view.page.tap("button[value=contact]")
    view.wait("[role=status] >> text=The test message to sofia was sent.", 20)
    view.wait("text=last reached: today")
    view.page.tap("button[value=pause]")
    view.wait("[role=status] >> text=The pause is saved.")
    view.wait("text=paused until tomorrow 00:00")
    people = home.ask("people", "list")["people"]
    check(people[0]["pause"] is not None, f"the person is not paused: {people}")
    view.page.tap("button[value=resume]")
    view.wait("[role=status] >> text=The pause has ended.")


def by_keyboard(view):
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/home")
    view.page.focus("button[value=contact]")
    view.page.keyboard.press("Enter")
    view.wait("[role=status] >> text=The test message to sofia was sent.", 20)
    view.look("home, after a test message", ("light",))


def care(home, view):
    by_touch(home, view)
    by_keyboard(view)
