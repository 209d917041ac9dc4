import Alarms
import CivilTime

/// The changes that an import makes in a home. The import sets, changes, keeps and removes alarms.
///
/// The import recognises an alarm of an earlier import by the UID of its calendar event. If the
/// same file is imported twice, the second import changes nothing.
public struct ICalendarUpdate: Sendable {
  public enum Action: Hashable, Sendable {
    /// Set a new alarm.
    case set(ICalendarImport.Entry)
    /// Change an alarm. The form contains only the fields that change. `fields` contains the names
    /// of these fields. If `fields` is empty, the import does not change the alarm.
    case change(AlarmID, ICalendarImport.Entry, AlarmForm, fields: [String])
    /// Remove an alarm, because its event no longer rings. If a file cancelled the event,
    /// `revision` is the text that the alarm must store before the import removes it.
    case remove(AlarmID, reason: String, revision: String?)
  }

  public internal(set) var actions: [Action] = []
  /// The notes about changes that the import cannot make.
  public internal(set) var notes: [ICalendarNote] = []

  /// The alarms without a UID. The key is the label. A person set such an alarm by hand, or an
  /// earlier version of Prompter imported it. The import does not set such an alarm a second time.
  private var unmarked: [String: [Alarm]] = [:]
  let now: Instant
  private let events: ImportedEvents
  let zone: @Sendable (String) -> Zone?

  /// Compares a file with the alarms of a home.
  ///
  /// - Parameters:
  ///   - file: the content of the file.
  ///   - entries: the alarms that the file contains. The caller can change the entries of `file`
  ///     before this call, for example add a person to each entry.
  ///   - events: the events that earlier imports set or ended.
  ///   - alarms: the alarms of the person, or of the whole home if the import is not for one
  ///     person.
  ///   - zone: a function that finds a tzdata zone by its name. For the name `floating`, the
  ///     function returns the home zone.
  public init(
    _ file: ICalendarImport, entries: [ICalendarImport.Entry], events: ImportedEvents = .none,
    alarms: [Alarm], now: Instant, zone: @escaping @Sendable (String) -> Zone?
  ) {
    self.now = now
    self.events = events
    self.zone = zone
    var stored: [String: [Alarm]] = [:]
    var parts: [String: [Alarm]] = [:]
    for alarm in alarms.sorted(by: { $0.id < $1.id }) {
      if let uid = ICalendarUID(alarm) {
        if file.kept.contains(uid) { continue }
        // If the file contains a series, it also contains the changed occurrences of the series.
        // Therefore the import compares the alarms of these occurrences together with the series.
        stored[file.series.contains(uid.series) ? uid.series : uid.text, default: []].append(alarm)
        parts[uid.series, default: []].append(alarm)
      } else {
        stored[alarm.exportUID, default: []].append(alarm)
        unmarked[alarm.label, default: []].append(alarm)
      }
    }
    let changes = file.changes.filter { !file.series.contains($0.uid.series) }
    var (groups, places) = Self.groups(entries.filter { !staysCancelled($0) }, file)
    var updates: [ICalendarSeriesUpdate] = []
    for uid in parts.keys.sorted() {
      let own = changes.filter { $0.uid.series == uid }
      if own.isEmpty { continue }
      var update = ICalendarSeriesUpdate(parts[uid] ?? [], now: now, zone: zone)
      for change in own {
        let place = places[change.uid.text]
        let left = update.apply(change, place.map { groups[$0].entries } ?? [])
        if let place { groups[place].entries = left }
        // The update of the series ends all other alarms of this occurrence.
        if change.isLater { stored[change.uid.text] = nil }
      }
      updates.append(update)
    }
    for (uid, entries) in groups {
      add(entries, beside: uid.isEmpty ? [] : stored.removeValue(forKey: uid) ?? [])
    }
    for ended in file.ended where places[ended.uid.text] == nil {
      for alarm in stored.removeValue(forKey: ended.uid.text) ?? [] {
        remove(alarm, ended.reason, ended.revision)
      }
    }
    for update in updates { add(update) }
  }

  /// Returns true if the import must not set an alarm, because a newer file cancelled its event.
  ///
  /// Some programs use the same UID for different events. If an event has different texts or no
  /// common due time, it is a different event, so the import sets its alarm.
  private mutating func staysCancelled(_ entry: ICalendarImport.Entry) -> Bool {
    if !entry.wasCancelled { return false }
    let isSame = events.cancelledAlarms(of: entry.importUID).contains { alarm in
      alarm.label == entry.form.label && hasCommonTime(alarm, entry.form)
    }
    notes.append(
      ICalendarNote(
        line: entry.line, property: "VEVENT",
        reason: isSame
          ? "a newer file cancelled it: not set; to set it anyway, use --older"
          : "a newer file cancelled an event with its UID, but with other words or times; it is set"
      ))
    return isSame
  }

