@testable import Alarms
@testable import Simulation

/// Planted bugs in merged rings.
let mergingBugs = [
  Bug("leave the last prompt out of the sound of a merged ring") {
    $0.decision = { decision, _, _ in
      decision.effects = decision.effects.map {
        guard case .play(var order) = $0, !order.others.isEmpty else { return $0 }
        order.others.removeLast()
        return .play(order)
      }
    }
  },
  Bug("ring one after another for prompts that are due together") { $0.mergesRings = false },
]
