import Alarms
import CivilTime

/// Writes alarms as an iCalendar file (RFC 5545). The export also makes notes about the parts of
/// the alarms that other programs do not understand.
///
/// RFC 5545 cannot express some schedules. If an alarm has one of these schedules, the export
/// writes the alarm as a VTODO without a date, and writes the schedule as a phrase into
/// `X-PROMPTER-SCHEDULE`. If Prompter imports such a file, Prompter restores the whole alarm. Other
/// programs show the VTODO as a to-do without an alarm.
public struct ICalendarExport: Sendable {
  public private(set) var text = ""
  /// Notes about the parts of the alarms that other programs will not understand. The line numbers
  /// in the notes are line numbers of `text`.
  public private(set) var notes: [ICalendarNote] = []
  private let now: Instant

  /// Exports alarms.
  ///
  /// - Parameters:
  ///   - now: the present instant, which the export writes as the time stamp of the file (DTSTAMP).
  ///   - homeZone: the home zone. If the zone of an alarm is `floating`, the export writes the
  ///     times of the alarm as times in the home zone.
  public init(
    _ alarms: [Alarm], now: Instant, homeZone: Zone, zone: (String) -> Zone?
  ) {
    self.now = now
    var calendar = ICalendarComponent(
      "VCALENDAR",
      lines: [
        ICalendarLine("VERSION", [], "2.0"),
        ICalendarLine("PRODID", [], "-//Prompter//Prompter//EN"),
      ])
    var zones: [String: (zone: Zone, from: CivilDateTime)] = [:]
    var items: [ICalendarComponent] = []
    var pending: [(item: Int, property: String, reason: String)] = []
    for alarm in alarms.sorted(by: { $0.id < $1.id }) {
      let own = alarm.zoneName == Alarm.floating ? homeZone : zone(alarm.zoneName) ?? homeZone
      let (item, start) = item(alarm, own) { pending.append((items.count, $0, $1)) }
      if let start {
        zones[own.name] = (own, min(start, zones[own.name]?.from ?? start))
      }
      items.append(item)
    }
    calendar.components =
      zones.keys.sorted().compactMap { zones[$0].map { self.definition($0.zone, from: $0.from) } }
      + items
    text = calendar.text
    number(pending, items)
  }

  /// Sets `notes`. The line number of a note is the number of the line in `text` at which the
  /// component of its alarm begins.
  private mutating func number(
    _ pending: [(item: Int, property: String, reason: String)], _ items: [ICalendarComponent]
  ) {
    var firstLines: [Int] = []
    for (index, line) in text.split(separator: "\r\n", omittingEmptySubsequences: false)
      .enumerated()
    where line == "BEGIN:VEVENT" || line == "BEGIN:VTODO" {
      firstLines.append(index + 1)
    }
    notes = pending.map {
      ICalendarNote(line: firstLines[$0.item], property: $0.property, reason: $0.reason)
    }
  }

  private func item(
    _ alarm: Alarm, _ zone: Zone, note: (String, String) -> Void
  ) -> (ICalendarComponent, CivilDateTime?) {
    let schedule = self.schedule(alarm.schedule, zone)
    var item = ICalendarComponent(schedule == nil ? "VTODO" : "VEVENT")
    let stamp = Zone.utc.civil(at: now).dateTime.calendarText + "Z"
    item.lines = [
      ICalendarLine("UID", [], alarm.exportUID), ICalendarLine("DTSTAMP", [], stamp),
      ICalendarLine("SEQUENCE", [], String(alarm.version - 1)), .text("SUMMARY", alarm.label),
    ]
    if !alarm.instructions.isEmpty { item.lines.append(.text("DESCRIPTION", alarm.instructions)) }
    if let schedule {
      item.lines += schedule.lines
    } else {
      item.lines.append(
        .text("X-PROMPTER-SCHEDULE", alarm.schedule.words(in: zone, typedAt: Self.longAgo)))
      item.lines.append(ICalendarLine("X-PROMPTER-ZONE", [], zone.name))
      note("X-PROMPTER-SCHEDULE", "other programs do not support this schedule and will not ring")
    }
    if alarm.zoneName == Alarm.floating {
      note("DTSTART", "the alarm follows the home's zone; in the file its zone is fixed")
    }
    if let holidays = alarm.schedule.holidays, let last = holidays.days.last {
      note(
        "EXDATE",
        "the file leaves out the holidays of \(holidays.list) up to \(last), but not later holidays"
      )
    }
    for part in alarm.missingParts { note("VALARM", "the file does not contain \(part)") }
    item.lines += settings(alarm)
    item.components = [ring(alarm, nil)] + alarm.earlyReminders.map { ring(alarm, $0) }
    for case .days(_, .some) in alarm.earlyReminders where schedule != nil {
      note("VALARM", "other programs ring a fixed time before the start, not at a time of day")
      break
    }
    return (item, schedule?.start)
  }

