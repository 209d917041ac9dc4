import CivilTime

/// Instants at which prompts need a step, earliest first.
///
/// An entry is not removed when its prompt changes. An outdated entry is dropped when it reaches
/// the top. Therefore a change costs one insertion, however many entries there are.
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

  /// All entries, the outdated ones included.
  var all: Set<Item> { Set(items.all) }

  mutating func insert(_ item: Item) { items.insert(item) }

  mutating func removeFirst() { items.removeFirst() }

  /// Prompts of current entries at or before `wall`, oldest first; at most `limit`.
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
