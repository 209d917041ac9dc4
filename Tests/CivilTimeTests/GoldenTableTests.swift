import Foundation
import Testing

@testable import CivilTime

/// Compares rules, sets and zones with golden tables. The tables contain the answers of other
/// engines. `golden_tables.py` and `transitions.py` in `Tests/Differential` write the tables.
@Suite("Golden tables")
struct GoldenTableTests {
  /// Returns the lines of a table. Each line is a list of its fields.
  static func lines(_ name: String, separator: Character = "\t") throws -> [[String]] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Golden/\(name)")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// A cache of the zones that a test has already read.
  struct Zones {
    private var known: [String: Zone] = [:]

    mutating func named(_ name: String) throws -> Zone {
      if let zone = known[name] { return zone }
      let zone = try SystemZone.named(name)
      known[name] = zone
      return zone
    }
  }

  static func text(_ occurrence: Occurrence?) -> String {
    guard let occurrence else { return "nothing" }
    let mark =
      switch occurrence.moved {
      case .gap: "g"
      case .fold: "f"
      case nil: occurrence.fold == 1 ? "2" : ""
      }
    return "\(occurrence.nominal)@\(occurrence.instant.seconds)\(mark)"
  }

  @Test func `every rule has the occurrences of another engine`() throws {
    var zones = Zones()
    var compared = 0
    for fields in try Self.lines("recurrence-table.txt") {
      try #require(fields.count == 8)
      let rule = try RecurrenceRule(parsing: fields[1])
      let title = "\(fields[2]) from \(fields[3]) \(fields[4])"
      #expect(rule.description == fields[2], "\(title)")
      #expect(try RecurrenceRule(parsing: fields[2]) == rule, "\(title)")
      let zone = try zones.named(fields[4])
      let recurrence = try Recurrence(rule: rule, start: local(fields[3]), zone: zone)
      let first = fields[5].split(separator: " ").map(String.init)
      expectFirst(first, of: recurrence, title)
      for probe in fields[6].split(separator: " ") {
        let parts = probe.split(separator: ">")
        let second = try #require(Int64(parts[0]))
        for instant in [
          Instant(seconds: second), Instant(milliseconds: second * 1000 + 999),
        ] {
          let found = Self.text(recurrence.next(after: instant))
          #expect(found == parts[1], "\(title) after \(second)")
        }
      }
      for end in fields[7].split(separator: " ") {
        let parts = end.split(separator: ">").map(String.init)
        try expectEnd(parts[0], last: parts[1], fields: fields, zone: zone)
      }
      compared += 1
    }
    #expect(compared == 630)
  }

  /// Compares the first occurrences with the results of `next`, `occurrences` and `identities`.
  private func expectFirst(_ expected: [String], of recurrence: Recurrence, _ title: String) {
    var found: [Occurrence] = []
    while found.count < expected.count,
      let next = recurrence.next(after: found.last?.instant ?? Instant(milliseconds: .min))
    {
      found.append(next)
    }
    #expect(found.map(Self.text) == expected, "\(title)")
    guard let first = found.first, let last = found.last else { return }
    let listed = recurrence.occurrences(
      from: first.instant, to: last.instant.adding(milliseconds: 1))
    #expect(listed.map(Self.text) == expected, "\(title)")
    let shorter = recurrence.occurrences(
      from: first.instant.adding(milliseconds: 1), to: last.instant)
    #expect(shorter.map(Self.text) == Array(expected.dropFirst().dropLast()), "\(title)")
    for occurrence in found {
      #expect(recurrence.identities(at: occurrence.instant).contains(occurrence), "\(title)")
      #expect(recurrence.identities(at: occurrence.instant.adding(milliseconds: 1)).isEmpty)
    }
  }

  /// Compares the last occurrence of a rule that has an end.
  private func expectEnd(_ end: String, last: String, fields: [String], zone: Zone) throws {
    let recurrence = try Recurrence(
      rule: RecurrenceRule(parsing: "\(fields[2]);\(end)"), start: local(fields[3]), zone: zone)
    let second = try #require(
      last.split(separator: "@").last.flatMap { Int64($0.prefix { $0.isNumber }) })
    let title = "\(fields[2]);\(end) from \(fields[3]) \(fields[4])"
    let found = recurrence.next(after: Instant(seconds: second - 1))
    #expect(Self.text(found) == last, "\(title)")
    #expect(recurrence.next(after: Instant(seconds: second)) == nil, "\(title)")
    let instant = Instant(seconds: second)
    let rest = recurrence.occurrences(from: instant, to: instant.adding(seconds: 1 << 40))
    #expect(rest.map(Self.text) == [last], "\(title)")
  }

  @Test func `every set has the occurrences of another engine`() throws {
    var zones = Zones()
    for fields in try Self.lines("recurrence-sets.txt") {
      try #require(fields.count == 6)
      let zone = try zones.named(fields[2])
      let start = try local(fields[1])
      let rules = try fields[0].split(separator: "|").map {
        try Recurrence(rule: RecurrenceRule(parsing: String($0)), start: start, zone: zone)
      }
      let expected = fields[5].split(separator: " ").map(String.init)
      let title = fields[0...4].joined(separator: " ")
      let dates = try fields[3].split(separator: " ").map { try local(String($0)) }
      let set: RecurrenceSet
      do throws(CivilTimeError) {
        set = try RecurrenceSet(
          rules: rules, dates: dates, exclusions: Self.exclusions(fields[4]), zone: zone)
      } catch {
        #expect(expected.isEmpty && error.kind == "rule-never-occurs", "\(title) \(error)")
        continue
      }
      #expect(set.rules.map(\.rule) == rules.map(\.rule))
      var found: [String] = []
      var last = Instant(milliseconds: .min)
      while let next = set.next(after: last) {
        let all = set.identities(at: next.instant)
        #expect(all.contains(next), "\(title)")
        found.append(all.map(Self.text).joined(separator: ","))
        last = next.instant
      }
      #expect(found == expected, "\(title)")
    }
  }

  private static func exclusions(
    _ field: String
  ) throws(CivilTimeError) -> [RecurrenceSet.Exclusion] {
    var found: [RecurrenceSet.Exclusion] = []
    for part in field.split(separator: " ").map(String.init) {
      if part.hasSuffix("Z") {
        found.append(.instant(try Instant(parsing: part)))
      } else if part.contains("T") {
        found.append(.dateTime(try CivilDateTime(parsing: part)))
      } else {
        found.append(.day(try CivilDate(parsing: part)))
      }
    }
    return found
  }
}

extension GoldenTableTests {
  @Test func `offsets and local times around clock changes agree with another engine`() throws {
    var zones: [String: Zone] = [:]
    var last = Int64.min
    var name = ""
    for fields in try Self.lines("zone-table.txt") {
      let numbers = fields.dropFirst().compactMap { Int64($0) }
      try #require(numbers.count == 45)
      if fields[0] != name { (name, last) = (fields[0], .min) }
      // If a name contains a comma, the name is the footer of a zone file, and not the name of a
      // zone.
      let zone =
        try zones[name]
        ?? (name.contains(",")
          ? Zone(name: name, tzif: ZoneReaderTests.file([], offsets: [0], footer: name))
          : SystemZone.named(name))
      zones[name] = zone
      // If less than 300 days are between two lines of a zone, the zone must not have another
      // change between the two lines.
      let isNext = last > numbers[0] - 300 * 86_400
      let found = ZoneFileTests.differences(
        zone, numbers, after: isNext ? last : numbers[0] - 1)
      #expect(found == [], "\(name)")
      last = numbers[0]
    }
  }
}
