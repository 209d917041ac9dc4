import CivilTime

@testable import Alarms
@testable import Simulation

/// Planted bugs in calls.
let callBugs = [
  Bug("record no result of a call") {
    $0.decision = { decision, _, _ in
      decision.replace {
        guard case .call(let person, let number, .told) = $0 else { return $0 }
        return .call(person, number: number, .repeated)
      }
    }
  },
  Bug("say that a contact was told of a call who was not") {
    $0.decision = { decision, _, _ in
      decision.replace {
        guard case .call(let person, let number, .told(let contact)) = $0 else { return $0 }
        let other = contact == "nurse" ? "neighbour" : "nurse"
        return .call(person, number: number, .told(contact: other))
      }
    }
  },
  Bug("do not tell the person the result of a call") {
    $0.decision = { decision, input, _ in
      guard case .notifyResult = input else { return }
      let replies = Set(decision.changes.alarms.filter(\.value.isAnnouncement).keys)
      decision.records.removeAll {
        switch $0.event {
        case .alarmCreated(let alarm): replies.contains(alarm.id)
        default: $0.event.promptID.map { replies.contains($0.alarm) } ?? false
        }
      }
      for id in replies { decision.changes.alarms[id] = nil }
      decision.changes.prompts = decision.changes.prompts.filter { !replies.contains($0.key.alarm) }
    }
  },
]
