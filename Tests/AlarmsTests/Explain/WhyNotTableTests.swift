import CivilTime
import Testing

@testable import Alarms

/// Compares the explanation of each time of a table with a golden file.
///
/// The table contains alarms with times, and previews of schedules. The clock of the home shows
/// Friday 15 January 2027, 09:00 in Berlin. If you change an explanation on purpose, write the
/// golden file again with `make golden`, and check the changes in the file.
@Suite struct `The explanation of a time` {
  @Test func `is as in the golden file`() throws {
    var text = try explanations() + previews()
    for (name, arrange) in Self.situations { text += try forecast(name, arrange) }
    try GoldenFile("why-not.txt").expect(text) { !$0.hasPrefix(" ") }
  }

  // MARK: Times without a prompt

  private static let alarms: [(schedule: String, times: [String])] = [
    (
      "weekdays 09:30",
      [
        "now", "today 09:29", "today 09:30", "09:31", "yesterday 09:30", "tomorrow 09:30",
        "2027-01-18 09:30", "2027-01-18T09:30", "2027-01-18T08:30:59Z", "2027-01-18 10:00",
        "2026-12-01",
      ]
    ),
    (
      "every day 02:30",
      ["2027-03-28 02:30", "2027-03-28 01:30", "2027-03-28 03:30", "2027-03-29 02:30"]
    ),
    ("every day 02:30", ["2027-10-31T00:30Z", "2027-10-31T01:30Z"]),
    ("every day 08:00, 10:00, 12:00, 14:00 and 16:00", ["2027-02-01 09:00"]),
    ("every day 08:00, 10:00, 12:00, 14:00, 16:00 and 18:00", ["2027-02-01 09:00"]),
    ("30 minutes after the last completion", ["2027-02-01 09:00"]),
    ("every day 08:00 for 2 times", ["2027-01-16 08:00", "2027-01-17 08:00", "2027-01-18 08:00"]),
    (
      "weekdays 08:00 not on holidays DE-BE",
      ["2027-02-01 08:00", "2027-02-01 09:00", "2027-02-02 08:00", "2027-02-03 08:00"]
    ),
    (
      "DTSTART:20270120T080000 RRULE:FREQ=DAILY EXDATE:20270122T080000",
      ["2027-01-21 08:00", "2027-01-22 08:00", "2027-01-22 09:00"]
    ),
    (
      "DTSTART:20270120T080000 RRULE:FREQ=DAILY EXDATE;VALUE=DATE:20270122",
      ["2027-01-22 07:59", "2027-01-22 08:00", "2027-01-22 08:01"]
    ),
    (
      "DTSTART:20270120T080000 RRULE:FREQ=DAILY;COUNT=3 EXDATE:20270121T080000",
      ["2027-01-21 08:00", "2027-01-22 08:00", "2027-01-23 08:00"]
    ),
    ("2027-01-20 08:00", ["2027-01-20 07:59", "2027-01-20 08:00", "2027-01-20 08:01"]),
    ("every 90 minutes", ["2027-01-15 10:30", "2027-01-15 10:31"]),
    ("every day 08:00 and 08:01", ["2027-01-16 08:00", "2027-01-16 08:01"]),
  ]

  private func explanations() throws -> String {
    var text = ""
    for (schedule, times) in Self.alarms {
      text += "\(schedule)\n"
      var fixture = CoreFixture()
      let days = try [("2027-02-01", "Labour Day"), ("2027-02-02", "")].map {
        Holiday(date: try CivilDate(parsing: $0.0), label: $0.1)
      }
      try fixture.handle(
        .command(
          .importHolidays(HolidayList(name: "DE-BE", days: days), replacing: false),
          CoreFixture.anna))
      let alarm = try fixture.add { ($0.schedule, $0.rings) = (schedule, 2) }
      let set = SetAlarm(alarm: alarm, actor: CoreFixture.anna, at: fixture.now.wall)
      let now = fixture.now
      for time in times {
        let at = try typedInstant(time, zone: CoreFixture.berlin, now: now.wall, field: "at")
        let why = Alarms.whyNot(
          at: at, versions: [set], removal: nil, before: nil, interruptions: [], now: now,
          in: fixture.home, fixture.environment, userName: { _ in nil })
        text += "  \(time): \(line(why))\n"
      }
      // The test sets the clock forward by one day, and gives the home no input. Therefore the
      // record has no prompt for the times of the day that passed.
      fixture.now.wall = now.wall.adding(seconds: 86_400)
      let gap = HistoryEvent(
        sequence: 1, event: .boot(previousBootID: "b"), actor: .daemon("boot"), at: now.wall)
      for minutes: Int64 in [29, 30, 31] {
        let why = Alarms.whyNot(
          at: now.wall.adding(seconds: minutes * 60), versions: [set], removal: nil, before: nil,
          interruptions: [gap], now: fixture.now, in: fixture.home, fixture.environment,
          userName: { _ in "Eva" })
        text += "  \(minutes) minutes later: \(line(why))\n"
      }
    }
    return text
  }

