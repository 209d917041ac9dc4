/// The random generator SplitMix64. For the same seed, the generator returns the same numbers on
/// every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// Creates a generator for one purpose. The numbers in `parts` identify the purpose, for example
  /// a prompt and a ring of this prompt.
  ///
  /// The numbers of this generator do not depend on the use of other generators.
  public init(seed: UInt64, about parts: Int64...) {
    state = seed
    for part in parts { state = next() ^ UInt64(bitPattern: part) }
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns a random number in the range. All numbers have nearly the same probability. In the
  /// ranges of the simulation, the probability of any number differs from the probability of any
  /// other number by less than the factor 1 + 2⁻³⁰.
  public mutating func roll(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// Returns true with the probability `percent`, from 0 to 100.
  public mutating func chance(_ percent: Int) -> Bool { next() % 100 < percent }

  /// Returns one of the choices. All choices have the same probability.
  public mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int(next() % UInt64(choices.count))]
  }
}
