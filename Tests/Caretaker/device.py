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


def supply_by_touch(home, view):
    """A caretaker adds, renames and removes a supply by touch. A refusal is beside its field, and the form keeps the typed
    texts."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(view.root + "/home")
    view.page.tap("#add-supply summary")
    view.page.fill("#supply-name-new", "donepezil")
    view.page.fill("#supply-left-new", "14")
    view.page.fill("#supply-unit-new", "capsules")
    view.page.fill("#supply-low_at-new", "5")
    view.page.tap("button[value=add_supply]")
    view.wait("#add-supply >> .error")
    view.look("refused new supply", ("light",))
    check(view.page.input_value("#supply-unit-new") == "capsules", "the typed unit was lost")
    view.page.fill("#supply-name-new", "Vitamin <b>D</b>")
    view.page.tap("button[value=add_supply]")
    view.wait("[role=status] >> text=Vitamin <b>D</b> is added.")
    view.wait("text=14 capsules left")
    view.look("two supplies")
    gap = view.page.evaluate("""(() => { const row = document.querySelector(".rows .inline + .buttons");
        return row.getBoundingClientRect().top - row.previousElementSibling.getBoundingClientRect().bottom; })()""")
    check(gap >= 8, f"between the field of a supply and its buttons are {gap} px")


def supply_by_keyboard(home, view):
    """The form changes only the values that the caretaker edited, so the other caretaker's new unit stays. If an alarm uses
    a supply, nobody can remove the supply."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/home")
    home.ask("supply", "change", "Vitamin <b>D</b>", "--unit", "drops")
    own = view.page.locator("li", has_text="Vitamin")
    own.locator("summary").focus()
    view.page.keyboard.press("Enter")
    own.locator("[name=name]").fill("Vitamin D")
    own.locator("[name=low_at]").fill("")
    own.locator("[name=name]").press("Enter")
    view.wait("[role=status] >> text=Vitamin D is changed.")
    newest = next(one for one in home.ask("supply")["supplies"] if one["name"] == "Vitamin D")
    check((newest["unit"], newest["low_at"], newest["left"]) == ("drops", None, 14), f"the supply is {newest}")
    home.ask("add", "Drops", "--schedule", "every day 09:00", "--uses", "Vitamin D")
    for words in ("is refused", "is removed"):
        view.page.goto(view.root + "/home")
        own.locator("summary").focus()
        view.page.keyboard.press("Enter")
        own.locator("button[value=remove_supply]").focus()
        view.page.keyboard.press("Enter")
        if words == "is refused":
            view.wait("li .error")
            view.look("refused removal", ("light",))
            home.ask("remove", "Drops")
    view.wait("[role=status] >> text=Vitamin D is removed.")
    check([one["name"] for one in home.ask("supply")["supplies"]] == ["Donepezil"], f"the supplies are {home.ask('supply')}")


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
    supply_by_touch(home, view)
    supply_by_keyboard(home, view)
    by_keyboard(view)
