import Alarms
import CivilTime
import ICalendar
import TestRandom
import Testing

/// Exports random alarms, and imports the files again. The imported alarms must be equal to the
/// exported alarms.
@Suite struct `Export and import` {
  private static let zones = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "UTC"]

  /// Returns a random schedule as a person types it.
  private static func phrase(_ random: inout SeededGenerator) -> String {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    func time() -> String { "\(two(number(0...23))):\(["00", "15", "30"][number(0...2)])" }
    func day() -> String { "2027-\(two(number(1...12)))-\(two(number(1...28)))" }
    func stamp() -> String { day().filter { $0 != "-" } + "T\(time().filter { $0 != ":" })00" }
    let rule = [
      "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TH", "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=-1FR",
      "FREQ=YEARLY", "FREQ=WEEKLY;INTERVAL=2", "FREQ=DAILY;COUNT=9", "FREQ=WEEKLY;BYDAY=SA;COUNT=5",
      "FREQ=DAILY;UNTIL=20280301", "FREQ=HOURLY;INTERVAL=7;COUNT=40",
    ][number(0...9)]
    switch number(0...9) {
    case 0: return "every day \(time()) and \(time())"
    case 1: return "mon,wed \(time())"
    case 2: return "every \(number(2...30)) hours"
    case 3: return "\(day()) \(time())"
    case 4: return "at \(day())T\(time()):00Z"
    case 5: return "every \(number(15...90)) minutes from 08:00 to 20:00 on weekdays"
    case 6: return "random between 09:00 and 12:00"
    case 7: return "DTSTART:\(stamp()) RRULE:\(rule)"
    case 8: return "DTSTART:\(stamp()) RRULE:\(rule) RDATE:\(stamp()),\(stamp())"
    default: return "DTSTART:\(stamp()) RRULE:\(rule) DTSTART:\(stamp()) RRULE:FREQ=WEEKLY;COUNT=4"
    }
  }

  private static func alarm(_ number: Int, _ random: inout SeededGenerator) throws -> Alarm {
    let zoneName = zones.randomElement(using: &random) ?? "UTC"
    let zone = try #require(systemZone(zoneName))
    let parsed = try SchedulePhrase(phrase(&random), now: now, zone: zone).parsed()
    let reminders = [
      "1 hour before", "2 days before", "the evening before at 19:00", "90 seconds before",
    ].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
    var takesReminders = true
    if case .random = parsed.schedule { takesReminders = false }
    var alarm = Alarm(
      id: AlarmID("a\(number)"), version: 1, person: .patient, label: "Pills, \(number); \"a\"",
      instructions: Bool.random(using: &random) ? "Line\nline; \\ two" : "",
      schedule: parsed.schedule, phrase: parsed.phrase, zoneName: zoneName,
      tone: Bool.random(using: &random) ? "dad" : nil, burst: .standard,
      lateWindowSeconds: .random(in: 60...7_200, using: &random), delaySeconds: 420,
      delayLimit: .random(in: 0...5, using: &random),
      earlyReminders: takesReminders ? try reminders.map { try EarlyReminder(words: $0) } : [],
      quiet: Bool.random(using: &random) ? .ring : nil)
    alarm.burst = Burst(
      rings: .random(in: 1...8, using: &random),
      spacingSeconds: .random(in: 20...300, using: &random),
      gainsDecibels: [-6, 0])
    alarm.calendarUID = Bool.random(using: &random) ? "event-\(number)@example" : nil
    return alarm
  }

  @Test func `a random alarm is the same after an export and an import`() throws {
    var random = SeededGenerator(seed: 2_446)
    let berlin = try #require(systemZone("Europe/Berlin"))
    for number in 0..<250 {
      let alarm = try Self.alarm(number, &random)
      let file = ICalendarExport([alarm], now: now, homeZone: berlin, zone: systemZone)
      let back = try importing(file.text)
      let what = Comment("\(alarm.phrase) \(alarm.zoneName)\n\(file.text)\n\(back.notes)")
      let zone = try #require(systemZone(alarm.zoneName))
      let plan = try SchedulePlan(
        alarm.schedule, earlyReminders: alarm.earlyReminders, zone: zone, seed: 5)
      guard plan.main(after: now) != nil else { continue }
      #expect(back.entries.count == 1, what)
      guard let form = back.entries.first?.form else { continue }
      #expect(form.label == alarm.label, what)
      #expect(form.instructions ?? "" == alarm.instructions, what)
      #expect(form.tone == alarm.tone, what)
      #expect(form.rings == alarm.burst.rings, what)
      #expect(form.spacingSeconds == alarm.burst.spacingSeconds, what)
      #expect(form.gainsDecibels == alarm.burst.gainsDecibels, what)
      #expect(form.lateWindowSeconds == alarm.lateWindowSeconds, what)
      #expect(form.delayLimit == alarm.delayLimit, what)
      #expect(form.quietHours == alarm.quiet?.rawValue, what)
      #expect(back.entries[0].uid == alarm.calendarUID ?? "a\(number)@prompter", what)
      let reminders = try (form.earlyReminders ?? []).map { try EarlyReminder(words: $0) }
      #expect(Set(reminders) == Set(alarm.earlyReminders), what)
      let own = try #require(systemZone(form.zone ?? "Europe/Berlin"))
      let parsed = try SchedulePhrase(form.schedule ?? "", now: now, zone: own).parsed()
      let again = try SchedulePlan(parsed.schedule, earlyReminders: reminders, zone: own, seed: 5)
      var at = now
      for _ in 0..<60 {
        let (one, two) = (plan.main(after: at), again.main(after: at))
        #expect(one?.instant.seconds == two?.instant.seconds, what)
        guard let next = one?.instant, next == two?.instant else { break }
        at = next
      }
      let update = ICalendarUpdate(
        back, entries: back.entries, alarms: [alarm], now: now,
        zone: systemZone)
      guard case .change(_, _, _, let fields)? = update.actions.first else {
        Issue.record(what)
        continue
      }
      #expect(fields == [], what)
    }
  }
}