  /// The export writes each schedule phrase as if a person typed the phrase at this instant:
  /// 1970-01-01, before the creation of every alarm. At this instant, no window of an alarm has
  /// begun. Therefore the phrase of a window contains the first day of the window.
  private static let longAgo = Instant(milliseconds: 0)

  private func settings(_ alarm: Alarm) -> [ICalendarLine] {
    var lines = [
      ICalendarLine.text("X-PROMPTER-PERSON", alarm.person.text),
      ICalendarLine("X-PROMPTER-LATE-WINDOW", [], String(alarm.lateWindowSeconds)),
      ICalendarLine("X-PROMPTER-DELAY", [], String(alarm.delaySeconds)),
      ICalendarLine("X-PROMPTER-DELAY-LIMIT", [], String(alarm.delayLimit)),
      ICalendarLine(
        "X-PROMPTER-GAINS", [], alarm.burst.gainsDecibels.map { "\($0)" }.joined(separator: ",")),
    ]
    if let tone = alarm.tone { lines.append(.text("X-PROMPTER-TONE", tone)) }
    if let uid = alarm.calendarUID { lines.append(.text("X-PROMPTER-EVENT", uid)) }
    if let revision = alarm.calendarRevision {
      lines.append(.text("X-PROMPTER-REVISION", revision))
    }
    if let quiet = alarm.quiet {
      lines.append(ICalendarLine("X-PROMPTER-QUIET-HOURS", [], quiet.rawValue))
    }
    return lines
  }

  /// Returns a VALARM for the due time or for an early reminder.
  ///
  /// REPEAT is the number of rings after the first ring. DURATION is the spacing of the rings.
  private func ring(_ alarm: Alarm, _ earlyReminder: EarlyReminder?) -> ICalendarComponent {
    let trigger: ICalendarDuration
    switch earlyReminder {
    case nil: trigger = ICalendarDuration(days: 0, seconds: 0)
    case .elapsed(let seconds): trigger = ICalendarDuration(days: 0, seconds: -seconds)
    case .days(let days, nil): trigger = ICalendarDuration(days: -days, seconds: 0)
    case .days(let days, let time?):
      let due = alarm.schedule.firstTimeOfDay ?? time
      trigger = ICalendarDuration(
        days: 0, seconds: Int64(time.secondOfDay - due.secondOfDay) - Int64(days) * 86_400)
    }
    var component = ICalendarComponent("VALARM")
    let suffix = earlyReminder.map { "-" + $0.words.filter { $0 != " " && $0 != ":" } } ?? ""
    component.lines = [
      ICalendarLine("UID", [], "\(alarm.id)\(suffix)@prompter"),
      ICalendarLine("ACTION", [], "AUDIO"), ICalendarLine("TRIGGER", [], trigger.text),
    ]
    if let earlyReminder { component.lines.append(.text("X-PROMPTER-LEAD", earlyReminder.words)) }
    component.lines += [
      ICalendarLine("REPEAT", [], String(alarm.burst.rings - 1)),
      ICalendarLine(
        "DURATION", [], ICalendarDuration(days: 0, seconds: alarm.burst.spacingSeconds).text),
    ]
    return component
  }

