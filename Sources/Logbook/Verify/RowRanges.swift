/// A set of rows of the record, as ranges of sequence numbers. An example of the text form is
/// `12-15,20`.
struct RowRanges: Hashable, Sendable, CustomStringConvertible {
  /// The ranges, in ascending order. Two ranges never touch: at least one number between them is
  /// not in the set.
  private(set) var ranges: [ClosedRange<Int64>] = []

  init(_ rows: [Int64] = []) {
    for row in Set(rows).sorted() { append(row) }
  }

  /// Reads the text form. The result is nil if the text has a different form.
  init?(_ text: String) {
    for part in text.split(separator: ",", omittingEmptySubsequences: false) where !text.isEmpty {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
      guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1],
        first > 0, last >= first, first > ranges.last?.upperBound ?? 0
      else { return nil }
      ranges.append(first...last)
    }
  }

  var description: String {
    ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Adds a number that is greater than all numbers of the set.
  mutating func append(_ row: Int64) {
    if let last = ranges.last, last.upperBound == row - 1 {
      ranges[ranges.count - 1] = last.lowerBound...row
    } else {
      ranges.append(row...row)
    }
  }

  /// Returns a set with all numbers of the given sets.
  static func union(_ sets: [RowRanges]) -> RowRanges {
    var union = RowRanges()
    for range in sets.flatMap(\.ranges).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.ranges.last, range.lowerBound <= last.upperBound + 1 {
        union.ranges[union.ranges.count - 1] =
          last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        union.ranges.append(range)
      }
    }
    return union
  }

  /// Returns true if the set contains the number.
  func contains(_ row: Int64) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < row { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(row)
  }
}
