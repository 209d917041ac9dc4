import CivilTime
import Foundation
import Testing

@testable import Alarms

/// Compares the meaning of each phrase of a large table with a golden file.
///
/// The test makes phrases from the days, times and ends in `Tests/Fixtures/schedule-parts.txt`. If
/// you change the meaning of a phrase on purpose, write the golden file again with `make golden`,
/// and check the changes in the file.
@Suite struct `The meaning of phrases` {
  /// Saturday 21 November 2026, 09:00 in Berlin.
  private static let now = Instant(seconds: 1_795_248_000)

  @Test func `is as in the golden file`() throws {
    let text = try phrases().map { "\($0) → \(try meaning(of: $0))\n" }.joined()
    try GoldenFile("schedule-phrases.txt").expect(text)
  }

  private func phrases() throws -> [String] {
    let file = GoldenFile.tests.appending(path: "Fixtures/schedule-parts.txt")
    var parts: [String: [String]] = [:]
    var part = ""
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        part = String(line)
      } else {
        parts[part, default: []].append(String(line))
      }
    }
    func list(_ name: String) throws -> [String] { try #require(parts["[\(name)]"]) }
    let (days, times, ends) = (try list("days"), try list("times"), try list("ends"))
    var all: [String] = []
    for (place, day) in days.enumerated() {
      all += [day, "\(day) 08:00", "\(day) at 8", "8am \(day)"]
      // The test combines each time with only some of the days, so that the table stays short.
      all += times.enumerated().filter { ($0.offset + place) % 9 == 0 }.map {
        "\(day) \($0.element)"
      }
    }
    all += times + times.map { "daily \($0)" } + times.map { "\($0) tomorrow" }
    for end in ends {
      all += ["daily 08:00", "mondays 08:00", "tomorrow 08:00", "every 8 hours", "1st of month 9"]
        .map { "\($0) \(end)" }
    }
    return try all + list("whole")
  }

  /// Returns the schedule in words, its first due times and the stored phrase. If the phrase is
  /// refused, returns the refusal.
  private func meaning(of phrase: String) throws -> String {
    let zone = CoreFixture.berlin
    let parsed: SchedulePhrase.Parsed
    do throws(Refusal) {
      parsed = try read(phrase)
    } catch {
      return "\(error.kind.rawValue) \(error.field ?? ""): \(error.detail)"
    }
    let words = parsed.earlyReminders.reduce(
      parsed.schedule.words(in: zone, typedAt: Self.now)
    ) { "\($0), and \($1.words)" }
    var due: [String] = []
    if case .after = parsed.schedule {
    } else {
      let plan = try SchedulePlan(
        parsed.schedule, earlyReminders: parsed.earlyReminders, zone: zone, seed: 7)
      var from = Self.now
      while due.count < 3, let next = plan.next(after: from) {
        from = next.instant
        let local = zone.civil(at: next.instant).dateTime
        due.append("\(local.date) \(local.time)")
      }
    }
    return "\(words) | \(due.joined(separator: ", ")) | \(parsed.phrase)"
  }

  private func read(_ phrase: String) throws(Refusal) -> SchedulePhrase.Parsed {
    try SchedulePhrase(
      phrase, now: Self.now, zone: CoreFixture.berlin,
      findAlarm: { (name) throws(Refusal) in
        if name.lowercased() == "breakfast" { return AlarmID("a1") }
        throw Refusal(.invalidField, field: "schedule", "there is no alarm \"\(name)\"")
      },
      findHolidays: { (name) throws(Refusal) in
        if name == nil || name == "DE-BE" { return HolidayExclusion(list: "DE-BE", days: []) }
        throw Refusal(.invalidField, field: "schedule", "there is no list \"\(name ?? "")\"")
      }
    ).parsed()
  }
}
