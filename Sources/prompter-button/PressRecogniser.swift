/// The meaning of a press of the button.
enum Press: Hashable, Sendable {
  /// The person pressed and released the button, which means "done".
  case short
  /// The person has held the button for two seconds and still holds it.
  ///
  /// A sound tells the person that the press is long enough for "later", and that the person can
  /// release the button.
  case held
  /// The person held the button for two to five seconds and released it, which means "later".
  case long
  /// The person has held the button for five seconds, which means "ask a contact to call back".
  ///
  /// The program reports this press while the person still holds the button.
  case call
}

/// Recognises presses from the times at which the button goes down or up. The functions do not read
/// a clock, because the caller passes the time.
///
/// - The electrical contact of a button bounces: the contact opens and closes several times in a
///   few milliseconds. A change within 30 ms after the previous change is a part of the same press
///   or release.
/// - Some people press the button twice for one answer. A press that begins within 1.5 s after a
///   recognised press counts as the same press.
/// - A press of five seconds asks for a call and does not count as a long press. Therefore, the
///   recogniser reports a long press only after the person has released the button.
/// - After a press of five seconds, the recogniser reports no other press until the person releases
///   the button.
/// - If a person unplugs the button while it is pressed, the recogniser reports no press.
struct PressRecogniser {
  static let bounceMilliseconds: Int64 = 30
  static let againMilliseconds: Int64 = 1_500
  static let holdMilliseconds: Int64 = 2_000
  static let callMilliseconds: Int64 = 5_000

  private enum State {
    /// The button is up, and the recogniser waits only for the next press.
    case idle
    /// The button has been down since the time `since`.
    case down(since: Int64)
    /// The button has been down since the time `since`, for at least two seconds.
    case held(since: Int64)
    /// The button went up at the time `at`. The button must stay up for 30 ms, because its
    /// electrical contact can bounce.
    case released(since: Int64, at: Int64)
    /// The button is down, but the recogniser has already reported or ignored this press. The next
    /// change must be the release of the button.
    case spent
  }

  private var state = State.idle
  private var takenAt: Int64?

  /// The time until which the caller waits for a change of the button. If the button does not
  /// change before this time, the caller must call `elapse` at this time. The value is nil if no
  /// press is pending.
  var deadline: Int64? {
    switch state {
    case .idle, .spent: nil
    case .down(let since): since + Self.holdMilliseconds
    case .held(let since): since + Self.callMilliseconds
    case .released(_, let at): at + Self.bounceMilliseconds
    }
  }

  /// Processes a change of the button.
  ///
  /// - Returns: the press that was complete before this change, if no earlier call returned it; nil
  ///   if there is no such press. A press that begins or ends with this change is not complete yet.
  mutating func take(isDown: Bool, at now: Int64) -> Press? {
    let press = elapse(at: now)
    switch (state, isDown) {
    case (.idle, true):
      let isAgain = takenAt.map { now - $0 < Self.againMilliseconds } ?? false
      state = isAgain ? .spent : .down(since: now)
    case (.down(let since), false), (.held(let since), false):
      state = .released(since: since, at: now)
    // The electrical contact of the button bounced, so the person has not released the button.
    case (.released(let since, let at), true):
      state = Self.isLong(since, at) ? .held(since: since) : .down(since: since)
    case (.spent, false): state = .idle
    case (.idle, false), (.down, true), (.held, true), (.released, false), (.spent, true): break
    }
    return press
  }

  /// Recognises a press at its `deadline`, for example `held` after two seconds.
  ///
  /// - Returns: nil if no press is pending, if the deadline is still in the future, or if the
  ///   button was down for less than 30 ms.
  mutating func elapse(at now: Int64) -> Press? {
    guard let deadline, now >= deadline else { return nil }
    switch state {
    case .down(let since):
      state = .held(since: since)
      return .held
    case .held:
      state = .spent
      takenAt = now
      return .call
    case .released(let since, let at):
      state = .idle
      takenAt = now
      if Self.isLong(since, at) { return .long }
      // If the button was down for less than 30 ms, the program does nothing. A sleeve can touch
      // the button for such a short time, for example.
      guard at - since >= Self.bounceMilliseconds else {
        takenAt = nil
        return nil
      }
      return .short
    case .idle, .spent: return nil
    }
  }

  /// Returns true if a press from `since` to `at` is long enough for "later".
  private static func isLong(_ since: Int64, _ at: Int64) -> Bool { at - since >= holdMilliseconds }

  /// Handles the removal of the button. An incomplete press does not count.
  mutating func lose() { state = .idle }
}
