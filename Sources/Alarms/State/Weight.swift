import CivilTime

// What the texts and lists of alarms take of the memory, so that the largest home that is taken can be
// started again.
extension Alarm {
  /// What an alarm holds beyond the fixed parts of it, in bytes; an estimate from above of its texts, and
  /// 32 bytes for each part of a list.
  var weight: Int {
    var weight = label.utf8.count + instructions.utf8.count
    // A rule is held as it was written and as it is followed.
    weight += 4 * phrase.utf8.count
    weight += 32 * (pauses.occurrences.count + pauses.days.count + earlyReminders.count)
    for step in escalation.steps + (escalation.completion.map { [$0] } ?? []) {
      weight += 32 + 8 * step.burst.gainsDecibels.count
    }
    weight += escalation.notifySteps.reduce(0) { $0 + 32 + $1.contact.utf8.count }
    for question in checkIn?.questions ?? [] {
      weight += 64 + question.name.utf8.count + question.text.utf8.count
      guard case .choices(let choices) = question.kind else { continue }
      weight += choices.reduce(0) { $0 + 64 + $1.name.utf8.count + $1.text.utf8.count }
    }
    return weight
  }
}

extension HomeLimits {
  /// The texts and lists of all alarms together: 32 MiB, 6.5 KiB for each of 5,000 alarms.
  static let weight = 32 << 20
  var weightQuota: Quota { Quota(limit: Self.weight, parts: 1) }
}

extension Transition {
  /// Refuses an alarm whose texts and lists are more than the home can hold.
  ///
  /// - Parameter old: the version whose place it takes.
  func refuseHeavy(_ alarm: Alarm, insteadOf old: Alarm?) throws(Refusal) {
    let former = old?.weight ?? 0
    let creator = old.map { home.entries[$0.id]?.creator } ?? actor.id
    let own = creator.map { home.holdings.weights[$0] ?? 0 } ?? 0
    let quota = home.limits.weightQuota
    let exceeded = quota.exceeded(
      adding: alarm.weight, own: max(own - former, 0), total: home.holdings.weight - former,
      former: former)
    guard exceeded != nil, alarm.weight > former else { return }
    throw Refusal(
      .limit,
      "cannot \(old == nil ? "add" : "change") the alarm: the texts and lists of all alarms together may "
        + "take \(quota.limit >> 20) MiB; shorten the instructions or the questions, or remove alarms"
    )
  }
}
