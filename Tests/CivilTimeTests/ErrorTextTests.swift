import Testing

@testable import CivilTime

/// Tests the complete text, kind and position of each error and warning.
@Suite("Texts of errors and warnings")
struct ErrorTextTests {
  private static let values: [(subject: String, text: String, kind: String, message: String)] = [
    ("instant", "x", "malformed-instant", "expected a year of four digits at position 1"),
    (
      "instant", "2026-12-01T08:00:00", "malformed-instant",
      "expected \"Z\" or an offset such as +01:00 at position 20"
    ),
    (
      "instant", "2026-12-01T08:00:00+1", "malformed-instant",
      "expected an offset such as +01:00 at position 22"
    ),
    (
      "instant", "2026-12-01T08:00:00+0100", "malformed-instant",
      "expected an offset such as +01:00 at position 23"
    ),
    (
      "instant", "2026-12-01T08:00:00+01:0", "malformed-instant",
      "expected an offset such as +01:00 at position 25"
    ),
    (
      "instant", "2026-12-01T08:00:00+24:00", "instant-out-of-range",
      "an offset is at most 23:59 (position 21)"
    ),
    (
      "instant", "2026-12-01T08:00:00-23:60", "instant-out-of-range",
      "an offset is at most 23:59 (position 21)"
    ),
    (
      "instant", "2026-12-01T08:00:00.Z", "malformed-instant",
      "expected a digit after the decimal point at position 21"
    ),
    (
      "instant", "2026-12-01T08:00:00Zx", "malformed-instant",
      "expected the end of the text at position 21"
    ),
    ("date", "2026", "malformed-date", "expected \"-\" after the year at position 5"),
    ("date", "2026-1", "malformed-date", "expected a month of two digits at position 7"),
    ("date", "2026-12", "malformed-date", "expected \"-\" after the month at position 8"),
    ("date", "2026-12-", "malformed-date", "expected a day of two digits at position 9"),
    ("date", "2026-12-011", "malformed-date", "expected the end of the text at position 11"),
    ("date", "2026-02-29", "no-such-date", "February 2026 has 28 days (position 9)"),
    ("date", "2026-04-00", "no-such-date", "April 2026 has 30 days (position 9)"),
    ("date", "0000-01-01", "no-such-date", "the year must be 0001 to 9999 (position 1)"),
    ("date", "2026-00-01", "no-such-date", "there is no month 0 (position 6)"),
    ("time of day", "8", "malformed-time", "expected an hour of two digits at position 2"),
    ("time of day", "08", "malformed-time", "expected \":\" after the hour at position 3"),
    ("time of day", "08:0", "malformed-time", "expected a minute of two digits at position 5"),
    ("time of day", "08:00:", "malformed-time", "expected a second of two digits at position 7"),
    ("time of day", "08:00x", "malformed-time", "expected the end of the text at position 6"),
    (
      "time of day", "24:00", "no-such-time",
      "there is no hour 24; hours are 00 to 23 (position 1)"
    ),
    (
      "time of day", "08:60", "no-such-time",
      "there is no minute 60; minutes are 00 to 59 (position 4)"
    ),
    (
      "time of day", "08:00:61", "no-such-time",
      "there is no second 61; seconds are 00 to 59 (position 7)"
    ),
  ]

