import Alarms
import CivilTime

// Checks how an edit affects the due prompts and the early reminders of the edited alarm.
extension Audit {
  /// Checks the due prompts of an alarm after an edit. If the edit changed only the label, the
  /// instructions, the tone or the picture, each due prompt must stay open and must use the newest
  /// version of the alarm.
  mutating func checkEdit(_ event: Event) {
    switch event {
    case .alarmEdited(let alarm):
      guard let old = replay.alarms[alarm.id], old.differsInWordsOnly(from: alarm) else { return }
      for id in open where id.alarm == alarm.id && isDue(id) { keptByEdit.insert(id) }
    case .revised(let id, let version):
      keptByEdit.remove(id)
      if version != replay.alarms[id.alarm]?.version {
        fail("I17", "\(id) continues with version \(version), which is not the newest version")
      }
      if !isDue(id) { fail("I17", "\(id) is revised, but is not due") }
    default: break
    }
  }

  /// Checks that each due prompt of an edited alarm continues with the new alarm version. If a
  /// prompt continues, the audit removes this prompt from `keptByEdit`. At the end of the batch,
  /// `keptByEdit` must be empty.
  mutating func checkKept() {
    for id in keptByEdit.sorted() {
      fail("I17", "an edit of words did not keep the due prompt \(id)")
    }
    keptByEdit = []
  }

  /// Checks that an early reminder rings before the due time of its main prompt.
  mutating func checkLead(_ event: Event, at wall: Instant) {
    switch event {
    case .planned(let prompt):
      guard let alarm = replay.alarms[prompt.id.alarm] else { return }
      checkEvent(of: prompt, alarm)
    case .ringIntent(let id, _, _):
      if let event = replay.prompts[id]?.leadsToAt, event <= wall {
        fail("I18", "\(id) rings at \(wall), but its event was at \(event)")
      }
    case .delayed(let id, let until, _), .acknowledged(let id, let until, _):
      if let event = replay.prompts[id]?.leadsToAt, until > max(event, wall) {
        fail("I18", "\(id) is put off until \(until), but its event is at \(event)")
      }
    default: break
    }
  }

  /// Checks the time between an early reminder and its main prompt.
  private mutating func checkEvent(of prompt: Prompt, _ alarm: Alarm) {
    guard let event = prompt.leadsToAt else { return }
    let distances = alarm.earlyReminders.compactMap {
      if case .elapsed(let seconds) = $0 { seconds * 1_000 } else { nil }
    }
    let distance = event.milliseconds(since: prompt.dueAt)
    // After a change of the zone, the new local time can be later than the time of the early
    // reminder. In this case, the early reminder is due now. If the main occurrence has passed too,
    // the early reminder ends at once, without a ring.
    if prompt.dueAt == newest?.wall { return }
    if distance <= 0
      || !distances.isEmpty && distances.count == alarm.earlyReminders.count
        && !distances.contains(distance)
    {
      fail("I18", "\(prompt.id) reminds of \(event), which is not an event of its alarm")
    }
  }

  private func isDue(_ id: PromptID) -> Bool {
    guard let state = replay.prompts[id]?.state else { return false }
    return state.isOpen && state != .planned
  }
}

extension Alarm {
  /// Returns true if two versions of an alarm differ at most in these four values: label,
  /// instructions, tone and picture.
  fileprivate func differsInWordsOnly(from other: Alarm) -> Bool {
    var same = other
    same.version = version
    same.label = label
    same.instructions = instructions
    same.tone = tone
    same.image = image
    return same == self
  }
}
