import Testing

@testable import CivilTime

/// An example of RFC 5545 section 3.8.5.3. All examples are in the zone of New York.
struct Example: Sendable {
  var rule: String
  var start = "1997-09-02T09:00"
  /// The expected local times, written without `T09:00`. If the rule has no end, the list contains
  /// only the first times.
  var expected: [String]
}

/// Returns days of a month as texts. Example: `days("1997-09", 2, 3)`.
private func days(_ month: String, _ days: Int...) -> [String] {
  days.map { "\(month)-\(padded($0, 2))" }
}

private func days(_ month: String, _ days: ClosedRange<Int>) -> [String] {
  days.map { "\(month)-\(padded($0, 2))" }
}

private func times(_ day: String, _ times: String...) -> [String] { times.map { "\(day)T\($0)" } }

private func monthly(_ rule: String, start: String = "1997-09-02T09:00", _ expected: [String]...)
  -> Example
{
  Example(rule: rule, start: start, expected: expected.flatMap { $0 })
}

private let january = (1998...2000).flatMap { year in days("\(year)-01", 1...31) }

private let everyTwentyMinutes = ["1997-09-02", "1997-09-03"].flatMap { day in
  (9...16).flatMap { hour in ["00", "20", "40"].map { "\(day)T\(padded(hour, 2)):\($0)" } }
}

