import CivilTime
import Testing

@testable import Alarms

/// Checks the details of a preview. The clock shows Friday 15 January 2027, 09:00 in Berlin.
@Suite struct `A preview` {
  private func preview(
    _ schedule: String, in fixture: CoreFixture? = nil, count: Int = 3, after seconds: Int64 = 0,
    to end: Int64? = nil, quiet: String? = nil, _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws -> SchedulePreview {
    let home = fixture ?? CoreFixture()
    var form = AlarmForm()
    form.schedule = schedule
    edit(&form)
    let now = home.now.wall
    let range = PreviewRange(
      after: now.adding(seconds: seconds), to: end.map { now.adding(seconds: $0) }, count: count,
      quietHours: try quiet.map { try QuietHours(parsing: $0) })
    return try previewed(
      form, range, now: now, beside: fixture.map(\.home), in: home.environment)
  }

  /// The day of the month and the time of each due time, for example "16 08:00".
  private func times(_ preview: SchedulePreview) -> [String] {
    preview.due.map { "\($0.occurrence.nominal.date.day) \($0.occurrence.nominal.time)" }
  }

  @Test func `ignores the tone and needs no label and no person`() throws {
    let found = try preview("every day 08:00") { $0.tone = "unknown" }
    #expect(times(found) == ["16 08:00", "17 08:00", "18 08:00"])
    #expect(found.zoneName == "Europe/Berlin" && found.report.warnings.isEmpty)
    #expect(found.anchor == nil)
    let labels = [nil, "Pills", ""].map { label in
      refusal { _ = try preview("every day 08:00") { $0.label = label } }?.field
    }
    #expect(labels == [nil, nil, "label"])
  }

  @Test func `begins after its start and includes its end`() throws {
    let day: Int64 = 86_400
    #expect(try times(preview("every day 09:00", to: 2 * day)) == ["16 09:00", "17 09:00"])
    #expect(try times(preview("every day 09:00", to: 2 * day - 1)) == ["16 09:00"])
    #expect(try times(preview("every day 09:00", count: 1, after: day)) == ["17 09:00"])
    #expect(try times(preview("every day 09:00", count: 1, after: day - 1)) == ["16 09:00"])
    #expect(try times(preview("every day 09:00", count: 0)) == [])
  }

  @Test func `leaves out paused occurrences and counts the others`() throws {
    let found = try preview("every day 08:00") { $0.exclude = ["2027-01-17/2027-01-18"] }
    #expect(times(found) == ["16 08:00", "19 08:00", "20 08:00"])
    #expect(try times(preview("every day 08:00") { $0.skipNext = 1 }).first == "17 08:00")
  }

  @Test func `uses the pause of its person`() throws {
    var fixture = CoreFixture()
    for name in ["eva", "abe"] { try fixture.person(name) { $0.name = name } }
    try fixture.add { ($0.schedule, $0.person) = ("every day 07:00", "patient") }
    try fixture.pause(.one(PersonID("abe")), until: "2027-01-17")
    // The person whose id is first in the alphabet is "abe".
    #expect(try times(preview("every day 08:00", in: fixture)).first == "18 08:00")
    let eva = try preview("every day 08:00", in: fixture) { $0.person = "eva" }
    #expect(times(eva).first == "16 08:00")
    #expect(
      try times(preview("every day 08:00", in: fixture, count: 1, after: 4 * 86_400)) == [
        "20 08:00"
      ])
    try fixture.pause(.one(PersonID("abe")))
    let silent = try preview("every day 08:00", in: fixture)
    #expect(silent.due.isEmpty && silent.report.warnings.map(\.kind) == [.personPaused])
    for name in ["abe", "patient"] {
      var one = CoreFixture()
      try one.person("abe") { _ in }
      try one.pause(.one(PersonID("abe")))
      // Nobody uses the default person "patient", so "abe" is the only person.
      let found = try preview("every day 08:00", in: one) { $0.person = name == "abe" ? nil : name }
      #expect(found.due.isEmpty == (name == "abe"))
    }
  }

