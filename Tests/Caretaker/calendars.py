"""A caretaker imports a calendar file, with a preview first. Part of test_caretaker.py."""
from opened import DESK, PHONE

from view import check

CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Test//EN\r
BEGIN:VEVENT\r
UID:one@example.org\r
DTSTAMP:20261101T000000Z\r
DTSTART:20991201T090000\r
SUMMARY:Dentist & <b>co</b>\r
END:VEVENT\r
END:VCALENDAR\r
"""


def choose(view, text):
    view.page.set_input_files("#file", {"name": "calendar.ics", "mimeType": "text/calendar", "buffer": text.encode()})


def alarms(home):
    return [one["label"] for one in home.ask("list")["alarms"] if one["label"].startswith("Dentist")]


def import_one(home, view):
    """By touch: the preview changes nothing, and the import sets the alarm."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(view.root + "/")
    view.page.tap("nav >> text=Import")
    view.look("import")
    choose(view, CALENDAR)
    view.page.tap("button[value=look]")
    view.wait("#report", 20)
    view.wait("text=would be set")
    check(alarms(home) == [], "the preview set an alarm")
    view.look("preview of an import")
    view.page.tap("button[value=import]")
    view.wait("[role=status] >> text=Imported: 1 set, 0 changed, 0 removed.", 20)
    # The import removes the HTML tags that calendar programs write.
    check(alarms(home) == ["Dentist & co"], f"the alarms are {alarms(home)}")


def import_again(home, view):
    """By keyboard: the same file changes nothing. A file that is not a calendar, and a form without
    a file, are refused."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/import")
    choose(view, CALENDAR)
    view.page.focus("button[value=look]")
    view.page.keyboard.press("Enter")
    view.wait("text=Nothing would change.", 20)
    check(len(alarms(home)) == 1, "the second import set a second alarm")
    choose(view, "This is not a calendar.")
    view.page.focus("button[value=look]")
    view.page.keyboard.press("Enter")
    view.wait("[role=alert] >> text=not a calendar file", 20)
    view.look("refused calendar", ("light",))


def bring(home, view):
    import_one(home, view)
    import_again(home, view)
