import CivilTime

// The data that an alarm stores about its event, for later imports.
extension ICalendarItem {
  /// The UID that the alarms of this component get.
  ///
  /// A changed occurrence is not the series with the same UID. If the file does not contain the
  /// series, the alarm gets a UID of its own.
  var eventUID: String {
    if let own = component.line("X-PROMPTER-EVENT")?.text { return own }
    guard let occurrence, !uid.isEmpty else { return uid }
    return uid + ICalendarUID.mark + occurrence.value.trimmed
  }

  /// The UID of the event, and the key of the occurrence if the component changes or adds one.
  var importUID: ICalendarUID {
    var found = ICalendarUID(eventUID)
    if found.occurrence != nil, let key { found.occurrence = key }
    return found
  }

  /// The data that an export of Prompter wrote; nil if the component has none.
  private var exported: ImportedEvent? {
    component.line("X-PROMPTER-REVISION").flatMap { ImportedEvent($0.text) }
  }

  /// The revision of this component. An export of Prompter contains the revision of the alarm in
  /// SEQUENCE and DTSTAMP, and not that of the event.
  var revision: ICalendarRevision {
    if component.line("X-PROMPTER-EVENT") == nil {
      return ICalendarRevision(component, now: now)
    }
    return exported?.revision ?? ICalendarRevision(sequence: nil, stamp: nil)
  }

  /// The key of the occurrence that this component changes or adds: its old time in UTC, or its day.
  /// The value is nil if the component does neither.
  var key: String? {
    if let exported { return exported.changes.first?.key }
    let isAdded = ICalendarUID(uid).occurrence != nil
    guard
      let line = occurrence
        ?? (isAdded ? component.line("DTSTART") ?? component.line("DUE") : nil),
      let time = ICalendarTime(line)
    else { return nil }
    switch time {
    case .date(let date): return date.calendarText
    case .utc(let utc): return utc.calendarText + "Z"
    case .local(let local):
      let own = line.timeZoneID.map { zones.zone($0) } ?? zones.floating
      return ICalendarTime.utcText(own.resolve(local).instant)
    }
  }

  /// The data that an alarm of this component keeps; nil if they are not known.
  var event: ImportedEvent? {
    if component.line("X-PROMPTER-EVENT") != nil { return exported }
    if uid.isEmpty { return nil }
    var event = ImportedEvent(revision: revision, offset: offset)
    if let key {
      event.changes[key] = .init(
        revision: revision, isInSeries: isLater, movedTo: isLater ? moved : nil)
    }
    return event
  }

  /// True if the component changes an occurrence and all later ones.
  private var isLater: Bool {
    occurrence?.parameter("RANGE")?.trimmed.uppercased() == "THISANDFUTURE"
  }

  /// The change that this component makes to a series that the file does not contain; nil if the
  /// component does not change an occurrence.
  func change() -> ICalendarImport.Change? {
    let uid = importUID
    guard uid.occurrence != nil, !uid.series.isEmpty, let key, let time = ICalendarTime(key) else {
      return nil
    }
    var change = ICalendarImport.Change(
      uid: uid, line: component.number, revision: revision, time: time,
      isEnd: end != nil,
      isLater: isLater,
      hasLabel: component.line("SUMMARY") != nil,
      hasAlarms: component.components.contains { $0.name == "VALARM" })
    var copy = self
    if let line = component.line("DTSTART") ?? component.line("DUE"), let new = ICalendarTime(line)
    {
      let start = copy.start(line, new)
      change.newStart = .init(time: start.time, zone: start.zone, isAllDay: start.isAllDay)
    }
    return change
  }

  /// A component that ends one occurrence of this series.
  func ending(_ key: String) -> ICalendarItem {
    let parameters = key.contains("T") ? [] : [ICalendarLine.Parameter("VALUE", "DATE")]
    let component = ICalendarComponent(
      component.name,
      lines: [
        ICalendarLine("UID", [], uid), ICalendarLine("RECURRENCE-ID", parameters, key),
        ICalendarLine("STATUS", [], "CANCELLED"),
      ], number: component.number)
    return ICalendarItem(
      component, now: now, homeZone: homeZone, allDay: allDay, zones: zones)
  }
}
