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
    """If a phrase has two meanings, the refusal is beside its field. The form keeps all typed texts."""
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


def ask_by_touch(home, view, alarm):
    """Questions of several kinds and a supply, by touch. A refusal is beside its field, in the language of the page."""
    home.ask("supply", "add", "Donepezil", "28", "--unit", "tablets")
    view.page.set_viewport_size(PHONE)
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    view.page.tap("#question-add")
    view.wait("#question-text-0")
    check(view.page.evaluate("document.activeElement.id") == "question-text-0", "the new question has not the focus")
    view.page.fill("#question-text-0", "How bad is the pain? <b>")
    view.page.fill("#question-name-0", "Pain!")
    check(view.page.is_visible("#question-min-0"), "a scale has no smallest number")
    check(not view.page.is_visible("#question-choices-0"), "a scale has choices")
    view.page.tap("#question-add")
    view.page.fill("#question-text-1", "What do you feel?")
    view.page.select_option("#question-kind-1", "choices")
    check(not view.page.is_visible("#question-min-1"), "choices have a smallest number")
    view.page.fill("#question-choices-1", "headache\nnausea=Feeling sick")
    view.page.fill("#question-name-1", "feels")
    view.page.select_option("#question-required-1", "no")
    view.page.check("#answers_required")
    view.page.select_option("#supply-0", label="Donepezil")
    view.page.fill("#supply-amount-0", "2")
    view.page.tap(".buttons button[value=save]")
    view.wait("#error-name-0 >> text=Write a name that no other question has")
    check(view.page.input_value("#question-choices-1") == "headache\nnausea=Feeling sick", "the choices were lost")
    view.look("refused question")
    view.page.fill("#question-name-0", "pain")
    view.page.tap(".buttons button[value=save]")
    view.wait("text=The change is saved.")
    view.wait(".questions >> text=How bad is the pain? <b> a scale, 0–10")
    view.wait("dd >> text=Donepezil: 2")
    view.look("alarm with questions")
    shown = home.ask("show", alarm)["alarm"]
    check([(one["name"], one["kind"], one["required"]) for one in shown["questions"]]
          == [("pain", "scale", True), ("feels", "choices", False)], f"the questions are {shown['questions']}")
    check(shown["answers_required"], "done does not wait for the answers")
    check([(one["supply"], one["amount"]) for one in shown["uses"]] == [("Donepezil", 2)], f"it uses {shown['uses']}")


def ask_by_keyboard(home, view, alarm):
    """Two caretakers change the questions. Enter in a field saves, and removes no question."""
    view.page.set_viewport_size(DESK)
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    home.ask("edit", alarm, "--ask", "mood=mood How do you feel?", "--uses", "Donepezil=3")
    view.page.focus("#question-text-0")
    view.page.keyboard.press("Control+A")
    view.page.keyboard.type("How bad is the pain now?")
    view.page.keyboard.press("Enter")
    view.wait("[role=alert] >> text=changed this alarm")
    view.wait("text=Now saved: How do you feel? (one of three faces)")
    view.wait("text=Now saved: Donepezil: 3")
    check(view.page.input_value("#question-text-0") == "How bad is the pain now?", "the question was lost")
    view.look("questions changed by another", ("light",))
    view.page.focus("button[value=question-remove-1]")
    view.page.keyboard.press("Enter")
    view.wait("#question-text-1", state="detached")
    view.page.focus(".buttons button[value=save]")
    view.page.keyboard.press("Enter")
    view.wait("text=The change is saved.")
    shown = home.ask("show", alarm)["alarm"]
    check([one["text"] for one in shown["questions"]] == ["How bad is the pain now?"], f"the questions are {shown['questions']}")


