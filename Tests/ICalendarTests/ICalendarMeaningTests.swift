import Alarms
import CivilTime
import Foundation
import ICalendar
import Testing

/// Returns the times at which the imported alarms ring, as sorted local times in Berlin. Example:
/// `03-09 09:00`.
func rings(
  _ found: ICalendarImport, from: String = "2027-02-19T23:00:00Z",
  to: String = "2027-04-09T22:00:00Z"
) throws -> [String] {
  let (from, to) = (try Instant(parsing: from), try Instant(parsing: to))
  var instants: Set<Instant> = []
  for entry in found.entries {
    let zone = try #require(systemZone(entry.form.zone ?? "Europe/Berlin"))
    let parsed = try SchedulePhrase(
      entry.form.schedule ?? "", now: now, zone: zone, findAlarm: { (name) in AlarmID(name) }
    ).parsed()
    let reminders = try (entry.form.earlyReminders ?? []).map { try EarlyReminder(words: $0) }
    let plan = try SchedulePlan(
      parsed.schedule, earlyReminders: reminders + parsed.earlyReminders, zone: zone, seed: 0)
    instants.formUnion(dueTimes(of: plan, from, to))
  }
  return try localTimes(instants)
}

/// Returns the instants from `from` to `to` at which a plan is due.
func dueTimes(of plan: SchedulePlan, _ from: Instant, _ to: Instant) -> [Instant] {
  var found: [Instant] = []
  var at = from
  while let next = plan.next(after: at), next.instant < to {
    found.append(next.instant)
    at = next.instant
  }
  return found
}

/// Returns sorted instants as local times in Berlin. Example: `03-09 09:00`.
func localTimes(_ instants: some Sequence<Instant>) throws -> [String] {
  let berlin = try #require(systemZone("Europe/Berlin"))
  return instants.sorted().map {
    let local = berlin.civil(at: $0).dateTime
    return "\(local.date.description.dropFirst(5)) \(local.time)"
  }
}

private func alarm(_ trigger: String) -> String {
  "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER\(trigger)\nEND:VALARM"
}

private let weekly = "DTSTART;VALUE=DATE:20270302\nRRULE:FREQ=WEEKLY;COUNT=3"

private func changed(_ id: String, _ start: String, _ more: String = "") -> String {
  "END:VEVENT\nBEGIN:VEVENT\nUID:1\nSUMMARY:Dentist\nRECURRENCE-ID\(id)\nDTSTART\(start)\n\(more)"
}