  /// Returns the entries, grouped by the UID of their event, in the order of the file. `places`
  /// contains the index of the group of each UID.
  private static func groups(
    _ entries: [ICalendarImport.Entry], _ file: ICalendarImport
  ) -> (groups: [(uid: String, entries: [ICalendarImport.Entry])], places: [String: Int]) {
    var groups: [(uid: String, entries: [ICalendarImport.Entry])] = []
    var places: [String: Int] = [:]
    for entry in entries {
      let own = entry.importUID
      let uid = file.series.contains(own.series) ? own.series : own.text
      if let place = places[uid], !uid.isEmpty {
        groups[place].entries.append(entry)
      } else {
        places[uid] = groups.count
        groups.append((uid, [entry]))
      }
    }
    return (groups, places)
  }

  mutating func remove(_ alarm: Alarm, _ reason: String, _ revision: ICalendarRevision?) {
    var text: String?
    if let revision {
      var event = ImportedEvent(of: alarm) ?? ImportedEvent(revision: revision)
      event.revision = revision
      if let key = ICalendarUID(alarm)?.occurrence {
        event.changes = [key: .init(revision: revision, isInSeries: false)]
      }
      event.isCancelled = true
      text = event.text(now: now)
    }
    actions.append(.remove(alarm.id, reason: reason, revision: text))
  }

  /// Returns the UID in the form in which an alarm stores it.
  public static func uid(_ uid: String) -> String { AlarmRules.calendarUID.cleaned(uid) }

  /// Pairs the entries of one event with the alarms of this event. The function first pairs each
  /// entry with an alarm that has the same schedule. Then it pairs the remaining entries and alarms
  /// in their order.
  private mutating func add(_ entries: [ICalendarImport.Entry], beside alarms: [Alarm]) {
    var left = alarms
    var pairs: [Int: Alarm] = [:]
    for (index, entry) in entries.enumerated() {
      let same = left.firstIndex { alarm in
        changes(of: alarm, entry.form).fields.allSatisfy { $0 != "schedule" && $0 != "leads" }
      }
      if let same { pairs[index] = left.remove(at: same) }
    }
    for index in entries.indices where pairs[index] == nil && !left.isEmpty {
      pairs[index] = left.removeFirst()
    }
    for (index, entry) in entries.enumerated() {
      var new = entry
      let uid = Self.uid(entry.uid)
      new.form.calendarUID = uid.isEmpty ? nil : uid
      new.form.calendarRevision = uid.isEmpty ? nil : entry.event?.text(now: now)
      guard let alarm = pairs[index] ?? takeUnmarked(like: entry.form) else {
        actions.append(.set(new))
        continue
      }
      let (form, fields) = changes(of: alarm, new.form)
      actions.append(.change(alarm.id, new, form, fields: fields))
    }
    for alarm in left { remove(alarm, "its event does not need it any more", nil) }
  }

  /// Finds an alarm without a UID that has the label, the times and the early reminders of a form.
  /// The function removes this alarm from `unmarked`. The result is nil if the function finds no
  /// such alarm.
  private mutating func takeUnmarked(like form: AlarmForm) -> Alarm? {
    guard let label = form.label, let alarms = unmarked[label] else { return nil }
    let place = alarms.firstIndex { alarm in
      let fields = changes(of: alarm, form).fields
      return !fields.contains("schedule") && !fields.contains("leads")
    }
    return place.flatMap { unmarked[label]?.remove(at: $0) }
  }

  /// Changes and removes the alarms of a series if the file changes only a part of the series.
  private mutating func add(_ update: ICalendarSeriesUpdate) {
    notes += update.notes
    for (alarm, revision) in update.ended { remove(alarm, "it is cancelled", revision) }
    for edit in update.edits {
      let texts = edit.times.schedules(now: now).texts.filter { rings($0, edit.alarm.zoneName) }
      if texts.isEmpty {
        remove(edit.alarm, "none of its occurrences is left", edit.last)
        continue
      }
      var form = AlarmForm()
      form.label = edit.alarm.label
      form.instructions = edit.alarm.instructions
      form.zone = edit.alarm.zoneName
      form.earlyReminders = edit.alarm.earlyReminders.map(\.words)
      form.calendarUID = edit.alarm.calendarUID
      form.calendarRevision = edit.event?.text(now: now)
      for (index, text) in texts.enumerated() {
        form.schedule = text
        let entry = ICalendarImport.Entry(form: form, line: edit.line)
        if index == 0 {
          let (changed, fields) = changes(of: edit.alarm, form)
          actions.append(.change(edit.alarm.id, entry, changed, fields: fields))
        } else {
          actions.append(.set(entry))
        }
      }
    }
  }

  /// Returns true if a schedule has a due time after now.
  private func rings(_ schedule: String, _ zoneName: String) -> Bool {
    guard let zone = zone(zoneName),
      let parsed = try? SchedulePhrase(schedule, now: now, zone: zone).parsed(),
      let plan = try? SchedulePlan(parsed.schedule, zone: zone, seed: 0)
    else { return false }
    return plan.next(after: now) != nil
  }
}
