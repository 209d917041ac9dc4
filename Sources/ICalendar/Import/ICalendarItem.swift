import Alarms
import CivilTime

/// A VEVENT or VTODO component of a calendar file, with the methods that convert this component to
/// alarms.
struct ICalendarItem {
  let component: ICalendarComponent
  let now: Instant
  let homeZone: Zone
  let allDay: ClockTime
  let zones: ICalendarZones
  /// The UID; empty if the component has no UID.
  let uid: String
  /// The line RECURRENCE-ID; nil if the component does not change one occurrence of a series.
  let occurrence: ICalendarLine?
  /// True if the component is cancelled.
  var isCancelled: Bool
  /// The time from the start of an occurrence to the ring. When `add` appends an alarm to
  /// `entries`, the alarm stores this value.
  var offset: ImportedEvent.Offset?
  var entries: [ICalendarImport.Entry] = []
  var notes: [ICalendarNote] = []
  /// The reason why the component does not ring again. The value is nil if the component rings, or
  /// if Prompter cannot read it.
  var ending: String?

  /// The known properties that have no effect on an alarm.
  private static let bookkeeping: Set<String> = [
    "DTSTAMP", "CREATED", "LAST-MODIFIED", "TRANSP", "CLASS", "PRIORITY",
    "X-MICROSOFT-CDO-BUSYSTATUS", "X-APPLE-TRAVEL-ADVISORY-BEHAVIOR", "X-MOZ-GENERATION",
  ]
  /// The properties that `ICalendarItem` reads.
  private static let known: Set<String> = [
    "UID", "SEQUENCE", "RECURRENCE-ID", "SUMMARY", "DESCRIPTION", "DTSTART", "DUE", "DTEND",
    "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "STATUS", "COMPLETED", "PERCENT-COMPLETE",
    "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY",
    "X-PROMPTER-SCHEDULE",
    "X-PROMPTER-ZONE", "X-PROMPTER-PERSON", "X-PROMPTER-TONE", "X-PROMPTER-LATE-WINDOW",
    "X-PROMPTER-DELAY", "X-PROMPTER-DELAY-LIMIT", "X-PROMPTER-GAINS", "X-PROMPTER-EVENT",
    "X-PROMPTER-REVISION", "X-PROMPTER-QUIET-HOURS",
  ]

  init(
    _ component: ICalendarComponent, now: Instant, homeZone: Zone, allDay: ClockTime,
    zones: ICalendarZones
  ) {
    self.component = component
    self.now = now
    self.homeZone = homeZone
    self.allDay = allDay
    self.zones = zones
    uid = component.line("UID")?.text.trimmed ?? ""
    occurrence = component.line("RECURRENCE-ID")
    isCancelled = component.line("STATUS")?.value.trimmed.uppercased() == "CANCELLED"
  }

  mutating func note(_ line: Int, _ property: String, _ reason: String) {
    notes.append(ICalendarNote(line: line, property: property, reason: reason))
  }

  mutating func refuse(_ line: ICalendarLine?, _ property: String, _ reason: String) {
    note(line?.number ?? component.number, property, "\(reason), so it is not imported")
  }

  /// The reason why the component does not ring again, and the line of the component that states
  /// this reason. The value is nil if the component can ring. `line` is nil if no line states the
  /// reason.
  var end: (line: ICalendarLine?, reason: String)? {
    let status = component.line("STATUS")
    if isCancelled { return (status, "it is cancelled") }
    let done = component.line("PERCENT-COMPLETE").flatMap { Int($0.value.trimmed) } ?? 0
    if status?.value.trimmed.uppercased() == "COMPLETED" { return (status, "it is completed") }
    guard component.name == "VTODO" else { return nil }
    if let line = component.line("COMPLETED") { return (line, "it is completed") }
    return done >= 100 ? (component.line("PERCENT-COMPLETE"), "it is completed") : nil
  }

  /// Reads the calendar component, and adds the alarms of Prompter for this component.
  ///
  /// - Parameter changes: the components that move or cancel single occurrences of this component.
  mutating func read(changes: [ICalendarItem]) {
    noteLeftOut()
    if let end {
      refuse(end.line, end.line?.name ?? "METHOD", end.reason)
      ending = end.reason
      return
    }
    var form = self.form()
    if let own = component.line("X-PROMPTER-SCHEDULE") {
      form.schedule = own.text
      form.zone = component.line("X-PROMPTER-ZONE")?.text
      var triggers = ICalendarTriggers()
      let alarms = component.components.filter { $0.name == "VALARM" }
      for alarm in alarms { readBurst(alarm, into: &triggers) }
      (form.rings, form.spacingSeconds) = (triggers.rings, triggers.spacingSeconds)
      let reminders = alarms.compactMap { $0.line("X-PROMPTER-LEAD")?.text }
      form.earlyReminders = reminders.isEmpty ? nil : reminders
      add(form, in: form.zone.flatMap { zones.known($0) } ?? homeZone, own)
      return
    }
    guard let start = component.line("DTSTART") ?? component.line("DUE") else {
      if !addFixedTimes(form) {
        refuse(nil, component.name, "it has neither DTSTART nor DUE")
      }
      return
    }
    if start.name == "DTSTART", let due = component.line("DUE") {
      note(due.number, "DUE", "it rings at DTSTART")
    }
    for name in ["DTEND", "DURATION"] {
      if let line = component.line(name) { note(line.number, name, "an alarm has no end") }
    }
    guard let time = ICalendarTime(start) else {
      refuse(start, start.name, "\"\(start.value)\" is not a date and time")
      return
    }
    schedule(form, start, time, changes)
  }

