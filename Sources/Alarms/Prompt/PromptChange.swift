import CivilTime

/// The change that an event makes to the state of one prompt.
///
/// `PromptState.applying` returns the state after the change.
public enum PromptChange: Hashable, Sendable {
  /// The prompt was planned, or was planned again at another instant.
  case planned
  /// The prompt became due at `at`.
  case due(at: Instant)
  /// The daemon is about to play a ring.
  indirect case ringIntended(Ring, deadline: Instant)
  /// The sound device accepted the first frames of this ring.
  case ringStarted(number: Int, at: Instant)
  /// This ring ended or failed. If the prompt is ringing, its new state is `next`.
  indirect case ringOver(number: Int, next: PromptState)
  /// The daemon cannot know if this ring sounded. If the player reported the start of the ring, the
  /// new state of the prompt is `next`. Otherwise the prompt waits for the same ring again.
  indirect case ringUncertain(number: Int, next: PromptState)
  /// The patient answered "on my way".
  case acknowledged(until: Instant)
  /// The patient answered "later".
  case delayed(until: Instant)
  /// The prompt must be silent now.
  indirect case suppressed(Suppression)
  /// The prompt ended.
  case closed(Outcome, reason: ReasonCode, at: Instant)
  /// A person undid the newest answer. `PromptState` is the state of the prompt after the undo.
  indirect case corrected(PromptState)
  /// The alarm was changed, and the prompt continues with the new version.
  case revised
  /// Somebody or a time source set the wall clock. A positive number means that the clock was set
  /// forward.
  case clockStepped(milliseconds: Int64)
}

/// A change that cannot happen in the present state of its prompt.
///
/// The cause is a defect of the program or a damaged record. A valid input never causes this error.
public struct ImpossibleChange: Error, Hashable, Sendable, CustomStringConvertible {
  public var state: PromptState
  public var change: PromptChange

  public var description: String {
    "a prompt in the state \(state) does not allow the change \(change)"
  }
}

extension PromptState {
  /// Returns the state after a change.
  ///
  /// No other code decides which changes are possible in a state. The table uses these words:
  ///
  /// - "=": the state stays the same.
  /// - "–": the change is impossible in this state.
  /// - "put off": the states `delayed` and `acknowledged`.
  /// - "next", "restored": the state that the change contains.
  /// - "waiting, next": `waiting` if the ring had not started, otherwise the state `next`.
  /// - "moved": the same state with later or earlier instants. The instants that depend on elapsed
  ///   time move by the size of the clock step.
  ///
  /// | Change | planned | waiting | ringing | expiring | put off | held | closed |
  /// |---|---|---|---|---|---|---|---|
  /// | `planned` | = | – | – | – | – | – | planned |
  /// | `due` | waiting | – | – | – | – | – | – |
  /// | `ringIntended` | – | ringing | – | – | ringing | ringing | – |
  /// | `ringStarted` | – | = | ringing | = | = | = | = |
  /// | `ringOver` | – | = | next | = | = | = | = |
  /// | `ringUncertain` | – | = | waiting, next | = | = | = | = |
  /// | `acknowledged`, `delayed` | – | put off | put off | put off | put off | put off | – |
  /// | `suppressed` | – | held | – | – | held | held | – |
  /// | `closed` | closed | closed | closed | closed | closed | closed | – |
  /// | `corrected` | – | – | – | – | restored | – | restored |
  /// | `revised` | – | = | = | = | = | = | – |
  /// | `clockStepped` | = | moved | moved | moved | moved | moved | = |
  ///
  /// A report of a ring can arrive after an answer has stopped that ring. Therefore a report
  /// changes the state only if the prompt is still `ringing`, and if the state and the report
  /// contain the same ring number.
  ///
  /// - Throws: `ImpossibleChange` if the change is impossible in the present state.
  public func applying(_ change: PromptChange) throws(ImpossibleChange) -> PromptState {
    if case .clockStepped(let milliseconds) = change { return shifted(by: milliseconds) }
    let next: PromptState? =
      switch self {
      case .planned: afterPlanned(change)
      case .ringing(let ring, let deadline): afterRinging(ring, deadline, change)
      case .waiting, .expiring, .delayed, .acknowledged, .held: afterPause(change)
      case .closed: afterClosed(change)
      }
    guard let next else { throw ImpossibleChange(state: self, change: change) }
    return next
  }

  private func afterPlanned(_ change: PromptChange) -> PromptState? {
    switch change {
    case .planned, .clockStepped: self
    case .due(let at): .waiting(ring: 0, at: at)
    case .closed(let outcome, let reason, let at): .closed(outcome, reason: reason, at: at)
    case .ringIntended, .ringStarted, .ringOver, .ringUncertain, .acknowledged, .delayed,
      .suppressed, .corrected, .revised:
      nil
    }
  }

  private func afterRinging(
    _ ring: Ring, _ deadline: Instant, _ change: PromptChange
  ) -> PromptState? {
    switch change {
    case .ringStarted(let number, let at):
      guard ring.number == number else { return self }
      var started = ring
      started.startedAt = at
      return .ringing(started, deadline: deadline)
    case .ringOver(let number, let next): return ring.number == number ? next : self
    case .ringUncertain(let number, let next):
      guard ring.number == number else { return self }
      // If the ring did not start, the prompt waits for the same ring again. Otherwise, the new
      // state is `next`, which the change contains.
      return ring.startedAt == nil ? .waiting(ring: ring.index, at: ring.dueAt) : next
    case .acknowledged(let until): return .acknowledged(until: until)
    case .delayed(let until): return .delayed(until: until)
    case .closed(let outcome, let reason, let at): return .closed(outcome, reason: reason, at: at)
    case .clockStepped, .revised: return self
    case .planned, .due, .ringIntended, .suppressed, .corrected: return nil
    }
  }

  /// Returns the state after a change, if the prompt is due and open, but not ringing.
  private func afterPause(_ change: PromptChange) -> PromptState? {
    switch change {
    case .ringIntended(let ring, let deadline):
      canRingAgain ? .ringing(ring, deadline: deadline) : nil
    case .suppressed(let suppression): canRingAgain ? .held(suppression) : nil
    case .ringStarted, .ringOver, .ringUncertain, .clockStepped, .revised: self
    case .acknowledged(let until): .acknowledged(until: until)
    case .delayed(let until): .delayed(until: until)
    case .closed(let outcome, let reason, let at): .closed(outcome, reason: reason, at: at)
    case .corrected(let restored): isPutOff ? restored : nil
    case .planned, .due: nil
    }
  }

  private func afterClosed(_ change: PromptChange) -> PromptState? {
    switch change {
    case .planned: .planned
    case .ringStarted, .ringOver, .ringUncertain, .clockStepped: self
    case .corrected(let restored): restored
    case .due, .ringIntended, .acknowledged, .delayed, .suppressed, .closed, .revised: nil
    }
  }

  /// True if the present state allows a ring intent or a suppression.
  private var canRingAgain: Bool {
    switch self {
    case .waiting, .delayed, .acknowledged, .held: true
    case .planned, .ringing, .expiring, .closed: false
    }
  }

  /// True if the present state is the result of the answer "later" or "on my way".
  private var isPutOff: Bool {
    switch self {
    case .delayed, .acknowledged: true
    case .planned, .waiting, .ringing, .expiring, .held, .closed: false
    }
  }
}