  @Test(arguments: values.indices)
  func `a value that cannot be read has its complete text`(index: Int) throws {
    let (subject, text, kind, message) = Self.values[index]
    let error = try #require(
      throws: CivilTimeError.self,
      performing: {
        switch subject {
        case "instant": _ = try Instant(parsing: text)
        case "date": _ = try CivilDate(parsing: text)
        default: _ = try ClockTime(parsing: text)
        }
      })
    let article = subject == "instant" ? "an" : "a"
    #expect(error.description == "cannot read \"\(text)\" as \(article) \(subject): \(message)")
    #expect(error.kind == kind)
    #expect(message.hasSuffix(" \(error.position ?? 0)") || message.contains("\(error.position!))"))
  }

  @Test func `a date or time from numbers has the text of the numbers`() {
    func date(_ year: Int, _ month: Int, _ day: Int) -> String? {
      #expect(throws: CivilTimeError.self) {
        try CivilDate(year: year, month: month, day: day)
      }?.description
    }
    let start = "cannot read \""
    #expect(
      date(0, 1, 1) == start
        + "0000-01-01\" as a date: the year must be 0001 to 9999 (position 1)")
    #expect(
      date(10_000, 1, 1) == start
        + "10000-01-01\" as a date: the year must be 0001 to 9999 (position 1)")
    #expect(
      date(2026, 13, 1) == start + "2026-13-01\" as a date: there is no month 13 (position 6)")
    #expect(
      date(2026, 2, 29) == start
        + "2026-02-29\" as a date: February 2026 has 28 days (position 9)")
    func time(_ hour: Int, _ minute: Int, _ second: Int) -> String? {
      #expect(throws: CivilTimeError.self) {
        try ClockTime(hour: hour, minute: minute, second: second)
      }?.description
    }
    #expect(
      time(-1, 0, 0) == start
        + "-01:00:00\" as a time of day: there is no hour -1; hours are 00 to 23 (position 1)")
    #expect(
      time(8, 60, 5) == start
        + "08:60:05\" as a time of day: there is no minute 60; minutes are 00 to 59 (position 4)")
    #expect(
      time(8, 0, 61) == start
        + "08:00:61\" as a time of day: there is no second 61; seconds are 00 to 59 (position 7)")
  }

  private static let refused: [(rule: String, message: String)] = [
    ("FREQ=DAILY;RSCALE=", "expected the name of a calendar at position 19"),
    ("FREQ=MONTHLY;SKIP=", "expected OMIT, BACKWARD or FORWARD at position 19"),
    ("FREQ=DAILY;WKST=", "expected MO, TU, WE, TH, FR, SA or SU at position 17"),
    ("RRULE FREQ=DAILY", "expected \":\" after RRULE at position 6"),
    ("FREQ=MONTHLY;BYDAY=+MO", "expected a number at position 21"),
    ("FREQ=MONTHLY;BYDAY=-", "expected a number at position 21"),
    ("FREQ=MONTHLY;BYDAY=1", "expected MO, TU, WE, TH, FR, SA or SU at position 21"),
    ("FREQ=DAILY;UNTIL=20270101;COUNT=1", "COUNT and UNTIL cannot both be given (position 27)"),
    ("FREQ=DAILY;COUNT=1000000000", "COUNT must be 1 to 999999999 (position 18)"),
    ("FREQ=DAILY;INTERVAL=1000000000", "INTERVAL must be 1 to 999999999 (position 21)"),
    ("FREQ=YEARLY;BYYEARDAY=-367", "BYYEARDAY must be -366 to 366 (position 23)"),
    ("FREQ=YEARLY;BYWEEKNO=-54", "BYWEEKNO must be -53 to 53 (position 22)"),
    ("FREQ=DAILY;BYHOUR=1;BYSETPOS=-367", "BYSETPOS must be -366 to 366 (position 30)"),
    ("FREQ=DAILY;BYYEARDAY=1", "BYYEARDAY cannot be used with FREQ=DAILY (position 12)"),
    ("FREQ=WEEKLY;BYYEARDAY=1", "BYYEARDAY cannot be used with FREQ=WEEKLY (position 13)"),
    ("FREQ=HOURLY;BYWEEKNO=1", "BYWEEKNO needs FREQ=YEARLY (position 13)"),
    ("FREQ=HOURLY;BYDAY=-1MO", "a number in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY (position 13)"),
    (
      "FREQ=YEARLY;BYMONTH=5l",
      "is not supported: the Gregorian calendar has no leap months (position 22)"
    ),
    (
      "FREQ=MONTHLY;RSCALE=HEBREW",
      "is not supported: only the calendar GREGORIAN is supported (position 21)"
    ),
    (
      "FREQ=MONTHLY;BYMONTHDAY=-29;SKIP=BACKWARD",
      "is not supported: SKIP=BACKWARD cannot be used with a day that is counted from the end"
        + " (position 29)"
    ),
    (
      "SKIP=BACKWARD;FREQ=YEARLY;BYYEARDAY=-366",
      "is not supported: SKIP=BACKWARD cannot be used with a day that is counted from the end"
        + " (position 1)"
    ),
  ]

  @Test(arguments: refused.indices)
  func `a refused rule has its complete text`(index: Int) {
    let (rule, message) = Self.refused[index]
    let error = #expect(throws: CivilTimeError.self) { try RecurrenceRule(parsing: rule) }
    let start =
      switch error?.kind {
      case "invalid-rule": "cannot use the rule \"\(rule)\": "
      case "unsupported-rule": "the rule \"\(rule)\" "
      default: "cannot read \"\(rule)\" as a recurrence rule: "
      }
    #expect(error?.description == start + message)
  }

  @Test(arguments: [
    "FREQ=DAILY;COUNT=999999999;INTERVAL=999999999",
    "FREQ=DAILY;COUNT=1;BYSECOND=0,59;BYMINUTE=0,59;BYHOUR=0,23;BYSETPOS=-366,-1,1,366",
    "FREQ=MONTHLY;BYMONTHDAY=-31,-1,1,31;BYMONTH=1,12",
    "FREQ=MONTHLY;BYDAY=-53MO,-1SU,1TU,53SA",
    "FREQ=YEARLY;BYYEARDAY=-366,-1,1,366", "FREQ=YEARLY;BYWEEKNO=-53,-1,1,53;WKST=SU",
    "FREQ=MONTHLY;BYMONTHDAY=-28,28;RSCALE=GREGORIAN;SKIP=BACKWARD",
    "FREQ=YEARLY;BYYEARDAY=-365,366;RSCALE=GREGORIAN;SKIP=BACKWARD",
    "FREQ=DAILY;BYMONTHDAY=-31;RSCALE=GREGORIAN;SKIP=BACKWARD",
    "FREQ=HOURLY;BYYEARDAY=200", "FREQ=MINUTELY;BYYEARDAY=200", "FREQ=SECONDLY;BYYEARDAY=200",
    "FREQ=WEEKLY;UNTIL=00010101T000000Z;BYDAY=MO,TU,WE,TH,FR,SA,SU",
    "FREQ=YEARLY;UNTIL=99991231T235959;BYMONTHDAY=-1,1",
  ])
  func `a rule at the limits is accepted`(rule: String) throws {
    #expect(try RecurrenceRule(parsing: rule).description == rule)
  }

  @Test func `a rule that never rings says why`() throws {
    func message(_ rule: String, _ start: String, _ reading: Recurrence.Reading = .imported)
      -> String?
    {
      #expect(throws: CivilTimeError.self) {
        try Recurrence(
          rule: RecurrenceRule(parsing: rule), start: local(start), zone: .utc, reading: reading)
      }?.description
    }
    #expect(
      message("FREQ=MONTHLY;BYDAY=6MO", "2026-01-01T08:00")
        == "the rule \"FREQ=MONTHLY;BYDAY=6MO\" would never ring: no date up to the year 9999 fits"
        + " all of its parts")
    #expect(
      message("FREQ=DAILY;UNTIL=20251231", "2026-01-01T08:00")
        == "the rule \"FREQ=DAILY;UNTIL=20251231\" would never ring: it starts at"
        + " 2026-01-01T08:00:00 and ends before its first time")
    #expect(
      message("FREQ=WEEKLY;BYDAY=TU", "2026-01-01T08:00", .native)
        == "the start 2026-01-01T08:00:00 is not a time of the rule \"FREQ=WEEKLY;BYDAY=TU\"; the"
        + " nearest is 2026-01-06T08:00:00")
    #expect(
      message("FREQ=MONTHLY;COUNT=100001;BYDAY=MO;BYHOUR=8,9;BYSETPOS=1", "2026-01-05T08:00")
        == "the rule \"FREQ=MONTHLY;COUNT=100001;BYHOUR=8,9;BYDAY=MO;BYSETPOS=1\" is not supported:"
        + " COUNT can be at most 100000 in this rule; use UNTIL (position 14)")
    #expect(
      message("FREQ=HOURLY;COUNT=100001;INTERVAL=2;BYHOUR=8", "2026-01-05T08:00")
        == "the rule \"FREQ=HOURLY;COUNT=100001;INTERVAL=2;BYHOUR=8\" is not supported:"
        + " COUNT can be at most 100000 in this rule; use UNTIL (position 13)")
    let lone = CivilTimeError.startNotInRule(
      rule: "FREQ=DAILY", start: try local("2026-01-01T08:00"), nearest: nil)
    #expect(
      lone.description == "the start 2026-01-01T08:00:00 is not a time of the rule \"FREQ=DAILY\"")
    #expect(lone.position == nil)
    let zone = CivilTimeError.malformedZone(name: "A/B", offset: 7, reason: "no")
    #expect(zone.description == "cannot read the zone file of \"A/B\": no (byte 7)")
    #expect(zone.position == nil)
    #expect(CivilTimeError.neverOccurs(rule: "", reason: "").position == nil)
  }

  @Test func `each warning has its kind and its text`() throws {
    let (date, time) = (try CivilDate(parsing: "2026-03-01"), try local("2026-03-01T08:00"))
    let warnings: [(RecurrenceWarning, String, String)] = [
      (
        .startNotInRule(start: time, first: try local("2026-03-02T09:30")), "start-not-in-rule",
        "the start 2026-03-01T08:00:00 is not a time of the rule and will not ring; the first is"
          + " 2026-03-02T09:30:00"
      ),
      (
        .untilNotUTC, "until-not-utc",
        "the end (UNTIL) is not in UTC; it was read in the zone of the start"
      ),
      (
        .missesMonths([1, 2, 12]), "misses-months",
        "it does not ring in January, February, December if the day does not exist; SKIP=BACKWARD"
          + " rings on the last day instead"
      ),
      (.excludesWholeDay(date), "excludes-whole-day", "all of 2026-03-01 is excluded"),
      (
        .excludesNothing(time), "excludes-nothing",
        "the schedule does not contain the excluded time 2026-03-01T08:00:00; check its zone"
      ),
    ]
    for (warning, kind, text) in warnings {
      #expect(warning.kind == kind)
      #expect(warning.description == text)
    }
  }
}