  /// Returns the iCalendar properties for a schedule; nil if RFC 5545 cannot express the schedule.
  private func schedule(
    _ schedule: Schedule, _ zone: Zone
  ) -> (lines: [ICalendarLine], start: CivilDateTime)? {
    let tzid = [ICalendarLine.Parameter("TZID", zone.name)]
    func start(_ dateTime: CivilDateTime) -> ICalendarLine {
      ICalendarLine("DTSTART", tzid, dateTime.calendarText)
    }
    switch schedule {
    case .at(let instant):
      let utc = Zone.utc.civil(at: instant).dateTime
      let start = ICalendarLine("DTSTART", [], utc.calendarText + "Z")
      return ([start, ICalendarLine("X-PROMPTER-ZONE", [], zone.name)], utc)
    case .once(let dateTime): return ([start(dateTime)], dateTime)
    case .recurring(let rule, let first):
      return ([start(first), ICalendarLine("RRULE", [], rule.description)], first)
    case .every(let seconds, let from):
      let first = zone.civil(at: from.adding(seconds: seconds)).dateTime
      let (unit, length): (String, Int64) =
        seconds % 3_600 == 0
        ? ("HOURLY", 3_600) : seconds % 60 == 0 ? ("MINUTELY", 60) : ("SECONDLY", 1)
      let rule = "FREQ=\(unit);INTERVAL=\(seconds / length)"
      return ([start(first), ICalendarLine("RRULE", [], rule)], first)
    case .several(let parts): return several(parts, zone)
    case .within, .random, .after: return nil
    }
  }

  /// Returns the iCalendar properties for a schedule that consists of rules, single dates and
  /// exclusions.
  private func several(
    _ parts: RecurringDates, _ zone: Zone
  ) -> (lines: [ICalendarLine], start: CivilDateTime)? {
    let tzid = [ICalendarLine.Parameter("TZID", zone.name)]
    // A calendar event has only one start (DTSTART). Use the earliest start of all rules, even if a
    // single date (RDATE) is before this start.
    guard let first = parts.rules.map(\.start).min() ?? parts.dates.min() else { return nil }
    var lines = [ICalendarLine("DTSTART", tzid, first.calendarText)]
    lines += parts.rules.map { ICalendarLine("RRULE", [], $0.rule.description) }
    func add(_ name: String, _ parameters: [ICalendarLine.Parameter], _ values: [String]) {
      if !values.isEmpty {
        lines.append(ICalendarLine(name, parameters, values.joined(separator: ",")))
      }
    }
    let holidays = parts.holidayParts
    let dates = (parts.dates + holidays.dates).filter { $0 != first || !parts.rules.isEmpty }
    add("RDATE", tzid, Set(dates).sorted().map(\.calendarText))
    let excluded = parts.excluded + parts.times(on: holidays.excludedDays, in: zone)
    add("EXDATE", tzid, Set(excluded).sorted().map(\.calendarText))
    add("EXDATE", [.init("VALUE", "DATE")], parts.excludedDays.map(\.calendarText))
    if !parts.hasSameTimes(from: first, in: zone) {
      // The rules have different starts, and a calendar event has only one start. Therefore, the
      // event also contains the whole schedule in a property that only Prompter reads.
      let schedule = Schedule.several(parts)
      lines.append(.text("X-PROMPTER-SCHEDULE", schedule.words(in: zone, typedAt: Self.longAgo)))
      lines.append(ICalendarLine("X-PROMPTER-ZONE", [], zone.name))
    }
    return (lines, first)
  }

  /// Returns a VTIMEZONE with the clock changes of 20 years. The 20 years begin 366 days before
  /// `from`. If the program that reads the file knows a zone with this tzdata name, the program
  /// ignores the VTIMEZONE.
  private func definition(_ zone: Zone, from: CivilDateTime) -> ICalendarComponent {
    var component = ICalendarComponent("VTIMEZONE")
    component.lines = [
      ICalendarLine("TZID", [], zone.name), ICalendarLine("X-LIC-LOCATION", [], zone.name),
    ]
    var at = zone.resolve(from).instant.adding(seconds: -366 * 86_400)
    let end = at.adding(seconds: 20 * 366 * 86_400)
    var offset = zone.offsetSeconds(at: at)
    func add(_ instant: Instant, from: Int, to: Int) {
      // The component contains the local time of the clock change. To compute this local time, use
      // the UTC offset before the clock change (RFC 5545 section 3.6.5).
      let local = CivilDateTime(localSeconds: instant.seconds + Int64(from))
      component.components.append(
        ICalendarComponent(
          to > from ? "DAYLIGHT" : "STANDARD",
          lines: [
            ICalendarLine("DTSTART", [], local.calendarText),
            ICalendarLine("TZOFFSETFROM", [], Self.offset(from)),
            ICalendarLine("TZOFFSETTO", [], Self.offset(to)),
          ]))
    }
    add(at, from: offset, to: offset)
    while let change = zone.nextOffsetChange(after: at), change < end {
      let new = zone.offsetSeconds(at: change)
      add(change, from: offset, to: new)
      (at, offset) = (change, new)
    }
    return component
  }

