import Alarms
import CivilTime

/// The changes that a file makes to single occurrences of a series for which the home already has
/// alarms.
///
/// An event can need several alarms, for example an alarm at its start and an alarm an hour later.
/// If an occurrence changes, the import changes this occurrence in all these alarms.
struct ICalendarSeriesUpdate {
  /// An alarm of the series, with its changed times.
  struct Edit {
    var alarm: Alarm
    /// The line of the last change; 0 if the file does not change the alarm.
    var line = 0
    /// The revision of the last change.
    var last: ICalendarRevision?
    var times: ICalendarSeries
    /// The data that the alarm stores about its event; nil if an earlier version of Prompter
    /// imported the alarm.
    var event: ImportedEvent?
  }

  private(set) var notes: [ICalendarNote] = []
  /// The alarms that belong to single occurrences and that the changes end.
  private(set) var ended: [(alarm: Alarm, revision: ICalendarRevision)] = []
  private var alarms: [Edit] = []
  /// The alarms that belong to single occurrences, with the keys of these occurrences.
  private var own: [(key: String, alarm: Alarm)] = []
  /// True if the schedule of an alarm is no longer a series, because a person changed the schedule.
  private var hasUnknown = false
  private let now: Instant

  init(_ alarms: [Alarm], now: Instant, zone: (String) -> Zone?) {
    self.now = now
    for alarm in alarms {
      let times = zone(alarm.zoneName).flatMap { ICalendarSeries(alarm.schedule, zone: $0) }
      if let key = ICalendarUID(alarm)?.occurrence, times?.isRecurring != true {
        own.append((key, alarm))
      } else if let times {
        self.alarms.append(Edit(alarm: alarm, times: times, event: ImportedEvent(of: alarm)))
      } else {
        hasUnknown = true
      }
    }
  }

  /// The alarms that the file changes.
  var edits: [Edit] { alarms.filter { $0.line > 0 } }

  /// Applies a change to all alarms of the series.
  ///
  /// - Parameter entries: the alarms that the change would have if its occurrence were a separate
  ///   event.
  /// - Returns: the alarms that the import must set for the change.
  mutating func apply(
    _ change: ICalendarImport.Change, _ entries: [ICalendarImport.Entry]
  ) -> [ICalendarImport.Entry] {
    if hasUnknown {
      note(change, "a person changed the schedule of an alarm of this event; look at this alarm")
    }
    if alarms.isEmpty { return entries }
    if change.isLater { return applyLater(change, entries) }
    let found = alarms.indices.filter { alarms[$0].apply(change) }
    if found.isEmpty, !hasUnknown {
      note(change, "the series that is set has no occurrence at this time")
    }
    return entries
  }

  private mutating func note(_ change: ICalendarImport.Change, _ reason: String) {
    notes.append(ICalendarNote(line: change.line, property: "RECURRENCE-ID", reason: reason))
  }

  // MARK: An occurrence and all later ones

  private mutating func applyLater(
    _ change: ICalendarImport.Change, _ entries: [ICalendarImport.Entry]
  ) -> [ICalendarImport.Entry] {
    for (key, alarm) in own where key == change.key || change.isEnd && key > change.key {
      ended.append((alarm, change.revision))
    }
    var left = entries
    var rest: ICalendarRest?
    for index in alarms.indices {
      guard let part = alarms[index].end(from: change) else { continue }
      if change.isEnd { continue }
      guard let new = change.start(in: part.times.zone, part.offset) else {
        alarms[index].times.join(part.times)
        note(change, "its new time cannot be read; the old times stay")
        continue
      }
      rest = rest ?? part
      let place = left.firstIndex { $0.event?.offset == part.offset }
      // If the change contains no VALARM components, the alarms of the series also apply to the
      // changed occurrences.
      let keeps = !change.hasAlarms && change.newStart?.isAllDay == part.offset.isAllDay
      if place == nil, !keeps { continue }
      let moved = moved(part, to: new, change)
      if let place, !keeps, !alarms[index].alarm.hasWords(of: left[place].form, change) { continue }
      alarms[index].times.join(moved)
      if let place { left.remove(at: place) }
    }
    guard let rest else { return left }
    if !change.hasAlarms, change.newStart?.isAllDay == rest.offset.isAllDay { return [] }
    return left.map { repeating($0, rest, change) }
  }

  /// Returns the times, moved so that the first time is `time`. The function moves all later times
  /// by the same number of seconds.
  private mutating func moved(
    _ rest: ICalendarRest, to time: CivilDateTime, _ change: ICalendarImport.Change
  ) -> ICalendarSeries {
    let seconds = time.localSeconds - rest.first.localSeconds
    if seconds == 0 { return rest.times }
    let moved = rest.times.moved(
      by: ICalendarDuration(days: 0, seconds: seconds), .local, now: now)
    if let end = moved.listedUntil {
      note(change, "no rule describes the new times; they are set one by one, until \(end.date)")
    }
    return moved
  }

