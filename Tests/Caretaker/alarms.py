"""A caretaker sets, changes, pauses and removes alarms on the pages. Part of test_caretaker.py."""
import io

from opened import DESK, PHONE

from PIL import Image
from view import check


def set_one(home, view):
    """Sets an alarm with the guided form, by touch. The preview follows while the caretaker types."""
    view.page.set_viewport_size(PHONE)
    view.page.tap("nav >> text=Alarms")
    view.page.tap("text=New alarm")
    view.look("new alarm")
    view.page.fill("#label", "Evening pills")
    view.page.tap("input[value=monday]")
    view.page.tap("input[value=friday]")
    view.page.locator("input[name=time]").first.fill("20:15")
    view.wait("#preview >> text=every Monday and Friday at 20:15")
    check(view.page.locator("#preview .rings li").count() == 5, "the preview does not list five rings")
    view.page.tap("summary")
    view.page.select_option("#contact-0", "sofia")
    view.page.fill("#minutes-0", "10")
    view.look("new alarm, filled in")
    view.page.tap("button[value=save]")
    view.wait("text=The alarm is set.")
    view.wait(".timeline .notify >> text=sofia is notified")
    view.look("alarm")
    alarm = next(one for one in home.ask("list")["alarms"] if one["label"] == "Evening pills")
    check(alarm["schedule"] == "every monday friday 20:15", f"the schedule is {alarm['schedule']}")
    check([one["contact"] for one in alarm["tell"]] == ["sofia"], f"the contacts are {alarm['tell']}")
    return alarm["id"]


def refuse_one(view):
    """A phrase with two meanings is refused beside its field. Nothing that was typed is lost."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/alarms/new")
    view.page.fill("#label", "Tea & <b>cake</b>")
    view.page.check("#way-typed")
    view.page.fill("#phrase", "every day at 8")
    view.wait("#preview .error")
    view.page.press("#phrase", "Enter")
    view.wait("#error-schedule >> text=08:00")
    check(view.page.input_value("#label") == "Tea & <b>cake</b>", "the label was lost")
    check(view.page.input_value("#phrase") == "every day at 8", "the phrase was lost")
    view.look("refused alarm")


def change_one(home, view, alarm):
    """Two caretakers change an alarm. The second one sees both versions and decides."""
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    check(view.page.is_checked("input[value=friday]"), "the days are not in the form")
    view.page.fill("#label", "All evening pills")
    home.ask("edit", alarm, "--label", "White evening pills")
    view.page.click("button[value=save]")
    view.wait("[role=alert] >> text=changed this alarm")
    view.wait("text=Now saved: White evening pills")
    check(view.page.input_value("#label") == "All evening pills", "the text of the second caretaker was lost")
    view.look("changed by another")
    view.page.click("text=Save my version")
    view.wait("text=The change is saved.")
    view.wait("h1 >> text=All evening pills")


def pause_one(view):
    view.page.click("text=Skip the next ring")
    view.wait("text=The next ring is skipped.")
    view.page.click("button[value=pause]")
    view.wait("text=The alarm is paused.")
    view.page.click("text=End the pause")
    view.wait("text=The pause has ended.")


def picture_one(home, view, alarm):
    """A picture is uploaded by touch and removed by keyboard. A file that is no picture is refused beside its field."""
    picture = io.BytesIO()
    Image.new("RGB", (640, 480), "#7a3").save(picture, "JPEG")
    view.page.set_viewport_size(PHONE)
    view.page.set_input_files("#picture", {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
    view.page.tap("button[value=picture]")
    view.wait("#error-picture")
    view.look("refused picture")
    check(home.ask("show", alarm)["alarm"]["image"] is None, "a refused picture is in the alarm")
    view.page.set_input_files("#picture", {"name": "x.jpg", "mimeType": "image/jpeg", "buffer": picture.getvalue()})
    view.page.tap("button[value=picture]")
    view.wait("[role=status] >> text=The picture is saved.")
    view.wait("img.hint")
    check(view.page.evaluate("document.querySelector('img.hint').naturalWidth") > 0, "the picture is not shown")
    check(home.ask("show", alarm)["alarm"]["image"] is not None, "the alarm has no picture")
    view.look("alarm with a picture")
    view.page.set_viewport_size(DESK)
    view.page.focus("button[value=no_picture]")
    view.page.keyboard.press("Enter")
    view.wait("[role=status] >> text=The alarm has no picture now.")
    check(home.ask("show", alarm)["alarm"]["image"] is None, "the alarm still has a picture")


def remove_one(home, view, alarm):
    view.page.click("text=Remove the alarm")
    view.wait("text=Remove “All evening pills”?")
    view.look("remove")
    view.page.click("button[value=remove]")
    view.wait("text=The alarm was removed.")
    view.look("alarms")
    check(all(one["id"] != alarm for one in home.ask("list")["alarms"]), "the alarm is still there")


def manage(home, view):
    alarm = set_one(home, view)
    refuse_one(view)
    change_one(home, view, alarm)
    pause_one(view)
    picture_one(home, view, alarm)
    remove_one(home, view, alarm)
