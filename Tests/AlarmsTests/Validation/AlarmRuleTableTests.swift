import CivilTime
import Testing

@testable import Alarms

/// Compares the reply to each form of a large table with a golden file.
///
/// For each form, the test adds an alarm to a home. Then the test writes the warnings, the refusal,
/// and the fields of the alarm. It writes only the lines that differ from the lines of a plain
/// form. If you change a rule on purpose, write the golden file again with `make golden`, and check
/// the changes in the file.
@Suite struct `The rules for an alarm` {
  @Test func `are as in the golden file`() throws {
    let home = try RuleTable.home()
    let plain = try RuleTable.facts(home, "plain") { _ in }
    var text = "plain\n" + plain.map { "  \($0)\n" }.joined()
    for (name, edit) in RuleTable.cases {
      let lines = try RuleTable.facts(home, name, edit).filter { !plain.contains($0) }
      text += "\(name)\n" + lines.map { "  \($0)\n" }.joined()
    }
    for (name, edit) in RuleTable.people {
      text += "person: \(name)\n  \(try RuleTable.person(home, edit))\n"
    }
    try GoldenFile("alarm-rules.txt").expect(text) { !$0.hasPrefix(" ") }
  }
}

enum RuleTable {
  typealias Case = (name: String, edit: (inout AlarmForm) -> Void)

  /// Returns a home with two people, three alarms, two tones, a picture and a list of holidays.
  ///
  /// The clock shows Friday 15 January 2027, 09:00 in Berlin.
  static func home() throws -> CoreFixture {
    var fixture = CoreFixture()
    try fixture.person { ($0.name, $0.ringsPerHour) = ("Hilde", 12) }
    var night = PersonForm()
    (night.name, night.quietHours, night.quietPolicy) = ("Eva", "22:00-07:00", .refuse)
    try fixture.handle(.command(.addPerson(PersonID("eva"), night), CoreFixture.anna))
    for name in ["Bell", "gong"] {
      let tone = Tone(name: name, sha256: name, durationMilliseconds: 900, loudnessLUFS: -20)
      try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
    }
    let picture = Picture(sha256: "aa", mediaType: "image/png", width: 4, height: 3, bytes: 9)
    try fixture.handle(.command(.addPicture(picture), CoreFixture.anna))
    try fixture.importHolidays("DE-BE", "2027-02-01", "2027-12-25", replacing: false)
    try fixture.add("Breakfast") { ($0.schedule, $0.person) = ("every day 07:30", "patient") }
    try fixture.add("Walk") { ($0.schedule, $0.person) = ("mondays 15:00", "eva") }
    try fixture.add("Walk") { ($0.schedule, $0.person) = ("tuesdays 15:00", "eva") }
    return fixture
  }

  /// Returns the fields of the alarm and the warnings, or the refusal.
  static func facts(
    _ home: CoreFixture, _ name: String, _ edit: (inout AlarmForm) -> Void
  ) throws -> [String] {
    var fixture = home
    var form = AlarmForm()
    (form.label, form.schedule, form.person) = ("Pills", "every day 08:00", "patient")
    form.allowsDuplicate = true
    edit(&form)
    do throws(Refusal) {
      let reply = try fixture.handle(.command(.add(AlarmID("new"), form), CoreFixture.anna))
      guard case .alarm(let alarm, _, let report)? = reply else { return ["no alarm came back"] }
      return facts(alarm) + ["explanation: \(report.explanation)"]
        + report.warnings.map { "warning \($0.kind.rawValue): \($0.text)" }
    } catch {
      return ["refused: \(error.kind.rawValue) \(error)"]
    }
  }

