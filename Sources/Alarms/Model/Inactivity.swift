import CivilTime

/// The rule that says when the daemon notifies contacts about the inactivity of a person.
public struct InactivityRule: Hashable, Sendable {
  /// The number of hours without an answer after which the delay of the first contact begins: 1 to
  /// 168. Time in quiet hours and control phases does not count.
  public var hours: Int
  /// The contacts that the daemon notifies, in this order. The list contains at least one contact.
  ///
  /// The delay of the first contact starts at the end of the `hours` without an answer.
  public var notifySteps: [NotifyStep]

  public init(hours: Int, notifySteps: [NotifyStep]) {
    self.hours = hours
    self.notifySteps = notifySteps
  }
}

/// A period in which prompts of a person rang and the person answered no prompt.
///
/// The daemon computes periods of inactivity only for people with an `InactivityRule`.
public struct Inactivity: Hashable, Sendable {
  /// The start time of the first ring in the period.
  public var since: Instant
  /// The progress of the notifications about this period.
  ///
  /// Before the first notification, the field `nextAt` is not valid. The daemon computes the time
  /// of the first notification from the inactivity rule.
  public var notifyProgress: NotifyProgress

  public init(since: Instant, notifyProgress: NotifyProgress = .none) {
    self.since = since
    self.notifyProgress = notifyProgress
  }

  /// Moves the instants of the period by the length of a clock step, because a clock step does not
  /// change the length of the inactivity.
  mutating func shift(by milliseconds: Int64) {
    since = since.adding(milliseconds: milliseconds)
    notifyProgress.shift(by: milliseconds)
  }
}

/// A period of inactivity that has ended, and the prompt whose answer ended this period.
///
/// The state keeps the ended period until a person can no longer undo the answer.
public struct EndedInactivity: Hashable, Sendable {
  public var answered: PromptID
  public var inactivity: Inactivity

  public init(answered: PromptID, inactivity: Inactivity) {
    self.answered = answered
    self.inactivity = inactivity
  }
}

/// A change of a person's inactivity.
///
/// The daemon records each change as a separate event. A replay does not compute inactivity from
/// the events of rings and answers, because these events can be missing. A purge can remove these
/// events. If the disk fails for a long time, the daemon can lose these events.
public enum InactivityChange: Hashable, Sendable {
  /// A ring started to sound, and a period of inactivity began.
  case begun
  /// Somebody answered a prompt, and the answer ended the period of inactivity. `answered` is nil
  /// if nobody can undo the answer.
  case ended(answered: PromptID?)
  /// A person undid the answer that had ended the period of inactivity. The period continues with
  /// its original start time.
  case resumed
  /// The daemon will now notify the contact with the index `position` in the list of contacts of
  /// the inactivity rule.
  ///
  /// The person has answered no prompt since the instant `since`. The period without an answer is
  /// at least `hours` hours long. If the record contains no result of the notification, the daemon
  /// records this event again after a restart.
  case notifying(position: Int, contact: String, since: Instant, hours: Int)
  /// The contact's command succeeded.
  case notified(position: Int, contact: String, attempt: Int)
  /// The contact's command failed. `isLast` is true if the daemon makes no further attempt.
  case failed(position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)
  /// The period of inactivity ended, because no alarm of the person can ring now: a caretaker has
  /// paused the person, or each alarm of the person is paused or removed.
  case stopUntilLater

  /// The event type that the codebook lists, for example `inactivity_begun`.
  public var type: String {
    switch self {
    case .begun: "inactivity_begun"
    case .ended: "inactivity_ended"
    case .resumed: "inactivity_resumed"
    case .notifying: "inactivity_escalated"
    case .notified: "inactivity_notified"
    case .failed: "inactivity_notification_failed"
    case .stopUntilLater: "inactivity_suspended"
    }
  }
}

extension InactivityRule {
  /// Returns the instant at which a period of inactivity reaches the number of hours in the rule.
  /// The period starts at `since`. The result is nil if a control phase without an end begins
  /// before this instant.
  ///
  /// Time in quiet hours and control phases does not count. The function applies the present quiet
  /// hours, zone and phases to the whole period, including the past.
  func end(
    since: Instant, quiet: QuietHours?, phases: [StudyPhase], zone: Zone
  ) -> Instant? {
    var left = Int64(hours) * 3_600_000
    var at = since
    for _ in 0..<Self.mostStretches {
      if let stretch = quiet?.stretch(around: at, zone: zone) {
        at = stretch.upperBound
        continue
      }
      if let control = phases.first(where: { $0.kind == .control && $0.contains(at) }) {
        guard let end = control.to else { return nil }
        at = end
        continue
      }
      let next = [
        quiet?.nextStart(after: at, zone: zone),
        phases.filter { $0.kind == .control && $0.from > at }.map(\.from).min(),
      ].compactMap { $0 }.min()
      guard let next, next.milliseconds - at.milliseconds < left else {
        return at.adding(milliseconds: left)
      }
      left -= next.milliseconds - at.milliseconds
      at = next
    }
    return nil
  }

  /// The maximum number of iterations of the loop in `end`. Even the worst case needs only 20,160
  /// iterations.
  ///
  /// In the worst case, only one minute of each day is outside the quiet hours. An inactivity rule
  /// has at most 168 hours, or 10,080 minutes. If each day contributes one minute, the loop needs
  /// 10,080 days, with two iterations for each day.
  private static let mostStretches = 25_000
}
