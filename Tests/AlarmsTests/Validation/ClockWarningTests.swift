import CivilTime
import Testing

@testable import Alarms

/// Previews a phrase in Berlin on Friday 15 January 2027 at 09:00.
private func preview(_ phrase: String, zone: String? = nil) throws -> SchedulePreview {
  var form = AlarmForm()
  form.schedule = phrase
  form.zone = zone
  let fixture = CoreFixture()
  let now = fixture.now.wall
  return try previewed(
    form, PreviewRange(after: now, count: 100), now: now, beside: nil, in: fixture.environment)
}

/// Returns the local times of one day of a preview.
private func times(_ preview: SchedulePreview, on day: String) -> [String] {
  preview.due.compactMap { due in
    let local = CoreFixture.berlin.civil(at: due.occurrence.instant).dateTime
    return "\(local.date)" == day ? "\(local.time)" : nil
  }
}

@Suite struct `Warnings about clock changes` {
  @Test(arguments: [
    ("every 24 hours", "10:00 instead of 09:00", "every day 09:00"),
    ("every 12 hours", "10:00 instead of 09:00", "every day 09:00 and 21:00"),
    (
      "every 48 hours", "10:00 instead of 09:00", "every 2 days 09:00 starting 2027-01-17"
    ),
    ("every 24 hours for 90 times", "10:00 instead of 09:00", "every day 09:00"),
    ("every 24 hours starting 2027-01-20 22:30", "23:30 instead of 22:30", "every day 22:30"),
    ("every 24 hours starting 2027-01-20 23:30", "00:30 instead of 23:30", "every day 23:30"),
  ])
  func `an elapsed schedule of whole days says when it moves, and which phrase does not`(
    phrase: String, moved: String, advice: String
  ) throws {
    let found = try preview(phrase)
    let warning = try #require(found.report.warnings.first { $0.kind == .elapsedMoves })
    #expect(
      warning.text.hasPrefix("the clocks change on 2027-03-28: from then on it rings at \(moved)"),
      "\(warning.text)")
    #expect(warning.text.hasSuffix("write \"\(advice)\""), "\(warning.text)")
    // The advice solves the problem: the schedule that the warning proposes does not cause this
    // warning.
    #expect(try preview(advice).report.warnings.allSatisfy { $0.kind != .elapsedMoves })
  }

  @Test func `the times move as the warning says, and the proposed phrase keeps them`() throws {
    let elapsed = try preview("every 24 hours")
    #expect(times(elapsed, on: "2027-03-27") == ["09:00"])
    #expect(times(elapsed, on: "2027-03-28") == ["10:00"])
    let civil = try preview("every day 09:00")
    #expect(times(civil, on: "2027-03-27") == ["09:00"])
    #expect(times(civil, on: "2027-03-28") == ["09:00"])
  }

  @Test(arguments: [
    "every 8 hours", "every 36 hours for 2 times", "every day 09:00", "every 24 hours for 10 times",
    "every 90 minutes",
  ])
  func `other schedules give no such warning`(phrase: String) throws {
    #expect(try preview(phrase).report.warnings.allSatisfy { $0.kind != .elapsedMoves })
  }

  @Test func `a zone without clock changes gives no such warning`() throws {
    let found = try preview("every 24 hours", zone: "UTC")
    #expect(found.report.warnings.allSatisfy { $0.kind != .elapsedMoves })
  }

  @Test func `the clock changes of the next 400 days cause warnings`() throws {
    let fixture = CoreFixture()
    let change = try Instant(parsing: "2028-03-26T01:00:00Z")
    for (seconds, isFound) in [(0, false), (1, true)] as [(Int64, Bool)] {
      let now = change.adding(seconds: seconds - 400 * 86_400)
      func kinds(_ phrase: String) throws -> [ScheduleWarning.Kind] {
        var form = AlarmForm()
        form.schedule = phrase
        let found = try previewed(
          form, PreviewRange(after: now, count: 1), now: now, beside: nil, in: fixture.environment)
        return found.report.warnings.map(\.kind).filter {
          [.gap, .fold, .elapsedMoves].contains($0)
        }
      }
      let moved: [ScheduleWarning.Kind] = isFound ? [.gap, .fold, .gap] : [.gap, .fold]
      #expect(try kinds("every day 02:30") == moved)
      // The times 00:30 and 01:30 are near the clock change, but the clock change does not move
      // these times.
      #expect(try kinds("every day 00:30, 01:30 and 02:30") == moved)
      #expect(
        try kinds("every 24 hours starting 2027-11-01 09:00") == (isFound ? [.elapsedMoves] : []))
    }
  }

  @Test func `a DTSTART in UTC is read in the zone of the alarm, with a warning`() throws {
    let phrase = "DTSTART:20270301T070000Z RRULE:FREQ=DAILY"
    let found = try preview(phrase)
    let warning = try #require(found.report.warnings.first { $0.kind == .startInUTC })
    #expect(
      warning.text == "20270301T070000Z is a time in UTC: the alarm uses the local time 2027-03-01 "
        + "08:00 of Europe/Berlin, and keeps this local time after a clock change",
      "\(warning.text)")
    #expect(times(found, on: "2027-03-27") == ["08:00"])
    #expect(times(found, on: "2027-03-29") == ["08:00"])
    #expect(try preview(phrase, zone: "UTC").report.warnings.isEmpty)
    #expect(
      try preview("DTSTART:20270301T080000 RRULE:FREQ=DAILY").report.warnings.isEmpty)
  }

  @Test func `the replies to add and edit contain the warning about UTC`() throws {
    let phrase = "DTSTART:20270301T070000Z RRULE:FREQ=DAILY"
    var fixture = CoreFixture()
    var form = AlarmForm()
    form.label = "Pills"
    form.schedule = phrase
    let id = AlarmID("a1")
    guard
      case .alarm(_, _, let report)? = try fixture.handle(
        .command(.add(id, form), CoreFixture.anna))
    else {
      Issue.record("no alarm came back")
      return
    }
    #expect(report.warnings.map(\.kind) == [.startInUTC])
    let other = try fixture.add("Walk") { $0.schedule = "every day 10:00" }
    let (_, _, edited) = try fixture.edit(other.id) { $0.schedule = phrase }
    #expect(edited.warnings.map(\.kind).contains(.startInUTC))
  }

  @Test func `a DTSTART that fits one of its rules is accepted, in any order of the rules`() throws
  {
    let start = "DTSTART:20270301T080000"
    let rules = ["RRULE:FREQ=WEEKLY;BYDAY=TU", "RRULE:FREQ=WEEKLY;BYDAY=MO"]
    for order in [rules, rules.reversed()] {
      _ = try preview("\(start) \(order.joined(separator: " "))")
    }
    // In each of these two texts, only one DTSTART is a time of the rule that follows it. The first
    // DTSTART is a due time in both texts, even if the rule after it does not contain this time.
    for (day, rule) in [("02", rules[0]), ("03", rules[1])] {
      let both = try preview("\(start) \(rule) DTSTART:202703\(day)T080000 \(rules[0])")
      #expect(both.due.first?.occurrence.nominal.description == "2027-03-01T08:00:00")
    }
  }
}
