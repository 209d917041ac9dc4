import Alarms
import CivilTime
import JSONValue
import Testing

@testable import EventCoding

/// Tests stored values at a limit, and values that are rarely stored.
@Suite struct `A stored value at its limit` {
  @Test(arguments: [("1", "1", true), ("1", "2", true), ("2", "1", false), ("1.5", "1.5", true)])
  func `the least number of a question can be the largest number`(
    low: String, high: String, isRead: Bool
  ) throws {
    let question =
      #"{"name":"q","kind":"number","required":true,"unit":"kg","min":\#(low),"max":\#(high)}"#
    let stored = try JSON(stored: #"{"holds_completion":false,"questions":[\#(question)]}"#)
    let found = try? CheckIn(payload: stored, content: nil)
    #expect((found != nil) == isRead)
    if let found { #expect(found.payload == stored && !found.holdsCompletion) }
  }

  @Test func `a choice without a text has an empty text`() throws {
    let stored = try JSON(
      stored: #"{"holds_completion":true,"questions":[{"name":"c","kind":"choices","#
        + #""required":false,"choices":["a","b",7]}]}"#)
    let words = try JSON(stored: #"[{"text":"Which?","choices":["A",7]}]"#)
    let found = try CheckIn(payload: stored, content: words)
    let choices = [
      Choice(name: "a", text: "A"), Choice(name: "b", text: ""), Choice(name: "", text: ""),
    ]
    #expect(found.questions.map(\.kind) == [.choices(choices)])
    #expect(found.questions.map(\.text) == ["Which?"] && found.holdsCompletion)
    #expect(try CheckIn(payload: stored, content: .array([])).questions.map(\.text) == [""])
  }

  @Test(
    arguments: [
      (nil, ["", "", ""], ""), (#"{"name":"home","labels":["A"]}"#, ["A", "", ""], "home"),
      (#"{"name":"home","labels":["A",7,"C","D"]}"#, ["A", "", "C"], "home"),
    ] as [(String?, [String], String)])
  func `a list of holidays can have too few labels`(
    content: String?, labels: [String], name: String
  ) throws {
    let days = try JSON(stored: #"{"days":["2026-12-24","2026-12-25","2027-01-01"]}"#)
    let row = StoredEvent(
      type: "holidays_imported", promptID: nil, ringNumber: nil, alarmID: nil, alarmVersion: nil,
      toneSHA256: nil, payload: days,
      content: try content.map { try JSON(stored: $0) })
    guard case .imported(let list) = try row.holidayChange() else {
      Issue.record("it is another change")
      return
    }
    #expect(list.name == name && list.days.map(\.label) == labels)
    #expect(list.days.map(\.date.description) == ["2026-12-24", "2026-12-25", "2027-01-01"])
  }

  @Test func `notifications before an answer that was undone are stored`() throws {
    let at = Instant(milliseconds: 7)
    var prompt = Prompt(
      id: PromptID(alarm: AlarmID("k3v9"), nominalKey: 8), alarmVersion: 1,
      dueAt: Instant(milliseconds: 5), zoneName: "UTC", utcOffsetSeconds: 0)
    let new = prompt
    let progress = NotifyProgress(begun: 1, nextAt: at, lastAt: nil, pending: [2])
    prompt.lastAnswer = LastAnswer(
      at: at,
      before: .init(state: .planned, delays: 0, acknowledgedAt: nil, notifyProgress: progress))
    let idle = #""told":0,"next_tell_ms":null,"last_told_ms":null,"telling":[]"#
    let text =
      #"{"acknowledged_ms":null,\#(idle),"answer":{"at_ms":7,"phase":{"name":"planned"},"#
      + #""delays":0,"course":{"acknowledged_ms":null,"told":1,"next_tell_ms":7,"#
      + #""last_told_ms":null,"telling":[2]}}}"#
    #expect(prompt.course?.description == text)
    var again = new
    // The stored course has no responses, so the prompt loses its responses.
    again.answers = ["a": 1]
    try again.setCourse(try JSON(stored: text))
    #expect(again == prompt)
  }

  @Test(
    arguments: [
      (0, String(repeating: "0", count: 64), "0-0000-0000-0000-0000"),
      (16, "84210842108421084210" + String(repeating: "0", count: 44), "16-gggg-gggg-gggg-ggg0"),
    ] as [(Int64, String, String)])
  func `a head code has a check character of 0, too`(sequence: Int64, hash: String, code: String) {
    #expect(HeadCode(sequence: sequence, hash: hash).description == code)
    #expect(HeadCode(code)?.sequence == sequence && HeadCode(code)?.matches(hash: hash) == true)
  }

  @Test func `a whole hash has 64 hexadecimal digits`() {
    let hash = String(repeating: "a", count: 64)
    #expect(HeadCode("5-\(hash)")?.matches(hash: hash) == true)
    #expect(HeadCode("5-\(hash.uppercased())")?.matches(hash: hash) == true)
    for wrong in [hash.dropLast() + "g", "\(hash)a", "\(hash.dropLast())"] {
      #expect(HeadCode("5-\(wrong)") == nil)
    }
  }

  /// Prompter reads the first text. The second text is the stored form of the result.
  @Test(
    arguments: [
      ("2026-12-24", "2026-12-24"), ("2026-12-24/2026-12-24", "2026-12-24"),
      ("2026-12-24/2026-12-26", "2026-12-24/2026-12-26"),
      // The last day of this range is before its first day. Prompter reads only the first day.
      ("2026-12-26/2026-12-24", "2026-12-26"),
    ])
  func `a pause can have ranges of days`(stored: String, again: String) throws {
    func text(_ days: String) -> String {
      #"{"until":"2026-12-20T08:00:00","occurrences":[1,3],"#
        + #""days":["\#(days)","2027-01-01/2027-01-06"]}"#
    }
    let pauses = try Pauses(json: try JSON(stored: text(stored)))
    #expect(pauses.json.description == text(again))
    let until = try CivilDateTime(parsing: "2026-12-20T08:00")
    #expect(pauses.until == until && pauses.occurrences == [1, 3])
    let parts = try again.split(separator: "/").map { try CivilDate(parsing: String($0)) }
    let first = try #require(parts.first)
    let last = try #require(parts.last)
    let newYear = try CivilDate(parsing: "2027-01-01")
    #expect(pauses.days == [first...last, newYear...newYear.adding(days: 5)])
  }
}
