import Alarms
import CivilTime

/// The changes of a home that an import makes: which alarms it sets, changes, keeps and removes.
///
/// The import recognises an alarm of an earlier import by the UID of its calendar event. If the same
/// file is imported twice, the second import changes nothing.
public struct ICalendarUpdate: Sendable {
  public enum Action: Hashable, Sendable {
    /// Set a new alarm.
    case set(ICalendarImport.Entry)
    /// Change an alarm. The form contains only the fields that change, and `fields` their names. If
    /// `fields` is empty, the alarm stays as it is.
    case change(AlarmID, ICalendarImport.Entry, AlarmForm, fields: [String])
    /// Remove an alarm, because its event does not ring any more.
    case remove(AlarmID, reason: String)
  }

  /// The text between the UID of a series and the RECURRENCE-ID of one occurrence, in the UID of an
  /// alarm for this occurrence.
  public static let occurrenceMark = ";RECURRENCE-ID="

  public private(set) var actions: [Action] = []

  /// The alarms without a UID, by label. An alarm that a person set by hand, or that an earlier
  /// version of Prompter imported, is not set a second time.
  private var unmarked: [String: [Alarm]] = [:]
  private let now: Instant
  private let zone: @Sendable (String) -> Zone?
  /// The number of due times that the comparison of two schedules computes.
  private static let compared = 400

  /// Compares a file with the alarms of a home.
  ///
  /// - Parameters:
  ///   - entries: the alarms that the file contains.
  ///   - ended: the events of the file that do not ring any more.
  ///   - exclusions: single occurrences that the file moves or cancels, although the file does not
  ///     contain their series.
  ///   - alarms: the alarms of the person, or of the home if the import names no person.
  ///   - zone: a function that returns the zone with a tzdata name, or the home zone for the name
  ///     `floating`.
  public init(
    _ entries: [ICalendarImport.Entry], ended: [ICalendarImport.Ended],
    exclusions: [ICalendarImport.Exclusion], alarms: [Alarm], now: Instant,
    zone: @escaping @Sendable (String) -> Zone?
  ) {
    self.now = now
    self.zone = zone
    // If the file contains a series, it also contains the changed occurrences of the series.
    let series = Set(entries.map { Self.uid($0.uid) })
    var stored: [String: [Alarm]] = [:]
    for alarm in alarms.sorted(by: { $0.id < $1.id }) {
      if let uid = alarm.calendarUID {
        let text = uid.split(separator: Self.occurrenceMark).first.map(String.init) ?? uid
        if series.contains(text) {
          stored[text, default: []].append(alarm)
          continue
        }
        stored[uid, default: []].append(alarm)
      } else {
        stored[alarm.exportUID, default: []].append(alarm)
        unmarked[alarm.label, default: []].append(alarm)
      }
    }
    var groups: [(uid: String, entries: [ICalendarImport.Entry])] = []
    var places: [String: Int] = [:]
    for entry in entries {
      let uid = Self.uid(entry.uid)
      if let place = places[uid], !uid.isEmpty {
        groups[place].entries.append(entry)
      } else {
        places[uid] = groups.count
        groups.append((uid, [entry]))
      }
    }
    for (uid, entries) in groups {
      add(entries, uid, beside: uid.isEmpty ? [] : stored[uid] ?? [])
    }
    for ended in ended where places[Self.uid(ended.uid)] == nil {
      for alarm in stored.removeValue(forKey: Self.uid(ended.uid)) ?? [] {
        actions.append(.remove(alarm.id, reason: ended.reason))
      }
    }
    for exclusion in exclusions {
      let uid = Self.uid(exclusion.uid)
      for alarm in places[uid] == nil ? stored[uid] ?? [] : [] { exclude(exclusion, from: alarm) }
    }
  }

  /// Excludes one occurrence from the schedule of an alarm, if the schedule contains it.
  private mutating func exclude(_ exclusion: ICalendarImport.Exclusion, from alarm: Alarm) {
    guard let own = zone(alarm.zoneName), let other = zone(exclusion.zoneName),
      let plan = try? SchedulePlan(alarm.schedule, zone: own, seed: 0)
    else { return }
    let instant =
      exclusion.isDay
      ? own.resolve(CivilDateTime(date: exclusion.time.date, time: .midnight)).instant
      : other.resolve(exclusion.time).instant
    guard let due = plan.main(after: instant.adding(milliseconds: -1)),
      exclusion.isDay ? due.nominal.date == exclusion.time.date : due.instant == instant,
      alarm.phrase.uppercased().hasPrefix("DTSTART")
    else { return }
    var form = AlarmForm()
    form.label = alarm.label
    form.zone = alarm.zoneName
    form.schedule = "\(alarm.phrase) EXDATE:\(due.nominal.calendarText)"
    form.earlyReminders = alarm.earlyReminders.map(\.words)
    let entry = ICalendarImport.Entry(form: form, line: exclusion.line, uid: exclusion.uid)
    actions.append(.change(alarm.id, entry, form, fields: ["schedule"]))
  }

