import Alarms
import CivilTime

// Checks alarms that are due after an answer, but not later than a given time of day, such as "20
// minutes after breakfast is completed, at the latest 16:00".
extension Audit {
  /// If an alarm has a latest time of day, stores the days on which the alarm was due or on which
  /// its prompt ended.
  mutating func noteDays(of prompt: Prompt) {
    guard prompt.state != .planned, replay.alarms[prompt.id.alarm]?.schedule.latest != nil else {
      return
    }
    daysOver[prompt.id.alarm, default: []].insert(prompt.id.nominal.date.dayNumber)
  }

  /// Checks the prompts that the daemon cancels because a person completed the anchor.
  ///
  /// The completion of the anchor makes a new prompt. The new prompt must replace the prompt that
  /// was planned for the latest time of the same day. It must not replace a prompt of a different
  /// day.
  mutating func checkReplaced(_ records: [Record]) {
    // After a failed write, a batch contains the events of several decisions. It is possible that a
    // person cancelled a prompt in this batch.
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

  /// Checks that a prompt is planned for the next latest time of an alarm, or for an earlier time.
  /// If the alarm was already due on a day, the alarm needs no further prompt on this day.
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
  /// The latest time of day at which an alarm "after an answer" can be due; nil if the schedule
  /// states no latest time.
  fileprivate var latest: ClockTime? {
    if case .after(let after) = self { after.latest } else { nil }
  }
}
