import CivilTime

// Warnings about quiet hours in the reply to a new or changed alarm, and in the reply to a changed
// person.
extension Transition {
  // MARK: Due prompts

  /// Returns true if the next ring of a due prompt is in quiet hours.
  func isQuietNext(_ prompt: Prompt) -> Bool { quietNext(prompt) != nil }

  /// The quiet hours that apply at the next ring of a due prompt; nil if no quiet hours apply. If
  /// quiet hours hold the prompt back, the function returns the quiet hours that apply now. Such a
  /// prompt rings at the end of these quiet hours.
  private func quietNext(_ prompt: Prompt) -> ActiveQuiet? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    switch prompt.state {
    case .planned, .expiring, .closed: return nil
    case .held: return prompt.isHeldByQuietHours ? quiet(for: alarm, at: wall) : nil
    case .ringing, .waiting: return quiet(for: alarm, at: wall)
    case .delayed(let until), .acknowledged(let until):
      return quiet(for: alarm, at: max(until, wall))
    }
  }

  /// The warning about a due prompt after a caretaker changed the quiet hours or the zone of the
  /// person.
  ///
  /// If quiet hours hold the prompt back, the function always returns a warning. For any other
  /// prompt, the function returns a warning only if the change moved the next ring of the prompt
  /// into quiet hours. Otherwise the result is nil.
  ///
  /// - Parameters:
  ///   - prompt: the prompt as it was before the change.
  ///   - wasQuiet: the result of `isQuietNext` before the change.
  func quietWarning(_ prompt: Prompt, wasQuiet: Bool) -> ScheduleWarning? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    let name =
      "\"\(alarm.label)\" of \(prompt.id.nominal.date) at \(prompt.id.nominal.time)"
    let quiet = quietNext(prompt)
    if prompt.isHeldByQuietHours {
      return ScheduleWarning(
        .keepsPrompt,
        "\(name) stays open: it rings \(quiet.map { "at \(local($0.end, of: alarm))" } ?? "now")")
    }
    guard let quiet, !wasQuiet else { return nil }
    switch quiet.policy {
    case .refuse, .hold:
      return ScheduleWarning(
        .keepsPrompt, "\(name) stays open: it rings again at \(local(quiet.end, of: alarm))")
    case .suppress where prompt.ringsIntended == 0:
      return ScheduleWarning(
        .endsPrompt, "\(name) ends without a ring: it would ring in the new quiet hours")
    case .suppress:
      return ScheduleWarning(
        .keepsPrompt,
        "\(name) stays open, but it does not ring again: its next ring is in the new quiet hours")
    }
  }

  private func local(_ instant: Instant, of alarm: Alarm) -> String {
    let zone = person(of: alarm).map { self.zone(of: $0) } ?? environment.homeZone
    let local = zone.civil(at: instant).dateTime
    return "\(local.time) on \(local.date)"
  }

  // MARK: Rings that are too close together

  /// The number of due times that the function checks for each alarm. For an alarm that is due
  /// every 8 hours, 50 due times cover about two weeks.
  private static let checkedRings = 50
  /// The maximum number of warnings about rings that are too close together in the reply to a
  /// changed person.
  private static let mostWarnings = 5

  /// Warnings about the alarms of one person. Each warning is about one alarm whose rings are too
  /// close together.
  func tooCloseWarnings(of id: PersonID) -> [ScheduleWarning] {
    let mine = home.alarms.filter { $0.person == id }.sorted { $0.id < $1.id }
    return Array(mine.compactMap { tooClose($0) }.prefix(Self.mostWarnings))
  }

  /// A warning that two rings of an alarm are too close together, because quiet hours hold the
  /// first ring back.
  ///
  /// The function returns the warning if less than three quarters of the usual interval remain
  /// between the two rings. Example: a medicine is due every 8 hours, and quiet hours hold the dose
  /// of 02:28 back until 07:00. In this example, only 3 hours and 28 minutes remain until the next
  /// dose, at 10:28. We have no clinical source for the value of three quarters. If the interval is
  /// 8 hours, a ring that is held back for up to 2 hours causes no warning.
  func tooClose(_ alarm: Alarm) -> ScheduleWarning? {
    switch alarm.schedule {
    // These two schedules have no usual interval between two rings, because the due times are
    // random or depend on the time of an answer.
    case .random, .after: return nil
    case .at, .once, .recurring, .several, .every, .within: break
    }
    guard let plan = plan(of: alarm) else { return nil }
    var due = plan.main(after: wall)
    for _ in 0..<Self.checkedRings {
      guard let ring = due, let next = plan.main(after: ring.instant) else { return nil }
      due = next
      guard let quiet = quiet(for: alarm, at: ring.instant), quiet.policy != .suppress else {
        continue
      }
      let usual = next.instant.milliseconds(since: ring.instant)
      let left = next.instant.milliseconds(since: quiet.end)
      // If `left` is 0 or less, `next` is also due before the quiet hours end. In this case, the
      // prompt of `next` replaces the prompt of `ring`, and only the prompt of `next` rings after
      // the quiet hours. Therefore the two rings cannot be too close together.
      if left <= 0 { continue }
      if left * 4 < usual * 3 {
        return tooClose(alarm, ring, heldUntil: quiet.end, next, usual: usual, left: left)
      }
    }
    return nil
  }

  private func tooClose(
    _ alarm: Alarm, _ ring: Occurrence, heldUntil end: Instant, _ next: Occurrence, usual: Int64,
    left: Int64
  ) -> ScheduleWarning {
    ScheduleWarning(
      .tooClose,
      "\"\(alarm.label)\" comes too close together: quiet hours hold its ring of "
        + "\(local(ring.instant, of: alarm)) back until \(local(end, of: alarm)), and its next ring "
        + "comes \(Self.words(milliseconds: left)) later instead of "
        + "\(Self.words(milliseconds: usual)) later; if it is a medicine, this can be an "
        + "overdose; choose other due times, or leave the ring out (--in-quiet-hours suppress), or "
        + "let it ring at night (--in-quiet-hours ring)")
  }

  /// A length of time in hours and minutes, for example `3 hours 28 minutes`.
  private static func words(milliseconds: Int64) -> String {
    let minutes = milliseconds / 60_000
    let (hours, rest) = (minutes / 60, minutes % 60)
    if hours == 0 || rest == 0 { return Schedule.words(seconds: minutes * 60) }
    return Schedule.words(seconds: hours * 3_600) + " " + Schedule.words(seconds: rest * 60)
  }
}