def escalate_by_touch(home, view, alarm):
    """Three steps of rings and two early reminders, by touch. A refusal is beside the steps, and the form keeps all typed
    texts."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    view.page.tap("#burst-add")
    view.wait("#rings-1")
    check(view.page.evaluate("document.activeElement.id") == "rings-1", "the new step has not the focus")
    view.page.fill("#burst-after-1", "5")
    view.page.fill("#rings-1", "2")
    view.page.fill("#spacing-1", "0.5")
    view.page.locator("fieldset.question >> text=Loudness, voice and urgency").nth(1).tap()
    view.page.select_option("#burst-loudness-1", "louder")
    view.page.select_option("#burst-urgent-1", "yes")
    view.page.tap("#burst-add")
    view.page.fill("#rings-2", "1")
    view.page.fill("#burst-after-2", "soon")
    check(not view.page.is_visible("#early-time-0"), "hours have a time of day")
    view.page.fill("#early-count-0", "1")
    view.page.select_option("#early-unit-0", "days")
    view.page.fill("#early-time-0", "19:00")
    view.page.tap(".buttons button[value=save]")
    view.wait("#error-steps >> text=A step is not valid.")
    check(view.page.input_value("#burst-after-2") == "soon", "the typed time was lost")
    check(view.page.input_value("#early-time-0") == "19:00", "the early reminder was lost")
    view.look("refused step")
    view.page.fill("#burst-after-2", "10")
    view.page.fill("#early-count-1", "30")
    view.page.select_option("#early-unit-1", "minutes")
    view.page.tap(".buttons button[value=save]")
    view.wait("text=The change is saved.")
    view.wait("dd >> text=1 day before at 19:00, 30 minutes before")
    view.look("alarm with steps")
    shown = home.ask("show", alarm)["alarm"]
    check([(one["rings"], one["spacing"], one["after"], one["urgent"]) for one in shown["steps"]]
          == [(5, "1m", None, False), (2, "30s", "5m", True), (1, "30s", "10m", False)], f"the steps are {shown['steps']}")
    check(shown["leads"] == ["1 day before at 19:00", "30 minutes before"], f"the early reminders are {shown['leads']}")


def escalate_by_keyboard(home, view, alarm):
    """The form keeps the values that it cannot show, and the values that the caretaker does not change. A command has set
    these values."""
    home.ask("edit", alarm, "--step", "3 rings every 70s, at -9 -4.5 dB", "--step", "after 95s, 1 ring every 1m",
             "--step", "after 5m, 2 rings every 1m, loud, urgent",
             "--tell", "sofia after 10m20s, then sofia after 5m, then sofia after 1m")
    before = home.ask("show", alarm)["alarm"]
    view.page.set_viewport_size(DESK)
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    view.page.locator("input[name=time]").first.fill("20:30")
    view.page.press("#rings-0", "Enter")
    view.wait("text=The change is saved.")
    after = home.ask("show", alarm)["alarm"]
    check(after["schedule"].endswith("20:30"), f"the schedule is {after['schedule']}")
    for name in ("steps", "leads", "tell"):
        check(after[name] == before[name], f"{name} became {after[name]}; before: {before[name]}")
    view.page.goto(f"{view.root}/alarms/{alarm}/edit")
    view.page.focus("button[value=burst-remove-1]")
    view.page.keyboard.press("Enter")
    view.wait("#rings-2", state="detached")
    view.page.fill("#early-count-0", "")
    view.page.focus("#rings-0")
    view.page.keyboard.press("Enter")
    view.wait("text=The change is saved.")
    shown = home.ask("show", alarm)["alarm"]
    check([one["gains"] for one in shown["steps"]] == [[-9, -4.5], [0]], f"the steps are {shown['steps']}")
    check(shown["leads"] == ["30 minutes before"], f"the early reminders are {shown['leads']}")
    for words, leads in (("every day 21:00", ["30 minutes before"]), ("every day 20:45 and 2 hours before", ["2 hours before"])):
        view.page.goto(f"{view.root}/alarms/{alarm}/edit")
        view.page.check("#way-typed")
        view.page.fill("#phrase", words)
        view.page.press("#phrase", "Enter")
        view.wait("text=The change is saved.")
        shown = home.ask("show", alarm)["alarm"]
        check(shown["leads"] == leads, f"the early reminders of {words} are {shown['leads']}")


def rehearse_one(home, view):
    """The caretaker plays the first ring as a test. No prompt begins, and the daemon records no ring."""
    rings = len(home.events("ring_started"))
    view.page.focus("button[value=rehearse]")
    view.page.keyboard.press("Enter")
    view.wait("[role=status] >> text=The speaker at home played", 30)
    check(len(home.events("test_ring")) == 1, f"the tests are {home.events('test_ring')}")
    check(len(home.events("ring_started")) == rings, "the test is recorded as a ring")
    check(home.ask("prompts", "--state", "current")["prompts"] == [], "a task began")


def pause_one(view):
    view.page.click("text=Skip the next ring")
    view.wait("text=The next ring is skipped.")
    view.page.click("button[value=pause]")
    view.wait("text=The alarm is paused.")
    view.page.click("text=End the pause")
    view.wait("text=The pause has ended.")


def picture_one(home, view, alarm):
    """A caretaker uploads a picture by touch, and removes it by keyboard. If a file is not a picture, the refusal is beside
    its field."""
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
    ask_by_touch(home, view, alarm)
    ask_by_keyboard(home, view, alarm)
    escalate_by_touch(home, view, alarm)
    escalate_by_keyboard(home, view, alarm)
    rehearse_one(home, view)
    pause_one(view)
    picture_one(home, view, alarm)
    remove_one(home, view, alarm)
