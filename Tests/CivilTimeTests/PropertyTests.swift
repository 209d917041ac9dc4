import Foundation
import Testing

@testable import CivilTime

@Suite("What holds for every rule")
struct PropertyTests {
  /// The seed of the random rules. `CIVIL_SEED` sets the seed. Each failure message contains the
  /// seed.
  static let seed =
    ProcessInfo.processInfo.environment["CIVIL_SEED"].flatMap { UInt64($0) } ?? 20_261_121
  static let count =
    ProcessInfo.processInfo.environment["CIVIL_RULES"].flatMap { Int($0) } ?? 1500

  static let zones = [
    "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC",
    "Africa/Casablanca", "America/St_Johns", "Asia/Gaza", "Antarctica/Troll", "Pacific/Kwajalein",
  ]

  @Test
  func `next is always later, expansion equals repeated next, and each start gives the same times`()
    throws
  {
    var generator = RuleGenerator(seed: Self.seed)
    var (accepted, checked) = (0, 0)
    for _ in 0..<Self.count {
      let text = generator.rule()
      let zone = try SystemZone.named(Self.zones[generator.number(0...9)])
      let start = CivilDateTime(
        localSeconds: Int64(generator.number(0...1_900_000_000)) / 60 * 60)
      let made = try? Recurrence(
        rule: RecurrenceRule(parsing: text), start: start, zone: zone)
      guard let recurrence = made else { continue }
      accepted += 1
      let context = "seed \(Self.seed): \(text) from \(start) in \(zone.name)"
      // The search begins one second before the start of the rule, or at a random instant of a
      // later year.
      let from =
        generator.chance(50)
        ? zone.resolve(start).instant.adding(seconds: -1)
        : Instant(seconds: Int64(generator.number(1_900_000_000...2_000_000_000)))
      var found: [Occurrence] = []
      var last = from
      while found.count < 60, let next = recurrence.next(after: last) {
        #expect(next.instant > last, "\(context)")
        #expect(recurrence.identities(at: next.instant).contains(next), "\(context): \(next)")
        found.append(next)
        last = next.instant
      }
      guard let end = found.last?.instant else { continue }
      let expanded = Array(recurrence.occurrences(from: from.adding(milliseconds: 1), to: end))
      #expect(expanded == Array(found.dropLast()), "\(context)")
      for (index, occurrence) in found.enumerated().dropLast() where generator.chance(20) {
        let gap = found[index + 1].instant.milliseconds - occurrence.instant.milliseconds
        let inside = Int64(generator.number(0...Int(gap - 1)))
        let next = recurrence.next(after: occurrence.instant.adding(milliseconds: inside))
        #expect(next == found[index + 1], "\(context), \(inside) ms after \(occurrence)")
      }
      checked += found.count
    }
    print("seed \(Self.seed): \(accepted) of \(Self.count) rules ring, \(checked) occurrences")
    #expect(accepted > Self.count / 3)
  }

  @Test func `a printed rule reads back as the same rule`() throws {
    var generator = RuleGenerator(seed: Self.seed)
    for _ in 0..<5000 {
      let text = generator.rule()
      let rule = try RecurrenceRule(parsing: text)
      let printed = rule.description
      #expect(try RecurrenceRule(parsing: printed) == rule, "\(text)")
      #expect(try RecurrenceRule(parsing: printed).description == printed, "\(text)")
    }
  }

  @Test func `elapsed rules with limits equal a count of every second`() throws {
    var generator = RuleGenerator(seed: Self.seed)
    var compared = 0
    while compared < 40 {
      let text = generator.rule()
      let rule = try RecurrenceRule(parsing: text)
      guard rule.frequency < .daily, rule.setPositions.isEmpty, rule.end == .never else { continue }
      let zone = try SystemZone.named(Self.zones[generator.number(0...9)])
      // The rule starts at most 25 hours before the first clock change after a random instant. If
      // no clock change follows, the rule starts at most 25 hours before this instant.
      let anchor = Instant(seconds: Int64(generator.number(600_000_000...1_900_000_000)))
      let change = zone.nextOffsetChange(after: anchor) ?? anchor
      let start = zone.civil(at: change.adding(seconds: -Int64(generator.number(0...90_000))))
      guard !RuleTimes(rule, start: start.dateTime.time).isCivil else { continue }
      let reference = CountedRule(rule: rule, start: start.dateTime, zone: zone)
      let expected = reference.seconds(within: 2 * 86_400)
      let made = try? Recurrence(rule: rule, start: start.dateTime, zone: zone)
      guard let recurrence = made else {
        #expect(expected.isEmpty, "\(text) from \(start.dateTime) in \(zone.name)")
        continue
      }
      let end = Instant(seconds: reference.start + 2 * 86_400)
      let actual = recurrence.occurrences(from: Instant(seconds: reference.start), to: end)
        .map(\.instant.seconds)
      #expect(actual == expected, "\(text) from \(start.dateTime) in \(zone.name)")
      compared += 1
    }
  }
}

/// Computes the times of an elapsed rule from its definition, second by second.
struct CountedRule {
  let rule: RecurrenceRule
  let zone: Zone
  let start: Int64
  private let origin: Int64
  private let width: Int64

  init(rule: RecurrenceRule, start: CivilDateTime, zone: Zone) {
    self.rule = rule
    self.zone = zone
    self.start = zone.resolve(start).instant.seconds
    width =
      rule.frequency == .hourly && !rule.minutes.isEmpty
      ? 3600 : rule.frequency >= .minutely && !rule.seconds.isEmpty ? 60 : 1
    let shown = zone.civil(at: Instant(seconds: self.start)).dateTime.localSeconds
    origin = self.start - shown % width
  }

  func seconds(within span: Int64) -> [Int64] {
    let unit: Int64 = rule.frequency == .hourly ? 3600 : rule.frequency == .minutely ? 60 : 1
    let step = unit * Int64(rule.interval)
    return (start..<start + span).filter { second in
      guard (second - origin) % step < width else { return false }
      return matches(zone.civil(at: Instant(seconds: second)).dateTime)
    }
  }

  private func matches(_ local: CivilDateTime) -> Bool {
    func has(_ list: [Int], _ values: Int...) -> Bool {
      list.isEmpty || values.contains(where: list.contains)
    }
    let (year, month, day) = local.date.parts
    let length = CivilDate.lengthOfMonth(year: year, month: month)
    let newYear = CivilDate.dayNumber(year: year, month: 1, day: 1)
    let yearDay = local.date.dayNumber - newYear + 1
    let yearLength = CivilDate.isLeap(year) ? 366 : 365
    let weekday = local.date.weekday
    let seconds =
      width == 3600 && rule.seconds.isEmpty
      ? [zone.civil(at: Instant(seconds: start)).dateTime.time.second] : rule.seconds
    return has(rule.months, month) && has(rule.monthDays, day, day - length - 1)
      && has(rule.yearDays, yearDay, yearDay - yearLength - 1)
      && (rule.weekdays.isEmpty || rule.weekdays.contains { $0.weekday == weekday })
      && has(rule.hours, local.time.hour) && has(rule.minutes, local.time.minute)
      && has(seconds, local.time.second)
  }
}
