import Alarms

/// The state that the audit expects for a supply.
struct ExpectedSupply {
  var left: Int64
  var settings: SupplySettings
  /// True if the daemon notified the contacts, and the supply has not been above its threshold
  /// since this notification.
  var isNoted = false
  /// For each completed prompt, the amount that the prompt took from the supply. If an undo
  /// returned the amount, the dictionary does not contain the prompt.
  var taken: [PromptID: Int64] = [:]

  var isLow: Bool { settings.lowAt.map { left <= $0 } ?? false }
}

/// An amount that the present batch must take from a supply or return to the supply.
struct OwedSupply: Hashable {
  var supply: SupplyID
  var prompt: PromptID
  var amount: Int64
}

// Checks the supplies. The amount of a supply is the starting amount, plus the refills, minus the
// amounts of the completed prompts. If a supply becomes low, each of its contacts gets one notice.
extension Audit {
  /// Updates the expected supplies for one event. The audit calls this function before it applies
  /// the event to `replay`.
  mutating func watchSupplies(_ record: Record) {
    switch record.event {
    case .closed(let id, let outcome, _, _) where outcome.kind == .completed:
      guard let alarm = replay.alarms[id.alarm], replay.prompts[id]?.leadsToAt == nil else {
        return
      }
      for use in alarm.uses where supplies[use.supply] != nil {
        owedUses.insert(OwedSupply(supply: use.supply, prompt: id, amount: use.amount))
      }
    case .corrected(let id, let correction) where correction.undone == .completed:
      for (supply, expected) in supplies {
        guard let amount = expected.taken[id] else { continue }
        owedReturns.insert(OwedSupply(supply: supply, prompt: id, amount: amount))
      }
    case .supply(let id, let change): watch(change, of: id)
    case .notice(let notice, .due) where notice.kind == .supplyLow: noteLow(notice)
    default: break
    }
  }

  private mutating func watch(_ change: SupplyChange, of id: SupplyID) {
    if case .added(let settings, let left) = change {
      supplies[id] = ExpectedSupply(left: left, settings: settings)
      return settle(id, change)
    }
    guard var supply = supplies[id] else {
      return fail("I20", "the unknown supply \(id) was changed")
    }
    var recorded = supply.left
    switch change {
    case .added: break
    case .changed(let settings): supply.settings = settings
    case .removed:
      supplies[id] = nil
      return
    case .refilled(let amount, let left):
      supply.left += amount
      recorded = left
    case .counted(let left):
      supply.left = left
      recorded = left
    case .used(let prompt, let amount, let taken, let left):
      if owedUses.remove(OwedSupply(supply: id, prompt: prompt, amount: amount)) == nil {
        fail("I20", "\(prompt) takes \(amount) of \(id) without a completion")
      }
      if taken != min(amount, supply.left) { fail("I20", "\(prompt) takes \(taken) of \(id)") }
      supply.left -= taken
      supply.taken[prompt] = taken
      recorded = left
    case .returned(let prompt, let amount, let left):
      if owedReturns.remove(OwedSupply(supply: id, prompt: prompt, amount: amount)) == nil {
        fail("I20", "\(prompt) gives \(amount) of \(id) back without an undo")
      }
      supply.left += amount
      supply.taken[prompt] = nil
      recorded = left
    }
    if recorded != supply.left {
      fail("I20", "\(recorded) of \(id) are left according to the record, but it is \(supply.left)")
    }
    supplies[id] = supply
    settle(id, change)
  }

  /// Stores the notices that the present batch must contain after a change of a supply.
  private mutating func settle(_ id: SupplyID, _ change: SupplyChange) {
    guard let supply = supplies[id], let environment else { return }
    guard supply.isLow else {
      // The contacts get one notice when a supply becomes low. They get a second notice only if a
      // refill, a count or new settings ended the low state before the supply became low again. An
      // undo that increases the amount above the threshold is not sufficient.
      switch change {
      case .used, .returned: break
      default: supplies[id]?.isNoted = false
      }
      return
    }
    if supply.isNoted { return }
    supplies[id]?.isNoted = true
    let named = supply.settings.contacts
    for contact in environment.contacts where named.isEmpty || named.contains(contact) {
      owedLow["\(contact) \(supply.settings.name)", default: 0] += 1
    }
  }

  private mutating func noteLow(_ notice: Notice) {
    // If a notice has no result, the daemon records the same notice again after a restart. Do not
    // count it a second time.
    if waitingNotices.contains(notice.number) { return }
    lowNotices.append(notice.contact)
  }

  /// At the end of a batch, checks that every completion and every undo changed the supplies of the
  /// alarm. Also checks that the contacts got the expected notices.
  mutating func checkSupplies(_ changes: StateDelta) {
    defer { (owedUses, owedReturns, owedLow, lowNotices) = ([], [], [:], []) }
    for owed in owedUses { fail("I20", "\(owed.prompt) takes nothing of \(owed.supply)") }
    for owed in owedReturns { fail("I20", "\(owed.prompt) gives nothing of \(owed.supply) back") }
    let expected = owedLow.flatMap { name, count in
      Array(repeating: String(name.prefix { $0 != " " }), count: count)
    }
    if !wasUnwritable, expected.sorted() != lowNotices.sorted() {
      fail("I14", "\(lowNotices) are told of low supplies instead of \(expected)")
    }
    for (id, supply) in changes.supplies where replay.supplies[id] != supply {
      fail("I9", "the projection of supply \(id) differs from the replay of the events")
    }
  }
}