@Suite struct `The meaning of all-day events` {
  @Test(arguments: [
    ([":-PT15H"], ["03-09 09:00"]), ([":-PT1080M"], ["03-09 06:00"]),
    ([":PT9H", ":PT18H"], ["03-10 09:00", "03-10 18:00"]),
    ([":PT18H", ":PT9H"], ["03-10 09:00", "03-10 18:00"]),
    ([":-PT15H", ":PT7H"], ["03-09 09:00", "03-10 07:00"]),
    ([":-P1D"], ["03-09 00:00"]), ([":-P1W"], ["03-03 00:00"]), ([":PT0S"], ["03-10 00:00"]),
    ([":-PT15H", ":-PT6H"], ["03-09 09:00", "03-09 18:00"]), ([":P1DT8H"], ["03-11 08:00"]),
    ([";RELATED=END:PT8H"], ["03-11 08:00"]), ([";RELATED=END:-PT15H"], ["03-10 09:00"]),
    ([], ["03-10 09:00"]), ([":nonsense"], ["03-10 09:00"]),
    ([";VALUE=DATE-TIME:20270310T073000"], ["03-10 07:30"]),
  ])
  func `each trigger counts from midnight and rings`(triggers: [String], times: [String]) throws {
    let lines = ["DTSTART;VALUE=DATE:20270310"] + triggers.map(alarm)
    let found = try importing(vevent(lines.joined(separator: "\n")))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test(arguments: [
    ("RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3", ["03-01 09:00", "03-03 09:00", "03-08 09:00"]),
    (
      "RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;COUNT=3",
      ["03-01 09:00", "03-06 09:00", "03-15 09:00"]
    ),
    ("RRULE:FREQ=DAILY;UNTIL=20270304", ["03-01 09:00", "03-02 09:00", "03-03 09:00"]),
    ("RRULE:FREQ=MONTHLY;COUNT=2", ["03-01 09:00", "04-01 09:00"]),
    ("RRULE:FREQ=YEARLY;COUNT=2", ["03-01 09:00"]),
    // No recurrence rule describes the day before the first Tuesday of each month.
    ("RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=2", ["03-01 09:00", "04-05 09:00"]),
  ])
  func `a trigger on the day before moves each day of a series`(rule: String, times: [String])
    throws
  {
    let found = try importing(
      vevent("DTSTART;VALUE=DATE:20270302\n\(rule)\n\(alarm(":-PT15H"))"))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test(arguments: [
    "EXDATE:20270309T000000", "EXDATE:20270309T000000Z", "EXDATE:20270308T230000Z",
    "EXDATE;VALUE=DATE:20270309", "EXDATE;TZID=Europe/Berlin:20270309T000000",
    "EXDATE:20270309", "EXDATE;VALUE=DATE:20270309T000000", "EXDATE:20270309T090000",
    "EXDATE;TZID=America/New_York:20270308T180000",
  ])
  func `an exclusion with a time means its day`(line: String) throws {
    let found = try importing(vevent("\(weekly)\n\(line)\n\(alarm(":PT9H"))"))
    #expect(try rings(found) == ["03-02 09:00", "03-16 09:00"], "\(found.notes)")
  }

  @Test(arguments: [
    "20270316", "20270316T000000", "20270316T000000Z", "20270315T230000Z", "20270316T225959Z",
    "20270316T235959Z",
  ])
  func `the last day of a rule is included`(until: String) throws {
    let found = try importing(
      vevent("DTSTART;VALUE=DATE:20270302\nRRULE:FREQ=WEEKLY;UNTIL=\(until)"))
    #expect(try rings(found) == ["03-02 09:00", "03-09 09:00", "03-16 09:00"], "\(found.notes)")
  }

  @Test(arguments: [
    (";VALUE=DATE:20270309", ";VALUE=DATE:20270311", "03-11 09:00"),
    (":20270309T000000Z", ";VALUE=DATE:20270311", "03-11 09:00"),
    (":20270308T230000Z", ";VALUE=DATE:20270311", "03-11 09:00"),
    (":20270309T000000", ":20270311", "03-11 09:00"),
    (";VALUE=DATE:20270309", ";TZID=Europe/Berlin:20270309T150000", "03-09 15:00"),
    (";VALUE=DATE:20270309", ":20270309T140000Z", "03-09 15:00"),
  ])
  func `a moved day rings at its new day or time`(id: String, start: String, time: String) throws {
    let found = try importing(vevent("\(weekly)\n\(changed(id, start))"))
    #expect(found.entries.count == 1)
    #expect(try rings(found) == ["03-02 09:00", time, "03-16 09:00"], "\(found.notes)")
  }

  @Test(arguments: [
    "DTSTART;TZID=Europe/Berlin:20270310T000000\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
    "DTSTART:20270309T230000Z\nX-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
    "DTSTART;VALUE=DATE:20270310T000000", "DTSTART;VALUE=DATE:20270310",
  ])
  func `all forms of an all-day event ring in the morning`(lines: String) throws {
    #expect(try rings(importing(vevent(lines))) == ["03-10 09:00"])
  }
}

@Suite struct `The meaning of changes` {
  private let series = "DTSTART;TZID=Europe/Berlin:20270302T080000\nRRULE:FREQ=WEEKLY;COUNT=3"

  @Test(arguments: [
    (";TZID=Europe/Berlin:20270309T080000", ";TZID=Europe/Berlin:20270309T140000"),
    (":20270309T070000Z", ":20270309T130000Z"), (";VALUE=DATE:20270309", ":20270309T130000Z"),
    (":20270309T080000", ":20270309T140000"),
    (";TZID=America/New_York:20270309T020000", ";TZID=Asia/Tokyo:20270309T220000"),
  ])
  func `an occurrence moved within its day rings once, at the new time`(
    id: String, start: String
  ) throws {
    let found = try importing(vevent("\(series)\n\(changed(id, start))"))
    #expect(try rings(found) == ["03-02 08:00", "03-09 14:00", "03-16 08:00"], "\(found.notes)")
  }

  @Test func `an occurrence can move onto a time that is moved away or excluded`() throws {
    let away = try importing(
      vevent(
        series + "\n" + changed(":20270309T070000Z", ":20270316T070000Z")
          + changed(":20270316T070000Z", ":20270317T090000Z")))
    #expect(try rings(away) == ["03-02 08:00", "03-16 08:00", "03-17 10:00"])
    let excluded = try importing(
      vevent(
        series + "\nEXDATE:20270316T070000Z\n" + changed(":20270309T070000Z", ":20270316T070000Z")))
    #expect(try rings(excluded) == ["03-02 08:00", "03-16 08:00"])
    let day = try importing(
      vevent(
        series + "\nEXDATE;VALUE=DATE:20270316\n"
          + changed(":20270309T070000Z", ":20270316T093000Z")))
    #expect(try rings(day) == ["03-02 08:00", "03-16 10:30"])
  }

  @Test func `an exclusion with a date is the occurrence of this day`() throws {
    let found = try importing(vevent(series + "\nEXDATE;VALUE=DATE:20270309"))
    #expect(try rings(found) == ["03-02 08:00", "03-16 08:00"])
  }

  @Test func `a cancelled or completed occurrence is silent`() throws {
    let found = try importing(
      vevent(series + "\n" + changed(":20270309T070000Z", ":20270309T070000Z", "STATUS:CANCELLED")))
    #expect(try rings(found) == ["03-02 08:00", "03-16 08:00"])
  }

  @Test func `a changed occurrence with its own reminder becomes an alarm of its own`() throws {
    let found = try importing(
      vevent(
        series + "\n"
          + changed(":20270309T070000Z", ":20270309T090000Z", alarm(":-PT20M"))))
    #expect(found.entries.count == 2)
    #expect(try rings(found) == ["03-02 08:00", "03-09 09:40", "03-09 10:00", "03-16 08:00"])
  }

  @Test func `changes without their series are appointments`() throws {
    let found = try importing(
      calendar(
        "BEGIN:VEVENT\nUID:1\nSUMMARY:x\nRECURRENCE-ID:20270302T080000Z\nDTSTART:20270302T090000Z\n"
          + "RRULE:FREQ=DAILY\nEND:VEVENT\nBEGIN:VEVENT\nUID:1\nSUMMARY:x\n"
          + "RECURRENCE-ID:20270309T080000Z\nDTSTART:20270309T090000Z\nEND:VEVENT"))
    #expect(found.entries.count == 2)
    #expect(try rings(found) == ["03-02 10:00", "03-09 10:00"])
    #expect(
      found.entries.map(\.uid) == [
        "1;RECURRENCE-ID=20270302T080000Z", "1;RECURRENCE-ID=20270309T080000Z",
      ])
  }

  @Test func `a change without a UID belongs to the series that has its time`() throws {
    let lunch = "DTSTART:20270303T120000\nRRULE:FREQ=WEEKLY;COUNT=2"
    let found = try importing(
      calendar(
        "BEGIN:VEVENT\nSUMMARY:Pills\n\(series)\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Lunch\n\(lunch)\n"
          + "END:VEVENT\nBEGIN:VEVENT\nSUMMARY:Lunch\nRECURRENCE-ID:20270310T110000Z\n"
          + "DTSTART:20270310T123000Z\nEND:VEVENT"))
    #expect(found.entries.count == 2)
    #expect(
      try rings(found) == [
        "03-02 08:00", "03-03 12:00", "03-09 08:00", "03-10 13:30", "03-16 08:00",
      ])
  }