  private static func facts(_ alarm: Alarm) -> [String] {
    let escalation = alarm.escalation
    func step(_ step: EscalationStep) -> String {
      "\(step.burst.rings) rings, \(step.burst.spacingSeconds) s apart, \(step.burst.gainsDecibels)"
        + ", tone \(step.tone ?? "-"), urgent \(step.isUrgent), after \(step.pauseSeconds) s"
    }
    return [
      "id \(alarm.id), version \(alarm.version), person \(alarm.person)", "label: \(alarm.label)",
      "instructions: \(alarm.instructions)", "phrase: \(alarm.phrase)", "zone: \(alarm.zoneName)",
      "tone: \(alarm.tone ?? "-")", "late window: \(alarm.lateWindowSeconds)",
      "delay: \(alarm.delaySeconds) up to \(alarm.delayLimit) times",
      "early reminders: \(alarm.earlyReminders.map(\.words))",
      "quiet hours: \(alarm.quiet?.rawValue ?? "-")", "image: \(alarm.image ?? "-")",
      "calendar: \(alarm.calendarUID ?? "-") \(alarm.calendarRevision ?? "-")",
      "message: \(alarm.message?.rawValue ?? "-"), announcement \(alarm.isAnnouncement)",
      "pauses: until \(alarm.pauses.until.map { "\($0)" } ?? "-"), days "
        + alarm.pauses.days.prefix(3).map { "\($0.lowerBound) to \($0.upperBound)" }.joined(
          separator: ", ") + " (\(alarm.pauses.days.count))",
      "skipped \(alarm.pauses.occurrences.count): "
        + "\(alarm.pauses.occurrences.suffix(3).map { PromptID(alarm: alarm.id, nominalKey: $0) })",
      "complete by \(escalation.completeBySeconds), on the way \(alarm.onTheWaySeconds)",
      "completion: \(escalation.completion.map(step) ?? "-")",
      "contacts: "
        + escalation.notifySteps.map { "\($0.contact) \($0.afterSeconds)" }.joined(separator: ", "),
    ] + escalation.steps.enumerated().map { "step \($0.offset + 1): \(step($0.element))" }
      + (alarm.checkIn.map { ["holds completion \($0.holdsCompletion)"] + $0.questions.map(text) }
        ?? [])
  }

  private static func text(_ question: Question) -> String {
    let kind = "\(question.kind)".replacing("Alarms.", with: "")
    return "question \(question.name): \(question.text), \(kind), required \(question.isRequired)"
  }

  static func person(_ home: CoreFixture, _ edit: (inout PersonForm) -> Void) throws -> String {
    var fixture = home
    var form = PersonForm()
    edit(&form)
    do throws(Refusal) {
      let command = Command.changePerson(.patient, ifVersion: nil, form)
      guard
        case .person(let state, let warnings)? = try fixture.handle(
          .command(command, CoreFixture.anna)), let person = state.person
      else { return "no person came back" }
      let rule = person.inactivity.map { rule in
        "\(rule.hours) " + rule.notifySteps.map { "\($0.contact) \($0.afterSeconds)" }.joined()
      }
      let quiet = person.quiet.map { "\($0.hours.text) \($0.policy.rawValue)" }
      let fields: [String?] = [
        person.name, person.language, person.zoneName, person.tone, quiet,
        person.ringsPerHour.map { "\($0)" }, rule, person.rewardImage,
      ]
      return fields.map { $0 ?? "-" }.joined(separator: " | ")
        + warnings.map { "\n  warning \($0.kind.rawValue): \($0.text)" }.joined()
    } catch {
      return "refused: \(error.kind.rawValue) \(error)"
    }
  }

  static var cases: [Case] {
    texts + numbers + owners + steps + limits + contacts + schedules + pauses + questions + together
  }

  private static var texts: [Case] {
    [
      ("no label", { $0.label = nil }), ("empty label", { $0.label = "" }),
      ("label of 200", { $0.label = String(repeating: "a", count: 200) }),
      ("label of 201", { $0.label = String(repeating: "a", count: 201) }),
      ("label with two lines", { $0.label = "a\nb" }),
      ("instructions", { $0.instructions = "With water\nand food" }),
      ("instructions of 2001", { $0.instructions = String(repeating: "a", count: 2_001) }),
      ("floating", { $0.zone = "floating" }), ("UTC", { $0.zone = "UTC" }),
      ("unknown zone", { $0.zone = "Mars/Base" }),
      ("tone", { $0.tone = "bell" }), ("no tone", { $0.tone = "" }),
      ("unknown tone", { $0.tone = "bel" }), ("another unknown tone", { $0.tone = "trumpet" }),
      ("uid", { ($0.calendarUID, $0.calendarRevision) = ("u1", "r1") }),
      ("empty uid", { ($0.calendarUID, $0.calendarRevision) = ("", "") }),
      ("uid of 501", { $0.calendarUID = String(repeating: "u", count: 501) }),
      ("revision of 2001", { $0.calendarRevision = String(repeating: "u", count: 2_001) }),
      ("image", { $0.image = "aa" }), ("unknown image", { $0.image = "bb" }),
      ("in quiet hours: ring", { $0.quietHours = "ring" }),
      ("in quiet hours: hold", { $0.quietHours = "hold" }),
      ("in quiet hours: suppress", { $0.quietHours = "suppress" }),
      ("in quiet hours: empty", { $0.quietHours = "" }),
      ("in quiet hours: Ring", { $0.quietHours = "Ring" }),
    ]
  }

