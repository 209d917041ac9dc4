import CivilTime

/// What the self-audit finds wrong. A closed list, as the record spells it.
public enum Defect: String, Sendable, CaseIterable {
  /// What is stored of the prompt did not say when its next step is.
  case stepNotStored = "step_not_stored"
  /// The record knows the prompt, and nothing was stored of it.
  case promptNotStored = "prompt_not_stored"
  /// Nothing waited for the prompt's next step.
  case stepNotAwaited = "step_not_awaited"
  /// The alarm has times to come, and none was planned.
  case notPlanned = "not_planned"
}

/// A prompt of which something else is stored than the record says, as the record says it.
public struct ProjectionMismatch: Hashable, Sendable {
  public var prompt: Prompt
  public var defect: Defect

  public init(prompt: Prompt, defect: Defect) {
    self.prompt = prompt
    self.defect = defect
  }
}

// The self-audit: no prompt is open and forgotten, and no alarm with a future has none. It looks at
// every heartbeat and after every waking, and says what it repairs.
extension Transition {
  mutating func audit() {
    repairStrays()
    awaitForgottenSteps()
    auditPlans(isRepair: true)
  }

  /// Takes up what a start found to be stored wrongly: it is stored anew.
  private mutating func repairStrays() {
    for stray in strays {
      emit(.repaired(stray.prompt.id, stray.defect))
      if prompt(stray.prompt.id) == nil { put(stray.prompt) }
    }
    strays = []
  }

  /// Waits again for steps of which nothing would remind. What has run out meanwhile is dealt with in this
  /// decision.
  mutating func awaitForgottenSteps() {
    for id in home.forgottenPrompts() where forgotten.insert(id).inserted {
      emit(.repaired(id, .stepNotAwaited))
    }
  }
}
