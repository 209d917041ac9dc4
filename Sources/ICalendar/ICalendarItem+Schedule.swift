import Alarms
import CivilTime

extension ICalendarItem {
  /// The parsed properties of a schedule.
  private struct Parts {
    var start: CivilDateTime
    var rules: [RecurrenceRule] = []
    var dates: [CivilDateTime] = []
    var excluded: [CivilDateTime] = []
    var excludedDays: [CivilDate] = []
  }

  /// Reads the schedule of the calendar component and its VALARM components, and adds the alarms of
  /// Prompter. The caller has already found the start and the zone of the calendar component.
  mutating func schedule(
    _ form: inout AlarmForm, _ start: ICalendarLine, _ time: ICalendarTime, _ zone: Zone,
    _ changes: [ICalendarComponent]
  ) {
    var isAllDay = false
    if case .date = time { isAllDay = true }
    var triggers = readAlarms(
      isAllDay: isAllDay, start: time.local(in: zone, allDay: .midnight), zone)
    let timeOfDay = isAllDay ? triggers.takeTimeOfDay() ?? allDay : allDay
    if isAllDay {
      note(start.number, start.name, "it has no time of day; it rings at \(timeOfDay)")
    }
    var parts = Parts(start: time.local(in: zone, allDay: timeOfDay))
    for line in component.lines {
      switch line.name {
      case "RRULE":
        do {
          parts.rules.append(try RecurrenceRule(parsing: line.value.trimmed))
        } catch {
          refuse(line, "RRULE", "\(error)")
          return
        }
      case "RDATE": parts.dates += times(line, zone, timeOfDay).map(\.0)
      case "EXDATE":
        for (dateTime, isDay) in times(line, zone, timeOfDay) {
          if isDay {
            parts.excludedDays.append(dateTime.date)
          } else {
            parts.excluded.append(dateTime)
          }
        }
      default: break
      }
    }
    for change in changes { apply(change, to: &parts, zone, timeOfDay) }
    form.schedule = text(&parts, start, zone)
    guard form.schedule != nil else { return }
    set(triggers, on: &form, parts.start, isRecurring: !parts.rules.isEmpty || !parts.dates.isEmpty)
    let isAdded = add(form, in: zone, start)
    if parts.rules.isEmpty, parts.dates.isEmpty || !isAdded {
      addLate(triggers, form, parts.start, zone)
    }
    for snooze in triggers.absolute { addAbsolute(snooze, form, zone) }
  }

  /// The entries of a line RDATE or EXDATE as local times. The Boolean is true if the entry is a
  /// date without a time of day.
  private mutating func times(
    _ line: ICalendarLine, _ zone: Zone, _ timeOfDay: ClockTime
  ) -> [(CivilDateTime, Bool)] {
    var found: [(CivilDateTime, Bool)] = []
    let own = line.timeZoneID.map { zones.zone($0) } ?? zone
    for part in line.value.split(separator: ",") {
      let text = part.split(separator: "/").first.map(String.init) ?? ""
      if part.contains("/") {
        note(line.number, line.name, "an alarm has no end; it rings at the start of the period")
      }
      guard let time = ICalendarTime(text, isDate: line.isDate) else {
        note(line.number, line.name, "\"\(part)\" is not a date and time; it is left out")
        continue
      }
      var isDay = false
      if case .date = time { isDay = true }
      var local = time.local(in: own, allDay: timeOfDay)
      if own.name != zone.name, !isDay {
        if case .local = time { local = zone.civil(at: own.resolve(local).instant).dateTime }
      }
      found.append((local, isDay))
    }
    return found
  }

  /// Applies a component with a RECURRENCE-ID. This component moves or cancels one occurrence. The
  /// function removes the old time of the occurrence. If the component moves the occurrence, the
  /// function adds the new time.
  private mutating func apply(
    _ change: ICalendarComponent, to parts: inout Parts, _ zone: Zone, _ timeOfDay: ClockTime
  ) {
    guard let id = change.line("RECURRENCE-ID"), id.parameter("RANGE") == nil else {
      note(
        change.number, "RECURRENCE-ID", "RANGE=THISANDFUTURE cannot be imported; set a new alarm")
      return
    }
    guard let (old, isDay) = times(id, zone, timeOfDay).first else { return }
    if isDay { parts.excludedDays.append(old.date) } else { parts.excluded.append(old) }
    if change.line("STATUS")?.value.uppercased() == "CANCELLED" { return }
    guard let start = change.line("DTSTART"), let (new, _) = times(start, zone, timeOfDay).first
    else {
      note(change.number, "RECURRENCE-ID", "its new time cannot be read; the old time is excluded")
      return
    }
    if new == old {
      parts.excluded.removeAll { $0 == old }
      parts.excludedDays.removeAll { $0 == old.date }
    } else {
      parts.dates.append(new)
    }
    let differs = ["SUMMARY", "DESCRIPTION"].contains {
      change.line($0)?.value != component.line($0)?.value
    }
    let alarms = { (part: ICalendarComponent) in
      part.components.map { $0.lines.map { "\($0.name):\($0.value)" } }
    }
    if differs || alarms(change) != alarms(component) {
      note(
        change.number, "RECURRENCE-ID",
        "only its new time is used; its texts and alarms are those of the series")
    }
  }

  /// The schedule as text; nil if Prompter does not support a rule of the schedule. If the result
  /// is nil, a note contains the reason.
  private mutating func text(
    _ parts: inout Parts, _ start: ICalendarLine, _ zone: Zone
  ) -> String? {
    if parts.rules.isEmpty, parts.dates.isEmpty {
      if case .utc(let utc) = ICalendarTime(start) {
        return "at \(Zone.utc.resolve(utc).instant)"
      }
      return "\(parts.start.date) \(parts.start.time)"
    }
    var words: [String] = []
    for rule in parts.rules {
      do {
        let recurrence = try Recurrence(rule: rule, start: parts.start, zone: zone)
        var first = parts.start
        for warning in recurrence.warnings {
          if case .startNotInRule(_, let found) = warning { first = found }
          if case .untilNotUTC = warning, case .untilDate = rule.end { continue }
          note(start.number, "RRULE", warning.description)
        }
        words += ["DTSTART:\(first.calendarText)", "RRULE:\(rule)"]
      } catch {
        refuse(start, "RRULE", "\(error)")
        return nil
      }
    }
    if parts.rules.isEmpty { parts.dates.append(parts.start) }
    func add(_ name: String, _ values: [String]) {
      if !values.isEmpty { words.append("\(name):\(Set(values).sorted().joined(separator: ","))") }
    }
    add("RDATE", parts.dates.map(\.calendarText))
    add("EXDATE", parts.excluded.map(\.calendarText))
    add("EXDATE;VALUE=DATE", parts.excludedDays.map(\.calendarText))
    return words.joined(separator: " ")
  }
}