  @Test func `warns about due times in the given quiet hours`() throws {
    let found = try preview("every day 05:00, 07:00 and 22:00", count: 6, quiet: "22:00-07:00")
    #expect(
      found.report.warnings == [
        ScheduleWarning(
          .quietHours,
          "4 of the 6 times shown are in the quiet hours from 22:00 to 07:00, the first on "
            + "2027-01-15 at 22:00")
      ])
    #expect(try preview("every day 07:00", quiet: "22:00-07:00").report.warnings.isEmpty)
    #expect(try preview("every day 06:59").report.warnings.isEmpty)
  }

  @Test func `warns about too many rings instead of a refusal`() throws {
    let found = try preview("every 5 minutes", count: 2) { $0.rings = 5 }
    #expect(times(found) == ["15 09:05", "15 09:10"])
    #expect(
      found.report.warnings.filter { $0.kind == .tooFrequent }.map(\.text) == [
        "it would ring 60 times in one hour (5 rings for each prompt); at most 20 rings are allowed"
      ])
  }

  @Test func `names the last completion of its anchor`() throws {
    var fixture = CoreFixture()
    let lunch = try fixture.add("Lunch") { $0.schedule = "every day 12:00" }
    let found = try preview("2 hours after Lunch is completed", in: fixture)
    #expect(found.anchor?.alarm == lunch.id && found.anchor?.seconds == 7_200)
    var never = found
    never.note(lastCompletion: nil, zone: .utc)
    #expect(
      never.report.warnings.map(\.text) == [
        "it rings only after \"Lunch\" is completed, which nobody has done yet"
      ])
    var done = found
    done.note(lastCompletion: try Instant(parsing: "2027-01-14T12:05:00.900Z"), zone: .utc)
    #expect(
      done.report.warnings.map(\.text) == [
        "it rings only after \"Lunch\" is completed; the last time was 2027-01-14 12:05, so it "
          + "would have been due at 2027-01-14 14:05"
      ])
    var other = try preview("every day 08:00")
    other.note(lastCompletion: nil, zone: .utc)
    #expect(other.report.warnings.isEmpty)
    let latest = try preview("2 hours after Lunch is completed, latest 16:00", in: fixture)
    #expect(
      latest.report.warnings.map(\.text) == [
        "it rings after \"Lunch\" is completed, and at 16:00 at the latest"
      ])
  }

  @Test func `after its own answer shows the first prompt once a day`() throws {
    let found = try preview("4 hours after the last completion, latest 22:00", count: 2)
    #expect(found.anchor == nil)
    #expect(Set(found.due.map(\.main.nominal.date)).count == 2)
  }
}

/// Checks the warning that two alarms ring together.
@Suite struct `Alarms that ring together` {
  private func warnings(
    _ schedule: String, in fixture: CoreFixture, _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws -> [String] {
    var copy = fixture
    var form = AlarmForm()
    (form.label, form.schedule, form.allowsDuplicate) = ("New", schedule, true)
    edit(&form)
    let reply = try copy.handle(.command(.add(AlarmID("zz"), form), CoreFixture.anna))
    guard case .alarm(_, _, let report)? = reply else { return ["no alarm came back"] }
    return report.warnings.filter { $0.kind == .collision }.map(\.text)
  }

  @Test func `are named with another person, and with the day unless it is each time`() throws {
    var fixture = CoreFixture()
    for name in ["eva", "otto"] {
      try fixture.person(name) { $0.name = name == "eva" ? "Eva" : "" }
    }
    try fixture.add("Walk") { ($0.schedule, $0.person) = ("every day 10:00", "eva") }
    try fixture.add("Tea") { ($0.schedule, $0.person) = ("2027-01-17 10:01", "otto") }
    func found(_ schedule: String, _ person: String = "patient") throws -> [String] {
      try warnings(schedule, in: fixture) { $0.person = person }
    }
    let tea = "it rings together with \"Tea\" (otto) on 2027-01-17 at 10:01"
    #expect(
      try found("every day 10:00") == ["it rings together with \"Walk\" (Eva) at 10:00", tea])
    #expect(
      try found("every day 10:00", "eva") == ["it rings together with \"Walk\" at 10:00", tea])
    #expect(
      try found("2027-01-16 10:00") == [
        "it rings together with \"Walk\" (Eva) on 2027-01-16 at 10:00"
      ])
    #expect(
      try found("2027-01-17 10:02") == [tea])
    #expect(try found("2027-01-17 10:03") == [])
    #expect(try found("2027-01-17 09:58") == [])
    #expect(
      try found("2027-01-17 09:59") == [
        "it rings together with \"Walk\" (Eva) on 2027-01-17 at 10:00"
      ])
  }

  @Test func `are at most five, sorted by id`() throws {
    var fixture = CoreFixture()
    for number in 0..<7 {
      try fixture.add("Task \(number)") { ($0.schedule, $0.rings) = ("every day 10:00", 1) }
    }
    let ids = fixture.home.alarms.map(\.id).sorted()
    #expect(
      try warnings("every day 10:00", in: fixture)
        == ids.prefix(5).map {
          "it rings together with \"\(fixture.home.alarm($0)?.label ?? "?")\" at 10:00"
        })
  }
}
