import Alarms
import CivilTime

extension ICalendarItem {
  /// The start of an event: its local time and its zone. The time of an all-day event is midnight.
  struct Start {
    var line: ICalendarLine
    var time: CivilDateTime
    var zone: Zone
    var isAllDay: Bool
    /// The instant of the start, if the event has only one occurrence and its start is in UTC or in
    /// a zone that only the file defines.
    var instant: Instant?
    /// The offsets that the file defines, if no tzdata zone has these offsets; otherwise nil.
    var offsets: ICalendarOffsets?

    /// The instant at which the event begins.
    var begin: Instant {
      instant ?? offsets?.instant(of: time) ?? zone.resolve(time).instant
    }
  }

  /// Reads the schedule of the calendar component and its VALARM components, and adds the alarms of
  /// Prompter.
  mutating func schedule(
    _ form: AlarmForm, _ line: ICalendarLine, _ time: ICalendarTime, _ changes: [ICalendarItem]
  ) {
    let start = start(line, time)
    var form = form
    form.zone = start.zone.name
    var series = series(start)
    var parts: [Part] = []
    var instants: [Instant] = []
    apply(changes, to: &series, start, &parts, &instants)
    let triggers = readAlarms(start, series)
    addRings(form, series, triggers, start)
    offset = nil
    for instant in instants { addOnce(form, at: instant, start.zone, start.line) }
    for trigger in triggers.absolute { addAbsolute(trigger, form, start.zone) }
    for var part in parts {
      if let series = part.series, let start = part.start {
        part.item.read(series, from: start)
      } else {
        part.item.read(changes: [])
      }
      entries += part.item.entries
      notes += part.item.notes
    }
  }

  /// A changed part of a series. The part becomes a separate alarm.
  struct Part {
    var item: ICalendarItem
    /// The times of the part, if the part changes all later occurrences; nil if the part changes a
    /// single occurrence.
    var series: ICalendarSeries?
    /// The first occurrence of `series`.
    var start: Start?
  }

  /// Adds the alarms for a change that applies to all later occurrences. The alarms have the texts
  /// and the triggers of the change.
  private mutating func read(_ series: ICalendarSeries, from start: Start) {
    noteLeftOut()
    var form = self.form()
    form.zone = start.zone.name
    let triggers = readAlarms(start, series)
    addRings(form, series, triggers, start)
    for trigger in triggers.absolute { addAbsolute(trigger, form, start.zone) }
  }

  private mutating func addRings(
    _ form: AlarmForm, _ series: ICalendarSeries, _ triggers: ICalendarTriggers, _ start: Start
  ) {
    if start.isAllDay {
      addAllDay(form, series, triggers, start)
    } else if let moved = series.inUTC, let offsets = start.offsets {
      var (form, start) = (form, start)
      start.time = CivilDateTime(
        localSeconds: start.time.localSeconds - Int64(offsets.firstOffset))
      (start.zone, start.offsets, form.zone) = (moved.zone, nil, moved.zone.name)
      addTimed(form, moved, triggers, start)
    } else {
      addTimed(form, series, triggers, start)
    }
  }

  /// Returns the start of this component.
  mutating func start(_ line: ICalendarLine, _ time: ICalendarTime) -> Start {
    if isAllDay(time) {
      let own = line.timeZoneID.map { zones.zone($0) } ?? zones.floating
      let days = ICalendarSeries.days(time, in: own, at: homeZone)
      let midnight = CivilDateTime(date: days[0], time: .midnight)
      return Start(line: line, time: midnight, zone: homeZone, isAllDay: true)
    }
    let zone = zone(of: line, time)
    if case .utc(let utc) = time, !isRecurring {
      // An event that does not recur can have a UTC time and no zone. For such an event, the import
      // computes the early reminders in the home zone.
      let instant = Zone.utc.resolve(utc).instant
      let own = component.line("X-PROMPTER-ZONE").flatMap { zones.known($0.text) } ?? homeZone
      return Start(
        line: line, time: own.civil(at: instant).dateTime, zone: own, isAllDay: false,
        instant: instant)
    }
    let local = time.local(in: zone, allDay: allDay)
    var start = Start(line: line, time: local, zone: zone, isAllDay: false)
    if case .local = time, let offsets = zones.offsets(of: line) {
      start.offsets = offsets
      if !isRecurring { start.instant = offsets.instant(of: local) }
    }
    return start
  }

  /// Reads the rules and dates of this component.
  private mutating func series(_ start: Start) -> ICalendarSeries {
    var series = ICalendarSeries(zone: start.zone, offsets: start.offsets)
    // A component with a RECURRENCE-ID is one occurrence, even if the component contains a rule. If
    // the file does not contain the series, a change of all later occurrences is a separate series.
    let isSeries = occurrence?.parameter("RANGE") != nil || occurrence == nil
    let lines = isSeries ? component.lines : []
    let rules = lines.filter { $0.name == "RRULE" }
    if let first = rules.first {
      do throws(CivilTimeError) {
        try series.add(rules.compactMap { rule($0, start) }, from: start.time)
      } catch {
        note(first.number, "RRULE", "\(error); it rings only at its start")
      }
    }
    warn(about: series, rules.first)
    if series.pieces.isEmpty { series.dates.insert(start.time) }
    for line in lines where line.name == "RDATE" {
      for (time, own) in times(line, start) {
        if start.isAllDay, case .date(let date) = time {
          series.dates.insert(CivilDateTime(date: date, time: .midnight))
        } else if start.isAllDay {
          let day = ICalendarSeries.days(time, in: own, at: start.zone)[0]
          series.dates.insert(CivilDateTime(date: day, time: .midnight))
        } else {
          series.dates.insert(local(time, in: own, start))
        }
      }
    }
    for line in lines where line.name == "EXDATE" {
      for (time, own) in times(line, start) {
        series.excluded.formUnion(occurrences(named: time, in: own, of: series, start))
      }
    }
    for line in lines where line.name == "EXRULE" { exclude(line, from: &series, start) }
    return series
  }