  private func line(_ why: Why) -> String {
    let around = [why.before, why.after].map { $0.map { "\($0.nominal)" } ?? "-" }
    return "\(why.verdict.rawValue) | \(why.summary) | \(why.rule ?? "-") | "
      + "\(why.dueAt.map { "\($0)" } ?? "-") | \(around.joined(separator: " "))"
      + why.reasons.map { " | \($0.type) \($0.text)" }.joined()
  }

  // MARK: Forecasts

  private typealias Situation = (String, (inout CoreFixture, inout AlarmForm) throws -> Void)

  private static var situations: [Situation] {
    [
      ("one ring", { _, form in form.rings = 1 }), ("three rings", { _, form in form.rings = 3 }),
      (
        "two contacts",
        { _, form in
          form.notifySteps = [
            NotifyStep(contact: "bob", afterSeconds: 60),
            NotifyStep(contact: "anna", afterSeconds: 60),
          ]
        }
      ),
      ("skipped", { _, form in form.skipNext = 1 }),
      ("excluded", { _, form in form.exclude = ["2027-01-16"] }),
      ("paused", { _, form in form.pausedUntil = "2027-01-20" }),
      ("paused until a time", { _, form in form.pausedUntil = "2027-01-20 12:00" }),
      (
        "paused until its time, and excluded",
        { _, form in (form.pausedUntil, form.exclude) = ("2027-01-16 08:00", ["2027-01-16"]) }
      ),
      (
        "quiet hours hold",
        { home, _ in
          _ = try home.person { ($0.quietHours, $0.quietPolicy) = ("07:00-09:00", .hold) }
        }
      ),
      (
        "quiet hours suppress",
        { home, _ in
          _ = try home.person { ($0.quietHours, $0.quietPolicy) = ("07:00-09:00", .suppress) }
        }
      ),
      (
        "quiet hours, but it rings",
        { home, form in
          _ = try home.person { ($0.quietHours, $0.quietPolicy) = ("07:00-09:00", .suppress) }
          form.quietHours = "ring"
        }
      ),
      (
        "control phase",
        { home, _ in
          _ = try home.handle(
            .command(.setPhase(.patient, PhaseForm(kind: .control)), CoreFixture.anna))
        }
      ),
      (
        "person paused",
        { home, _ in
          _ = try home.handle(.command(.pausePeople(.everybody, until: nil), CoreFixture.anna))
        }
      ),
      (
        "person paused until a day",
        { home, _ in
          _ = try home.handle(
            .command(.pausePeople(.everybody, until: "2027-01-20"), CoreFixture.anna))
        }
      ),
      ("no speaker", { home, _ in _ = try home.handle(.sound(.unusable(reason: "no card"))) }),
    ]
  }

  private func forecast(
    _ name: String, _ arrange: (inout CoreFixture, inout AlarmForm) throws -> Void
  ) throws -> String {
    var fixture = CoreFixture()
    var form = AlarmForm()
    (form.label, form.schedule) = ("Pills", "every day 08:00")
    try arrange(&fixture, &form)
    let reply = try fixture.handle(.command(.add(AlarmID("a"), form), CoreFixture.anna))
    guard case .alarm(let alarm, _, let report)? = reply else { return "no alarm came back" }
    let plan = try SchedulePlan(alarm, zone: CoreFixture.berlin)
    let next = try #require(plan.next(after: fixture.now.wall))
    let why = Alarms.forecast(
      next, of: alarm, at: fixture.now, in: fixture.home, fixture.environment)
    return "forecast: \(name)\n  \(why.verdict.rawValue) | \(why.summary)\n"
      + "  \(report.explanation)\n"
      + report.warnings.map { "  \($0.kind.rawValue): \($0.text)\n" }.joined()
  }

  // MARK: Previews

