import Alarms
import CivilTime
import ICalendar
import Testing

private func alarm(_ trigger: String, _ more: String = "") -> String {
  "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(trigger)\n\(more)END:VALARM"
}

/// Returns a change of the occurrence at `id` and of all later occurrences.
private func later(_ id: String, _ start: String, _ more: String = "") -> String {
  """
  END:VEVENT
  BEGIN:VEVENT
  UID:1
  SUMMARY:Dentist
  RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:\(id)
  DTSTART;TZID=Europe/Berlin:\(start)
  \(more)
  """
}

private let weekly = "DTSTART;TZID=Europe/Berlin:20270302T090000\nRRULE:FREQ=WEEKLY;COUNT=4"

@Suite struct `A change of this and all following events` {
  @Test(arguments: [
    // The series has no reminder, but the change has a reminder.
    (
      [weekly, later("20270316T090000", "20270316T090000", alarm(":-PT30M"))],
      ["03-02 09:00", "03-09 09:00", "03-16 08:30", "03-16 09:00", "03-23 08:30", "03-23 09:00"]
    ),
    // The reminder and the time of day of the change are different from those of the series.
    (
      [
        weekly, alarm(":-PT10M"), later("20270316T090000", "20270316T100000", alarm(":-PT1H")),
      ],
      [
        "03-02 08:50", "03-02 09:00", "03-09 08:50", "03-09 09:00", "03-16 09:00", "03-16 10:00",
        "03-23 09:00", "03-23 10:00",
      ]
    ),
    // The change is on a different day of the week than the series. The reminder of the change
    // comes after the start.
    (
      [weekly, later("20270316T090000", "20270317T090000", alarm(":PT1H"))],
      [
        "03-02 09:00", "03-09 09:00", "03-17 09:00", "03-17 10:00", "03-24 09:00", "03-24 10:00",
      ]
    ),
    // The series has two changes of this kind. Each change has its own reminder.
    (
      [
        weekly, later("20270309T090000", "20270309T090000", alarm(":-PT5M")),
        later("20270323T090000", "20270323T110000", alarm(":-PT15M")),
      ],
      [
        "03-02 09:00", "03-09 08:55", "03-09 09:00", "03-16 08:55", "03-16 09:00", "03-23 10:45",
        "03-23 11:00",
      ]
    ),
    // The series has a time of day. The change is for a whole day.
    (
      [
        weekly.replacing("COUNT=4", with: "COUNT=2"),
        "END:VEVENT\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist",
        "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270309T090000",
        "DTSTART;VALUE=DATE:20270310", alarm(":PT7H"),
      ],
      ["03-02 09:00", "03-10 07:00"]
    ),
    // The change begins at the first occurrence. Therefore, it applies to all occurrences.
    (
      [weekly, later("20270302T090000", "20270302T093000", alarm(":-P1D"))],
      [
        "03-01 09:30", "03-02 09:30", "03-08 09:30", "03-09 09:30", "03-15 09:30", "03-16 09:30",
        "03-22 09:30", "03-23 09:30",
      ]
    ),
  ])
  func `its own reminders ring`(lines: [String], times: [String]) throws {
    let found = try importing(vevent(lines.joined(separator: "\n")))
    #expect(try rings(found) == times, "\(found.notes)")
    #expect(found.notes.contains { $0.reason.contains("becomes a separate alarm") })
  }

  @Test func `one occurrence that was moved before stays moved`() throws {
    let found = try importing(
      vevent(
        [
          weekly, later("20270309T090000", "20270309T090000", alarm(":-PT5M")),
          "END:VEVENT\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist",
          "RECURRENCE-ID;TZID=Europe/Berlin:20270316T090000",
          "DTSTART;TZID=Europe/Berlin:20270318T120000",
        ].joined(separator: "\n")))
    #expect(
      try rings(found) == [
        "03-02 09:00", "03-09 08:55", "03-09 09:00", "03-18 12:00", "03-23 08:55", "03-23 09:00",
      ], "\(found.notes)")
  }

  @Test(arguments: [
    ("FREQ=MONTHLY;BYDAY=1MO", "04-06 09:00", "05-04 09:00"),
    ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1", "04-06 09:00", "05-04 09:00"),
  ])
  func `a monthly series moves by a day`(rule: String, second: String, third: String) throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270301T090000\nRRULE:\(rule)\n"
          + later("20270405T090000", "20270406T090000")))
    let times = try rings(found, to: "2027-07-01T00:00:00Z")
    #expect(times == ["03-01 09:00", second, third, "06-08 09:00"], "\(found.notes)")
  }
}

