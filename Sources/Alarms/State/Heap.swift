/// A binary heap with the smallest item first.
struct Heap<Item: Comparable & Sendable>: Sendable {
  private var items: [Item] = []

  var first: Item? { items.first }

  /// All items, in no defined order.
  var all: [Item] { items }

  mutating func insert(_ item: Item) {
    items.append(item)
    var child = items.count - 1
    while child > 0, items[child] < items[(child - 1) / 2] {
      items.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeFirst() {
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child] < items[least] {
        least = child
      }
      if least == parent { return }
      items.swapAt(least, parent)
      parent = least
    }
  }

  /// Returns a sequence of the items, the smallest item first. The items stay in the heap. The time
  /// to read the first k items grows with k·log k, and does not depend on the size of the heap.
  func walk() -> Walk { Walk(self) }

  struct Walk: Sequence, IteratorProtocol {
    private struct Place {
      var item: Item
      var index: Int
    }

    private let items: [Item]
    /// The items from which `next` chooses the next item. `next` has not returned these items yet,
    /// but `next` has returned the parent of each of these items. At the start, the list contains
    /// only the first item of the heap, which has no parent.
    ///
    /// No item is smaller than its parent, so the smallest remaining item is in this list.
    private var frontier: [Place] = []

    fileprivate init(_ heap: Heap) {
      items = heap.items
      add(0)
    }

    mutating func next() -> Item? {
      guard let place = frontier.popLast() else { return nil }
      add(2 * place.index + 1)
      add(2 * place.index + 2)
      return place.item
    }

    /// Inserts the item with this index into the list `frontier`. The list is sorted by the items,
    /// and the smallest item is the last element.
    ///
    /// The list is short: after `next` has returned n items, the list contains at most n + 1 items.
    /// Therefore an insertion is fast.
    private mutating func add(_ index: Int) {
      guard index < items.count else { return }
      let place = Place(item: items[index], index: index)
      var (low, high) = (0, frontier.count)
      while low < high {
        let middle = (low + high) / 2
        if place.item < frontier[middle].item { low = middle + 1 } else { high = middle }
      }
      frontier.insert(place, at: low)
    }
  }
}
