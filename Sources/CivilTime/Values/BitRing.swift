/// A set of the numbers 0 ..< period that repeats for ever.
///
/// It says which periods of a rule (every second month, every fourth year …) have any day at all:
/// the Gregorian calendar repeats every 400 years, so a rule's periods repeat too. An empty ring is
/// a proof that the rule can never be.
struct BitRing: Sendable {
  let period: Int
  private let divider: Reciprocal
  private var words: [UInt64]

  init(period: Int, contains: (Int) -> Bool) {
    self.period = period
    divider = Reciprocal(max(period, 1))
    words = Array(repeating: 0, count: (period + 63) / 64)
    for index in 0..<period where contains(index) { words[index >> 6] |= 1 << UInt64(index & 63) }
  }

  /// A ring for those who need none.
  static let none = BitRing(period: 0) { _ in false }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var isFull: Bool { words.reduce(0) { $0 + $1.nonzeroBitCount } == period }

  /// The first member at or after a number from 0 on. The ring must not be empty.
  func next(atOrAfter number: Int) -> Int {
    let index = Int(divider.divide(UInt64(bitPattern: Int64(number))).remainder)
    var word = index >> 6
    var rest = words[word] >> UInt64(index & 63)
    if rest != 0 { return number + rest.trailingZeroBitCount }
    var base = number - index
    // One round and the word that was begun with: a ring that is not empty answers within it.
    for _ in 0...words.count {
      word += 1
      if word == words.count { (word, base) = (0, base + period) }
      rest = words[word]
      if rest != 0 { return base + word * 64 + rest.trailingZeroBitCount }
    }
    return .max
  }
}
