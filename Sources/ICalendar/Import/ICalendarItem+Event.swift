import CivilTime

// The data that an alarm stores about its event, for later imports.
extension ICalendarItem {
  /// The UID that the import stores in the alarms of this component.
  ///
  /// In a calendar file, a changed occurrence has the same UID as its series. Therefore, the alarm
  /// of a changed occurrence stores a UID that also contains the RECURRENCE-ID.
  var eventUID: String {
    if let own = component.line("X-PROMPTER-EVENT")?.text { return own }
    guard let occurrence, !uid.isEmpty else { return uid }
    return uid + ICalendarUID.mark + occurrence.value.trimmed
  }

  /// The UID of the event. If the component changes or adds an occurrence, the value also contains
  /// the key of this occurrence.
  var importUID: ICalendarUID {
    var found = ICalendarUID(eventUID)
    if found.occurrence != nil, let key { found.occurrence = key }
    return found
  }

  /// The data that an export of Prompter wrote; nil if the component contains no such data.
  private var exported: ImportedEvent? {
    component.line("X-PROMPTER-REVISION").flatMap { ImportedEvent($0.text) }
  }

  /// The revision of this component. In an export of Prompter, SEQUENCE and DTSTAMP contain the
  /// revision of the alarm, and not the revision of the event.
  var revision: ICalendarRevision {
    if component.line("X-PROMPTER-EVENT") == nil {
      return ICalendarRevision(component, now: now)
    }
    return exported?.revision ?? ICalendarRevision(sequence: nil, stamp: nil)
  }

  /// The key of the occurrence that this component changes or adds. The key is the old time in UTC,
  /// or the day. The value is nil if the component changes and adds no occurrence.
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

  /// The data that an alarm of this component stores; nil if these data are not known.
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

  /// True if the component changes one occurrence and all later occurrences.
  private var isLater: Bool {
    occurrence?.parameter("RANGE")?.trimmed.uppercased() == "THISANDFUTURE"
  }

  /// Returns the change that this component makes to its series. The import does not read the
  /// series from this file. The result is nil if the component does not change an occurrence.
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

  /// Makes a component that ends one occurrence of this series.
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
