import Testing

@testable import Logbook

/// Tests the exact names that the logbook makes from random bits.
@Suite struct `A random name` {
  /// Each number of this generator has eight equal bytes. The bytes of the first number are 1, the
  /// bytes of the second number are 2.
  private struct Counting: RandomNumberGenerator, Sendable {
    var byte: UInt64 = 0
    mutating func next() -> UInt64 {
      byte += 1
      return byte &* 0x0101_0101_0101_0101
    }
  }

  private struct Ones: RandomNumberGenerator, Sendable {
    func next() -> UInt64 { .max }
  }

  @Test func `has a letter and eight of 32 characters, the lowest bits first`() {
    let alphabet = ["01234567", "89abcdef", "ghjkmnpq", "rstvwxyz"]
    for (part, text) in alphabet.enumerated() {
      let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(part * 8 + $1) << (5 * UInt64($1)) }
      #expect(pseudonym("P", bits: bits) == "P-\(text)")
      // A pseudonym contains only the lowest 40 bits of the random number.
      #expect(pseudonym("D", bits: bits | 0xFFFF_FF00_0000_0000) == "D-\(text)")
    }
    var random: any RandomNumberGenerator & Sendable = Ones()
    #expect(pseudonym("D", &random) == "D-zzzzzzzz")
  }

  @Test func `takes eight bytes from each number, and leaves the rest`() {
    var random: any RandomNumberGenerator & Sendable = Counting()
    let ones = [UInt8](repeating: 1, count: 8)
    #expect(randomBytes(0, &random) == [])
    #expect(randomBytes(8, &random) == ones)
    #expect(randomBytes(9, &random) == [UInt8](repeating: 2, count: 8) + [3])
    #expect(randomBytes(3, &random) == [4, 4, 4])
    #expect(
      randomBytes(16, &random).map(Int.init) == Array(repeating: 5, count: 8)
        + Array(repeating: 6, count: 8))
  }

  @Test func `of an event is a UUID of version 4`() {
    var random: any RandomNumberGenerator & Sendable = Counting()
    #expect(randomIdentifier(&random) == "01010101-0101-4101-8202-020202020202")
    random = Ones()
    #expect(randomIdentifier(&random) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
  }
}
