import CivilTime

@testable import Alarms
@testable import Simulation

private func isUse(_ event: Event) -> Bool {
  if case .supply(_, .used) = event { true } else { false }
}

private func isReturn(_ event: Event) -> Bool {
  if case .supply(_, .returned) = event { true } else { false }
}

private func isLowNotice(_ event: Event) -> Bool {
  if case .notice(let notice, .due) = event { notice.kind == .supplyLow } else { false }
}

extension Decision {
  /// Drops the matching changes of supplies from the record and from the state of the home.
  fileprivate mutating func dropSupplies(where isDropped: (Event) -> Bool) {
    guard records.contains(where: { isDropped($0.event) }) else { return }
    drop({ isDropped($0) || isLowNotice($0) }, changesToo: false)
    changes.supplies = [:]
    effects.removeAll {
      if case .notify(let order) = $0 { order.reason == .supplyLow } else { false }
    }
  }

  /// Replaces an amount of a supply in the record and in the state of the home.
  fileprivate mutating func replaceAmount(
    _ edit: (SupplyChange) -> (change: SupplyChange, left: Int64)?
  ) {
    for index in records.indices {
      guard case .supply(let id, let change) = records[index].event, let new = edit(change) else {
        continue
      }
      records[index].event = .supply(id, new.change)
      changes.supplies[id]?.left = new.left
    }
  }
}

/// Planted bugs in supplies.
let supplyBugs = [
  Bug("a completion takes nothing from a supply") {
    $0.decision = { decision, _, _ in decision.dropSupplies(where: isUse) }
  },
  Bug("an undo gives nothing back to a supply") {
    $0.decision = { decision, _, _ in decision.dropSupplies(where: isReturn) }
  },
  Bug("a prompt takes more than is left of a supply", within: 4) {
    $0.decision = { decision, _, _ in
      decision.replaceAmount { change in
        guard case .used(let id, let amount, let taken, let left) = change, taken < amount else {
          return nil
        }
        let below = left + taken - amount
        return (.used(id, amount: amount, taken: amount, left: below), below)
      }
    }
  },
  Bug("a refill is counted twice") {
    $0.decision = { decision, _, _ in
      decision.replaceAmount { change in
        guard case .refilled(let amount, let left) = change else { return nil }
        return (.refilled(amount: amount, left: left + amount), left + amount)
      }
    }
  },
  Bug("nobody is told that a supply is low") {
    $0.decision = { decision, _, _ in
      decision.drop(isLowNotice, changesToo: false)
      decision.effects.removeAll {
        if case .notify(let order) = $0 { order.reason == .supplyLow } else { false }
      }
    }
  },
  Bug("a contact is told of a low supply again and again") {
    $0.merged = { decision in
      for id in decision.changes.supplies.keys {
        decision.changes.supplies[id]?.isLowNoted = false
      }
    }
  },
]
