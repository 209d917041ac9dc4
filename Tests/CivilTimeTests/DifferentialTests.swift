import Foundation
import Testing

@testable import CivilTime

/// Compares this module with other engines. `Tests/Differential/cases.py` writes the answers of the
/// other engines.
///
/// `CIVIL_CASES` names the file with the answers. Without this variable, the test run reports that
/// the test is skipped.
@Suite("Other engines")
struct DifferentialTests {
  static let path = ProcessInfo.processInfo.environment["CIVIL_CASES"]

  @Test(.enabled(if: path != nil, "CIVIL_CASES is not set"))
  func `every case of another engine has the same times here`() throws {
    let text = try String(contentsOfFile: Self.path ?? "", encoding: .utf8)
    var zones: [String: Zone] = [:]
    var (compared, failed) = (0, 0)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 5, "\(line)")
      let zone = try zones[fields[3]] ?? SystemZone.named(fields[3])
      zones[fields[3]] = zone
      let expected = fields[4].split(separator: " ").compactMap { Int64($0) }
      let actual = try Self.answers(
        rule: fields[1], start: fields[2], zone: zone, like: expected)
      compared += 1
      if actual == expected { continue }
      failed += 1
      guard failed <= 40 else { continue }
      let place = zip(actual, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? -1
      Issue.record(
        """
        \(fields[0]) \(fields[1]) from \(fields[2]) \(fields[3]): \(actual.count) and \
        \(expected.count) times, first other at \(place): \
        \(Self.show(actual, place)) here, \(Self.show(expected, place)) there
        """)
    }
    print("compared \(compared) cases, \(failed) differ")
    #expect(failed == 0)
    #expect(compared > 0)
  }

  /// Returns as many times as `expected` contains. If `expected` is empty, asks for one time.
  static func answers(
    rule: String, start: String, zone: Zone, like expected: [Int64]
  ) throws -> [Int64] {
    let start = try CivilDateTime(parsing: start)
    let recurrence: Recurrence
    do {
      recurrence = try Recurrence(
        rule: RecurrenceRule(parsing: rule), start: start, zone: zone)
    } catch .neverOccurs {
      return []
    }
    var last = Instant(milliseconds: .min)
    var times: [Int64] = []
    while times.count < max(expected.count, 1), let next = recurrence.next(after: last) {
      #expect(next.instant > last)
      times.append(next.instant.seconds)
      last = next.instant
    }
    return times
  }

  private static func show(_ times: [Int64], _ place: Int) -> String {
    guard times.indices.contains(place) else { return "nothing" }
    return Instant(seconds: times[place]).description
  }
}
