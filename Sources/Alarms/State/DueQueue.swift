import CivilTime

/// The instants at which `step` must handle prompts, earliest first.
///
/// An entry contains a prompt and the instant at which `step` must handle the prompt. If this
/// instant changes, the queue gets a new entry, and the old entry is outdated. The outdated entry
/// stays in the queue until it is the first entry. Then `HomeState` removes this entry. Therefore
/// the cost of a change is one insertion, even if the queue is long.
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

  /// All entries, including outdated entries.
  var all: Set<Item> { Set(items.all) }

  mutating func insert(_ item: Item) { items.insert(item) }

  mutating func removeFirst() { items.removeFirst() }

  /// Returns the prompts that are due at or before `wall`, earliest first; at most `limit` prompts.
  /// The function skips outdated entries of the queue.
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