  @Test(arguments: [
    ("20270309T090000Z", ["03-02 08:00", "03-09 10:00", "03-16 10:00"]),
    ("20270310T070000Z", ["03-02 08:00", "03-10 08:00", "03-17 08:00"]),
    ("20270309T070000Z", ["03-02 08:00", "03-09 08:00", "03-16 08:00"]),
  ])
  func `a change of all later occurrences is kept`(start: String, times: [String]) throws {
    let found = try importing(
      vevent(
        series + "\n" + changed(";RANGE=THISANDFUTURE:20270309T070000Z", ":\(start)")))
    #expect(try rings(found) == times, "\(found.entries)")
  }

  @Test func `each of two changes of later occurrences counts from the first times`() throws {
    let found = try importing(
      vevent(
        "DTSTART:20270302T080000Z\nRRULE:FREQ=WEEKLY;COUNT=5\n"
          + changed(";RANGE=THISANDFUTURE:20270309T080000Z", ":20270309T090000Z")
          + changed(";RANGE=THISANDFUTURE:20270316T080000Z", ":20270316T110000Z")))
    #expect(
      try rings(found) == [
        "03-02 09:00", "03-09 10:00", "03-16 12:00", "03-23 12:00", "03-30 13:00",
      ], "\(found.entries)")
  }

  @Test(arguments: ["DTEND:20270309T110000Z", "DURATION:PT3H"])
  func `a reminder before the end counts from the end of the changed occurrence`(end: String) throws
  {
    let reminder = alarm(";RELATED=END:-PT5M")
    let found = try importing(
      vevent(
        "DTSTART:20270302T080000Z\nDTEND:20270302T090000Z\nRRULE:FREQ=WEEKLY;COUNT=3\n\(reminder)\n"
          + changed(":20270309T080000Z", ":20270309T080000Z", "\(end)\n\(reminder)")))
    let times = try rings(found)
    #expect(times.contains("03-09 11:55") && !times.contains("03-09 09:55"), "\(times)")
    #expect(times.contains("03-02 09:55") && times.contains("03-16 09:55"), "\(times)")
  }

  @Test func `the newest version counts`() throws {
    func version(_ sequence: Int, _ hour: String, _ more: String = "") -> String {
      "BEGIN:VEVENT\nUID:1\nSUMMARY:x\nSEQUENCE:\(sequence)\nDTSTART:20270310T\(hour)0000Z\n\(more)"
        + "END:VEVENT\n"
    }
    #expect(try rings(importing(calendar(version(0, "07") + version(1, "13")))) == ["03-10 14:00"])
    #expect(try rings(importing(calendar(version(3, "07") + version(1, "13")))) == ["03-10 08:00"])
    let cancelled = try importing(
      calendar(version(0, "07") + version(1, "07", "STATUS:CANCELLED\n")))
    #expect(cancelled.entries.isEmpty)
    #expect(cancelled.ended.map(\.reason) == ["it is cancelled"])
    let cancel = "BEGIN:VCALENDAR\nMETHOD:CANCEL\n\(version(1, "07"))END:VCALENDAR\n"
    #expect(try importing(calendar(version(0, "07")) + cancel).entries.isEmpty)
    #expect(try importing(cancel).ended.map(\.uid.series) == ["1"])
  }

  @Test(arguments: ["STATUS:COMPLETED", "COMPLETED:20261101T120000Z", "PERCENT-COMPLETE:100"])
  func `a completed to-do has no alarm`(line: String) throws {
    let found = try importing(
      calendar("BEGIN:VTODO\nUID:1\nSUMMARY:x\nDUE:20270310T080000Z\n\(line)\nEND:VTODO"))
    #expect(found.entries.isEmpty)
    #expect(found.ended.map(\.reason) == ["it is completed"])
  }
}

