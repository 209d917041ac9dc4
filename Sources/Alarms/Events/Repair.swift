import CivilTime

/// A defect that the self-audit can find. The record contains the raw value of the defect.
public enum Defect: String, Sendable, CaseIterable {
  /// The stored prompt contained no instant at which `step` must handle the prompt next.
  case stepNotStored = "step_not_stored"
  /// The prompt was missing from the table of prompts, although the record contains the prompt.
  case promptNotStored = "prompt_not_stored"
  /// No timer was set for the next instant at which `step` must handle the prompt.
  case stepNotAwaited = "step_not_awaited"
  /// The alarm has future occurrences, but no prompt was planned.
  case notPlanned = "not_planned"
}

/// A prompt whose stored state is different from the state that a replay computes.
///
/// `prompt` contains the state that a replay computes.
public struct ProjectionMismatch: Hashable, Sendable {
  public var prompt: Prompt
  public var defect: Defect

  public init(prompt: Prompt, defect: Defect) {
    self.prompt = prompt
    self.defect = defect
  }
}

// The self-audit. Every open prompt must have an instant at which `step` handles the prompt next.
// Every alarm with future occurrences must have a planned prompt. `audit` runs at the start of the
// daemon, at every heartbeat and after every sleep of the device, and records each repair. After a
// clock step or a change of the zones, `step` calls only `restoreLostSteps` and `auditPlans`.
extension Transition {
  mutating func audit() {
    repairMismatches()
    restoreLostSteps()
    auditPlans(isRepair: true)
  }

  /// Stores each prompt again if its stored state was wrong when the daemon started.
  private mutating func repairMismatches() {
    for stray in mismatches {
      emit(.repaired(stray.prompt.id, stray.defect))
      if prompt(stray.prompt.id) == nil { put(stray.prompt) }
    }
    mismatches = []
  }

  /// Finds open prompts that are missing from the due queue or the speaker queue, and inserts these
  /// prompts again. If one of these prompts is already due, this decision handles the prompt.
  mutating func restoreLostSteps() {
    for id in home.lostPrompts() where lost.insert(id).inserted {
      emit(.repaired(id, .stepNotAwaited))
    }
  }
}
