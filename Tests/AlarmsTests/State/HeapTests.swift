import TestRandom
import Testing

@testable import Alarms

/// Compares the heap of the due queue with a sorted array.
@Suite struct HeapTests {
  /// Returns `size` random numbers. Many of these numbers are equal.
  private func items(_ size: Int, _ random: inout SeededGenerator) -> [Int] {
    (0..<size).map { _ in Int.random(in: 0..<max(size, 1), using: &random) }
  }

  @Test func `items are removed and walked in order, the smallest first`() {
    var random = SeededGenerator(seed: 1)
    for size in Array(0...17) + [100, 257] {
      let items = items(size, &random)
      var heap = Heap<Int>()
      for (count, item) in items.enumerated() {
        heap.insert(item)
        #expect(heap.first == items[...count].min())
      }
      #expect(heap.all.sorted() == items.sorted())
      #expect(Array(heap.walk()) == items.sorted(), "\(items)")
      #expect(Array(heap.walk().prefix(3)) == Array(items.sorted().prefix(3)))
      var removed: [Int] = []
      while let first = heap.first {
        removed.append(first)
        heap.removeFirst()
      }
      #expect(removed == items.sorted(), "\(items)")
      #expect(heap.all.isEmpty && Array(heap.walk()).isEmpty)
    }
  }

  @Test func `items can be inserted and removed in any order`() {
    var random = SeededGenerator(seed: 2)
    var (heap, sorted) = (Heap<Int>(), [Int]())
    for _ in 0..<2_000 {
      if Int.random(in: 0..<5, using: &random) < 3 || sorted.isEmpty {
        let item = Int.random(in: 0..<50, using: &random)
        heap.insert(item)
        sorted.append(item)
        sorted.sort()
      } else {
        heap.removeFirst()
        sorted.removeFirst()
      }
      #expect(heap.first == sorted.first)
    }
    #expect(Array(heap.walk()) == sorted)
  }
}