  private func previews() throws -> String {
    let fixture = CoreFixture()
    let now = fixture.now.wall
    let quiet = try QuietHours(parsing: "22:00-08:30")
    let phrases: [(String, (inout AlarmForm) -> Void)] = [
      ("every day 08:00", { _ in }), ("every day 08:30", { _ in }),
      ("every day 08:00 and 1 hour before", { _ in }), ("every 5 minutes", { _ in }),
      ("in 20 minutes", { _ in }), ("2027-01-20 08:00", { $0.zone = "UTC" }),
      ("every day 08:00", { ($0.exclude, $0.label) = (["2027-01-16/2027-01-17"], "x") }),
      ("every day 08:00", { $0.zone = "Mars" }), ("nonsense", { _ in }),
      ("DTSTART:20270120T080000Z RRULE:FREQ=DAILY", { _ in }),
      ("30 minutes after the last completion", { _ in }),
      ("DTSTART:20270120T080000 RRULE:FREQ=YEARLY;UNTIL=20270119T000000", { _ in }),
    ]
    var text = ""
    for (phrase, edit) in phrases {
      text += "preview: \(phrase)\n"
      var form = AlarmForm()
      form.schedule = phrase
      edit(&form)
      for (count, to, hours) in [
        (0, nil, nil), (2, nil, quiet), (50, now.adding(seconds: 2 * 86_400 - 3_600), nil),
      ] as [(Int, Instant?, QuietHours?)] {
        do throws(Refusal) {
          let preview = try previewed(
            form, PreviewRange(after: now, to: to, count: count, quietHours: hours), now: now,
            beside: nil, in: fixture.environment)
          let due = preview.due.prefix(4).map { "\($0.occurrence.nominal)" }
          text += "  \(count): \(preview.due.count) \(due) in \(preview.zoneName)\n"
          text += "  \(preview.report.explanation)\n"
          for warning in preview.report.warnings {
            text += "  \(warning.kind.rawValue): \(warning.text)\n"
          }
        } catch {
          text += "  \(count): refused: \(error.kind.rawValue) \(error)\n"
        }
      }
    }
    return text
  }

  @Test func `can be typed in several ways, and other texts are refused`() throws {
    let now = CoreFixture().now.wall
    func refusal(_ text: String) -> String? {
      do throws(Refusal) {
        _ = try typedInstant(text, zone: CoreFixture.berlin, now: now, field: "at")
        return nil
      } catch {
        return "\(error)"
      }
    }
    for text in [
      "noonish", "", "monday 08:00", "today 25:00", "at today 08:00", "today at 08:00",
      "2027-13-01",
    ] {
      #expect(
        refusal(text)
          == "at: \"\(text)\" is not a time; write for example 2026-12-01, \"2026-12-01 08:00\" or "
          + "\"yesterday 08:00\"")
    }
    func local(_ text: String, isEnd: Bool = false) throws -> String {
      let zone = CoreFixture.berlin
      let found =
        isEnd
        ? try typedEnd(text, zone: zone, now: now, field: "to")
        : try typedInstant(text, zone: zone, now: now, field: "from")
      return zone.civil(at: found).dateTime.description
    }
    #expect(try local("now") == "2027-01-15T09:00:00")
    #expect(try local("08:15") == "2027-01-15T08:15:00")
    #expect(try local("today 08:15") == "2027-01-15T08:15:00")
    #expect(try local("yesterday 08:15") == "2027-01-14T08:15:00")
    #expect(try local("tomorrow 08:15") == "2027-01-16T08:15:00")
    #expect(try local("2027-02-01") == "2027-02-01T00:00:00")
    #expect(try local("2027-02-01 08:00") == "2027-02-01T08:00:00")
    #expect(try local("2027-02-01T08:00:00Z") == "2027-02-01T09:00:00")
    // If the end of a range is a day without a time, the range includes the whole day.
    #expect(try local("2027-02-01", isEnd: true) == "2027-02-02T00:00:00")
    #expect(try local("2027-02-01 08:00", isEnd: true) == "2027-02-01T08:00:00")
  }
}

@Test func `a preview says when the anchor was last completed`() throws {
  let report = ScheduleReport(
    explanation: "x", warnings: [ScheduleWarning(.gap, "g"), ScheduleWarning(.waitsForAnswer, "w")])
  var preview = SchedulePreview(due: [], zoneName: "Europe/Berlin", report: report)
  let done = Instant(milliseconds: 1_800_000_000_999)
  preview.note(lastCompletion: done, zone: CoreFixture.berlin)
  #expect(preview.report == report)
  preview.anchor = SchedulePreview.Anchor(alarm: AlarmID("a"), seconds: 1_800)
  var never = preview
  never.note(lastCompletion: nil, zone: CoreFixture.berlin)
  #expect(never.report.warnings.map(\.text) == ["g", "w, which nobody has done yet"])
  preview.note(lastCompletion: done, zone: CoreFixture.berlin)
  #expect(
    preview.report.warnings.map(\.text) == [
      "g",
      "w; the last time was 2027-01-15 09:00, so it would have been due at 2027-01-15 09:30",
    ])
}