private let examples: [Example] = [
  monthly("FREQ=DAILY;COUNT=10", days("1997-09", 2...11)),
  monthly(
    "FREQ=DAILY;UNTIL=19971224T000000Z", days("1997-09", 2...30), days("1997-10", 1...31),
    days("1997-11", 1...30), days("1997-12", 1...23)),
  monthly(
    "FREQ=DAILY;INTERVAL=2", days("1997-09", 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26),
    days("1997-09", 28, 30), days("1997-10", 2, 4, 6)),
  monthly("FREQ=DAILY;INTERVAL=10;COUNT=5", days("1997-09", 2, 12, 22), days("1997-10", 2, 12)),
  Example(
    rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
    start: "1998-01-01T09:00", expected: january),
  Example(
    rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", start: "1998-01-01T09:00",
    expected: january),
  monthly(
    "FREQ=WEEKLY;COUNT=10", days("1997-09", 2, 9, 16, 23, 30), days("1997-10", 7, 14, 21, 28),
    days("1997-11", 4)),
  monthly(
    "FREQ=WEEKLY;UNTIL=19971224T000000Z", days("1997-09", 2, 9, 16, 23, 30),
    days("1997-10", 7, 14, 21, 28), days("1997-11", 4, 11, 18, 25), days("1997-12", 2, 9, 16, 23)),
  monthly(
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU", days("1997-09", 2, 16, 30), days("1997-10", 14, 28),
    days("1997-11", 11, 25), days("1997-12", 9, 23), days("1998-01", 6, 20), days("1998-02", 3, 17)),
  monthly(
    "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
    days("1997-09", 2, 4, 9, 11, 16, 18, 23, 25, 30), days("1997-10", 2)),
  monthly(
    "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
    days("1997-09", 2, 4, 9, 11, 16, 18, 23, 25, 30), days("1997-10", 2)),
  monthly(
    "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
    start: "1997-09-01T09:00", days("1997-09", 1, 3, 5, 15, 17, 19, 29),
    days("1997-10", 1, 3, 13, 15, 17, 27, 29, 31), days("1997-11", 10, 12, 14, 24, 26, 28),
    days("1997-12", 8, 10, 12, 22)),
  monthly(
    "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", days("1997-09", 2, 4, 16, 18, 30),
    days("1997-10", 2, 14, 16)),
  monthly(
    "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", start: "1997-09-05T09:00", days("1997-09", 5),
    days("1997-10", 3), days("1997-11", 7), days("1997-12", 5), days("1998-01", 2),
    days("1998-02", 6), days("1998-03", 6), days("1998-04", 3), days("1998-05", 1),
    days("1998-06", 5)),
  monthly(
    "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", start: "1997-09-05T09:00",
    days("1997-09", 5), days("1997-10", 3), days("1997-11", 7), days("1997-12", 5)),
  monthly(
    "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", start: "1997-09-07T09:00",
    days("1997-09", 7, 28), days("1997-11", 2, 30), days("1998-01", 4, 25), days("1998-03", 1, 29),
    days("1998-05", 3, 31)),
  monthly(
    "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", start: "1997-09-22T09:00", days("1997-09", 22),
    days("1997-10", 20), days("1997-11", 17), days("1997-12", 22), days("1998-01", 19),
    days("1998-02", 16)),
  monthly(
    "FREQ=MONTHLY;BYMONTHDAY=-3", start: "1997-09-28T09:00", days("1997-09", 28),
    days("1997-10", 29), days("1997-11", 28), days("1997-12", 29), days("1998-01", 29),
    days("1998-02", 26)),
  monthly(
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", days("1997-09", 2, 15), days("1997-10", 2, 15),
    days("1997-11", 2, 15), days("1997-12", 2, 15), days("1998-01", 2, 15)),
  monthly(
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", start: "1997-09-30T09:00", days("1997-09", 30),
    days("1997-10", 1, 31), days("1997-11", 1, 30), days("1997-12", 1, 31), days("1998-01", 1, 31),
    days("1998-02", 1)),
  monthly(
    "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", start: "1997-09-10T09:00",
    days("1997-09", 10...15), days("1999-03", 10...13)),
  monthly(
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", days("1997-09", 2, 9, 16, 23, 30),
    days("1997-11", 4, 11, 18, 25), days("1998-01", 6, 13, 20, 27),
    days("1998-03", 3, 10, 17, 24, 31)
  ),
  monthly(
    "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", start: "1997-06-10T09:00", days("1997-06", 10),
    days("1997-07", 10), days("1998-06", 10), days("1998-07", 10), days("1999-06", 10),
    days("1999-07", 10), days("2000-06", 10), days("2000-07", 10), days("2001-06", 10),
    days("2001-07", 10)),
  monthly(
    "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", start: "1997-03-10T09:00",
    days("1997-03", 10), days("1999-01", 10), days("1999-02", 10), days("1999-03", 10),
    days("2001-01", 10), days("2001-02", 10), days("2001-03", 10), days("2003-01", 10),
    days("2003-02", 10), days("2003-03", 10)),
  monthly(
    "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", start: "1997-01-01T09:00",
    days("1997-01", 1), days("1997-04", 10), days("1997-07", 19), days("2000-01", 1),
    days("2000-04", 9), days("2000-07", 18), days("2003-01", 1), days("2003-04", 10),
    days("2003-07", 19), days("2006-01", 1)),
  monthly(
    "FREQ=YEARLY;BYDAY=20MO", start: "1997-05-19T09:00", days("1997-05", 19), days("1998-05", 18),
    days("1999-05", 17)),
  monthly(
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", start: "1997-05-12T09:00", days("1997-05", 12),
    days("1998-05", 11), days("1999-05", 17)),
  monthly(
    "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", start: "1997-03-13T09:00", days("1997-03", 13, 20, 27),
    days("1998-03", 5, 12, 19, 26), days("1999-03", 4, 11, 18, 25)),
  monthly(
    "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", start: "1997-06-05T09:00",
    days("1997-06", 5, 12, 19, 26), days("1997-07", 3, 10, 17, 24, 31),
    days("1997-08", 7, 14, 21, 28), days("1998-06", 4, 11, 18, 25),
    days("1998-07", 2, 9, 16, 23, 30), days("1998-08", 6, 13, 20, 27)),
  // In the RFC, this example also has EXDATE;TZID=America/New_York:19970902T090000, which excludes
  // the start. The start is not a Friday the 13th. Therefore, the start is not an occurrence of the
  // rule, even if the EXDATE is left out.
  monthly(
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", days("1998-02", 13), days("1998-03", 13),
    days("1998-11", 13), days("1999-08", 13), days("2000-10", 13)),
  monthly(
    "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", start: "1997-09-13T09:00",
    days("1997-09", 13), days("1997-10", 11), days("1997-11", 8), days("1997-12", 13),
    days("1998-01", 10), days("1998-02", 7), days("1998-03", 7), days("1998-04", 11),
    days("1998-05", 9), days("1998-06", 13)),
  monthly(
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
    start: "1996-11-05T09:00", days("1996-11", 5), days("2000-11", 7), days("2004-11", 2)),
  monthly(
    "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", start: "1997-09-04T09:00",
    days("1997-09", 4), days("1997-10", 7), days("1997-11", 6)),
  monthly(
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", start: "1997-09-29T09:00",
    days("1997-09", 29), days("1997-10", 30), days("1997-11", 27), days("1997-12", 30),
    days("1998-01", 29), days("1998-02", 26), days("1998-03", 30)),
  // The RFC text has UNTIL=19970902T170000Z and lists 09:00, 12:00 and 15:00. In New York, 17:00Z
  // is 13:00. The time 15:00 would therefore be after the end of the rule. This test keeps the list
  // and changes UNTIL.
  Example(
    rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
    expected: times("1997-09-02", "09:00", "12:00", "15:00")),
  Example(
    rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
    expected: times("1997-09-02", "09:00", "09:15", "09:30", "09:45", "10:00", "10:15")),
  Example(
    rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
    expected: times("1997-09-02", "09:00", "10:30", "12:00", "13:30")),
  Example(
    rule: "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
    expected: everyTwentyMinutes),
  Example(
    rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16", expected: everyTwentyMinutes),
  monthly(
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", start: "1997-08-05T09:00",
    days("1997-08", 5, 10, 19, 24)),
  monthly(
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", start: "1997-08-05T09:00",
    days("1997-08", 5, 17, 19, 31)),
  Example(
    rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", start: "2007-01-15T09:00",
    expected: days("2007-01", 15, 30) + days("2007-02", 15) + days("2007-03", 15, 30)),
]

@Suite("The examples of RFC 5545 section 3.8.5.3")
struct RFC5545Tests {
  @Test(arguments: examples)
  func `a rule gives the times that the RFC lists`(example: Example) throws {
    let isFinite = example.rule.contains("COUNT") || example.rule.contains("UNTIL")
    let expected = example.expected.map { $0.contains("T") ? "\($0):00" : "\($0)T09:00:00" }
    let times = try firstTimes(
      example.rule, from: example.start, zone: "America/New_York",
      count: expected.count + (isFinite ? 1 : 0))
    #expect(times == expected)
  }
}
