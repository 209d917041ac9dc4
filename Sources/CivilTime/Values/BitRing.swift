/// A set of numbers that repeats with the period `period`. If the set contains n, it also contains
/// n + `period`.
///
/// A rule with an interval uses only some periods, for example every second month or every fourth
/// year. Only these periods have numbers. The period that contains the start of the rule has the
/// number 0, and the next period that the rule uses has the number 1. The set contains the numbers
/// of the periods that contain at least one day of the rule. The set repeats because the Gregorian
/// calendar repeats every 400 years. If the set is empty, the rule has no occurrence.
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

  /// An empty set with period 0, for rules that need no `BitRing`.
  static let none = BitRing(period: 0) { _ in false }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var isFull: Bool { words.reduce(0) { $0 + $1.nonzeroBitCount } == period }

  /// The smallest number at or after `number` that is in the set. `number` must be 0 or more, and
  /// the set must not be empty.
  func next(atOrAfter number: Int) -> Int {
    let index = Int(divider.divide(UInt64(bitPattern: Int64(number))).remainder)
    var word = index >> 6
    var rest = words[word] >> UInt64(index & 63)
    if rest != 0 { return number + rest.trailingZeroBitCount }
    var base = number - index
    // The loop starts with the next 64-bit word. After the last word, the loop continues with the
    // first word. If at least one bit of the set is 1, the loop finds such a bit.
    for _ in 0...words.count {
      word += 1
      if word == words.count { (word, base) = (0, base + period) }
      rest = words[word]
      if rest != 0 { return base + word * 64 + rest.trailingZeroBitCount }
    }
    return .max
  }
}
