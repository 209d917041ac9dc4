import CivilTime

/// Instants at which prompts must be looked at, smallest first.
///
/// Nothing is taken out when a prompt moves on; what is no longer true is dropped when it comes to the
/// top. So a change costs one insertion, whatever else is pending.
struct DueQueue: Sendable {
  struct Item: Comparable, Hashable, Sendable {
    var at: Instant
    var prompt: PromptID

    static func < (a: Self, b: Self) -> Bool {
      a.at < b.at || a.at == b.at && a.prompt < b.prompt
    }
  }

  private var items = Heap<Item>()

  var first: Item? { items.first }

  /// Everything that is waited for, and what no longer is.
  var all: Set<Item> { Set(items.all) }

  mutating func insert(_ item: Item) { items.insert(item) }

  mutating func removeFirst() { items.removeFirst() }

  /// The prompts of current items at or before `wall`: at most `limit`, oldest first.
  func due(at wall: Instant, limit: Int, _ isCurrent: (Item) -> Bool) -> [PromptID] {
    guard let first, first.at <= wall else { return [] }
    var found: [PromptID] = []
    var seen: Set<PromptID> = []
    for item in items.walk() {
      guard item.at <= wall, found.count < limit else { break }
      if isCurrent(item), seen.insert(item.prompt).inserted { found.append(item.prompt) }
    }
    return found
  }
}
