import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

/// Compares the instants at which imported alarms ring with the answers of other engines.
/// `Tests/Differential/calendars.py` writes these answers.
///
/// `CALENDAR_CASES` names the directory with the answers. Without this variable, the test run
/// reports that the test is skipped.
@Suite struct `Calendars in other engines` {
  static let path = ProcessInfo.processInfo.environment["CALENDAR_CASES"]
  /// The period of the answers, in seconds since 1970: from 2027-01-01 to 2028-07-01.
  private static let window: Range<Int64> = 1_798_761_600..<1_846_022_400

  @Test(.enabled(if: path != nil, "CALENDAR_CASES is not set"))
  func `each imported calendar rings at the same instants`() throws {
    let directory = URL(filePath: Self.path ?? "")
    let text = try String(contentsOf: directory.appending(path: "expected.tsv"), encoding: .utf8)
    var zones: [String: Zone] = [:]
    for name in ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "UTC"] {
      zones[name] = try #require(systemZone(name))
    }
    let (known, home) = (zones, try #require(zones["Europe/Berlin"]))
    var (files, differences) = (Set<String>(), 0)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 3, "\(line)")
      let bytes = try Data(contentsOf: directory.appending(path: "\(fields[0]).ics"))
      let found = ICalendarImport(
        parse(Array(bytes)), now: now, homeZone: home, allDay: try ClockTime(hour: 9, minute: 0),
        zone: { known[$0] })
      let actual = try Self.instants(found, known)
      let expected = Set(fields[2].split(separator: " ").compactMap { Int64($0) })
      files.insert(fields[0])
      if actual == expected { continue }
      differences += 1
      guard differences <= 20 else { continue }
      func show(_ seconds: Set<Int64>) -> String {
        seconds.sorted().prefix(3).map { Instant(seconds: $0).description }.joined(separator: " ")
      }
      Issue.record(
        """
        \(fields[0]).ics, \(fields[1]): silent at \(show(expected.subtracting(actual))), rings at \
        \(show(actual.subtracting(expected)))
        """)
    }
    print("compared \(files.count) calendars, \(differences) differ")
    #expect(differences == 0)
    #expect(files.count >= 500)
  }

  /// Returns the instants in the window at which the imported alarms are due.
  private static func instants(
    _ found: ICalendarImport, _ zones: [String: Zone]
  ) throws -> Set<Int64> {
    var instants: Set<Int64> = []
    for entry in found.entries {
      let zone = try #require(zones[entry.form.zone ?? "Europe/Berlin"])
      let parsed = try SchedulePhrase(entry.form.schedule ?? "", now: now, zone: zone).parsed()
      let plan = try SchedulePlan(parsed.schedule, zone: zone, seed: 0)
      var at = Instant(seconds: window.lowerBound - 1)
      while let next = plan.main(after: at), next.instant.seconds < window.upperBound {
        instants.insert(next.instant.seconds)
        at = next.instant
      }
    }
    return instants
  }
}
