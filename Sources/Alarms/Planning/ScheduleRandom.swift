import CivilTime

/// The random number generator SplitMix64. Steele, Lea and Flood describe it in "Fast splittable
/// pseudorandom number generators" (2014).
///
/// Prompter does not use the random number generator of a library, because a new version of the
/// library could give other numbers. In a study, every later version of Prompter must compute the
/// same instants for the same person, alarm and day.
struct SplitMix64 {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a random number from 0 to `bound - 1`. All numbers are equally likely (Lemire's method
  /// with rejection).
  mutating func next(below bound: UInt64) -> UInt64 {
    let threshold = (0 &- bound) % bound
    while true {
      let product = next().multipliedFullWidth(by: bound)
      if product.low >= threshold { return product.high }
    }
  }
}

/// Returns the seed of an alarm's random times: the FNV-1a hash of the ids of the person and the
/// alarm.
///
/// The id of the alarm is random, so the person cannot predict the times.
func randomSeed(person: PersonID, alarm: AlarmID) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in Array(person.text.utf8) + [0] + Array(alarm.text.utf8) {
    hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
  return hash
}

extension RandomTimes {
  /// Returns the random times of one day, in seconds since 1970, in ascending order.
  ///
  /// A set of times is possible if its times are at least the minimum interval apart. All possible
  /// sets have the same probability. First, the function subtracts all minimum intervals from the
  /// length of the window, and draws random times in the remaining length. Then the function adds
  /// the minimum intervals again, one between each two neighbouring times. If a clock change makes
  /// the window too short, the minimum interval becomes shorter.
  func seconds(of day: CivilDate, in bounds: Zone.WindowBounds, seed: UInt64) -> [Int64] {
    let length = bounds.end - bounds.start
    guard length > 0 else { return [bounds.start] }
    let gaps = Int64(perDay - 1)
    let distance = min(minimumDistanceSeconds, (length - 1) / max(gaps, 1))
    let room = UInt64(length - gaps * distance)
    let mixed = seed ^ (UInt64(bitPattern: Int64(day.dayNumber)) &* 0xD6E8_FEB8_6659_FD93)
    var random = SplitMix64(seed: mixed)
    let drawn = (0..<perDay).map { _ in Int64(random.next(below: room)) }.sorted()
    return drawn.enumerated().map { bounds.start + $1 + Int64($0) * distance }
  }
}
