import CivilTime

/// When to notify contacts that a person has answered nothing.
public struct InactivityRule: Hashable, Sendable {
  /// Hours without an answer: 1 to 168. Quiet hours and control phases do not count.
  public var hours: Int
  /// Contacts to notify, in order. Never empty.
  ///
  /// The delay of the first contact counts from the end of the hours.
  public var notifySteps: [NotifyStep]

  public init(hours: Int, notifySteps: [NotifyStep]) {
    self.hours = hours
    self.notifySteps = notifySteps
  }
}

/// A period in which a person was called and answered nothing.
///
/// It is kept only for people with an `InactivityRule`.
public struct Inactivity: Hashable, Sendable {
  /// Start of the first ring without an answer.
  public var since: Instant
  /// Progress of the notifications.
  ///
  /// Its `nextAt` does not apply to the first contact. That time follows from the rule.
  public var notifyProgress: NotifyProgress

  public init(since: Instant, notifyProgress: NotifyProgress = .none) {
    self.since = since
    self.notifyProgress = notifyProgress
  }

  /// Moves the period with a step of the wall clock. It counts elapsed time.
  mutating func shift(by milliseconds: Int64) {
    since = since.adding(milliseconds: milliseconds)
    notifyProgress.shift(by: milliseconds)
  }
}

/// A period of inactivity with the answer that ended it.
///
/// It is kept as long as that answer can be undone.
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
/// These changes are events of their own. They are not computed from rings and answers, because
/// those can be missing: a purge can remove them with their prompts, and the daemon can lose them
/// if the disk fails for a long time.
public enum InactivityChange: Hashable, Sendable {
  /// A ring began, and nobody has answered since.
  case begun
  /// Somebody answered a prompt. `answered` is nil if that answer cannot be undone.
  case ended(answered: PromptID?)
  /// The answer that ended the period was undone. The period continues from its original beginning.
  case resumed
  /// The contact at this position is to be notified.
  ///
  /// Nobody has answered since `since`, for at least `hours` hours. The event is repeated after a
  /// restart if the result was not known before the restart.
  case notifying(position: Int, contact: String, since: Instant, hours: Int)
  /// The contact's command succeeded.
  case notified(position: Int, contact: String, attempt: Int)
  /// The contact's command failed. `isLast` is true if it is not tried again.
  case failed(position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)
  /// A caretaker paused or removed every alarm that would ring, and so knows. Nobody is notified.
  case stopUntilLater

  /// Type of the event, as the codebook spells it.
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
  /// Instant at which the hours since `since` are over; nil if that never happens.
  ///
  /// Time in quiet hours and control phases does not count. The present quiet hours, zone and
  /// phases apply to the past, too. A change of them changes the period as if they had always been
  /// so.
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

  /// Limit of the loop, above the longest case.
  ///
  /// With quiet hours of all but one minute a day, 168 hours take 10,080 days with two stretches
  /// each.
  private static let mostStretches = 25_000
}
