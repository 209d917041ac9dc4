import Alarms
import CivilTime

// Checks alarms that are due after an answer and at a latest time of day, such as "20 minutes after
// breakfast is completed, at the latest 16:00".
extension Audit {
  /// Notes on which days an alarm was due or ended its prompt, for the alarms with a latest time.
  mutating func noteDays(of prompt: Prompt) {
    guard prompt.state != .planned, replay.alarms[prompt.id.alarm]?.schedule.latest != nil else {
      return
    }
    daysOver[prompt.id.alarm, default: []].insert(prompt.id.nominal.date.dayNumber)
  }

  /// Checks the prompts that a completion of the anchor cancels.
  ///
  /// The prompt after the completion replaces the prompt at the latest time of the same day, and no
  /// prompt of another day.
  mutating func checkReplaced(_ records: [Record]) {
    // After a failed write, a batch contains the events of several decisions. Then a person may
    // have cancelled a prompt in the same batch.
    guard !wasUnwritable else { return }
    var completed: Set<AlarmID> = []
    for case .closed(let id, let outcome, _, _) in records.map(\.event)
    where outcome.kind == .completed { completed.insert(id.alarm) }
    guard !completed.isEmpty else { return }
    for case .closed(let id, .cancelledBeforeDue, _, _) in records.map(\.event) {
      guard case .after(let after)? = replay.alarms[id.alarm]?.schedule, after.latest != nil,
        case .alarm(let anchor) = after.anchor, completed.contains(anchor)
      else { continue }
      let isReplaced = open.contains {
        $0.alarm == id.alarm && $0.nominal.date == id.nominal.date && $0 != id
      }
      if !isReplaced { fail("I1", "\(id) is cancelled, but no prompt of this day replaces it") }
    }
  }

  /// Checks that a prompt is planned at the next latest time of an alarm, or before it. A day on
  /// which the alarm was already due needs no further prompt.
  mutating func checkLatest(of alarm: Alarm, _ home: HomeState, wall: Instant) {
    guard let latest = alarm.schedule.latest, !wasPurged, !wasUnwritable, let environment,
      let zone = environment.zone(of: alarm)
    else { return }
    let today = zone.civil(at: wall).dateTime.date.dayNumber
    for day in today...(today + 7) where daysOver[alarm.id]?.contains(day) != true {
      let end = zone.resolve(CivilDateTime(date: CivilDate(dayNumber: day), time: latest)).instant
      guard end > wall else { continue }
      let isPlanned = home.openPrompts.contains {
        $0.id.alarm == alarm.id && $0.state == .planned && $0.dueAt <= end
      }
      if !isPlanned { fail("I1", "\(alarm.id) is due at \(end) at the latest, but is not planned") }
      return
    }
  }
}

extension Schedule {
  /// The latest time of day of an alarm that is due after an answer; nil if it has none.
  fileprivate var latest: ClockTime? {
    if case .after(let after) = self { after.latest } else { nil }
  }
}