  /// The UID as an alarm stores it.
  public static func uid(_ uid: String) -> String { AlarmRules.calendarUID.cleaned(uid) }

  /// Pairs the entries of one event with the alarms of this event. An alarm with the same schedule
  /// is paired first.
  private mutating func add(
    _ entries: [ICalendarImport.Entry], _ uid: String, beside alarms: [Alarm]
  ) {
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
      new.form.calendarUID = uid.isEmpty ? nil : uid
      guard let alarm = pairs[index] ?? takeUnmarked(like: entry.form) else {
        actions.append(.set(new))
        continue
      }
      let (form, fields) = changes(of: alarm, new.form)
      actions.append(.change(alarm.id, new, form, fields: fields))
    }
    for alarm in left {
      actions.append(.remove(alarm.id, reason: "its event does not need it any more"))
    }
  }

  /// Takes an alarm without a UID that has the label, the times and the reminders of a form; nil if
  /// there is none.
  private mutating func takeUnmarked(like form: AlarmForm) -> Alarm? {
    guard let label = form.label, let alarms = unmarked[label] else { return nil }
    let place = alarms.firstIndex { alarm in
      let fields = changes(of: alarm, form).fields
      return !fields.contains("schedule") && !fields.contains("leads")
    }
    return place.flatMap { unmarked[label]?.remove(at: $0) }
  }

  /// The fields of an alarm that the form of an entry changes.
  private func changes(of alarm: Alarm, _ form: AlarmForm) -> (form: AlarmForm, fields: [String]) {
    var changed = AlarmForm()
    var fields: [String] = []
    func take<Value: Equatable>(
      _ name: String, _ field: WritableKeyPath<AlarmForm, Value?>, unless old: Value
    ) {
      guard let new = form[keyPath: field], new != old else { return }
      changed[keyPath: field] = new
      fields.append(name)
    }
    take("label", \.label, unless: alarm.label)
    changed.instructions = form.instructions ?? ""
    if changed.instructions == alarm.instructions {
      changed.instructions = nil
    } else {
      fields.append("instructions")
    }
    let reminders = (form.earlyReminders ?? []).compactMap { try? EarlyReminder(words: $0) }
    if !hasSameTimes(alarm, form) {
      (changed.schedule, changed.zone) = (form.schedule, form.zone)
      fields.append("schedule")
    }
    if Set(reminders) != Set(alarm.earlyReminders) {
      changed.earlyReminders = form.earlyReminders ?? []
      fields.append("leads")
    } else if changed.schedule != nil {
      // A new schedule replaces the early reminders, so the form must contain them again.
      changed.earlyReminders = form.earlyReminders ?? []
    }
    take("rings", \.rings, unless: alarm.burst.rings)
    take("spacing", \.spacingSeconds, unless: alarm.burst.spacingSeconds)
    take("late_window", \.lateWindowSeconds, unless: alarm.lateWindowSeconds)
    take("delay", \.delaySeconds, unless: alarm.delaySeconds)
    take("delay_limit", \.delayLimit, unless: alarm.delayLimit)
    take("uid", \.calendarUID, unless: alarm.calendarUID ?? alarm.exportUID)
    return (changed, fields)
  }

  /// True if the alarm and the form are due at the same times from now on. The typed schedules can
  /// differ, because an import leaves out past dates.
  private func hasSameTimes(_ alarm: Alarm, _ form: AlarmForm) -> Bool {
    guard let text = form.schedule else { return true }
    if text == alarm.phrase, form.zone ?? alarm.zoneName == alarm.zoneName { return true }
    guard let own = zone(alarm.zoneName), let other = zone(form.zone ?? alarm.zoneName),
      let parsed = try? SchedulePhrase(text, now: now, zone: other).parsed(),
      let first = try? SchedulePlan(alarm.schedule, zone: own, seed: 0),
      let second = try? SchedulePlan(parsed.schedule, zone: other, seed: 0)
    else { return false }
    var at = now
    for _ in 0..<Self.compared {
      let (one, two) = (first.main(after: at), second.main(after: at))
      if one?.instant != two?.instant { return false }
      guard let next = one?.instant else { return own.name == other.name }
      at = next
    }
    return own.name == other.name
  }
}
