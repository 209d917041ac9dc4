"""A researcher enrols a person, plans phases and downloads the data. Part of test_caretaker.py."""
import subprocess
import tarfile
import tempfile
from pathlib import Path

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


def saved(view, button, press):
    """Returns the name and the bytes of the file that a button downloads."""
    with view.page.expect_download() as waiting:
        press(f"button[value='{button}']")
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def report(home, view):
    """The files are those of `prompter report`. By touch and by keyboard."""
    with tempfile.TemporaryDirectory() as folder:
        home.ask("export", f"{folder}/export", "--profile", "safe_harbor")
        subprocess.run([home.programs / "prompter", "report", f"{folder}/export", "--everybody"], check=True,
                       stdout=subprocess.DEVNULL)
        made = {name: Path(folder, "export", name).read_bytes() for name in ("report.html", "summary.csv", "estimates.csv")}
    view.page.goto(view.root + "/study")
    view.page.set_viewport_size(PHONE)
    check(view.page.input_value("#report_study") != "", "the study is not chosen")
    # If the chosen study has no prompts, the page shows the refusal beside the field.
    view.page.evaluate("document.getElementById('report_study').add(new Option('gone', 'gone', true, true))")
    view.page.tap("button[value='report.html']")
    view.wait("#error-report_study")
    view.look("refused report")
    view.page.select_option("#report_study", "")
    name, page = saved(view, "report.html", view.page.tap)
    check(name.startswith("prompter-safe_harbor-") and name.endswith("-report.html"), f"the file is {name}")
    check(page == made["report.html"], f"the page has {len(page)} bytes, that of the command {len(made['report.html'])}")
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/study")
    view.page.select_option("#report_study", "")

    def enter(selector):
        view.page.focus(selector)
        view.page.keyboard.press("Enter")
    for file in ("summary.csv", "estimates.csv"):
        check(saved(view, file, enter)[1] == made[file], f"{file} is not that of the command")
    view.page.check("#report-profile-limited")
    _, page = saved(view, "report.html", enter)
    check(b"the record up to event " in page, "the report does not name its source")


def research(home, view):
    enrol(home, view)
    download(view)
    report(home, view)