  private static var numbers: [Case] {
    var cases: [Case] = []
    for value in [0, 1, 2, 4, 5, 6, 11, 12, 13, 20, 21] {
      cases.append(("\(value) rings", { $0.rings = value }))
    }
    for value: Int64 in [0, 1, 3_600, 3_601] {
      cases.append(("spacing \(value)", { ($0.spacingSeconds, $0.rings) = (value, 3) }))
    }
    for value: Int64 in [0, 1, 86_399, 86_400, 86_401] {
      cases.append(("late window \(value)", { $0.lateWindowSeconds = value }))
      cases.append(("delay \(value)", { ($0.delaySeconds, $0.delayLimit) = (value, 1) }))
      cases.append(("complete by \(value)", { $0.completeBySeconds = value }))
    }
    for value in [-1, 0, 1, 20, 21] {
      cases.append(("delay limit \(value)", { $0.delayLimit = value }))
    }
    cases.append(("many delays", { ($0.delaySeconds, $0.delayLimit) = (43_200, 2) }))
    cases.append(("many short delays", { ($0.delaySeconds, $0.delayLimit) = (30_000, 3) }))
    for gains in [[-60.1], [-60], [0], [0.1], [-9, -6], [-9, -6, -3, -2, -1, 0], []] {
      cases.append(("gains \(gains)", { $0.gainsDecibels = gains }))
      cases.append(("2 rings, gains \(gains)", { ($0.gainsDecibels, $0.rings) = (gains, 2) }))
    }
    return cases
  }

  private static var owners: [Case] {
    [
      ("no person", { $0.person = nil }), ("by name", { $0.person = "hilde" }),
      ("eva", { $0.person = "EVA" }), ("unknown person", { $0.person = "Hildw" }),
      ("very unknown person", { $0.person = "Zacharias" }),
      ("eva at night", { ($0.person, $0.schedule) = ("eva", "every day 23:00") }),
      (
        "eva at night, suppressed",
        { ($0.person, $0.schedule, $0.quietHours) = ("eva", "every day 23:00", "suppress") }
      ),
      (
        "eva at night, held, too close",
        { ($0.person, $0.schedule, $0.quietHours) = ("eva", "every 4 hours", "hold") }
      ),
    ]
  }

