/// The meaning of a press of the button.
enum Press: Hashable, Sendable {
  /// Pressed and released: done.
  case short
  /// Held for two seconds: later.
  ///
  /// It is recognised while the button is still held, so that the person learns when to release it.
  case long
}

/// Turns the edges of a button into presses. It is pure: the time is an argument.
///
/// - A contact bounces: an edge within 30 ms of the one before is the same movement.
/// - An older person may press twice to be sure: a press that begins within 1.5 s of a recognised
///   press is the same press.
/// - A button that is held down for long, or was held when it was unplugged, gives no further
///   press.
struct PressRecogniser {
  static let bounceMilliseconds: Int64 = 30
  static let againMilliseconds: Int64 = 1_500
  static let holdMilliseconds: Int64 = 2_000

  private enum State {
    /// Released; nothing is pending.
    case idle
    /// Down since this time.
    case down(since: Int64)
    /// Released at `at`; it counts after it has lasted longer than a bounce.
    case released(since: Int64, at: Int64)
    /// Down, but already recognised or ignored: waits for the release.
    case spent
  }

  private var state = State.idle
  private var takenAt: Int64?

  /// The time at which `elapse` must be called if nothing else happens; nil if nothing is pending.
  var deadline: Int64? {
    switch state {
    case .idle, .spent: nil
    case .down(let since): since + Self.holdMilliseconds
    case .released(_, let at): at + Self.bounceMilliseconds
    }
  }

  /// Processes an edge.
  ///
  /// - Returns: the press that was complete before this edge.
  mutating func take(isDown: Bool, at now: Int64) -> Press? {
    let press = elapse(at: now)
    switch (state, isDown) {
    case (.idle, true):
      let isAgain = takenAt.map { now - $0 < Self.againMilliseconds } ?? false
      state = isAgain ? .spent : .down(since: now)
    case (.down(let since), false): state = .released(since: since, at: now)
    // The contact bounced: the button was never released.
    case (.released(let since, _), true): state = .down(since: since)
    case (.spent, false): state = .idle
    case (.idle, false), (.down, true), (.released, false), (.spent, true): break
    }
    return press
  }

  /// Processes the passing of time.
  mutating func elapse(at now: Int64) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    takenAt = now
    switch state {
    case .down:
      state = .spent
      return .long
    case .released(let since, let at):
      state = .idle
      // A very short touch is a bounce by itself, or a sleeve.
      guard at - since >= Self.bounceMilliseconds else {
        takenAt = nil
        return nil
      }
      return .short
    case .idle, .spent: return nil
    }
  }

  /// Handles an unplugged button: an unfinished press is dropped.
  mutating func lose() { state = .idle }
}