  /// Adds a note for each part of the component that an alarm cannot contain.
  mutating func noteLeftOut() {
    for line in component.lines
    where !Self.known.contains(line.name) && !Self.bookkeeping.contains(line.name) {
      note(line.number, line.name, line.leftOut)
    }
    for other in component.components where other.name != "VALARM" {
      note(other.number, other.name, "left out: an alarm cannot contain it")
    }
  }

  var isRecurring: Bool {
    component.lines.contains { $0.name == "RRULE" || $0.name == "RDATE" }
  }

  private static let allDayMarks = [
    "X-MICROSOFT-CDO-ALLDAYEVENT", "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT", "X-FUNAMBOL-ALLDAY",
  ]

  /// Returns true if the event lasts whole days. Outlook and some telephones write such an event
  /// with times, and mark it with their own property.
  func isAllDay(_ time: ICalendarTime) -> Bool {
    if case .date = time { return true }
    return Self.allDayMarks.contains { name in
      component.line(name).map { ["TRUE", "1"].contains($0.value.trimmed.uppercased()) } ?? false
    }
  }

  /// Converts the value of a line to a text that an alarm accepts. If the function removes
  /// characters or shortens the text, the function adds a note.
  private mutating func text(_ line: ICalendarLine, _ rule: TextRule) -> String {
    let text = rule.hasLines ? line.text : line.text.trimmed
    let cleaned = rule.cleaned(text)
    if cleaned.unicodeScalars.elementsEqual(text.unicodeScalars) { return text }
    let isCut = text.unicodeScalars.count > rule.length.upperBound
    note(
      line.number, line.name,
      (isCut ? "the text is cut: " : "")
        + "an alarm keeps at most \(rule.length.upperBound) characters"
        + "\(rule.hasLines ? "" : ", on one line"), without invisible and control characters"
    )
    return cleaned
  }

  mutating func form() -> AlarmForm {
    var form = AlarmForm()
    let summary = component.line("SUMMARY").map { text($0, AlarmRules.label) } ?? ""
    let isBlank = AlarmRules.label.fault(in: summary) != nil
    form.label = isBlank ? "Reminder" : summary
    form.instructions = component.line("DESCRIPTION").map { text($0, AlarmRules.instructions) }
    form.person = component.line("X-PROMPTER-PERSON")?.text
    form.tone = component.line("X-PROMPTER-TONE")?.text
    form.lateWindowSeconds = component.line("X-PROMPTER-LATE-WINDOW").flatMap { Int64($0.value) }
    form.delaySeconds = component.line("X-PROMPTER-DELAY").flatMap { Int64($0.value) }
    form.delayLimit = component.line("X-PROMPTER-DELAY-LIMIT").flatMap { Int($0.value) }
    form.quietHours = component.line("X-PROMPTER-QUIET-HOURS")?.text
    form.gainsDecibels = component.line("X-PROMPTER-GAINS").map { line in
      line.value.split(separator: ",").compactMap { Double($0) }
    }
    return form
  }

  /// Returns the zone of a property.
  ///
  /// If a local time has no zone, the result is the zone of the calendar or the home zone, and the
  /// function adds a note.
  mutating func zone(of line: ICalendarLine, _ time: ICalendarTime) -> Zone {
    if case .utc = time { return zones.known("UTC") ?? .utc }
    if let id = line.timeZoneID { return zones.zone(id) }
    note(line.number, line.name, "it has no zone; it is read in \(zones.floating.name)")
    return zones.floating
  }

  /// Adds an alarm if its schedule can be parsed and has a future occurrence. If the due times
  /// depend on answers, the function does not check for a future occurrence, because the due times
  /// are not known yet.
  ///
  /// - Returns: true if the function added the alarm.
  @discardableResult
  mutating func add(_ form: AlarmForm, in zone: Zone, _ line: ICalendarLine?) -> Bool {
    do {
      let now = now
      let parsed = try SchedulePhrase(
        form.schedule ?? "", now: now, zone: zone, findAlarm: { (name) in AlarmID(name) }
      ).parsed()
      let plan = try SchedulePlan(parsed.schedule, zone: zone, seed: 0)
      if case .after = parsed.schedule {
        note(
          line?.number ?? component.number, "X-PROMPTER-SCHEDULE",
          "it follows another alarm, which must exist first")
      } else if plan.next(after: now) == nil {
        refuse(line, line?.name ?? component.name, "it is in the past")
        ending = ending ?? "it is in the past"
        return false
      }
      if let warning = ScheduleWarning.disputed(parsed.schedule, plan, zone: zone, from: now) {
        note(component.line("RRULE")?.number ?? component.number, "RRULE", warning.text)
      }
    } catch let refusal as Refusal {
      refuse(line, line?.name ?? component.name, refusal.detail)
      return false
    } catch {
      if case .neverOccurs = error as? CivilTimeError { ending = ending ?? "it has no time left" }
      refuse(line, line?.name ?? component.name, "\(error)")
      return false
    }
    entries.append(.init(form: form, line: component.number, uid: eventUID, event: event))
    return true
  }
}

extension ICalendarLine {
  /// The text of a note about this property. The import left out the property, because an alarm has
  /// no field for the property.
  ///
  /// The text contains at most 60 characters of the value of the property.
  var leftOut: String {
    let value = Self.shownValue.cleaned(text)
    return "left out: " + (Self.words[name] ?? "the property")
      + (value.isEmpty ? "" : " (\(value))")
  }

  private static let shownValue = TextRule(0...60, bytes: 240)

  private static let words = [
    "ATTACH": "the attachment", "ATTENDEE": "the participant", "CATEGORIES": "the categories",
    "COMMENT": "the comment", "CONTACT": "the contact", "GEO": "the position",
    "LOCATION": "the place",
    "ORGANIZER": "the organiser", "RESOURCES": "the resources", "URL": "the link",
  ]
}
