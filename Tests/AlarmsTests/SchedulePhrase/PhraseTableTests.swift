import CivilTime
import Foundation
import TestRandom
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
    let text = try phrases().map { "\($0) → \(try meaning(of: $0, typedAt: Self.now))\n" }.joined()
    try GoldenFile("schedule-phrases.txt").expect(text)
  }

  /// The local times at which a person types the random phrases: on a usual day, in the last minute
  /// of a year, one day before a leap day, and before and during a clock change.
  private static let typed = [
    "2026-11-21T09:00", "2026-12-31T23:59", "2028-02-28T08:00", "2027-03-27T22:15",
    "2027-10-31T02:30",
  ]

  @Test func `at other times, and with random words, is as in the golden file`() throws {
    let parts = try parts()
    let (days, times) = (try #require(parts["[days]"]), try #require(parts["[times]"]))
    let (ends, whole) = (try #require(parts["[ends]"]), try #require(parts["[whole]"]))
    var random = SeededGenerator(seed: 7)
    func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    var text = ""
    for typed in Self.typed {
      let local = try CivilDateTime(parsing: typed)
      let now = CoreFixture.berlin.resolve(local).instant
      text += "== typed at \(local)\n"
      for number in 0..<240 {
        var words = [pick(days), pick(times)]
        if number % 3 == 0 { words.append(pick(ends)) }
        if number % 7 == 0 { words.insert(pick(times), at: 1) }
        if number % 5 == 0 { words.shuffle(using: &random) }
        // Every second phrase is a phrase of the list with one word that is missing, or with one
        // more word.
        if number % 2 == 0 { words = pick(whole).split(separator: " ").map(String.init) }
        if number % 4 == 0, words.count > 1 {
          words.remove(at: Int.random(in: 0..<words.count, using: &random))
        } else if number % 2 == 0 {
          let place = Int.random(in: 0...words.count, using: &random)
          words.insert(pick(days + times + ends), at: place)
        }
        let phrase = words.joined(separator: " ")
        text += "\(phrase) → \(try meaning(of: phrase, typedAt: now))\n"
      }
    }
    try GoldenFile("random-phrases.txt").expect(text) { $0.hasPrefix("== ") }
  }

  /// Returns the lists of `Tests/Fixtures/schedule-parts.txt`. The key is the title of a list.
  private func parts() throws -> [String: [String]] {
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
    return parts
  }

  private func phrases() throws -> [String] {
    let parts = try parts()
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
    return try all + list("whole") + list("more")
  }

  /// Returns the schedule in words, its first due times and the stored phrase. If the phrase is
  /// refused, returns the refusal.
  private func meaning(of phrase: String, typedAt now: Instant) throws -> String {
    let zone = CoreFixture.berlin
    let parsed: SchedulePhrase.Parsed
    do throws(Refusal) {
      parsed = try read(phrase, typedAt: now)
    } catch {
      return "\(error.kind.rawValue) \(error.field ?? ""): \(error.detail)"
    }
    let words = parsed.earlyReminders.reduce(
      parsed.schedule.words(in: zone, typedAt: now)
    ) { "\($0), and \($1.words)" }
    var due: [String] = []
    if case .after = parsed.schedule {
    } else {
      let plan = try SchedulePlan(
        parsed.schedule, earlyReminders: parsed.earlyReminders, zone: zone, seed: 7)
      var from = now
      while due.count < 3, let next = plan.next(after: from) {
        from = next.instant
        let local = zone.civil(at: next.instant).dateTime
        due.append("\(local.date) \(local.time)")
      }
    }
    return "\(words) | \(due.joined(separator: ", ")) | \(parsed.phrase)"
  }

  private func read(
    _ phrase: String, typedAt now: Instant
  ) throws(Refusal) -> SchedulePhrase.Parsed {
    try SchedulePhrase(
      phrase, now: now, zone: CoreFixture.berlin,
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
