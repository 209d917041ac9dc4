import CivilTime
import Testing

@testable import Alarms

/// Previews a phrase in Berlin on 21 November 2026 at 09:00.
private func preview(
  _ phrase: String, count: Int = 3, beside home: HomeState? = nil,
  _ edit: (inout AlarmForm) -> Void = { _ in }
) throws -> SchedulePreview {
  var form = AlarmForm()
  form.schedule = phrase
  edit(&form)
  let now = Instant(seconds: 1_795_248_000)
  return try previewed(
    form, PreviewRange(after: now, count: count), now: now, beside: home,
    in: Environment(homeZone: CoreFixture.berlin, tzdataVersion: "test") {
      $0 == "Europe/Berlin" ? CoreFixture.berlin : nil
    })
}

@Suite struct `The report on a schedule` {
  @Test(arguments: [
    ("DTSTART:20261201T081500 RRULE:FREQ=DAILY", "every day at 08:15"),
    ("DTSTART:20261201T080000 RRULE:FREQ=WEEKLY", "every Tuesday at 08:00"),
    ("DTSTART:20261201T080000 RRULE:FREQ=MONTHLY", "the 1st of every month at 08:00"),
    ("DTSTART:20261201T080000 RRULE:FREQ=YEARLY", "every year on 1 December at 08:00"),
    (
      "DTSTART:20261127T080000 RRULE:FREQ=MONTHLY;BYDAY=-1FR",
      "the last Friday of every month at 08:00"
    ),
  ])
  func `a rule that takes values from its start is explained in full`(
    phrase: String, words: String
  ) throws {
    #expect(try preview(phrase).report.explanation.hasPrefix(words))
  }

