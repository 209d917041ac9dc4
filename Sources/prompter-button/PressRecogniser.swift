/// What a press of the one button means.
enum Press: Hashable, Sendable {
  /// Pressed and let go: done.
  case short
  /// Suppression for two seconds: later. Recognised while it is still held, so that the hand learns when to let go.
  case long
}

/// Turns the edges of a button into presses. Pure: the time comes in.
///
/// A contact bounces: what follows an edge within 30 ms is the same movement. An old hand presses twice to be
/// sure: what begins within 1.5 s of a press that was taken is the same press. And a button that is sat on, or
/// was held when it was unplugged, means nothing more than it has said already.
struct PressRecogniser {
  static let bounceMilliseconds: Int64 = 30
  static let againMilliseconds: Int64 = 1_500
  static let holdMilliseconds: Int64 = 2_000

  private enum State {
    /// Let go; nothing pending.
    case idle
    /// Down since then.
    case down(since: Int64)
    /// Let go at `at`, which counts once it has lasted longer than a bounce.
    case released(since: Int64, at: Int64)
    /// Down, and its meaning is spent: waits to be let go.
    case spent
  }

  private var state = State.idle
  private var takenAt: Int64?

  /// When `elapse` must be called if nothing else happens; nil while nothing is pending.
  var deadline: Int64? {
    switch state {
    case .idle, .spent: nil
    case .down(let since): since + Self.holdMilliseconds
    case .released(_, let at): at + Self.bounceMilliseconds
    }
  }

  /// The button went down or up.
  ///
  /// - Returns: the press that the time before it completed.
  mutating func take(isDown: Bool, at now: Int64) -> Press? {
    let press = elapse(at: now)
    switch (state, isDown) {
    case (.idle, true):
      let isAgain = takenAt.map { now - $0 < Self.againMilliseconds } ?? false
      state = isAgain ? .spent : .down(since: now)
    case (.down(let since), false): state = .released(since: since, at: now)
    // The contact bounced: it was never let go.
    case (.released(let since, _), true): state = .down(since: since)
    case (.spent, false): state = .idle
    case (.idle, false), (.down, true), (.released, false), (.spent, true): break
    }
    return press
  }

  /// Time has passed.
  mutating func elapse(at now: Int64) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    takenAt = now
    switch state {
    case .down:
      state = .spent
      return .long
    case .released(let since, let at):
      state = .idle
      // A crumb of a touch is a bounce by itself, or a sleeve.
      guard at - since >= Self.bounceMilliseconds else {
        takenAt = nil
        return nil
      }
      return .short
    case .idle, .spent: return nil
    }
  }

  /// The button was unplugged: whatever was under way is over.
  mutating func lose() { state = .idle }
}
