"""A caretaker looks at the past: the month, a day with the reasons, and a chart. Part of test_caretaker.py."""
import re

from opened import DESK, PHONE

from view import check


def month_by_touch(view):
    """From the month to the day, and to the reason."""
    view.page.set_viewport_size(PHONE)
    view.page.goto(view.root + "/")
    view.page.tap("nav >> text=History")
    view.wait("h2 >> text=Lunch")
    view.look("history")
    square = view.page.locator("section.history", has_text="Lunch").locator("a.done")
    check(square.count() == 1, "the month does not show that Lunch is done")
    square.first.tap()
    view.wait("h1 >> text=Lunch")
    view.wait(".why.done >> text=done at")
    summary = view.page.locator(".why p").first.inner_text()
    check("done" in summary or "completed" in summary.lower(), f"the reason is {summary}")
    view.page.tap("summary")
    view.wait(".why details li >> text=/./")
    view.look("history of a day")


def why_by_keyboard(view):
    """A task of the page Today leads to its reason."""
    view.page.set_viewport_size(DESK)
    view.page.goto(view.root + "/")
    link = view.page.locator("li.cancelled a.why").first
    link.focus()
    view.page.keyboard.press("Enter")
    view.wait(".why.quiet >> text=called off")
    view.page.goto(view.root + "/history?month=2020-02")
    view.wait("text=No tasks in this month.")
    view.page.goto(view.root + "/history/nothing/2020-02-01")
    check(view.page.locator("h1").inner_text() != "", "an unknown alarm has no heading")


def chart(home, view):
    """The answers to a question become a chart and a table."""
    prompt = home.set_alarm("Rest", "--ask", "pain=scale How bad is the pain, from 0 to 10?")
    view.page.goto(view.root + "/")
    view.wait("section.now >> text=Rest")
    home.ask("answer", prompt, "pain=7", "--done")
    view.page.goto(view.root + "/history")
    view.page.click("text=How bad is the pain")
    view.wait("svg.chart circle")
    label = view.page.get_attribute("svg.chart", "aria-label")
    check(re.search("1 answer, the newest is 7", label), f"the chart is {label}")
    view.page.click("summary")
    check(view.page.locator("td.number").inner_text() == "7", "the table does not show the answer")
    view.look("chart")


def look_back(home, view):
    month_by_touch(view)
    why_by_keyboard(view)
    chart(home, view)
