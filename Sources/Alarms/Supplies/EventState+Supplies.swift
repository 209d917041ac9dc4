import CivilTime

// Applies the events about supplies to the state.
extension EventState {
  mutating func applySupply(_ id: SupplyID, _ change: SupplyChange, at wall: Instant) {
    if case .added(let settings, let left) = change {
      var supply = Supply(id: id, settings: settings, left: left)
      supply.isLowNoted = supply.isLow
      put(supply)
      return
    }
    // If the disk is damaged, the record can contain a change of a supply that does not exist. The
    // function ignores this change.
    guard var supply = supply(id) else { return }
    switch change {
    case .added: break
    case .removed:
      drop(supply: id)
      return
    case .changed(let settings):
      supply.settings = settings
      supply.isLowNoted = supply.isLow
    case .refilled(_, let left), .counted(let left):
      supply.left = left
      supply.isLowNoted = supply.isLow
    case .used(let prompt, _, let taken, let left):
      supply.left = left
      supply.isLowNoted = supply.isLowNoted || supply.isLow
      supply.taken.removeAll { $0.prompt == prompt || !$0.canBeReturned(at: wall) }
      supply.taken.append(Supply.Taken(prompt: prompt, amount: taken, at: wall))
    case .returned(let prompt, _, let left):
      supply.left = left
      supply.taken.removeAll { $0.prompt == prompt }
    }
    put(supply)
  }
}

extension Supply.Taken {
  /// True if a person may still undo the completion that used the amount.
  fileprivate func canBeReturned(at wall: Instant) -> Bool {
    abs(wall.milliseconds(since: at)) <= LastAnswer.undoMilliseconds
  }
}
