import Testing

@testable import CivilTime

/// Tests occurrences that are one second apart, occurrences at the same instant, and occurrences
/// before 1970.
@Suite("Near times")
struct NearTimesTests {
  private func recurrence(_ rule: String, _ start: String, _ zone: Zone) throws -> Recurrence {
    try Recurrence(rule: RecurrenceRule(parsing: rule), start: local(start), zone: zone)
  }

  /// The rules start on 2026-01-01, a Thursday, at 08:00:00, and end after 5 occurrences.
  @Test(arguments: [
    ("FREQ=DAILY;BYSECOND=0,1,2;COUNT=5", ["1 0:0", "1 0:1", "1 0:2", "2 0:0", "2 0:1"]),
    (
      "FREQ=WEEKLY;BYSECOND=0,1,2;BYSETPOS=1,2,-1;COUNT=5",
      ["1 0:0", "1 0:1", "1 0:2", "8 0:0", "8 0:1"]
    ),
    ("FREQ=WEEKLY;BYSECOND=1,2;COUNT=5", ["1 0:1", "1 0:2", "8 0:1", "8 0:2", "15 0:1"]),
    ("FREQ=SECONDLY;COUNT=5", ["1 0:0", "1 0:1", "1 0:2", "1 0:3", "1 0:4"]),
    (
      "FREQ=MINUTELY;INTERVAL=2;BYSECOND=0,1;COUNT=5",
      ["1 0:0", "1 0:1", "1 2:0", "1 2:1", "1 4:0"]
    ),
    (
      "FREQ=HOURLY;BYMINUTE=0,1;BYSECOND=59;INTERVAL=24;COUNT=5",
      ["1 0:59", "1 1:59", "2 0:59", "2 1:59", "3 0:59"]
    ),
  ])
  func `all times that are one second apart ring, and no later time rings`(
    rule: String, expected: [String]
  ) throws {
    let made = try recurrence(rule, "2026-01-01T08:00", .utc)
    let (from, to) = (try instant("2026-01-01T08:00:00Z"), try instant("2026-04-01T00:00:00Z"))
    func text(_ found: Occurrence) -> String {
      let (date, time) = (found.nominal.date, found.nominal.time)
      #expect(time.hour == 8 && found.fold == 0 && found.moved == nil)
      return "\(date.day) \(time.minute):\(time.second)"
    }
    #expect(made.occurrences(from: from, to: to).map(text) == expected)
    var found: [Occurrence] = []
    while let next = made.next(after: found.last?.instant ?? from.adding(milliseconds: -1)) {
      found.append(next)
    }
    #expect(found.map(text) == expected)
    for (index, occurrence) in found.enumerated() {
      #expect(made.identities(at: occurrence.instant) == [occurrence])
      let later = made.occurrences(from: occurrence.instant.adding(milliseconds: 1), to: to)
      #expect(Array(later) == Array(found.dropFirst(index + 1)))
      let earlier = made.occurrences(from: from, to: occurrence.instant)
      #expect(Array(earlier) == Array(found.prefix(index)))
    }
  }

