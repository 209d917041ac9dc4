import API
import Foundation
import Sentences
import Testing

@testable import CaretakerPages

@Suite struct TodayPageTests {
  private func home(_ tasks: String..., prompts: String = "") -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.give(.day, "{\"tasks\": [\(tasks.joined(separator: ","))]}")
    home.give(.listPrompts, "{\"prompts\": [\(prompts)]}")
    return home
  }

  @Test func `a day without tasks says so`() {
    let page = SampleCaretakerHome().page()
    #expect(page.status == 200)
    #expect(page.html.contains("No tasks on this day."))
    #expect(page.html.contains("Thursday, 26 November 2026"))
    #expect(page.html.contains("data-version=\"7\" data-live"))
  }

  @Test func `a waiting task is at the top, with the answers that the daemon accepts`() {
    let home = home(
      dayTask("Breakfast", "07:00", "done", changed: "07:10"),
      dayTask(
        "Pills", "08:00", "waiting", prompt: "k@1",
        notified: #"{"contact": "sofia", "local": "2026-11-26T08:00:30"}"#),
      dayTask("Lunch", "12:00", "to_come", prompt: "l@1"),
      prompts: """
        {"id": "k@1", "delays_left": 1, "next_notification_utc": "2026-11-26T08:10:00.000Z"},
        {"id": "l@1", "delays_left": 3}
        """)
    let page = home.page().html
    let top = page.split(separator: "<section class=\"day\"")[0]
    #expect(top.contains("Pills") && !top.contains("Lunch"))
    for value in ["done", "later", "call_off"] { #expect(top.contains("value=\"\(value)\"")) }
    #expect(!top.contains("value=\"undo\""))
    #expect(page.contains("sofia was notified at 08:00"))
    #expect(page.contains("The next contact is notified at 08:10"))
    #expect(page.contains("done at 07:10"))
    #expect(page.contains("1 of 3 tasks done"))
    // A caretaker cannot delay a task that is not due yet.
    let rest = page.split(separator: "<section class=\"day\"")[1]
    #expect(rest.contains("value=\"call_off\"") && !rest.contains("value=\"later\""))
  }

  @Test func `"later" is missing if the daemon refuses it`() {
    let home = home(
      dayTask("Pills", "08:00", "waiting", prompt: "k@1"),
      prompts: #"{"id": "k@1", "delays_left": 0}"#)
    #expect(!home.page().html.contains("value=\"later\""))
  }

  @Test func `an answer can be undone until its time is over`() {
    func page(_ until: String) -> String {
      home(
        dayTask("Pills", "08:00", "done", prompt: "k@1", changed: "08:00"),
        prompts: "{\"id\": \"k@1\", \"undo_until_utc\": \"2026-11-26T\(until).000Z\"}"
      ).page().html
    }
    #expect(page("08:01:30").contains("value=\"undo\""))
    #expect(!page("08:00:59").contains("value=\"undo\""))
  }

  @Test func `without an open task, the page says what comes next, or that nothing comes`() {
    let next = home(dayTask("Lunch", "12:00", "to_come")).page().html
    #expect(next.contains(">Next</h2>") && !next.contains("<form"))
    #expect(home(dayTask("Lunch", "07:00", "missed")).page().html.contains("Nothing more on this"))
  }

  @Test func `every text of a person is escaped`() {
    let home = home(
      dayTask(
        "<img src=x onerror=alert(1)>", "08:00", "waiting", prompt: "k@1",
        notified: #"{"contact": "<b>", "local": "2026-11-26T08:00:30"}"#))
    home.give(.listPeople, #"{"people": [{"id": "anna", "name": "<i>"}, {"id": "b"}]}"#)
    let page = home.page(query: [("saved", "done"), ("prompt", "k@1")]).html
    for mark in ["<img", "<b>", "<i>"] { #expect(!page.contains(mark)) }
    #expect(page.contains("&lt;img src=x"))
  }

  // MARK: Answers

  private static let form = [("key", "0123456789abcdef"), ("prompt", "k@1"), ("button", "done")]

  @Test(arguments: [
    ("done", Route.Operation.complete), ("later", .delay), ("call_off", .cancel), ("undo", .undo),
  ])
  func `a button sends one answer with the key of the form`(
    button: String, operation: Route.Operation
  ) {
    let home = SampleCaretakerHome()
    home.give(operation, "{}")
    let form = Self.form.map { $0.0 == "button" ? ("button", button) : $0 }
    let page = home.page(query: [("person", "anna")], form: form)
    #expect(page.status == 303)
    #expect(page.location == "/?person=anna&saved=\(button)&prompt=k%401")
    let change = home.requests.last
    #expect(change?.operation == operation && change?.parameters == ["id": "k@1"])
    #expect(change?.key == "0123456789abcdef-\(button)")
  }

  @Test func `a refused answer is explained, and the page is no longer replaced`() {
    let home = home(dayTask("Pills", "08:00", "waiting", prompt: "k@1"))
    home.give(
      .complete, #"{"kind": "conflict", "detail": "cannot complete <it>: it is over"}"#, status: 409
    )
    let page = home.page(form: Self.form)
    #expect(page.status == 409)
    #expect(page.html.contains("Nothing was changed: cannot complete &lt;it&gt;: it is over"))
    #expect(!page.html.contains("data-live"))
  }

  @Test func `an unknown button sends nothing`() {
    let home = SampleCaretakerHome()
    let page = home.page(form: [("prompt", "k@1"), ("button", "erase")])
    #expect(page.status == 404)
    #expect(home.requests.map(\.operation) == [.status, .listPeople])
  }

  @Test func `the days before and after have their own addresses`() {
    let home = SampleCaretakerHome()
    let page = home.page(query: [("date", "2026-11-27")]).html
    #expect(page.contains("/?date=2026-11-28") && page.contains("/?date=2026-11-26"))
    #expect(home.requests.first { $0.operation == .day }?.query["date"] == "2026-11-27")
    _ = home.page(query: [("date", "tomorrow"), ("person", "nobody")])
    let last = home.requests.last { $0.operation == .day }
    #expect(last?.query == ["date": "2026-11-26"])
  }

  @Test func `each language has its sentences`() {
    #expect(SampleCaretakerHome().page(language: .german).html.contains("Donnerstag, 26. November"))
    #expect(SampleCaretakerHome().page(language: .vietnamese).html.contains("Hôm nay"))
  }
}