@Suite struct `Reminders after the start` {
  @Test(arguments: [
    // The day after the last day of the month is the first day of the next month.
    (
      "20270131T235500", "FREQ=MONTHLY;BYMONTHDAY=-1", ":PT10M",
      ["02-28 23:55", "03-01 00:05", "03-31 23:55", "04-01 00:05"]
    ),
    (
      "20270201T090000", "FREQ=MONTHLY", ":P1D",
      ["03-01 09:00", "03-02 09:00", "04-01 09:00", "04-02 09:00"]
    ),
    (
      "20270130T090000", "FREQ=MONTHLY;BYMONTHDAY=-2,-1", ":P1D",
      ["02-27 09:00", "02-28 09:00", "03-01 09:00", "03-30 09:00", "03-31 09:00", "04-01 09:00"]
    ),
    // No simple rule describes the second day of these events. Example: an event begins on the first
    // Friday of a month. The next day is not always the first Saturday of the month.
    (
      "20270305T230000", "FREQ=MONTHLY;BYDAY=1FR", ":PT2H",
      ["03-05 23:00", "03-06 01:00", "04-02 23:00", "04-03 01:00"]
    ),
    (
      "20270226T230000", "FREQ=MONTHLY;BYDAY=-1FR", ":PT2H",
      ["02-26 23:00", "02-27 01:00", "03-26 23:00", "03-27 01:00"]
    ),
    (
      "20270129T230000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", ":PT2H",
      ["02-26 23:00", "02-27 01:00", "03-31 23:00", "04-01 01:00"]
    ),
    (
      "20270301T230000", "FREQ=YEARLY;BYMONTH=3;BYDAY=1MO", ":PT2H", ["03-01 23:00", "03-02 01:00"]
    ),
    (
      "20270131T230000", "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=-1", ":PT2H",
      ["03-31 23:00", "04-01 01:00"]
    ),
    ("20260301T120000", "FREQ=YEARLY", ":-P70D", ["03-01 12:00"]),
  ])
  func `they ring on the day after each event`(
    start: String, rule: String, trigger: String, times: [String]
  ) throws {
    let found = try importing(
      vevent("DTSTART;TZID=Europe/Berlin:\(start)\nRRULE:\(rule)\n" + alarm(trigger)))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test func `a list of single times says how far it reaches`() throws {
    let irregular = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
    func notes(_ rule: String) throws -> [String] {
      try importing(
        vevent("DTSTART;TZID=Europe/Berlin:20270129T230000\nRRULE:\(rule)\n" + alarm(":PT2H"))
      ).notes.map(\.reason).filter { $0.contains("one by one until") }
    }
    #expect(
      try notes(irregular) == [
        "no rule describes its times; they are set one by one until 2036-11-29; import the file "
          + "again before this day"
      ])
    #expect(try notes(irregular + ";COUNT=5").isEmpty)
  }

  @Test(arguments: [
    ("20270131", "FREQ=MONTHLY;BYMONTHDAY=-1", ":PT33H", ["03-01 09:00", "04-01 09:00"]),
    ("20270205", "FREQ=MONTHLY;BYDAY=1FR", ":P1DT10H", ["03-06 10:00", "04-03 10:00"]),
    ("20270131", "FREQ=MONTHLY;BYMONTHDAY=-1", ":-P1D", ["02-27 00:00", "03-30 00:00"]),
    ("20270201", "FREQ=MONTHLY;BYDAY=1MO", ":-PT15H", ["02-28 09:00", "04-04 09:00"]),
  ])
  func `whole days`(start: String, rule: String, trigger: String, times: [String]) throws {
    let found = try importing(
      vevent("DTSTART;VALUE=DATE:\(start)\nRRULE:\(rule)\n" + alarm(trigger)))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test func `an endless series with a short list also rings on its days`() throws {
    let found = try importing(
      vevent(
        "DTSTART;VALUE=DATE:20270101\nRRULE:FREQ=DAILY;BYMONTH=1,2,3,4,5,6\n" + alarm(":P1DT8H")))
    #expect(
      try rings(found, from: "2027-03-01T00:00:00Z", to: "2027-03-03T00:00:00Z")
        == ["03-01 08:00", "03-01 09:00", "03-02 08:00", "03-02 09:00"])
    #expect(
      try rings(found, from: "2050-03-01T00:00:00Z", to: "2050-03-02T00:00:00Z") == ["03-01 09:00"])
  }
}

