/// The prompts that an analysis counts.
enum AnalysisSet: String, CaseIterable {
  /// The main analysis: the prompts with which the device asked the person.
  case main = "main"
  /// All planned prompts. A prompt with which the device could not ask counts as not completed.
  case notDeliveredFailed = "not_delivered_failed"
  /// The asked prompts, without those that should ring, did not ring completely and got no answer.
  case notDeliveredMissing = "not_delivered_missing"

  /// True if the analysis counts the prompt. The caller has checked the phase and the enrolment.
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
  /// The arm in participants.csv; empty if there is none.
  var arm: String
  /// By the name of the phase; only phases with a counted prompt.
  var phases: [String: PhaseCount] = [:]

  struct PhaseCount {
    var count = PromptCount(counted: 0, completed: 0)
    /// The first and the last due time, in minutes. Only their order has a meaning.
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

  /// The order of the phases; nil if a phase of the one kind lies between phases of the other kind.
  var sequence: Sequence? {
    guard let (prompted, control) = both else { return nil }
    if prompted.last <= control.first { return .promptedFirst }
    return control.last <= prompted.first ? .controlFirst : nil
  }

  /// True if the arm is an order of phases, such as `AB`.
  var isCrossoverArm: Bool { arm.utf8.count > 1 && arm.utf8.allSatisfy { $0 == 65 || $0 == 66 } }
}
