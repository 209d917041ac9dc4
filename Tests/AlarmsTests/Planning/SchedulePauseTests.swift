import CivilTime
import Testing

@testable import Alarms

/// Makes a home with an alarm that is due every day at 10:00.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
private func daily() throws -> (CoreFixture, AlarmID) {
  var fixture = CoreFixture()
  let alarm = try fixture.add {
    $0.schedule = "every day 10:00"
    $0.rings = 1
  }
  return (fixture, alarm.id)
}

extension CoreFixture {
  /// Changes fields of an alarm, and returns the alarm and its next rings.
  @discardableResult
  mutating func edit(
    _ id: AlarmID, _ edit: (inout AlarmForm) -> Void
  ) throws(Refusal) -> (Alarm, [Occurrence], ScheduleReport) {
    var form = AlarmForm()
    edit(&form)
    let reply = try handle(.command(.edit(id, ifVersion: nil, form), Self.anna))
    guard case .alarm(let alarm, let next, let report)? = reply else {
      preconditionFailure("no alarm came back")
    }
    return (alarm, next.map(\.occurrence), report)
  }

  /// The day of the month and the outcome of every closed prompt.
  var endings: [String] {
    records.compactMap {
      guard case .closed(let id, let outcome, _, _) = $0.event else { return nil }
      return "\(id.nominal.date.day) \(outcome.rawValue)"
    }
  }
}

@Suite struct `Pauses` {
  @Test(arguments: [
    ("today", "2027-01-16T00:00:00"), ("2027-01-15", "2027-01-16T00:00:00"),
    ("tomorrow", "2027-01-17T00:00:00"), ("tomorrow 08:00", "2027-01-16T08:00:00"),
    ("2027-01-18", "2027-01-19T00:00:00"), ("2027-01-18 12:00", "2027-01-18T12:00:00"),
    ("in 2 days", "2027-01-17T09:00:00"),
  ])
  func `a pause until a day includes this day, and a pause until a time ends at this time`(
    text: String, until: String
  ) throws {
    var (fixture, id) = try daily()
    let (alarm, _, _) = try fixture.edit(id) { $0.pausedUntil = text }
    #expect(alarm.pauses.until?.description == until)
  }

  @Test func `during a pause until a date each occurrence is recorded and none rings`() throws {
    var (fixture, id) = try daily()
    let (alarm, next, _) = try fixture.edit(id) { $0.pausedUntil = "2027-01-17" }
    #expect(alarm.version == 2)
    #expect(next.first?.nominal.description == "2027-01-18T10:00:00")
    fixture.pass(seconds: 4 * 86_400)
    #expect(
      fixture.endings == [
        "15 suppressed_paused", "16 suppressed_paused", "17 suppressed_paused",
        "18 missed_no_response",
      ])
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  @Test func `an empty text ends the pause at once`() throws {
    var (fixture, id) = try daily()
    try fixture.edit(id) { $0.pausedUntil = "2027-02-01" }
    fixture.pass(seconds: 86_400)
    try fixture.edit(id) { $0.pausedUntil = "" }
    fixture.pass(seconds: 86_400)
    #expect(fixture.endings == ["15 suppressed_paused", "16 missed_no_response"])
  }

  @Test func `the next two occurrences are skipped, also after a crash, and no others`() throws {
    var (fixture, id) = try daily()
    try fixture.edit(id) { $0.skipNext = 2 }
    fixture.crash(offForSeconds: 60)
    fixture.pass(seconds: 3 * 86_400)
    #expect(
      fixture.endings == ["15 suppressed_paused", "16 suppressed_paused", "17 missed_no_response"])
    let (alarm, _, _) = try fixture.edit(id) { $0.skipNext = 0 }
    #expect(alarm.pauses == .none)
  }

  @Test func `a new number of skipped occurrences replaces the old number`() throws {
    var (fixture, id) = try daily()
    try fixture.edit(id) { $0.skipNext = 2 }
    let (alarm, _, _) = try fixture.edit(id) { $0.skipNext = 1 }
    #expect(alarm.pauses.occurrences.count == 1)
    fixture.pass(seconds: 2 * 86_400)
    #expect(fixture.endings == ["15 suppressed_paused", "16 missed_no_response"])
  }

  @Test func `an alarm that follows answers can skip only planned occurrences`() throws {
    var fixture = CoreFixture()
    let id = try fixture.add { $0.schedule = "4 hours after the last completion" }.id
    func refusedPlanned(_ count: Int, _ fixture: CoreFixture) -> Refusal? {
      var copy = fixture
      return refusal { try copy.edit(id) { $0.skipNext = count } }
    }
    func tooMany(_ planned: Int) -> Refusal {
      Refusal(
        .invalidField, field: "skip_next",
        "the number of planned times is \(planned); later times are not known yet")
    }
    #expect(refusedPlanned(1, fixture) == nil)
    #expect(refusedPlanned(2, fixture) == tooMany(1))
    fixture.pass(seconds: 4 * 3_600 + 20)
    #expect(refusedPlanned(1, fixture) == tooMany(0))
    #expect(refusedPlanned(0, fixture) == nil)
  }

  @Test func `one of two occurrences at a repeated local time is skipped, and not the other`()
    throws
  {
    let nominal = try CivilDateTime(parsing: "2027-10-31T02:30:00")
    for fold in [0, 1] {
      let id = PromptID(alarm: AlarmID("a"), nominal: nominal, fold: fold)
      let pauses = Alarms.Pauses(occurrences: [id.nominalKey])
      #expect(pauses.interruptions(nominal, fold: fold))
      #expect(!pauses.interruptions(nominal, fold: 1 - fold))
    }
  }

  @Test func `an occurrence on an excluded day is silent, and the record says why`() throws {
    var (fixture, id) = try daily()
    let (_, next, _) = try fixture.edit(id) {
      $0.exclude = ["2027-01-16/2027-01-17", "2027-01-19"]
    }
    #expect(next.map(\.nominal.date.day) == [15, 18, 20, 21, 22])
    fixture.pass(seconds: 3 * 86_400)
    #expect(
      fixture.endings == ["15 missed_no_response", "16 suppressed_paused", "17 suppressed_paused"])
    try fixture.edit(id) { $0.exclude = [] }
    fixture.pass(seconds: 2 * 86_400)
    #expect(fixture.endings.last == "19 missed_no_response")
  }

  @Test func `early reminders of a silent occurrence are silent, too`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add {
      $0.schedule = "every day 10:00 and the evening before at 19:00"
      $0.rings = 1
    }
    try fixture.edit(alarm.id) { $0.exclude = ["2027-01-17"] }
    fixture.pass(seconds: 3 * 86_400 - 3_600)
    #expect(
      fixture.endings == [
        "15 missed_no_response", "15 missed_no_response", "16 missed_no_response",
        "16 suppressed_paused", "17 suppressed_paused", "17 missed_no_response",
      ])
  }

  @Test func `a past pause, a wrong range and too many ranges are refused and change nothing`()
    throws
  {
    var (fixture, id) = try daily()
    let before = fixture.records.count
    for form in [
      { $0.pausedUntil = "2027-01-14" }, { $0.pausedUntil = "someday" },
      { $0.exclude = ["2027-01-20/2027-01-19"] }, { $0.exclude = ["Christmas"] },
      { $0.skipNext = 101 }, { $0.skipNext = -1 }, { $0.earlyReminders = ["whenever"] },
      { $0.earlyReminders = ["10 seconds before"] },
    ] as [(inout AlarmForm) -> Void] {
      #expect(throws: Refusal.self) { try fixture.edit(id, form) }
    }
    #expect(fixture.records.count == before)
  }
}
