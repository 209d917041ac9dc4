import CivilTime

/// Instants at which prompts must be looked at, smallest first: a binary heap.
///
/// Nothing is taken out when a prompt moves on; what is no longer true is dropped when it comes to the
/// top. So a change costs one insertion, whatever else is pending.
struct DueQueue: Sendable {
  struct Item: Sendable {
    var at: Instant
    var prompt: PromptID
  }

  private var items: [Item] = []

  var first: Item? { items.first }

  mutating func insert(_ item: Item) {
    items.append(item)
    var child = items.count - 1
    while child > 0, items[child].at < items[(child - 1) / 2].at {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// The prompts of current items at or before `wall`: at most `limit`, oldest first.
  func due(at wall: Instant, limit: Int, _ isCurrent: (Item) -> Bool) -> [PromptID] {
    var found: [Item] = []
    var seen: Set<PromptID> = []
    // Below an item that is later than `wall` everything is.
    var pending = items.isEmpty ? [] : [0]
    while let index = pending.popLast(), found.count < limit {
      guard items[index].at <= wall else { continue }
      if isCurrent(items[index]), seen.insert(items[index].prompt).inserted {
        found.append(items[index])
      }
      for child in [2 * index + 2, 2 * index + 1] where child < items.count {
        pending.append(child)
      }
    }
    found.sort { ($0.at, $0.prompt) < ($1.at, $1.prompt) }
    return found.map(\.prompt)
  }

  mutating func removeFirst() {
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child].at < items[least].at {
        least = child
      }
      if least == parent { return }
      items.swapAt(least, parent)
      parent = least
    }
  }
}
