import CivilTime

/// When people hear that somebody has answered nothing for long.
public struct InactivityRule: Hashable, Sendable {
  /// After so many hours without an answer. Quiet hours and control phases are not counted. 1 to 168.
  public var hours: Int
  /// Who is told then, in order: the first so long after the hours are over. Never empty.
  public var notifySteps: [NotifyStep]

  public init(hours: Int, notifySteps: [NotifyStep]) {
    self.hours = hours
    self.notifySteps = notifySteps
  }
}

/// A time in which somebody was called and answered nothing. Kept only of whom it is told.
public struct Inactivity: Hashable, Sendable {
  /// When the first ring began to which nothing was answered.
  public var since: Instant
  /// How far its people were told. When the first of them is follows from the rule and says nothing here.
  public var notifyProgress: NotifyProgress

  public init(since: Instant, notifyProgress: NotifyProgress = .none) {
    self.since = since
    self.notifyProgress = notifyProgress
  }

  /// Elapsed time moves with the clock.
  mutating func shift(by milliseconds: Int64) {
    since = since.adding(milliseconds: milliseconds)
    notifyProgress.shift(by: milliseconds)
  }
}

/// A silence with the answer that ended it, for as long as that may be taken back.
public struct EndedInactivity: Hashable, Sendable {
  public var answered: PromptID
  public var inactivity: Inactivity

  public init(answered: PromptID, inactivity: Inactivity) {
    self.answered = answered
    self.inactivity = inactivity
  }
}

/// What happens in a silence. Events of their own, and not what follows from rings and answers: those may be
/// taken off the device with their prompts, and of a long time without a disk they may be lost.
public enum InactivityChange: Hashable, Sendable {
  /// A ring began, and nothing is answered since.
  case begun
  /// Something was answered; which prompt, where that may be taken back.
  case ended(answered: PromptID?)
  /// The answer that ended it was taken back: it goes on since it had begun.
  case resumed
  /// The person at this place is to be told: nothing was answered since then, for at least so many hours.
  /// Again after a restart that came before it was known how it went.
  case notifying(position: Int, contact: String, since: Instant, hours: Int)
  /// The contact's command ended well.
  case notified(position: Int, contact: String, attempt: Int)
  /// The contact's command did not; `isLast` where it is not tried again.
  case failed(position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)
  /// A caretaker has paused or removed whatever would ring, and so knows of it: nobody is told.
  case stopUntilLater

  /// The event's type, as the codebook spells it.
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
  /// When so much time has passed since an instant in which something was to ring; nil where that will
  /// never be, as things stand.
  ///
  /// Quiet hours, the zone and phases are taken as they are now, for what was, too: a change of them makes
  /// a silence as long as if it had always been so.
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

  /// Quiet hours of all but a minute a day make 168 hours of 10,080 days, each of two stretches.
  private static let mostStretches = 25_000
}
