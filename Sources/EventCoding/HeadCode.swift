/// The head of a record in a form that a person can write on paper: `1204-7k3m-9x2p-4qwz-8h1v`.
///
/// The code has three parts:
///
/// 1. The sequence number of the newest event.
/// 2. The first 75 bits of the hash of this event, as 15 characters of Crockford's base 32.
/// 3. One check character, which is computed from all characters before it (Luhn's algorithm,
///   modulo 32). With the check character, a program detects that a person made a mistake when
///   copying the code. Without the check character, the program could not distinguish such a
///   mistake from a forged record.
///
/// An attacker has to compute about 2^75 hashes to forge a record with the same code as the real
/// record.
public struct HeadCode: Sendable, Hashable, CustomStringConvertible {
  public let sequence: Int64
  /// The first 75 bits of the hash, as 15 values from 0 to 31.
  private let symbols: [UInt8]
  /// The whole hash; nil if the value was read from a head code, which contains only the first 75
  /// bits.
  private let hash: String?

  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  private static let symbolCount = 15

  /// Creates the head code for an event.
  ///
  /// - Parameter hash: 64 hexadecimal digits.
  public init(sequence: Int64, hash: String) {
    self.init(sequence: sequence, symbols: Self.symbols(hash), hash: hash)
  }

  /// Reads a head code, or a text that contains a sequence number, `-` and the whole hash.
  ///
  /// The letters can be in upper or lower case. A dash or a space must follow the sequence number.
  /// All other dashes and spaces are optional. In a head code, the function reads the letter O as
  /// 0, and the letters I and L as 1.
  ///
  /// - Returns: nil if the text is not a head code, or if its check character is wrong.
  public init?(_ text: String) {
    let words = text.split { $0 == "-" || $0 == " " }
    guard let first = words.first, let sequence = Int64(first), sequence >= 0 else { return nil }
    let rest = words.dropFirst().joined().lowercased()
    if rest.utf8.count == 64, rest.allSatisfy(\.isHexDigit) {
      self.init(sequence: sequence, hash: rest)
      return
    }
    let values = rest.utf8.map(Self.value)
    guard values.count == Self.symbolCount + 1, !values.contains(nil) else { return nil }
    let known = values.compactMap { $0 }
    let symbols = Array(known.dropLast())
    guard known.last == Self.check(sequence, symbols) else { return nil }
    self.init(sequence: sequence, symbols: symbols, hash: nil)
  }

  private init(sequence: Int64, symbols: [UInt8], hash: String?) {
    self.sequence = sequence
    self.symbols = symbols
    self.hash = hash
  }

  /// Returns true if the hash of this value is the given hash. If this value contains only the
  /// first 75 bits, the function compares only these bits.
  public func matches(hash other: String) -> Bool {
    hash.map { $0 == other } ?? (symbols == Self.symbols(other))
  }

  public var description: String {
    let text = (symbols + [Self.check(sequence, symbols)]).map { Self.alphabet[Int($0)] }
    var groups = [String(sequence)]
    for start in stride(from: 0, to: text.count, by: 4) {
      groups.append(String(decoding: text[start..<min(start + 4, text.count)], as: UTF8.self))
    }
    return groups.joined(separator: "-")
  }

  private static func symbols(_ hash: String) -> [UInt8] {
    var found: [UInt8] = []
    var (bits, count) = (0, 0)
    for digit in hash {
      bits = bits << 4 | (digit.hexDigitValue ?? 0)
      count += 4
      while count >= 5, found.count < symbolCount {
        count -= 5
        found.append(UInt8(bits >> count & 31))
      }
      bits &= 31
    }
    return found
  }

  private static func value(_ character: UInt8) -> UInt8? {
    let meant: UInt8 =
      switch character {
      case UInt8(ascii: "o"): UInt8(ascii: "0")
      case UInt8(ascii: "i"), UInt8(ascii: "l"): UInt8(ascii: "1")
      default: character
      }
    return alphabet.firstIndex(of: meant).map { UInt8($0) }
  }

  /// Computes the check character with Luhn's algorithm modulo 32. The algorithm detects each wrong
  /// character and nearly every swap of two neighbouring characters.
  private static func check(_ sequence: Int64, _ symbols: [UInt8]) -> UInt8 {
    let values = String(sequence).utf8.map { $0 - UInt8(ascii: "0") } + symbols
    var sum = 0
    for (place, value) in values.reversed().enumerated() {
      let product = Int(value) * (place.isMultiple(of: 2) ? 2 : 1)
      sum += product / 32 + product % 32
    }
    return UInt8((32 - sum % 32) % 32)
  }
}
