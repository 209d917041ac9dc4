import CivilTime

// An estimate of the memory that the texts and lists of alarms need. The daemon has a
// limit for this memory, because the memory of the device is small.
extension Alarm {
  /// The memory for the texts and lists of an alarm, in bytes.
  ///
  /// The value is an estimate. The estimate includes up to 64 bytes for each list element.
  var weight: Int {
    var weight = label.utf8.count + instructions.utf8.count
    weight += (calendarUID?.utf8.count ?? 0) + (calendarRevision?.utf8.count ?? 0)
    // The daemon keeps the phrase in memory as typed text and as a parsed rule. The estimate for
    // both together is four times the length of the phrase.
    weight += 4 * phrase.utf8.count
    weight +=
      32 * (pauses.occurrences.count + pauses.days.count + earlyReminders.count + uses.count)
    weight += 8 * (schedule.holidays?.days.count ?? 0)
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
  /// The maximum memory for the texts and lists of all alarms together: 32 MiB. In a home with
  /// 5,000 alarms, each alarm can use about 6.5 KiB.
  static let weight = 32 << 20
  var weightQuota: Quota { Quota(limit: Self.weight, parts: 1) }
}

extension Transition {
  /// Refuses an alarm whose texts and lists are too large for the home.
  ///
  /// - Parameter old: the alarm version that `alarm` replaces; nil for a new alarm.
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