  /// Returns the alarm of a change with a schedule that also contains the later times of the
  /// series.
  private mutating func repeating(
    _ entry: ICalendarImport.Entry, _ rest: ICalendarRest, _ change: ICalendarImport.Change
  ) -> ICalendarImport.Entry {
    guard let offset = entry.event?.offset, let new = change.start(in: rest.times.zone, offset)
    else { return entry }
    guard let text = moved(rest, to: new, change).schedules(now: now).texts.first else {
      return entry
    }
    var repeated = entry
    repeated.form.schedule = text
    repeated.form.zone = rest.times.zone.name
    repeated.event?.changes[change.key] = change.stored(isInSeries: true)
    return repeated
  }
}

/// The times of an alarm at a changed occurrence and at all later occurrences.
private struct ICalendarRest {
  var times: ICalendarSeries
  /// The due time for the changed occurrence.
  var first: CivilDateTime
  var offset: ImportedEvent.Offset
}

extension ICalendarSeriesUpdate.Edit {
  /// The time from the start of an occurrence to the due time; nil if the alarm does not follow the
  /// occurrences. If an earlier version of Prompter imported the alarm, the alarm is due at the
  /// start.
  private var offset: ImportedEvent.Offset? {
    event == nil ? ImportedEvent.Offset(seconds: 0, isAllDay: false) : event?.offset
  }

  /// Removes one occurrence from the times.
  ///
  /// - Returns: false if the alarm has never contained this occurrence.
  fileprivate mutating func apply(_ change: ICalendarImport.Change) -> Bool {
    guard let offset else { return false }
    let old = event?.changes[change.key]
    let due = times.due(of: change.time, offset)
    if let due { times.movedAway.insert(due) }
    if let moved = old?.movedTo, old?.isInSeries == true {
      let start = times.zone.civil(at: moved).dateTime
      let time = CivilDateTime(localSeconds: start.localSeconds + offset.seconds)
      if times.dates.remove(time) == nil { times.movedAway.insert(time) }
    }
    if due == nil, old == nil { return false }
    keep(change, isInSeries: false)
    return true
  }

  /// Removes an occurrence and all later occurrences from the times.
  ///
  /// - Returns: the removed times; nil if the function removed no times.
  fileprivate mutating func end(from change: ICalendarImport.Change) -> ICalendarRest? {
    guard let offset else { return nil }
    // An earlier file can have moved the same occurrences.
    let time =
      event?.changes[change.key]?.movedTo.flatMap { ICalendarTime(ICalendarTime.utcText($0)) }
      ?? change.time
    guard let first = times.first(from: time, offset) else { return nil }
    var rest = times
    rest.cut(from: first)
    if rest.pieces.isEmpty, rest.dates.isEmpty { return nil }
    times.cut(before: first)
    keep(change, isInSeries: true)
    return ICalendarRest(times: rest, first: first, offset: offset)
  }

  private mutating func keep(_ change: ICalendarImport.Change, isInSeries: Bool) {
    line = change.line
    last = change.revision
    event?.changes[change.key] = change.stored(isInSeries: isInSeries)
  }
}

extension ICalendarImport.Change {
  /// The key of the occurrence. The key is the old time in UTC, or the day.
  var key: String { uid.occurrence ?? "" }

  /// Returns the data about the change that an alarm stores.
  fileprivate func stored(isInSeries: Bool) -> ImportedEvent.Change {
    let moved = newStart.map { $0.zone.resolve($0.time).instant }
    return ImportedEvent.Change(
      revision: revision, isInSeries: isInSeries, movedTo: isInSeries && !isEnd ? moved : nil)
  }

  /// Returns the new due time of an alarm; nil if the change contains no new start.
  fileprivate func start(in zone: Zone, _ offset: ImportedEvent.Offset) -> CivilDateTime? {
    guard let newStart else { return nil }
    let local =
      newStart.isAllDay
      ? newStart.time
      : zone.civil(at: newStart.zone.resolve(newStart.time).instant)
        .dateTime
    let start = offset.isAllDay ? CivilDateTime(date: local.date, time: .midnight) : local
    return CivilDateTime(localSeconds: start.localSeconds + offset.seconds)
  }
}

extension Alarm {
  /// Returns true if the alarm has the words, the early reminders and the rings of a change.
  fileprivate func hasWords(of form: AlarmForm, _ change: ICalendarImport.Change) -> Bool {
    let reminders = (form.earlyReminders ?? []).compactMap { try? EarlyReminder(words: $0) }
    return
      (!change.hasLabel || label == form.label && instructions == form.instructions ?? "")
      && (!change.hasAlarms
        || Set(reminders) == Set(earlyReminders) && form.rings ?? burst.rings == burst.rings)
  }
}
