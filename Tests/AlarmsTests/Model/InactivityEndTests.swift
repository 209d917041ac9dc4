import CivilTime
import Testing

@testable import Alarms

/// Checks the end of the hours without an answer. The time in quiet hours and in control phases
/// does not count.
@Suite struct `The end of the hours of inactivity` {
  private func at(_ time: String) throws -> Instant {
    try Instant(parsing: "2027-01-15T\(time):00Z")
  }

  @Test(
    arguments: [
      // Each case has the quiet hours, the phases, and the end of two hours that begin at 10:00.
      // The end is "-" if the hours never end.
      ("", [], "12:00"),
      ("", ["control 09:00-10:00"], "12:00"), ("", ["control 09:00-10:30"], "12:30"),
      ("", ["control 10:00-11:00"], "13:00"), ("", ["control 11:00-12:00"], "13:00"),
      ("", ["control 11:59-13:00"], "13:01"), ("", ["control 12:00-13:00"], "12:00"),
      ("", ["control 12:01-13:00"], "12:00"), ("", ["prompted 10:30-11:30"], "12:00"),
      ("", ["washout 10:00-13:00"], "12:00"),
      ("", ["prompted 09:00-10:30", "control 10:30-11:00"], "12:30"),
      ("", ["control 10:30-11:00", "control 11:30-12:30"], "13:30"),
      ("", ["control 11:30-12:30", "control 10:30-11:00"], "13:30"),
      ("", ["control 08:00-09:00", "control 11:00-11:30"], "12:30"),
      ("", ["control 11:00-"], "-"), ("", ["control 10:00-"], "-"),
      ("", ["control 12:00-"], "12:00"),
      ("11:00-11:30", [], "12:30"), ("12:00-13:00", [], "12:00"), ("11:59-13:00", [], "13:01"),
      ("09:00-10:00", [], "12:00"), ("09:00-10:01", [], "12:01"),
      ("11:00-12:00", ["control 11:30-12:30"], "13:30"),
      ("11:30-12:30", ["control 11:00-12:00"], "13:30"),
      ("11:30-12:00", ["control 10:30-11:00"], "13:00"),
    ] as [(String, [String], String)])
  func `comes later because of quiet hours and control phases`(
    quiet: String, phases: [String], end: String
  ) throws {
    let rule = InactivityRule(hours: 2, notifySteps: [])
    let found = rule.end(
      since: try at("10:00"), quiet: quiet.isEmpty ? nil : try QuietHours(parsing: quiet),
      phases: try phases.map { text in
        let parts = text.split { $0 == " " || $0 == "-" }.map(String.init)
        return StudyPhase(
          kind: try #require(StudyPhase.Kind(rawValue: parts[0])), from: try at(parts[1]),
          to: parts.count > 2 ? try at(parts[2]) : nil)
      }, zone: .utc)
    #expect(found == (end == "-" ? nil : try at(end)), "\(quiet) \(phases)")
  }
}