  /// Returns a UTC offset as text, such as `+0100` or `-023015`.
  private static func offset(_ seconds: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let size = abs(seconds)
    return (seconds < 0 ? "-" : "+") + two(size / 3_600) + two(size / 60 % 60)
      + (size % 60 == 0 ? "" : two(size % 60))
  }
}

extension Alarm {
  /// The parts of the alarm that an exported file does not contain.
  fileprivate var missingParts: [String] {
    let plain = Escalation(burst)
    let parts: [(isMissing: Bool, name: String)] = [
      (pauses != .none, "its pauses"), (escalation.steps.count > 1, "its further bursts"),
      (!escalation.notifySteps.isEmpty, "the contacts to notify"),
      (escalation.completeBySeconds != plain.completeBySeconds, "the time to complete the task"),
      (escalation.completion != nil, "the burst after this time"),
      (image != nil, "its picture"), (checkIn != nil, "its questions"),
      (!uses.isEmpty, "its supplies"),
    ]
    return parts.filter(\.isMissing).map(\.name)
  }

  /// The UID of the alarm in an exported file.
  var exportUID: String { "\(id)@prompter" }
}

extension RecurringDates {
  /// Returns true if the times of the schedule stay the same when every rule starts at `start`. The
  /// function compares all times up to the latest start of a rule, and at least 200 times.
  fileprivate func hasSameTimes(from start: CivilDateTime, in zone: Zone) -> Bool {
    if rules.allSatisfy({ $0.start == start }) { return true }
    var together = self
    for index in together.rules.indices { together.rules[index].start = start }
    let plans = [self, together].compactMap { try? SchedulePlan(.several($0), zone: zone, seed: 0) }
    guard plans.count == 2 else { return false }
    let last = rules.map { zone.resolve($0.start).instant }.max() ?? Instant(seconds: 0)
    var at = Instant(seconds: -62_000_000_000)
    for count in 0..<20_000 where count < 200 || at <= last {
      let next = plans.map { $0.main(after: at) }
      if next[0]?.instant != next[1]?.instant { return false }
      guard let found = next[0] else { return true }
      at = found.instant
    }
    return true
  }

  /// Returns the scheduled times on the excluded days. In RFC 5545, if DTSTART contains a time of
  /// day, EXDATE also contains a time of day.
  fileprivate func times(on days: [CivilDate], in zone: Zone) -> [CivilDateTime] {
    if days.isEmpty { return [] }
    var ordinary = self
    ordinary.holidays = nil
    guard let plan = try? SchedulePlan(.several(ordinary), zone: zone, seed: 0) else { return [] }
    var times: [CivilDateTime] = []
    for day in days {
      let midnight = zone.resolve(CivilDateTime(date: day, time: .midnight)).instant
      var from = midnight.adding(milliseconds: -1)
      while let next = plan.main(after: from), next.nominal.date <= day {
        if next.nominal.date == day { times.append(next.nominal) }
        from = next.instant
      }
    }
    return times
  }
}

extension Schedule {
  /// The time of day of the first occurrence; nil if the schedule has no fixed time of day.
  fileprivate var firstTimeOfDay: ClockTime? {
    switch self {
    case .once(let dateTime): dateTime.time
    case .recurring(_, let start): start.time
    case .several(let parts): (parts.rules.map(\.start) + parts.dates).min()?.time
    case .at, .every, .within, .random, .after: nil
    }
  }
}
