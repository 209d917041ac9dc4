import API
import CivilTime
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

/// Returns a prompt in the JSON format of `GET /v1/prompts`.
private func prompt(
  _ local: String, _ outcome: String?, alarm: String = "k3v9", label: String = "Take the pills",
  more: String = ""
) -> String {
  """
  {"id": "\(alarm)@\(local)", "alarm_id": "\(alarm)", "label": \(JSON.string(label)),
   "person": "anna", "scheduled_local": "\(local)", "scheduled_utc": "\(local).000Z",
   "outcome": \(outcome.map { "\"\($0)\"" } ?? "null"), "closed_utc": "\(local).000Z"\(more)}
  """
}

private let why = """
  {"label": "Take the pills", "summary": "It rang 3 times, and <nobody> answered.",
   "rule": "every day at 08:00, set by ben", "reasons": [
    {"local": "2026-11-25T08:00:00", "role": "system", "by": "prompterd", "by_name": null,
     "text": "it was due"},
    {"local": "2026-11-25T08:05:00", "role": "caretaker", "by": "1000", "by_name": "ben",
     "text": "undone <x>"}]}
  """

private let question =
  #"{"name": "pain", "text": "How bad is the <pain>?", "kind": "scale", "min": 0, "max": 10}"#

extension SampleCaretakerHome {
  fileprivate func giveHistory(_ prompts: String..., questions: String = question) {
    give(.listPrompts, "{\"prompts\": [\(prompts.joined(separator: ","))]}")
    give(.listAlarms, "{\"alarms\": [{\"person\": \"anna\", \"questions\": [\(questions)]}]}")
    give(.whyPrompt, why)
    give(.whyAlarm, why)
    give(
      .series,
      """
      {"answers": 3, "points": [
        {"utc": "2026-11-02T08:00:00.000Z", "value": 3, "min": 3, "max": 3, "count": 1},
        {"utc": "2026-11-10T08:00:00.000Z", "value": 5.5, "min": 4, "max": 7, "count": 2},
        {"utc": "2026-11-25T08:00:00.000Z", "value": 2, "min": 2, "max": 2, "count": 1}]}
      """)
  }
}

