"""A researcher enrols a person, plans phases and downloads the data. Part of test_caretaker.py."""
import tarfile

from opened import DESK, PHONE

from view import check


def enrol(home, view):
    """By touch: the enrolment, and a crossover plan."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(view.root + "/")
    view.page.tap("nav >> text=Study")
    view.wait("text=Nobody is enrolled.")
    view.look("study, empty")
    view.page.tap("#form-enrol summary")
    view.page.fill("#enrol-pseudonym", "P07")
    view.look("enrolment")
    view.page.tap("button[value=enrol]")
    view.wait("[role=status] >> text=The person is enrolled.")
    view.wait("li >> text=P07")
    view.page.tap("#form-crossover summary")
    view.page.fill("#crossover-start", "2099-01-04")
    view.page.fill("#crossover-days", "14")
    view.page.fill("#crossover-order", "ABC")
    view.page.tap("button[value=crossover]")
    view.wait("main [role=alert]")
    check(view.page.input_value("#crossover-days") == "14", "the typed days were lost")
    view.look("refused study")
    view.page.fill("#crossover-order", "AB")
    view.page.tap("button[value=crossover]")
    view.wait("[role=status] >> text=The phases are planned.")
    phases = home.ask("study", "phases")["phases"]
    check([one["kind"] for one in phases] == ["prompted", "control"], f"the phases are {phases}")


def download(view):
    """By keyboard: the file is a whole archive of the export."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/study")
    view.page.focus("button[value=export]")
    with view.page.expect_download() as waiting:
        view.page.keyboard.press("Enter")
    loaded = waiting.value
    check(loaded.suggested_filename.startswith("prompter-safe_harbor-"), f"the file is {loaded.suggested_filename}")
    with tarfile.open(loaded.path()) as archive:
        names = [name.split("/")[-1] for name in archive.getnames()]
    check("prompts.csv" in names and "MANIFEST.json" in names, f"the archive contains {names}")


def research(home, view):
    enrol(home, view)
    download(view)
