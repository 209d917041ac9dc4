import CivilTime

/// The rule that says when the daemon notifies contacts that a person has answered nothing.
public struct InactivityRule: Hashable, Sendable {
  /// The hours without an answer: 1 to 168. Quiet hours and control phases do not count.
  public var hours: Int
  /// The contacts to notify, in order. The list contains at least one contact.
  ///
  /// The delay of the first contact counts from the end of the hours.
  public var notifySteps: [NotifyStep]

  public init(hours: Int, notifySteps: [NotifyStep]) {
    self.hours = hours
    self.notifySteps = notifySteps
  }
}

/// A period in which prompts rang for a person and the person answered nothing.
///
/// A period is kept only for people with an `InactivityRule`.
public struct Inactivity: Hashable, Sendable {
  /// The start of the first ring without an answer.
  public var since: Instant
  /// The progress of the notifications.
  ///
  /// `nextAt` does not apply to the first contact: the inactivity rule gives the time of the first
  /// notification.
  public var notifyProgress: NotifyProgress

  public init(since: Instant, notifyProgress: NotifyProgress = .none) {
    self.since = since
    self.notifyProgress = notifyProgress
  }

  /// Moves the period with a step of the wall clock, because the period counts elapsed time.
  mutating func shift(by milliseconds: Int64) {
    since = since.adding(milliseconds: milliseconds)
    notifyProgress.shift(by: milliseconds)
  }
}

/// A period of inactivity, and the answer that ended it.
///
/// The value is kept as long as a person can undo that answer.
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
/// Each change is a separate event. The state does not compute the changes from rings and answers,
/// because rings and answers can be missing. A purge can remove rings and answers together with
/// their prompts. The daemon can lose rings and answers if the disk fails for a long time.
public enum InactivityChange: Hashable, Sendable {
  /// A ring began to sound, and a period of inactivity began with the ring.
  case begun
  /// Somebody answered a prompt. `answered` is nil if the answer cannot be undone.
  case ended(answered: PromptID?)
  /// The answer that ended the period was undone. The period continues from its first beginning.
  case resumed
  /// The daemon is about to notify the contact at this position.
  ///
  /// The person has answered nothing from `since` on, for at least `hours` hours. If a restart
  /// finds no result of the notification, the daemon records the event again.
  case notifying(position: Int, contact: String, since: Instant, hours: Int)
  /// The contact's command succeeded.
  case notified(position: Int, contact: String, attempt: Int)
  /// The contact's command failed. `isLast` is true if the daemon does not run the command again.
  case failed(position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)
  /// A caretaker paused or removed every alarm that would ring. The caretaker knows that no alarm
  /// rings, so the daemon notifies nobody.
  case stopUntilLater

  /// The type of the event, as the codebook spells it.
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
  /// The instant at which the hours after `since` are over; nil if this instant never comes.
  ///
  /// Time in quiet hours and control phases does not count. The present quiet hours, zone and
  /// phases also apply to the past. If the quiet hours, the zone or the phases change, the instant
  /// changes as if the new setting had always been valid.
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

  /// The maximum number of passes of the loop. This limit is larger than the longest case needs.
  ///
  /// Longest case: only one minute of each day is not quiet. Then 168 hours last 10,080 days, and
  /// the loop passes twice for each day.
  private static let mostStretches = 25_000
}