/// On 2027-03-28 at 02:00, the clocks in Berlin go forward.
@Suite struct `Durations across a clock change` {
  @Test(arguments: [
    // An event of one day (P1D) ends at the time of day at which it began. An event of 24 hours
    // ends one hour later than this time of day.
    ("20270327T100000", "DURATION:P1D\n" + alarm(";RELATED=END:PT0S"), "03-28 10:00"),
    ("20270327T100000", "DURATION:PT24H\n" + alarm(";RELATED=END:PT0S"), "03-28 11:00"),
    ("20270327T100000", "DURATION:P1W\n" + alarm(";RELATED=END:-PT1H"), "04-03 09:00"),
    (
      "20270327T220000",
      "DTEND;TZID=Europe/Berlin:20270328T060000\n" + alarm(";RELATED=END:PT0S"), "03-28 06:00"
    ),
    ("20270328T120000", alarm(":-P1DT1H"), "03-27 11:00"),
    ("20270328T120000", alarm(":-PT25H"), "03-27 10:00"),
    ("20270328T120000", alarm(":-P1DT90M"), "03-27 10:30"),
    ("20270327T120000", alarm(":P1DT1H"), "03-28 13:00"),
    ("20270327T120000", alarm(":PT25H"), "03-28 14:00"),
  ])
  func `days keep the time of day, and hours are elapsed time`(
    start: String, lines: String, time: String
  ) throws {
    let found = try importing(vevent("DTSTART;TZID=Europe/Berlin:\(start)\n\(lines)"))
    let hour = String(start.dropFirst(9).prefix(2))
    let start = "\(start.dropFirst(4).prefix(2))-\(start.dropFirst(6).prefix(2)) \(hour):00"
    #expect(try rings(found) == [start, time].sorted(), "\(found.notes)")
  }

  @Test func `a daily event of eight hours ends later on one day`() throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270326T220000\nRRULE:FREQ=DAILY\nDURATION:PT8H\n"
          + alarm(";RELATED=END:PT0S")))
    let ends = try rings(found, from: "2027-03-26T12:00:00Z", to: "2027-03-30T12:00:00Z")
      .filter { !$0.hasSuffix("22:00") }
    #expect(ends == ["03-27 06:00", "03-28 07:00", "03-29 06:00", "03-30 06:00"])
    let autumn = try rings(found, from: "2027-10-30T12:00:00Z", to: "2027-11-01T12:00:00Z")
      .filter { !$0.hasSuffix("22:00") }
    #expect(autumn == ["10-31 05:00", "11-01 06:00"])
    #expect(found.entries.count == 2)
    #expect(found.notes.contains { $0.reason.contains("an hour early or late") })
  }

  @Test func `an early reminder with days and hours, at two times of day`() throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270327T080000\n"
          + "RRULE:FREQ=DAILY;BYHOUR=8,20;COUNT=4\n" + alarm(":-P1DT1H")))
    let early = try rings(found, from: "2027-03-25T12:00:00Z", to: "2027-03-29T12:00:00Z")
      .filter { !$0.hasSuffix("08:00") && !$0.hasSuffix("20:00") }
    #expect(early == ["03-26 07:00", "03-26 19:00", "03-27 07:00", "03-27 19:00"])
  }
}

