/// The meaning of a press of the button.
enum Press: Hashable, Sendable {
  /// The person pressed and released the button, which means "done".
  case short
  /// The person has held the button for two seconds, which means "later".
  ///
  /// The press is recognised while the person still holds the button, so that the person learns
  /// when to release it.
  case long
}

/// Recognises presses in the changes of a button. The functions read no clock, because the time is
/// an argument.
///
/// - The contact of a button bounces. A change within 30 ms of the previous change belongs to the
///   same movement.
/// - An older person may press twice to be sure. A press that begins within 1.5 s of a recognised
///   press counts as the same press.
/// - If a person holds the button down for a long time, or unplugs it while it is down, no
///   further press is recognised.
struct PressRecogniser {
  static let bounceMilliseconds: Int64 = 30
  static let againMilliseconds: Int64 = 1_500
  static let holdMilliseconds: Int64 = 2_000

  private enum State {
    /// The button is up, and no press is pending.
    case idle
    /// The button has been down since this time.
    case down(since: Int64)
    /// The button went up at the time `at`. The release counts after it has lasted longer than a
    /// bounce.
    case released(since: Int64, at: Int64)
    /// The button is down, but the press is already recognised or ignored. The next change is the
    /// release.
    case spent
  }

  private var state = State.idle
  private var takenAt: Int64?

  /// The time at which `elapse` must be called if the button does not change before; nil if no
  /// press is pending.
  var deadline: Int64? {
    switch state {
    case .idle, .spent: nil
    case .down(let since): since + Self.holdMilliseconds
    case .released(_, let at): at + Self.bounceMilliseconds
    }
  }

  /// Processes a change of the button.
  ///
  /// - Returns: the press that was complete before this change; nil if there was none.
  mutating func take(isDown: Bool, at now: Int64) -> Press? {
    let press = elapse(at: now)
    switch (state, isDown) {
    case (.idle, true):
      let isAgain = takenAt.map { now - $0 < Self.againMilliseconds } ?? false
      state = isAgain ? .spent : .down(since: now)
    case (.down(let since), false): state = .released(since: since, at: now)
    // The contact bounced, so the person has not released the button.
    case (.released(let since, _), true): state = .down(since: since)
    case (.spent, false): state = .idle
    case (.idle, false), (.down, true), (.released, false), (.spent, true): break
    }
    return press
  }

  /// Processes the passing of time, and returns a press that is now complete.
  mutating func elapse(at now: Int64) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    takenAt = now
    switch state {
    case .down:
      state = .spent
      return .long
    case .released(let since, let at):
      state = .idle
      // A very short contact is not a press. For example, the contact bounced or a sleeve touched
      // the button.
      guard at - since >= Self.bounceMilliseconds else {
        takenAt = nil
        return nil
      }
      return .short
    case .idle, .spent: return nil
    }
  }

  /// Handles an unplugged button. An incomplete press does not count.
  mutating func lose() { state = .idle }
}