@Suite struct HistoryPageTests {
  private func home(_ prompts: String...) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveHistory(prompts.joined(separator: ","))
    return home
  }

  @Test(arguments: [
    ("2026-11", "2026-11-01", "2026-11-30", "2026-10", "2026-12"),
    ("2026-12", "2026-12-01", "2026-12-31", "2026-11", "2027-01"),
    ("2028-02", "2028-02-01", "2028-02-29", "2028-01", "2028-03"),
  ])
  func `a month knows its days and neighbours`(
    text: String, first: String, last: String, previous: String, next: String
  ) throws {
    let month = try #require(HistoryMonth(parsing: text))
    #expect(month.first.description == first && month.last.description == last)
    #expect(month.previous.text == previous && month.next.text == next)
    #expect(month.days.count == month.last.day && month.days.last == month.last)
    #expect(HistoryMonth(of: month.last) == month)
    #expect(HistoryMonth(parsing: "2026-13") == nil)
  }

  @Test func `a day shows its most important result`() {
    let page = home(
      prompt("2026-11-25T20:00:00", "completed"),
      prompt("2026-11-25T08:00:00", "missed_no_response"),
      prompt("2026-11-24T08:00:00", "completed_out_of_window"),
      prompt("2026-11-23T08:00:00", "suppressed_paused"),
      prompt("2026-11-27T08:00:00", nil), prompt("2026-11-26T08:00:00", nil)
    ).page(["history"]).html
    func day(_ number: Int) -> Substring {
      page.split(separator: "/2026-11-\(number)\">")[1].split(separator: "</a>")[0]
    }
    #expect(day(25).contains("✗") && day(25).contains("missed"))
    #expect(day(24).contains("✓") && day(23).contains("○"))
    #expect(day(26).contains("…") && day(27).contains("·"))
    #expect(page.contains("2 of 3 done"))
    #expect(page.contains("<span class=\"none\">22</span>"))
    #expect(page.contains("href=\"/history/k3v9/2026-11-25\""))
    #expect(page.contains("month starts-7"))
  }

  @Test func `announcements and early reminders are not tasks`() {
    let page = home(
      prompt("2026-11-25T08:00:00", "completed", more: ", \"announcement\": true"),
      prompt(
        "2026-11-24T08:00:00", "completed", more: ", \"leads_to_utc\": \"2026-11-24T08:10:00.000Z\""
      )
    ).page(["history"]).html
    #expect(page.contains("No tasks in this month."))
  }

  @Test func `a long month is read in several pages`() {
    let home = SampleCaretakerHome()
    home.giveHistory()
    home.give(.listPrompts, #"{"prompts": [], "next_before": "k3v9@2026-11-02T08:00:00"}"#)
    _ = home.page(["history"], query: [("month", "2026-10"), ("person", "anna")])
    let asked = home.requests.filter { $0.operation == .listPrompts }.map(\.query)
    #expect(asked.count == 20 && asked[0]["before"] == nil)
    #expect(asked[1]["before"] == "k3v9@2026-11-02T08:00:00")
    #expect(asked[0]["from"] == "2026-10-01" && asked[0]["to"] == "2026-10-31")
    #expect(asked[0]["person"] == "anna" && asked[0]["limit"] == "1000")
  }

  @Test func `a new outcome is named and not guessed`() {
    #expect(home(prompt("2026-11-25T08:00:00", "vanished")).page(["history"]).status == 502)
  }

  // MARK: A day

  @Test func `a day gives the reason for each prompt`() {
    let home = home(prompt("2026-11-25T08:00:00", "missed_no_response"))
    let page = home.page(["history", "k3v9", "2026-11-25"]).html
    #expect(page.contains("It rang 3 times, and &lt;nobody&gt; answered."))
    #expect(page.contains("08:05</span><span>undone &lt;x&gt; <span class=\"person\">ben</span>"))
    #expect(!page.contains("prompterd"))
    #expect(page.contains("href=\"/history/k3v9/2026-11-24\""))
    #expect(page.contains("href=\"/history?month=2026-11\""))
    let asked = home.requests.first { $0.operation == .whyPrompt }
    #expect(asked?.parameters == ["id": "k3v9@2026-11-25T08:00:00"])
  }

  @Test func `a day without a prompt says why there was none`() {
    let home = home("")
    home.give(.listPrompts, #"{"prompts": []}"#)
    let page = home.page(["history", "k3v9", "2026-11-22"]).html
    #expect(page.contains("No task on this day"))
    let asked = home.requests.first { $0.operation == .whyAlarm }
    #expect(asked?.query == ["at": "2026-11-22 12:00"])
    #expect(home.page(["history", "k3v9", "never"]).status == 404)
  }

  @Test func `a missed task of today leads to its reason`() {
    let home = SampleCaretakerHome()
    home.give(
      .day,
      "{\"tasks\": [\(dayTask("Lunch", "07:00", "missed", prompt: "k3v9@2026-11-26T07:00:00"))]}")
    #expect(home.page().html.contains("href=\"/history/k3v9/2026-11-26\""))
  }

  // MARK: Answers

  @Test func `the answers to a question become a chart and a table`() {
    let home = SampleCaretakerHome()
    home.giveHistory()
    let list = home.page(["history"]).html
    #expect(list.contains("/history/answers?person=anna&amp;question=pain"))
    #expect(list.contains("How bad is the &lt;pain&gt;?"))
    let query = [("person", "anna"), ("question", "pain"), ("days", "90")]
    let page = home.page(["history", "answers"], query: query).html
    #expect(page.contains("3 answers, the newest is 2") && !page.contains("<pain>"))
    #expect(page.components(separatedBy: "<circle").count == 4)
    #expect(page.components(separatedBy: "class=\"spread\"").count == 2)
    #expect(page.contains("<td class=\"number\">5.5</td>"))
    let asked = home.requests.last { $0.operation == .series }
    #expect(asked?.query["from"] == "2026-08-29" && asked?.query["to"] == "2026-11-26")
    #expect(home.page(["history", "answers"], query: [("person", "anna")]).status == 404)
  }

  @Test func `yes and no have words, and a text has no chart`() {
    let home = SampleCaretakerHome()
    home.giveHistory(
      questions: #"{"name": "slept", "text": "Slept?", "kind": "yes_no"}, "#
        + #"{"name": "note", "text": "A note", "kind": "text"}"#)
    home.give(
      .series, #"{"answers": 1, "points": [{"utc": "2026-11-25T08:00:00.000Z", "value": 1}]}"#)
    #expect(!home.page(["history"]).html.contains("A note"))
    let page = home.page(
      ["history", "answers"], query: [("person", "anna"), ("question", "slept")]
    ).html
    #expect(page.contains("1 answer, the newest is yes"))
    #expect(page.contains(">no</text>") && page.contains(">yes</text>"))
    home.give(.series, #"{"answers": 0, "points": []}"#)
    let empty = home.page(
      ["history", "answers"], query: [("person", "anna"), ("question", "slept")]
    ).html
    #expect(empty.contains("No answers in this time.") && !empty.contains("<svg"))
  }

  @Test func `the vertical axis has at most five round values`() throws {
    let day = try CivilDate(parsing: "2026-11-01")
    func ticks(_ limits: ClosedRange<Double>) -> [Double] {
      AnswerChart([], from: day, to: day, limits: limits).ticks
    }
    #expect(ticks(0...10) == [0, 5, 10])
    #expect(ticks(0...1) == [0, 0.5, 1])
    #expect(ticks(0...2) == [0, 0.5, 1, 1.5, 2] && ticks(-3...4) == [-2, 0, 2, 4])
    #expect(ticks(36.2...39.8).count <= 5)
    #expect(AnswerChart.text(-0.5) == "-0.5" && AnswerChart.text(70) == "70")
  }
}

extension CaretakerGalleryTests {
  static let historySamples = [
    Sample(name: "history-empty", path: ["history"]) { $0.giveHistory(questions: "") },
    Sample(name: "history", path: ["history"]) { home in
      let marks = [
        "completed", "completed", "missed_no_response", "completed", "suppressed_quiet_hours",
        "completed", "declined", "completed", "cancelled_before_due", "completed_out_of_window",
      ]
      let pills = (1...25).map { day in
        prompt("2026-11-\(day < 10 ? "0" : "")\(day)T08:00:00", marks[day * day % 10])
      }
      let lunch = stride(from: 2, through: 24, by: 2).map { day in
        prompt(
          "2026-11-\(day < 10 ? "0" : "")\(day)T12:00:00", marks[day % 4], alarm: "l4c2",
          label: "Lunch with Hugo & the cat")
      }
      let open = [
        prompt("2026-11-26T08:00:00", nil),
        prompt("2026-11-26T12:00:00", nil, alarm: "l4c2", label: "Lunch with Hugo & the cat"),
      ]
      home.giveHistory((pills + lunch + open).joined(separator: ","))
    },
    Sample(name: "history-day", path: ["history", "k3v9", "2026-11-25"]) { home in
      home.giveHistory(
        prompt("2026-11-25T20:00:00", "completed"),
        prompt("2026-11-25T08:00:00", "missed_no_response"))
      home.give(
        .whyPrompt,
        """
        {"label": "Take the pills", "rule": "every day at 08:00 and 20:00, set by ben on 2026-11-01",
         "summary": "It rang 3 times from 08:00 on. Nobody answered, so Sofia was notified at 08:10.",
         "reasons": [
          {"local": "2026-11-25T08:00:00", "role": "system", "by": "", "by_name": null, "text": "it was due"},
          {"local": "2026-11-25T08:10:00", "role": "system", "by": "", "by_name": null, "text": "Sofia was notified"},
          {"local": "2026-11-25T08:30:00", "role": "system", "by": "", "by_name": null, "text": "it was missed"}]}
        """)
    },
    Sample(
      name: "answers", path: ["history", "answers"],
      query: [("person", "anna"), ("question", "pain")]
    ) { $0.giveHistory() },
  ]
}
