import Testing

@testable import Alarms
@testable import Simulation

/// Planted bugs in the requests of a screen.
extension MutationTests {
  @Test(arguments: [
    "phase patient kind=control", "person-edit patient quiet=22:00-09:00; policy=hold",
  ])
  func `a screen that shows a silent prompt is found in a scenario`(silence: String) throws {
    try find(
      "I12",
      in: """
        0d 00:10:00 add label=Pills; schedule=every day 08:00; rings=1
        0d 00:20:00 \(silence)
        until 0d 07:30:00
        """
    ) { decision, _ in
      decision.replace { if case .held(let id, _) = $0 { .presented(id) } else { $0 } }
    }
  }

  @Test(arguments: ["I3", "I4"])
  func `a voice that is said again unrecorded or after the answer is found in a scenario`(
    invariant: String
  ) throws {
    try find(
      invariant,
      in: """
        0d 00:10:00 add label=Pills; schedule=every day 08:00; rings=1
        0d 07:00:40 say-again open=0
        0d 07:00:41 patient complete open=0
        until 0d 12:00:00
        """
    ) { decision, _ in
      if invariant == "I3" {
        decision.drop { if case .saidAgain = $0 { true } else { false } }
      } else {
        decision.effects.removeAll { if case .stop = $0 { true } else { false } }
      }
    }
  }
}
