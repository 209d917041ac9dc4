import CivilTime

/// The data that a screen needs about a prompt, for example the number of delays that remain.
///
/// The daemon computes these values for each request. The record does not contain these values.
public struct PromptGuide: Hashable, Sendable {
  /// The default length of a delay, in seconds; nil if the prompt is over.
  public var delaySeconds: Int64?
  /// The number of further answers "later" that the prompt accepts; nil if the prompt is over.
  public var delaysLeft: Int?
  /// The last instant at which a person can undo the newest answer; nil if nobody can undo an
  /// answer.
  public var undoUntil: Instant?
  /// True if a screen may show the prompt as due now.
  public var isShownAsDue: Bool

  public init(
    delaySeconds: Int64?, delaysLeft: Int?, undoUntil: Instant?, isShownAsDue: Bool
  ) {
    self.delaySeconds = delaySeconds
    self.delaysLeft = delaysLeft
    self.undoUntil = undoUntil
    self.isShownAsDue = isShownAsDue
  }
}

extension HomeState {
  /// Returns the data that a screen needs about a prompt now.
  ///
  /// - Parameter prompt: a prompt from the state of the home or from the record.
  public func guide(
    to prompt: Prompt, at reading: ClockReading, _ environment: Environment
  ) -> PromptGuide {
    let transition = Transition(self, reading, .daemon("guide"), environment)
    let alarm = prompt.state.isOpen ? alarm(prompt.id.alarm) : nil
    // The state of the home contains an answered prompt only for a short time. After a clock step,
    // the daemon removes the prompt from the state at once.
    let canUndo = isKnown(prompt.id) && transition.undoRefusal(of: prompt) == nil
    return PromptGuide(
      delaySeconds: alarm?.delaySeconds,
      delaysLeft: alarm.map { max($0.delayLimit - prompt.delays, 0) },
      undoUntil: canUndo ? prompt.lastAnswer?.undoUntil : nil,
      isShownAsDue: transition.isShownAsDue(prompt))
  }
}

extension Transition {
  /// Returns true if a screen may show the prompt as due now.
  ///
  /// A picture on a screen can prompt a person in the same way as a sound. Therefore a screen shows
  /// nothing as due in a control phase, in a pause and in quiet hours, even if the prompt rang
  /// before the quiet hours began. The hourly limit applies only to sound, so a screen still shows
  /// a prompt that this limit holds back.
  func isShownAsDue(_ prompt: Prompt) -> Bool {
    guard let alarm = alarm(prompt.id.alarm) else { return false }
    switch prompt.state {
    case .planned, .delayed, .acknowledged, .closed: return false
    case .ringing: return true
    case .held(let suppression) where suppression.reason != .cap && suppression.reason != .capRest:
      return false
    case .waiting, .expiring, .held:
      return !isSilenced(prompt, of: alarm)
        && personState(alarm.person)?.phase(at: prompt.dueAt)?.kind != .control
        && quiet(for: alarm, at: wall) == nil
    }
  }
}
