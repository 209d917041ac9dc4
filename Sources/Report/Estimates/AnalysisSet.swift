/// The prompts that an analysis counts.
enum AnalysisSet: String, CaseIterable {
  /// The main analysis: all prompts that asked the person (`StudyPrompt.isAsked`).
  case main = "main"
  /// All planned prompts. If the device could not ask the person, the prompt counts as not
  /// completed.
  case notDeliveredFailed = "not_delivered_failed"
  /// The asked prompts, with one restriction: outside a control phase, an asked prompt counts only
  /// if it was delivered, answered or completed.
  case notDeliveredMissing = "not_delivered_missing"

  /// True if the analysis counts the prompt. The caller must check the phase and the enrolment of
  /// the prompt.
  func counts(_ prompt: StudyPrompt) -> Bool {
    switch self {
    case .main: prompt.isAsked
    case .notDeliveredFailed: prompt.isPlanned
    case .notDeliveredMissing:
      prompt.isAsked
        && (prompt.phase == Self.control || prompt.isDelivered || prompt.isAnswered
          || prompt.isCompleted)
    }
  }

  static let prompted = "prompted"
  static let control = "control"
}

/// The counted prompts of one person in one analysis.
struct AnalysedPerson {
  /// The arm in participants.csv; empty if the person has no arm.
  var arm: String
  /// The counts of each phase that has a counted prompt. The key is the name of the phase.
  var phases: [String: PhaseCount] = [:]

  struct PhaseCount {
    var count = PromptCount(counted: 0, completed: 0)
    /// The first and the last due time, in minutes. Compare these values only with each other,
    /// because they can be in UTC or in local time.
    var first = Double.infinity
    var last = -Double.infinity
  }

  mutating func add(_ prompt: StudyPrompt) {
    var phase = phases[prompt.phase] ?? PhaseCount()
    phase.count.counted += 1
    if prompt.isCompleted { phase.count.completed += 1 }
    phase.first = min(phase.first, prompt.order)
    phase.last = max(phase.last, prompt.order)
    phases[prompt.phase] = phase
  }

  /// The counts of both phases; nil if the person has counted prompts in only one phase.
  var both: (prompted: PhaseCount, control: PhaseCount)? {
    guard let prompted = phases[AnalysisSet.prompted], let control = phases[AnalysisSet.control]
    else { return nil }
    return (prompted, control)
  }

  /// The order of the phases of a person with exactly two periods.
  enum Sequence: String {
    case promptedFirst = "AB"
    case controlFirst = "BA"
  }

  /// The order of the phases. The result is nil if the person has counted prompts in only one kind
  /// of phase, or if the prompted and the control phases alternate more than once.
  var sequence: Sequence? {
    guard let (prompted, control) = both else { return nil }
    if prompted.last <= control.first { return .promptedFirst }
    return control.last <= prompted.first ? .controlFirst : nil
  }

  /// True if the name of the arm is an order of phases, such as `AB`.
  var isCrossoverArm: Bool { arm.utf8.count > 1 && arm.utf8.allSatisfy { $0 == 65 || $0 == 66 } }
}
