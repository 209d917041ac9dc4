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


def supplies(home, view):
    """A supply gets a new box, by touch. A wrong amount is refused beside its field."""
    view.page.goto(view.root + "/home")
    view.wait("text=28 tablets left")
    view.page.fill("#amount-0", "999999")
    view.page.tap("button[value=refill]")
    view.wait("#error-amount-0 >> text=Write a whole number.")
    view.look("refused supply", ("light",))
    view.page.fill("#amount-0", "12")
    view.page.tap("button[value=refill]")
    view.wait("[role=status] >> text=The amount of Donepezil is saved.")
    view.wait("text=40 tablets left")
    view.page.set_viewport_size(DESK)
    view.page.focus("#amount-0")
    view.page.keyboard.type("39")
    view.page.focus("button[value=count]")
    view.page.keyboard.press("Enter")
    view.wait("text=39 tablets left")
    check(home.ask("supply")["supplies"][0]["left"] == 39, f"the supplies are {home.ask('supply')}")


def by_keyboard(view):
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/home")
    view.page.focus("button[value=contact]")
    view.page.keyboard.press("Enter")
    view.wait("[role=status] >> text=The test message to sofia was sent.", 20)
    view.look("home, after a test message", ("light",))


def care(home, view):
    by_touch(home, view)
    supplies(home, view)
    by_keyboard(view)