@Suite struct `Repeated triggers` {
  @Test(arguments: [
    (":-P3D", "P1D", 2, ["03-07 08:00", "03-08 08:00", "03-09 08:00", "03-10 08:00"]),
    (":-PT6H", "PT2H", 3, ["03-10 02:00", "03-10 04:00", "03-10 06:00", "03-10 08:00"]),
    (":PT0S", "P1D", 1, ["03-10 08:00", "03-11 08:00"]),
    (
      ";VALUE=DATE-TIME:20270308T070000Z", "P1D", 1,
      ["03-08 08:00", "03-09 08:00", "03-10 08:00"]
    ),
  ])
  func `more than an hour apart, each repetition rings`(
    trigger: String, interval: String, count: Int, times: [String]
  ) throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270310T080000\n"
          + alarm(trigger, "REPEAT:\(count)\nDURATION:\(interval)\n")))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test func `at most 30 of them ring`() throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270310T080000\n"
          + alarm(":PT0S", "REPEAT:9999999\nDURATION:P1D\n")))
    #expect(try rings(found, to: "2028-01-01T00:00:00Z").count == 31)
    #expect(found.notes.contains { $0.reason.contains("the first 30 repetitions") })
  }
}

@Suite struct `Events without a start` {
  @Test func `a task with triggers at fixed times rings at them`() throws {
    let fixed = ";VALUE=DATE-TIME:20270310T070000Z"
    let found = try importing(
      calendar(
        "BEGIN:VTODO\nUID:1\nSUMMARY:Pills\n\(alarm(fixed))\n\(alarm(":-PT5M"))\n"
          + "\(alarm(";VALUE=DATE-TIME:20270311T070000Z"))\nEND:VTODO"))
    #expect(try rings(found) == ["03-10 08:00", "03-11 08:00"])
    #expect(found.entries.first?.form.label == "Pills")
    #expect(found.notes.contains { $0.reason == "it is left out: the VTODO has no start" })
  }

  @Test(arguments: ["", alarm(":-PT5M"), alarm(":nonsense")])
  func `without such a trigger it is refused`(lines: String) throws {
    let found = try importing(calendar("BEGIN:VTODO\nUID:1\n\(lines)\nEND:VTODO"))
    #expect(found.entries.isEmpty)
    #expect(found.notes.contains { $0.reason.contains("neither DTSTART nor DUE") })
  }
}

@Suite struct `Rules that exclude` {
  private let daily = "DTSTART;TZID=Europe/Berlin:20270302T090000\nRRULE:FREQ=DAILY;COUNT=8\n"

  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=SA,SU", ["03-02", "03-03", "03-04", "03-05", "03-08", "03-09"]),
    ("FREQ=DAILY;INTERVAL=2", ["03-03", "03-05", "03-07", "03-09"]),
    (
      "FREQ=WEEKLY;BYDAY=FR;COUNT=1",
      ["03-02", "03-03", "03-04", "03-06", "03-07", "03-08", "03-09"]
    ),
    (
      "FREQ=WEEKLY;BYDAY=TU;BYHOUR=10",
      ["03-02", "03-03", "03-04", "03-05", "03-06", "03-07", "03-08", "03-09"]
    ),
    (
      "FREQ=nonsense",
      ["03-02", "03-03", "03-04", "03-05", "03-06", "03-07", "03-08", "03-09"]
    ),
  ])
  func `their times do not ring`(rule: String, days: [String]) throws {
    let found = try importing(vevent(daily + "EXRULE:\(rule)"))
    #expect(try rings(found) == days.map { "\($0) 09:00" }, "\(found.notes)")
  }

  @Test func `a note says until when they are excluded`() throws {
    let found = try importing(
      vevent(daily.replacing(";COUNT=8", with: "") + "EXRULE:FREQ=WEEKLY;BYDAY=SU"))
    #expect(found.notes.contains { $0.property == "EXRULE" && $0.reason.contains("until 2036-") })
    let whole = try importing(
      vevent("DTSTART;VALUE=DATE:20270302\nRRULE:FREQ=DAILY;COUNT=4\nEXRULE:FREQ=WEEKLY;BYDAY=TH"))
    #expect(try rings(whole) == ["03-02 09:00", "03-03 09:00", "03-05 09:00"])
  }
}
