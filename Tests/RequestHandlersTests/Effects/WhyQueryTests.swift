import API
import Alarms
import CivilTime
import Fakes
import JSONValue
import Testing

@testable import RequestHandlers

/// Tests in which periods the explanation of an alarm searches the record for a prompt.
@Suite struct WhyQueryTests {
  /// Returns an instant that is this number of milliseconds after 2027-01-15T08:00:00Z.
  private static func at(_ milliseconds: Int64) -> Instant {
    Instant(seconds: 1_800_000_000).adding(milliseconds: milliseconds)
  }

  private struct Case: Sendable {
    /// The time about which the user asks; nil for the present time, 08:01:30.
    var time: String?
    /// The state of the newest prompt that was due before the minute of this time.
    var state: PromptState
    /// True if the reply explains this prompt, because the prompt was open at this time.
    var isOpen: Bool
  }

  private static func closed(_ milliseconds: Int64) -> PromptState {
    .closed(.completed, reason: .none, at: at(milliseconds))
  }

  private static let cases = [
    Case(time: nil, state: closed(60_000), isOpen: true),
    Case(time: nil, state: closed(90_000), isOpen: true),
    Case(time: nil, state: closed(59_999), isOpen: false),
    Case(time: nil, state: .planned, isOpen: false),
    Case(time: nil, state: .delayed(until: at(900_000)), isOpen: true),
    Case(time: "2027-01-15 08:01", state: .delayed(until: at(900_000)), isOpen: true),
    Case(time: "2027-01-15 08:02", state: .delayed(until: at(900_000)), isOpen: false),
    Case(time: "2027-01-15 08:02", state: closed(120_000), isOpen: true),
    Case(time: "2027-01-15 08:02", state: closed(119_999), isOpen: false),
  ]

  @Test func `the search for a prompt reads the minute, then the day before, then all past time`()
    async throws
  {
    let home = await ServedHome()
    let added = try await home.ask(
      .addAlarm, body: #"{"label":"Pills","schedule":"every day 09:00"}"#)
    let id = AlarmID(try #require(added.document["alarm"]?["id"]?.string))
    home.fakes.pass(seconds: 90)
    for (number, row) in Self.cases.enumerated() {
      let prompt = Prompt(
        id: PromptID(alarm: id, nominalKey: 0), alarmVersion: 1, dueAt: Self.at(0),
        zoneName: "UTC", utcOffsetSeconds: 0, state: row.state)
      let asked = Calls<PromptFilter>()
      let handler = home.handler(archive: { archive in
        archive.prompts = { filter in
          asked.add(filter)
          let isSecond = asked.all.count == 2
          return isSecond
            ? [ArchivedPrompt(prompt: prompt, label: "Pills", instructions: "", person: "patient")]
            : []
        }
      })
      let query = row.time.map { ["at": $0] } ?? [:]
      let found = try await home.ask(.whyAlarm, ["id": id.text], query: query, at: handler)
      #expect(found.status == 200, "\(number): \(found)")
      let milliseconds: Int64 =
        switch row.time {
        case nil: 90_000
        case "2027-01-15 08:01"?: 60_000
        default: 120_000
        }
      let minute = milliseconds / 60_000 * 60_000
      let ranges =
        [
          Self.at(minute)..<Self.at(minute + 60_000),
          Self.at(milliseconds - 86_400_000)..<Self.at(minute),
        ] + (row.isOpen ? [] : [Instant(milliseconds: .min)..<Self.at(milliseconds)])
      let expected = ranges.map { range in
        var filter = PromptFilter(due: range, limit: 1)
        filter.alarm = id
        return filter
      }
      #expect(asked.all == expected, "\(number)")
    }
  }
}