@Suite struct `The meaning of reminders` {
  private let start = "DTSTART;TZID=Europe/Berlin:20270310T140000\n"

  @Test(arguments: [
    ([":-PT30S"], ["03-10 13:59", "03-10 14:00"]),
    ([";RELATED=END:-PT10M"], ["03-10 13:50", "03-10 14:00"]),
    ([";VALUE=DATE-TIME:20270310T083000"], ["03-10 08:30", "03-10 14:00"]),
    (
      [":-PT5M", ":-PT10M", ":-PT15M", ":-PT30M", ":-PT60M"],
      ["03-10 13:00", "03-10 13:30", "03-10 13:45", "03-10 13:50", "03-10 13:55", "03-10 14:00"]
    ),
    ([":PT30M"], ["03-10 14:00", "03-10 14:30"]), ([":PT0S"], ["03-10 14:00"]),
  ])
  func `each reminder of an appointment rings`(triggers: [String], times: [String]) throws {
    let found = try importing(vevent(start + triggers.map(alarm).joined(separator: "\n")))
    #expect(try rings(found) == times, "\(found.notes)")
  }

  @Test func `a reminder 90 days before is an alarm of its own`() throws {
    let found = try importing(
      vevent("DTSTART;TZID=Europe/Berlin:20270610T100000\n" + alarm(":-P90D")))
    #expect(try rings(found) == ["03-12 10:00"])
    let series = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270610T100000\nRRULE:FREQ=WEEKLY;COUNT=2\n" + alarm(":-P90D"))
    )
    #expect(try rings(series) == ["03-12 10:00", "03-19 10:00"])
  }

  @Test func `a reminder after the start of a series rings each time`() throws {
    let found = try importing(
      vevent(start + "RRULE:FREQ=DAILY;COUNT=2\n" + alarm(":PT30M")))
    #expect(try rings(found) == ["03-10 14:00", "03-10 14:30", "03-11 14:00", "03-11 14:30"])
  }

  @Test func `ten reminders ring, although an alarm has at most eight`() throws {
    let triggers = (1...10).map { alarm(":-PT\($0)H") }.joined(separator: "\n")
    #expect(try rings(importing(vevent(start + triggers))).count == 11)
    let series = try importing(vevent(start + "RRULE:FREQ=DAILY;COUNT=2\n" + triggers))
    #expect(try rings(series).count == 22)
  }

  @Test(arguments: [
    "DTEND;TZID=Europe/Berlin:20270310T140000", "DTEND:20270301T000000Z", "DURATION:PT0S",
  ])
  func `an end that is not after the start is ignored`(line: String) throws {
    let found = try importing(vevent(start + line + "\n" + alarm(";RELATED=END:-PT10M")))
    #expect(try rings(found) == ["03-10 13:50", "03-10 14:00"])
  }
}

