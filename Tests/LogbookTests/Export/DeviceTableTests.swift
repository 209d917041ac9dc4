import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests the exact rows of the tables about the device and the alarms.
@Suite struct `A table of the export` {
  private let directory = TemporaryDirectory()

  /// Exports the record, and returns the rows of a table. Each row contains only the given columns.
  private func rows(
    _ timeline: Timeline, _ name: String, _ columns: [String],
    _ profile: ExportProfile = .identified, zone: Zone? = nil
  ) throws -> [String] {
    let path = "\(directory.path)/\(name)-\(profile)"
    _ = try timeline.logbook.writeExport(to: path, profile: profile) { _ in zone }
    return Table("\(path)/\(name).csv").rows.map { row in
      columns.map { row[$0] ?? "?" }.joined(separator: " ")
    }
  }

  @Test func `has each event about the clock`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(1, .boot(previousBootID: "b0"))
    try timeline.add(2, .clockStep(milliseconds: -1_234))
    try timeline.add(3, .clockSync(gained: true), clock: .unsynced, errorMilliseconds: 7)
    try timeline.add(4, .clockSync(gained: false), clock: .unset)
    try timeline.add(5, .tzChanged(from: "UTC", to: "Europe/Berlin"))
    try timeline.add(6, .tzdataChanged(from: "2026b", to: "2026c"))
    try timeline.add(7, .suspended(from: timeline.at(0)))
    try timeline.add(8, .resumed(asleepMilliseconds: 99))
    try timeline.add(9, .heartbeat)
    let columns = [
      "seq", "type", "recorded_utc", "step_ms", "clock_state", "clock_error_ms", "boot_id",
      "boottime_ns", "from", "to",
    ]
    func row(_ number: Int, _ type: String, _ step: String, _ clock: String, _ ends: String)
      -> String
    {
      "\(number) \(type) 2027-01-15T08:00:00.00\(number)Z \(step) \(clock) boot "
        + "180000000000\(number)000000 \(ends)"
    }
    #expect(
      try rows(timeline, "clock", columns) == [
        row(1, "boot", "", "synced ", " "), row(2, "clock_step", "-1234", "synced ", " "),
        row(3, "clock_sync_gained", "", "unsynced 7", " "),
        row(4, "clock_sync_lost", "", "unset ", " "),
        row(5, "tz_changed", "", "synced ", "UTC Europe/Berlin"),
        row(6, "tzdata_changed", "", "synced ", "2026b 2026c"),
        row(7, "suspend", "", "synced ", " "), row(8, "resume", "", "synced ", " "),
      ])
    let safe = try rows(timeline, "clock", ["type"], .safeHarbor)
    #expect(
      safe == [
        "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed", "suspend",
        "resume",
      ])
  }

  @Test func `has each gap, with the local times of its ends`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .gap(from: timeline.at(0), to: timeline.at(61_000), cause: .crash))
    let (from, to) = (
      try Instant(parsing: "2027-03-28T00:30:00Z"), try Instant(parsing: "2027-03-28T01:30:00Z")
    )
    try timeline.add(1, .gap(from: from, to: to, cause: .deviceOff))
    let columns = [
      "seq", "from_utc", "from_local", "to_utc", "to_local", "duration_ms", "cause",
    ]
    #expect(
      try rows(timeline, "gaps", columns) == [
        "1 2027-01-15T08:00:00.000Z 2027-01-15T08:00:00.000 2027-01-15T08:01:01.000Z "
          + "2027-01-15T08:01:01.000 61000 crash",
        "2 2027-03-28T00:30:00.000Z 2027-03-28T00:30:00.000 2027-03-28T01:30:00.000Z "
          + "2027-03-28T01:30:00.000 3600000 device_off",
      ])
    #expect(
      try rows(
        timeline, "gaps", ["from_local", "to_local", "duration_ms"], .limited,
        zone: DatedHome.berlin) == [
          "2027-01-15T09:00:00.000 2027-01-15T09:01:01.000 61000",
          "2027-03-28T01:30:00.000 2027-03-28T03:30:00.000 3600000",
        ])
    #expect(
      try rows(
        timeline, "gaps", ["from_time", "to_time", "duration_ms"], .safeHarbor,
        zone: DatedHome.berlin) == [
          "09:00:00 09:00:00 61000", "01:30:00 03:30:00 7200000",
        ])
  }

  @Test func `has the rules and times of each kind of schedule`() throws {
    var timeline = try Timeline(in: directory)
    let start = CivilDateTime(localSeconds: timeline.start.seconds)
    let day = start.date
    func window(_ hour: Int, _ later: Int) throws -> DayWindow {
      DayWindow(
        from: try ClockTime(hour: hour, minute: 30), to: try ClockTime(hour: 20, minute: 0),
        firstDay: CivilDate(dayNumber: day.dayNumber + later))
    }
    func at(_ text: String) throws -> CivilDateTime { try CivilDateTime(parsing: text) }
    let (daily, weekly) = (
      try RecurrenceRule(parsing: "FREQ=DAILY;COUNT=3"),
      try RecurrenceRule(parsing: "FREQ=WEEKLY;BYDAY=WE")
    )
    let schedules: [Schedule] = [
      .at(timeline.at(60_000)), .once(start), .recurring(weekly, start: start),
      .several(
        RecurringDates(
          rules: [
            .init(rule: daily, start: try at("2027-01-18T08:00:00")),
            .init(rule: weekly, start: try at("2027-01-20T08:00:00")),
          ], dates: [try at("2027-01-17T10:00:00")])),
      .several(
        RecurringDates(
          rules: [
            .init(rule: daily, start: try at("2027-01-18T08:00:00")),
            .init(rule: daily, start: try at("2027-01-16T08:00:00")),
          ])),
      .every(seconds: 28_800, from: timeline.at(0)), .within(seconds: 7_200, try window(8, 1)),
      .random(RandomTimes(perDay: 3, window: try window(9, 2), minimumDistanceSeconds: 1_800)),
      .after(AfterAnswer(anchor: .itself, seconds: 3_600, latest: nil, first: timeline.at(0))),
    ]
    for (place, schedule) in schedules.enumerated() {
      var alarm = timeline.alarm("a\(place)")
      alarm.schedule = schedule
      try timeline.add(Int64(place), .alarmCreated(alarm))
    }
    let columns = [
      "alarm_id", "schedule_kind", "frequency", "rule", "start_local", "at_utc", "every_s",
    ]
    #expect(
      try rows(timeline, "alarms", columns) == [
        "a0 at    2027-01-15T08:01:00.000Z ", "a1 once   2027-01-15T08:00:00  ",
        "a2 recurring FREQ=WEEKLY FREQ=WEEKLY;BYDAY=WE 2027-01-15T08:00:00  ",
        "a3 several FREQ=DAILY;COUNT=3 FREQ=WEEKLY FREQ=DAILY;COUNT=3 FREQ=WEEKLY;BYDAY=WE "
          + "2027-01-17T10:00:00  ",
        "a4 several FREQ=DAILY;COUNT=3 FREQ=DAILY;COUNT=3 FREQ=DAILY;COUNT=3 FREQ=DAILY;COUNT=3 "
          + "2027-01-16T08:00:00  ",
        "a5 every    2027-01-15T08:00:00.000Z 28800",
        "a6 every_within   2027-01-16T08:30:00  7200",
        "a7 random   2027-01-17T09:30:00  ", "a8 after     ",
      ])
  }

  @Test func `has the steps and limits of each version of an alarm`() throws {
    var timeline = try Timeline(in: directory)
    var alarm = timeline.alarm("pills")
    (alarm.instructions, alarm.phrase, alarm.tone) = ("with water", "at nine", "bell")
    (alarm.lateWindowSeconds, alarm.delaySeconds, alarm.delayLimit) = (601, 302, 4)
    alarm.burst = Burst(rings: 3, spacingSeconds: 45, gainsDecibels: [-9, -1.5])
    try timeline.add(0, .alarmCreated(alarm))
    (alarm.version, alarm.isAnnouncement) = (2, true)
    alarm.escalation.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)]
    try timeline.add(1, .alarmEdited(alarm))
    let columns = [
      "alarm_id", "version", "seq", "recorded_utc", "person_name", "label", "instructions",
      "phrase", "tone", "tz_name", "rings", "spacing_s", "gains_db", "steps", "escalation",
      "is_announcement", "late_window_s", "delay_s", "delay_limit", "is_current",
    ]
    func row(_ version: Int, _ escalation: String, _ ends: String) -> String {
      "pills \(version) \(version) 2027-01-15T08:00:00.00\(version - 1)Z anna Pills with water "
        + "at nine bell UTC 3 45 [-9.0,-1.5] 1 \(escalation) 601 302 4 \(ends)"
    }
    #expect(
      try rows(timeline, "alarms", columns) == [
        row(1, " false", "false"), row(2, #"{"tell_after_s":[60]} true"#, "true"),
      ])
  }
}
