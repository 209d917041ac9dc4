"""A caretaker sends a message that Prompter speaks at once, and sees the result of the message. Part
of test_caretaker.py."""
from opened import DESK, PHONE

from view import check


def say_by_touch(home, view):
    """Sends a message that needs an answer. The list shows the state of the message until the person
    has answered."""
    view.page.set_viewport_size(PHONE)
    view.page.tap("nav >> text=Messages")
    view.wait("text=There are no messages yet.")
    view.page.fill("#text", "Lunch & <b>tea</b>")
    view.page.tap("summary")
    view.page.fill("#expires", "5")
    view.page.fill("#repeat", "2")
    view.look("new message")
    view.page.tap("button[value=say]")
    view.wait("[role=status] >> text=The home has the message.")
    view.wait("#part-list >> text=sounded, no answer yet", 15)
    check(view.page.locator("#part-list strong").first.inner_text() == "Lunch & <b>tea</b>", "markup does not stay text")
    view.look("messages")
    # A caretaker types the next message while the person answers. The list changes, but the typed
    # words stay.
    view.page.fill("#text", "The next words")
    home.ask("done", home.ask("messages")["messages"][0]["id"])
    view.wait("#part-list .heard >> text=heard")
    check(view.page.input_value("#text") == "The next words", "the typed words were lost")
    said = home.ask("messages")["messages"][0]
    check((said["answer_wanted"], said["state"]) == ("heard", "heard"), f"the message is {said}")


def say_by_keyboard(home, view):
    """Sends a message that needs yes or no, and cancels the message. A call of the person is in the
    same list."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/messages")
    view.page.focus("#text")
    view.page.keyboard.type("Shall I come at six?")
    view.page.keyboard.press("Tab")
    view.page.keyboard.type("yes or no")
    check(view.page.input_value("#answer") == "yes_no", "the keyboard does not choose the answer")
    view.page.keyboard.press("Shift+Tab")
    view.page.keyboard.press("Enter")
    view.wait("#part-list >> text=Shall I come at six?")
    home.ask("call")
    view.wait("#part-list .call >> text=Please call back")
    view.wait("#part-list .told >> text=sofia was notified", 15)
    view.page.focus("button[value=cancel]")
    view.page.keyboard.press("Enter")
    view.wait("text=The message is called off.")
    view.wait("#part-list .cancelled >> text=called off")
    check(home.ask("messages")["messages"][1]["state"] == "cancelled", "the message is not called off")


def talk(home, view):
    say_by_touch(home, view)
    say_by_keyboard(home, view)