  private static var schedules: [Case] {
    let phrases = [
      "", "every\tday\r08:00", "every day\u{7}08:00", "30 minutes after Breakfast is completed",
      "30 minutes after Breakfast is completed at the latest 12:00",
      "30 minutes after the last completion", "30 minutes after Walk is completed",
      "30 minutes after Lunch is completed", "1 hour after NEW is completed",
      "every day 02:30", "every day 03:30", "on the 31st of every month 08:00",
      "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "every 24 hours",
      "every 12 hours", "every 36 hours", "every 48 hours", "every 25 hours",
      "FREQ=HOURLY;INTERVAL=24", "FREQ=HOURLY;INTERVAL=24;BYDAY=MO",
      "DTSTART:20270201T080000Z RRULE:FREQ=DAILY", "DTSTART:20270201T080000 RRULE:FREQ=DAILY",
      "DTSTART:20270201T080000Z",
      "DTSTART:20270201T080000 RRULE:FREQ=DAILY;COUNT=3 EXDATE:20270205T080000",
      "DTSTART:20270201T080000 RRULE:FREQ=DAILY;UNTIL=20270301T080000",
      "DTSTART:20270201T080000 RRULE:FREQ=DAILY;UNTIL=20270301T070000Z",
      "DTSTART:20270201T080000 RRULE:FREQ=YEARLY;INTERVAL=2;BYWEEKNO=20",
      "FREQ=YEARLY;BYMONTHDAY=5;BYHOUR=8;BYMINUTE=0;BYSECOND=0",
      "DTSTART:20270201T080000 RRULE:FREQ=MONTHLY;BYMONTHDAY=-1,1;COUNT=9",
      "RDATE:20270201T080000 EXDATE:20270201T080000",
      "last working day of the month 09:00", "last working day of the month 09:00 holidays DE-BE",
      "weekdays 08:00 not on holidays", "weekdays 08:00 not on holidays DE",
      "every 2 hours from 08:00 to 20:00", "3 times a day at random between 09:00 and 17:00",
      "2027-01-15 09:00", "2027-01-15 09:01", "in 1 minute", "every day 07:30", "every day 07:29",
      "every day 07:31", "every day 07:32", "mondays 15:00 and 16:00", "monday 15:00 for 1 day",
    ]
    var cases: [Case] = phrases.map { phrase in
      ("schedule \(phrase.debugDescription)", { $0.schedule = phrase })
    }
    for leads in [
      ["1 hour", "1 hour before"], ["59 seconds"], ["60 seconds"], ["1440 hours"],
      ["1440 hours 1 second"], ["1 day before at 18:00", "the evening before"], ["x"],
      ["1 hour after Breakfast"], ["1 hour before not on holidays"],
      (1...8).map { "\($0) hours" }, (1...9).map { "\($0) hours" },
    ] {
      cases.append(("early reminders \(leads)", { $0.earlyReminders = leads }))
    }
    cases.append(
      (
        "early reminder of a random time",
        {
          $0.schedule = "3 times a day at random between 09:00 and 17:00"
          $0.earlyReminders = ["1 hour"]
        }
      ))
    cases.append(("no schedule", { $0.schedule = nil }))
    return cases
  }

  private static var pauses: [Case] {
    var cases: [Case] = [
      "", "2027-02-01", "2027-01-15", "2027-01-14", "2027-02-01 12:00", "tomorrow", "monday",
      "in 2 days", "2027-01-15 09:00", "every day 08:00", "soon",
    ].map { (text: String) -> Case in ("paused until \(text)", { $0.pausedUntil = text }) }
    for texts in [
      ["2027-01-17"], ["2027-01-17/2027-01-19", "2027-01-18"], ["2027-01-19/2027-01-17"],
      ["2027-01-17/2027-01-18/2027-01-19"], ["x"], ["2027-01-17/x"], [""],
      Array(repeating: "2027-01-17", count: 366), Array(repeating: "2027-01-17", count: 367),
    ] {
      cases.append(("exclude \(texts.count) × \(texts[0])", { $0.exclude = texts }))
    }
    for count in [-1, 0, 1, 2, 100, 101] {
      cases.append(("skip \(count)", { $0.skipNext = count }))
    }
    cases.append(
      ("skip 2, besides a day", { ($0.skipNext, $0.exclude) = (2, ["2027-01-17"]) }))
    cases.append(("skip a single time", { ($0.skipNext, $0.schedule) = (1, "2027-02-01 08:00") }))
    cases.append(
      (
        "skip 1 after an answer",
        { ($0.skipNext, $0.schedule) = (1, "1 hour after Breakfast is completed") }
      ))
    return cases
  }

  static var together: [Case] {
    [
      (
        "everything",
        {
          ($0.instructions, $0.zone, $0.tone, $0.image) = ("x", "floating", "gong", "aa")
          ($0.schedule, $0.earlyReminders) = ("weekdays 08:00", ["1 hour"])
          ($0.notifySteps, $0.completeBySeconds) = (
            [NotifyStep(contact: "bob", afterSeconds: 9)], 60
          )
          ($0.pausedUntil, $0.exclude, $0.skipNext) = ("2027-01-20", ["2027-01-22"], 1)
        }
      )
    ]
  }
}
