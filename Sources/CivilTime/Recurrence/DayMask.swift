/// A set of days of one week, month or year. Bit 0 is the first day of the week, month or year.
///
/// The set has 384 bits, which is enough for the days of a year. The set of a month can also
/// contain the day after the end of the month. Reason: if the 31st does not exist in a month,
/// SKIP=FORWARD uses the first day of the next month instead.
struct DayMask: Equatable {
  static let wordCount = 6
  var words: [UInt64]

  init() { words = Array(repeating: 0, count: DayMask.wordCount) }

  init(_ word: UInt64) {
    self.init()
    words[0] = word
  }

  /// Creates a set that contains the first `count` days of the week, month or year.
  init(first count: Int) {
    self.init()
    for day in 0..<count { insert(day) }
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The number of days of the set that are before `day`.
  func count(before day: Int) -> Int {
    words.indices.reduce(0) { count, index in
      let shift = max(0, day - index * 64)
      let below = shift >= 64 ? UInt64.max : 1 << UInt64(shift) - 1
      return count + (words[index] & below).nonzeroBitCount
    }
  }

  mutating func insert(_ day: Int) { words[day >> 6] |= 1 << UInt64(day & 63) }

  /// Adds the days of a mask of at most 64 bits to the set. Bit 0 of the mask is the day `day`.
  mutating func insert(_ mask: UInt64, at day: Int) {
    let (word, shift) = (day >> 6, UInt64(day & 63))
    words[word] |= mask << shift
    if word + 1 < words.count { words[word + 1] |= mask >> (64 - shift) }
  }

  mutating func formIntersection(_ other: DayMask) {
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// The day with the index `rank` in the sorted set. The first day has the index 0. The result is
  /// -1 if the set does not contain more than `rank` days.
  func day(rank: Int) -> Int {
    var rest = rank
    for (index, word) in words.enumerated() {
      let count = word.nonzeroBitCount
      if rest < count { return index * 64 + selectBit(word, rest) }
      rest -= count
    }
    return -1
  }

  /// The days of the set that BYSETPOS chooses, if the rule has only one time of day.
  func selecting(_ positions: [Int]) -> DayMask {
    if positions.isEmpty { return self }
    let count = count
    var chosen = DayMask()
    for position in positions where abs(position) <= count {
      chosen.insert(day(rank: position > 0 ? position - 1 : count + position))
    }
    return chosen
  }
}