@Suite struct `The meaning of rules` {
  @Test(arguments: [
    ("FREQ=WEEKLY;BYDAY=TH;COUNT=3", ["03-02 08:00", "03-04 08:00", "03-11 08:00"]),
    ("FREQ=WEEKLY;BYDAY=TH;UNTIL=20270312", ["03-02 08:00", "03-04 08:00", "03-11 08:00"]),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2", ["03-02 08:00"]),
    ("FREQ=WEEKLY;BYDAY=TH;COUNT=1", ["03-02 08:00"]), ("", ["03-02 08:00"]),
    ("FREQ=DAILY;COUNT=0", ["03-02 08:00"]), ("FREQ=DAILY;COUNT=-1", ["03-02 08:00"]),
    ("FREQ=FORTNIGHTLY", ["03-02 08:00"]), ("FREQ=DALY;COUNT=3", ["03-02 08:00"]),
    ("FREQ=DAILY;UNTIL=20270101", ["03-02 08:00"]),
    ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ["03-02 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;BYFOO=3", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;;", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;BYDAY=TU,XX", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;BYDAY=1TU", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;INTERVAL=0", ["03-02 08:00", "03-09 08:00"]),
    ("freq=weekly; count=2; byday=tu", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=WEEKLY;COUNT=2;UNTIL=nonsense", ["03-02 08:00", "03-09 08:00"]),
    ("FREQ=DAILY;BYSETPOS=1;COUNT=2", ["03-02 08:00", "03-03 08:00"]),
  ])
  func `the start of a rule always rings, and an unreadable part does not lose the event`(
    rule: String, times: [String]
  ) throws {
    let found = try importing(
      vevent("DTSTART;TZID=Europe/Berlin:20270302T080000\nRRULE:\(rule)"))
    #expect(try rings(found) == times, "\(found.notes)")
    let isPlain = ["freq=weekly; count=2; byday=tu", "FREQ=WEEKLY;COUNT=2;;"].contains(rule)
    #expect(noted(found).contains("RRULE") != isPlain)
  }

  @Test func `an exclusion removes a start that is not a time of its rule`() throws {
    let found = try importing(
      vevent(
        "DTSTART;TZID=Europe/Berlin:20270302T080000\nRRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=3\n"
          + "EXDATE;TZID=Europe/Berlin:20270302T080000"))
    #expect(try rings(found) == ["03-04 08:00", "03-11 08:00"])
  }

  @Test func `past exclusions are not kept, and very many future ones are cut with a note`() throws
  {
    func exdates(_ first: Int, _ count: Int) throws -> String {
      let day = try CivilDate(year: 2_023, month: 1, day: 1)
      return (0..<count).map {
        "EXDATE;TZID=Europe/Berlin:"
          + day.adding(days: first + $0).description.filter { $0 != "-" } + "T080000"
      }.joined(separator: "\n")
    }
    let daily = "DTSTART;TZID=Europe/Berlin:20230101T080000\nRRULE:FREQ=DAILY\n"
    let past = try importing(vevent(daily + (try exdates(0, 1_100))))
    #expect(past.entries.first?.form.schedule == "DTSTART:20230101T080000 RRULE:FREQ=DAILY")
    let future = try importing(vevent(daily + (try exdates(1_500, 1_500))))
    #expect(future.entries.first?.form.schedule.map { $0.utf8.count <= 16_384 } == true)
    #expect(noted(future).contains("EXDATE"))
  }
}