  @Test func `the explanation names the schedule, the zone and the next time`() throws {
    #expect(
      try preview("every second tue 10:00").report.explanation
        == "every 2 weeks on Tuesday at 10:00 starting 2026-11-24, Europe/Berlin; "
        + "next: Tue 2026-11-24 10:00")
    #expect(
      try preview("weekdays 9:30") { $0.earlyReminders = ["1h"] }.report.explanation
        == "weekdays at 09:30, and 1 hour before, Europe/Berlin; next: Mon 2026-11-23 08:30")
  }

  @Test func `times that a clock change moves are named with their day`() throws {
    let warnings = try preview("every day 02:30").report.warnings
    #expect(warnings.map(\.kind) == [.gap, .fold])
    #expect(
      warnings[0].text == "on 2027-03-28 the clocks go forward and 02:30 does not exist: "
        + "it rings at 03:30")
    #expect(
      warnings[1].text == "on 2027-10-31 the clocks go back and 02:30 comes twice: "
        + "it rings the first time only")
    #expect(try preview("every day 12:00").report.warnings.isEmpty)
  }

  @Test
  func `a bare rule for the 31st names the months without a ring, and a phrase misses no month`()
    throws
  {
    let bare = try preview("FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=9;BYMINUTE=0;BYSECOND=0").report
    #expect(bare.warnings.map(\.kind) == [.missesMonths])
    #expect(bare.warnings[0].text.contains("February, April, June, September, November"))
    #expect(try preview("the 31st of every month 9:00").report.warnings.isEmpty)
  }

  @Test func `two times that the clock change joins are one ring in a preview`() throws {
    let found = try preview("every day 02:30 and 03:30", count: 400).due
    let joined = found.filter { !$0.alsoNominal.isEmpty }
    #expect(joined.map { $0.occurrence.instant.description } == ["2027-03-28T01:30:00.000Z"])
    #expect(joined.first?.alsoNominal.map(\.description).count == 1)
  }

  @Test func `another alarm within a minute is named, and one two minutes away is not`() throws {
    var fixture = CoreFixture()
    try fixture.add("Pills") { $0.schedule = "every day 10:00" }
    let near = try fixture.add("Walk") { $0.schedule = "every fri 10:01" }
    _ = near
    let (_, _, report) = try fixture.edit(near.id) { $0.label = "Short walk" }
    #expect(report.warnings.map(\.kind) == [.collision])
    #expect(report.warnings[0].text == "it rings together with \"Pills\" at 10:00")
    let (_, _, apart) = try fixture.edit(near.id) { $0.schedule = "every fri 10:02" }
    #expect(apart.warnings.isEmpty)
  }

  @Test func `an alarm that rings together with one of very many is named, and no other`() throws {
    var fixture = CoreFixture()
    for number in 0..<201 {
      try fixture.add("Task \(number)") {
        $0.schedule = "2027-01-15 \(12 + number / 20):\(10 + 2 * (number % 20))"
        $0.rings = 1
      }
    }
    let near = try fixture.add("Walk") { $0.schedule = "2027-01-15 13:15" }
    let (_, _, report) = try fixture.edit(near.id) { $0.label = "Short walk" }
    let together = report.warnings.filter { $0.kind == .collision }.map(\.text)
    #expect(
      together.sorted() == [
        "it rings together with \"Task 22\" on 2027-01-15 at 13:14",
        "it rings together with \"Task 23\" on 2027-01-15 at 13:16",
      ])
  }

  @Test func `alarms that always ring together are reported without a date and without an id`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add("Pills") { $0.schedule = "every day 10:00" }
    let walk = try fixture.add("Walk") { $0.schedule = "every day 10:00" }
    let (_, _, report) = try fixture.edit(walk.id) { $0.label = "Short walk" }
    #expect(
      report.warnings.map(\.text) == ["it rings together with \"Pills\" at 10:00"])
  }

  @Test func `a preview after a completion names the other alarm and its last completion`() throws {
    var fixture = CoreFixture()
    let lunch = try fixture.add("Lunch") { $0.schedule = "every day 12:00" }
    var form = AlarmForm()
    form.schedule = "2 hours after lunch is completed"
    let now = fixture.now.wall
    var found = try previewed(
      form, PreviewRange(after: now, count: 10), now: now, beside: fixture.home,
      in: fixture.environment)
    #expect(found.due.isEmpty && found.anchor?.alarm == lunch.id)
    #expect(found.report.explanation.contains("2 hours after \"Lunch\" is completed"))
    var never = found
    never.note(lastCompletion: nil, zone: .utc)
    #expect(never.report.warnings.last?.text.contains("nobody has done yet") == true, "\(never)")
    found.note(lastCompletion: try Instant(parsing: "2027-01-14T12:05:00Z"), zone: .utc)
    let text = found.report.warnings.first { $0.kind == .waitsForAnswer }?.text ?? ""
    #expect(text.contains("only after \"Lunch\" is completed"), "\(text)")
    #expect(text.contains("2027-01-14 12:05") && text.contains("2027-01-14 14:05"), "\(text)")
  }

  @Test(arguments: [
    "4 hours after the last completion", "4 hours after the last completion, latest 11:00",
    "4 hours after the last completion, latest 22:00",
    "4 hours after the last completion starting tomorrow 09:00",
  ])
  func `a preview begins with the prompt that the home plans for the saved alarm`(
    phrase: String
  ) throws {
    var fixture = CoreFixture()
    var form = AlarmForm()
    form.schedule = phrase
    let now = fixture.now.wall
    let found = try previewed(
      form, PreviewRange(after: now, count: 4), now: now, beside: fixture.home,
      in: fixture.environment)
    try fixture.add("Drops") { $0.schedule = phrase }
    let planned = try #require(fixture.home.openPrompts.first)
    #expect(found.due.first?.occurrence == planned.occurrence)
    #expect(found.due.count == (phrase.contains("latest") ? 4 : 1))
    #expect(Set(found.due.map(\.main.nominal.date)).count == found.due.count)
    #expect(found.report.warnings.isEmpty, "\(found.report.warnings)")
  }

  @Test func `a time of another alarm that has just passed is not a collision`() throws {
    var fixture = CoreFixture()
    try fixture.add("Pills") { $0.schedule = "every day 10:00" }
    fixture.pass(seconds: 3_620)
    let soon = try fixture.add("Walk") { $0.schedule = "2027-01-15 10:01" }
    let (_, _, report) = try fixture.edit(soon.id) { $0.label = "Short walk" }
    #expect(report.warnings.isEmpty)
  }

  @Test func `an excluded time that is not an occurrence gives a warning`() throws {
    let found = try preview(
      "DTSTART:20261201T080000 RRULE:FREQ=DAILY;COUNT=5 EXDATE:20261202T070000")
    #expect(found.report.warnings.map(\.kind) == [.excludesNothing])
  }

  @Test func `a preview shows early reminders with their occurrence, and keeps to its limits`()
    throws
  {
    let found = try preview("2026-12-01 14:00 and 1h before", count: 10)
    #expect(found.due.count == 2)
    #expect(found.due[0].main.nominal.description == "2026-12-01T14:00:00")
    #expect(found.due[1].leadsTo == nil)
    let now = Instant(seconds: 1_795_248_000)
    var form = AlarmForm()
    form.schedule = "every day 08:00"
    let bounded = try previewed(
      form, PreviewRange(after: now, to: now.adding(seconds: 3 * 86_400), count: 100), now: now,
      beside: nil,
      in: Environment(homeZone: CoreFixture.berlin, tzdataVersion: "test") { _ in CoreFixture.berlin
      })
    #expect(bounded.due.count == 3)
  }
}