  /// Excludes the times of a rule (EXRULE of RFC 2445). A schedule of Prompter cannot contain such
  /// a rule, so the function excludes the single times of the next years.
  private mutating func exclude(
    _ line: ICalendarLine, from series: inout ICalendarSeries, _ start: Start
  ) {
    guard let rule = rule(line, start),
      let recurrence = try? Recurrence(rule: rule, start: start.time, zone: start.zone)
    else {
      note(line.number, "EXRULE", "it cannot be read; it excludes no times")
      return
    }
    let (times, end) = series.times(of: recurrence, now: now)
    series.excluded.formUnion(times)
    if let end {
      note(
        line.number, "EXRULE",
        "its times are excluded until \(end.date); import the file again before this day")
    }
  }

  private mutating func rule(_ line: ICalendarLine, _ start: Start) -> RecurrenceRule? {
    let found = ICalendarRule(line.value, isAllDay: start.isAllDay) { until in
      let own = line.timeZoneID.map { zones.zone($0) } ?? start.zone
      return ICalendarSeries.days(until, in: own, at: start.zone)[0]
    }
    for fault in found.faults { note(line.number, line.name, fault) }
    return found.rule
  }

  private mutating func warn(about series: ICalendarSeries, _ line: ICalendarLine?) {
    guard let line else { return }
    for piece in series.pieces {
      for warning in piece.recurrence.warnings {
        if case .untilNotUTC = warning, case .untilDate = piece.rule.end { continue }
        note(line.number, "RRULE", warning.description)
      }
    }
    if let single = series.dates.min() {
      note(
        line.number, "RRULE",
        "the start \(single) is not a time of the rule; it rings at the start and at the times of "
          + "the rule")
    }
  }

  /// Reads the entries of a line RDATE, EXDATE or RECURRENCE-ID. Each entry of the result has the
  /// zone of its local time.
  mutating func times(
    _ line: ICalendarLine, _ start: Start
  ) -> [(time: ICalendarTime, zone: Zone)] {
    var found: [(ICalendarTime, Zone)] = []
    let own = line.timeZoneID.map { zones.zone($0) } ?? start.zone
    for part in line.value.split(separator: ",") {
      let text = part.split(separator: "/").first.map(String.init) ?? ""
      if part.contains("/") {
        note(line.number, line.name, "an alarm has no end; it rings at the start of the period")
      }
      guard let time = ICalendarTime(text, isDate: line.isDate) else {
        note(line.number, line.name, "\"\(part)\" is not a date and time; it is left out")
        continue
      }
      found.append((time, own))
    }
    return found
  }

  /// Converts the time of a property such as EXDATE to a local time in the zone of the start. If
  /// the property contains only a date, the result has the time of day of the start.
  func local(_ time: ICalendarTime, in own: Zone, _ start: Start) -> CivilDateTime {
    if let offsets = start.offsets {
      switch time {
      case .local(let local) where own.name == start.zone.name: return local
      case .local(let local):
        let instant = own.resolve(local).instant
        if let local = offsets.local(at: instant) { return local }
      case .utc(let utc):
        if let local = offsets.local(at: Zone.utc.resolve(utc).instant) { return local }
      case .date: break
      }
    }
    if case .local(let local) = time, own.name != start.zone.name {
      return start.zone.civil(at: own.resolve(local).instant).dateTime
    }
    return time.local(in: start.zone, allDay: start.time.time)
  }

  /// Returns the occurrences to which a value of EXDATE or RECURRENCE-ID refers.
  ///
  /// If the event is an all-day event and the value is a time, the value means the day of this
  /// time. If the event has a time of day and the value is a date, the value means all occurrences
  /// on this date.
  func occurrences(
    named time: ICalendarTime, in own: Zone, of series: ICalendarSeries, _ start: Start
  ) -> [CivilDateTime] {
    if start.isAllDay {
      return [CivilDateTime(date: series.day(time, in: own), time: .midnight)]
    }
    if case .date(let date) = time { return series.times(on: date) }
    return [local(time, in: own, start)]
  }

  /// Returns true if this series has an occurrence at the RECURRENCE-ID of the component `change`.
  func hasOccurrence(of change: ICalendarItem) -> Bool {
    var copy = self
    guard let line = copy.component.line("DTSTART") ?? copy.component.line("DUE"),
      let time = ICalendarTime(line), let id = change.occurrence
    else { return false }
    let start = copy.start(line, time)
    let series = copy.series(start)
    return copy.times(id, start).contains { time, own in
      copy.occurrences(named: time, in: own, of: series, start).contains { series.contains($0) }
    }
  }
}
