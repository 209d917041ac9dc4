import CivilTime

@testable import Alarms
@testable import Simulation

/// Planted bugs in inactivity.
let inactivityBugs = [
  Bug("tell of a silence that was answered") {
    $0.merged = { decision in
      guard decision.hasAnswer else { return }
      decision.changes.people = decision.changes.people.filter { $0.value.inactivity != nil }
    }
  },
  Bug("tell nobody of a silence") {
    $0.merged = { decision in
      for id in decision.changes.people.keys { decision.changes.people[id]?.inactivity = nil }
    }
  },
  Bug("tell of a silence again and again") {
    $0.merged = { decision in
      for id in decision.changes.people.keys {
        decision.changes.people[id]?.inactivity?.notifyProgress = .none
      }
    }
  },
  Bug("count a silence from an hour before it began") {
    $0.decision = { decision, _, _ in
      for (id, state) in decision.changes.people {
        guard let since = state.inactivity?.since else { continue }
        decision.changes.people[id]?.inactivity?.since = since.adding(seconds: -3_600)
      }
    }
  },
  Bug("count quiet hours as silence", within: 4) {
    $0.merged = { decision in
      for (id, state) in decision.changes.people where state.inactivity != nil {
        decision.changes.people[id]?.person?.quiet = nil
      }
    }
  },
  Bug("forget a step of the clock for a silence", within: 8) {
    $0.merged = { decision in
      guard decision.records.contains(where: { $0.event.type == "clock_step" }) else { return }
      decision.changes.people = [:]
    }
  },
]

/// Planted bugs in undone answers.
let undoBugs = [
  Bug("undo leaves the burst cancelled") {
    $0.decision = { decision, input, _ in
      guard case .command(.undo, _) = input else { return }
      for (id, prompt) in decision.changes.prompts {
        guard case .waiting = prompt.state else { continue }
        decision.changes.prompts[id]?.state = .expiring(at: prompt.dueAt.adding(seconds: 1_800))
      }
      let changed = decision.changes.prompts
      decision.replace {
        guard case .corrected(let id, var correction) = $0, case .waiting = correction.state else {
          return $0
        }
        correction.state = .expiring(at: Instant(seconds: 0))
        if case .expiring(let at)? = changed[id]?.state {
          correction.state = .expiring(at: at)
        }
        return .corrected(id, correction)
      }
    }
  },
  Bug("undo in the record and not in the home") {
    $0.merged = { decision in
      for record in decision.records {
        if case .corrected(let id, _) = record.event { decision.changes.prompts[id] = nil }
      }
    }
  },
  Bug("undo gives the delays back that were used up") {
    $0.decision = { decision, input, _ in
      guard case .command(.undo, _) = input else { return }
      for id in decision.changes.prompts.keys { decision.changes.prompts[id]?.delays = 0 }
    }
  },
]

/// Planted bugs in the edit of an alarm whose prompt is due.
let editBugs = [
  Bug("an edit of words does not keep the prompt that is due", within: 4) {
    $0.decision = { decision, _, _ in
      decision.drop { if case .revised = $0 { true } else { false } }
    }
  },
  Bug("a kept prompt stays at the old version", within: 4) {
    $0.decision = { decision, _, _ in
      decision.replace {
        if case .revised(let id, let version) = $0 {
          .revised(id, version: version - 1)
        } else {
          $0
        }
      }
    }
  },
  Bug("an early reminder reminds of a time that has passed", within: 4) {
    $0.decision = { decision, _, _ in
      for (id, prompt) in decision.changes.prompts where prompt.state == .planned {
        decision.changes.prompts[id]?.leadsToAt = prompt.leadsToAt?.adding(seconds: -200_000)
      }
      decision.replace {
        guard case .planned(var prompt) = $0 else { return $0 }
        prompt.leadsToAt = prompt.leadsToAt?.adding(seconds: -200_000)
        return .planned(prompt)
      }
    }
  },
]
