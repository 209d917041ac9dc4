import CivilTime

/// The answers that a prompt still accepts, and whether a screen shows it as due.
///
/// The daemon computes these values for each request. The record does not contain them.
public struct PromptGuide: Hashable, Sendable {
  /// The default length of a delay, in seconds; nil if the prompt is over.
  public var delaySeconds: Int64?
  /// The number of further answers "later" that the prompt accepts; nil if the prompt is over.
  public var delaysLeft: Int?
  /// The last instant at which the newest answer can be undone; nil if no answer can be undone.
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
  /// The answers that a prompt of this home accepts now.
  ///
  /// - Parameter prompt: a prompt of the state or of the record.
  public func guide(
    to prompt: Prompt, at reading: ClockReading, _ environment: Environment
  ) -> PromptGuide {
    let transition = Transition(self, reading, .daemon("guide"), environment)
    let alarm = prompt.state.isOpen ? alarm(prompt.id.alarm) : nil
    // The home soon forgets an answered prompt, and forgets it at once after a clock step.
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
  /// A screen is a prompt too. So a screen shows nothing as due in a control phase, in a pause and
  /// in quiet hours, even if the prompt rang before the quiet hours began. The hourly limit is a
  /// limit for sound only: a screen still shows a prompt that this limit holds back.
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