  @Test func `times of elapsed rules before 1970 are found`() throws {
    let leapDays = try recurrence(
      "FREQ=HOURLY;INTERVAL=24;BYMONTH=2;BYMONTHDAY=29;COUNT=6", "1950-01-01T08:00", .utc)
    let end = try instant("2026-01-01T00:00:00Z")
    let found = leapDays.occurrences(from: Instant(milliseconds: .min), to: end)
    #expect(found.map(\.nominal.date.year) == [1952, 1956, 1960, 1964, 1968, 1972])
    let fridays = try recurrence(
      "FREQ=MINUTELY;INTERVAL=720;BYMONTH=5;BYMONTHDAY=13;BYDAY=FR;COUNT=4", "1959-01-01T08:00",
      .utc)
    let times = fridays.occurrences(from: Instant(milliseconds: .min), to: end)
    #expect(
      times.map { "\($0.nominal)" } == [
        "1960-05-13T08:00:00", "1960-05-13T20:00:00", "1966-05-13T08:00:00",
        "1966-05-13T20:00:00",
      ])
  }

  @Test func `an excluded time in the fold does not ring and gives no warning`() throws {
    let zone = try SystemZone.named("Europe/Berlin")
    let exclusion = RecurrenceSet.Exclusion.dateTime(try local("2026-10-25T02:30"))
    let daily = try RecurrenceSet(
      rules: [recurrence("FREQ=DAILY", "2026-10-20T02:30", zone)], exclusions: [exclusion],
      zone: zone)
    #expect(daily.warnings.isEmpty)
    let next = daily.next(after: try instant("2026-10-24T12:00:00Z"))
    #expect(try next?.nominal == local("2026-10-26T02:30"))
    // The second occurrence of this rule is at the second 02:30 of the night.
    let elapsed = try RecurrenceSet(
      rules: [recurrence("FREQ=HOURLY;INTERVAL=2;COUNT=3", "2026-10-25T01:30", zone)],
      exclusions: [exclusion], zone: zone)
    #expect(elapsed.warnings.isEmpty)
    let (from, to) = (try instant("2026-10-24T00:00:00Z"), try instant("2026-10-27T00:00:00Z"))
    #expect(
      try elapsed.occurrences(from: from, to: to).map(\.nominal)
        == [local("2026-10-25T01:30"), local("2026-10-25T04:30")])
  }

  /// In this zone, 2011-12-30 does not exist. The occurrence of this day is due on 2011-12-31.
  @Test func `an excluded day that does not exist does not ring on the next day`() throws {
    let zone = try SystemZone.named("Pacific/Apia")
    func days(_ rule: String, _ start: String, without excluded: String...) throws -> [String] {
      let set = try RecurrenceSet(
        rules: [recurrence(rule, start, zone)],
        exclusions: excluded.map { .day(try CivilDate(parsing: "2011-12-\($0)")) }, zone: zone)
      let (from, to) = (try instant("2011-12-20T00:00:00Z"), try instant("2012-01-07T00:00:00Z"))
      return set.occurrences(from: from, to: to).map {
        "\($0.nominal.date)" + ($0.moved == .gap ? " moved" : "")
      }
    }
    let weekly = "FREQ=WEEKLY;BYDAY=FR"
    #expect(
      try days(weekly, "2011-12-23T08:00") == ["2011-12-23", "2011-12-30 moved", "2012-01-06"])
    #expect(
      try days(weekly, "2011-12-23T08:00", without: "30") == ["2011-12-23", "2012-01-06"])
    let daily = "FREQ=DAILY;COUNT=5"
    let start = "2011-12-28T08:00"
    #expect(
      try days(daily, start, without: "30")
        == ["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01"])
    #expect(
      try days(daily, start, without: "31")
        == ["2011-12-28", "2011-12-29", "2011-12-30 moved", "2012-01-01"])
    #expect(
      try days(daily, start, without: "30", "31") == ["2011-12-28", "2011-12-29", "2012-01-01"])
  }

  @Test func `if two rules are due at one instant, the first rule gives the occurrence`() throws {
    let zone = try SystemZone.named("America/New_York")
    // The clocks skip the hour from 02:00 to 03:00. Both rules are due at 03:30.
    let moved = try recurrence("FREQ=DAILY", "2026-03-07T02:30", zone)
    let other = try recurrence("FREQ=DAILY", "2026-03-07T03:30", zone)
    func nominal(_ rules: [Recurrence], _ dates: [String] = []) throws -> String? {
      let set = try RecurrenceSet(rules: rules, dates: dates.map(local), zone: zone)
      return set.next(after: try instant("2026-03-08T00:00:00Z"))?.nominal.description
    }
    #expect(try nominal([moved, other]) == "2026-03-08T02:30:00")
    #expect(try nominal([other, moved]) == "2026-03-08T03:30:00")
    #expect(try nominal([moved], ["2026-03-08T03:30"]) == "2026-03-08T02:30:00")
    #expect(try nominal([], ["2026-03-08T03:30", "2026-03-08T02:30"]) == "2026-03-08T02:30:00")
  }
}
