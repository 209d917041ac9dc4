import Alarms
import CivilTime

// Compares the alarms of a home with the alarms of a file.
extension ICalendarUpdate {
  /// The number of due times that the code computes to compare two schedules.
  private static let compared = 400

  /// Returns the fields of an alarm that the form of an entry would change.
  func changes(of alarm: Alarm, _ form: AlarmForm) -> (form: AlarmForm, fields: [String]) {
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
      // A new schedule replaces the early reminders, so the form must contain the early reminders
      // again.
      changed.earlyReminders = form.earlyReminders ?? []
    }
    take("rings", \.rings, unless: alarm.burst.rings)
    take("spacing", \.spacingSeconds, unless: alarm.burst.spacingSeconds)
    take("late_window", \.lateWindowSeconds, unless: alarm.lateWindowSeconds)
    take("delay", \.delaySeconds, unless: alarm.delaySeconds)
    take("delay_limit", \.delayLimit, unless: alarm.delayLimit)
    take("uid", \.calendarUID, unless: alarm.calendarUID ?? alarm.exportUID)
    if alarm.calendarUID != nil || changed.calendarUID != nil {
      changed.calendarRevision = revision(of: alarm, form.calendarRevision, !fields.isEmpty)
      if changed.calendarRevision != nil { fields.append("uid_revision") }
    }
    return (changed, fields)
  }

  /// Returns true if the alarm and the form are due at the same times from now on. The texts of the
  /// two schedules can differ, because an import leaves out past dates.
  private func hasSameTimes(_ alarm: Alarm, _ form: AlarmForm) -> Bool {
    guard let text = form.schedule else { return true }
    if text == alarm.phrase, form.zone ?? alarm.zoneName == alarm.zoneName { return true }
    guard let (first, second) = plans(alarm, form),
      zone(alarm.zoneName)?.name == zone(form.zone ?? alarm.zoneName)?.name
    else { return false }
    var at = now
    for _ in 0..<Self.compared {
      let (one, two) = (first.main(after: at), second.main(after: at))
      if one?.instant != two?.instant { return false }
      guard let next = one?.instant else { return true }
      at = next
    }
    return true
  }

  /// Returns true if the alarm and the form have a common due time among the next due times of the
  /// alarm.
  func hasCommonTime(_ alarm: Alarm, _ form: AlarmForm) -> Bool {
    guard let (first, second) = plans(alarm, form) else { return false }
    var (one, two) = (first.main(after: now), second.main(after: now))
    for _ in 0..<Self.compared {
      guard let own = one?.instant, let other = two?.instant else { return false }
      if own == other { return true }
      if own < other { one = first.main(after: own) } else { two = second.main(after: other) }
    }
    return false
  }

  private func plans(_ alarm: Alarm, _ form: AlarmForm) -> (SchedulePlan, SchedulePlan)? {
    guard let own = zone(alarm.zoneName), let other = zone(form.zone ?? alarm.zoneName),
      let parsed = try? SchedulePhrase(form.schedule ?? "", now: now, zone: other).parsed(),
      let first = try? SchedulePlan(alarm.schedule, zone: own, seed: 0),
      let second = try? SchedulePlan(parsed.schedule, zone: other, seed: 0)
    else { return nil }
    return (first, second)
  }

  /// Returns the new revision that an alarm must store; nil if the alarm keeps its stored revision.
  ///
  /// Many programs write a new stamp into each export. If nothing else is new, the alarm keeps the
  /// old stamp, because otherwise each import would change all alarms.
  private func revision(of alarm: Alarm, _ text: String?, _ isChanged: Bool) -> String? {
    guard let text, text != alarm.calendarRevision else { return nil }
    if isChanged { return text }
    guard let old = ImportedEvent(of: alarm), var new = ImportedEvent(text) else { return text }
    new.revision.stamp = old.revision.stamp
    return new.text(now: now) == old.text(now: now) ? nil : text
  }
}
