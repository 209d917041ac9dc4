import Alarms

extension JSON {
  /// Reads a document that a client sent. The members of each object keep their order.
  ///
  /// The reader follows RFC 8259 exactly. If the RFC allows two behaviours, the reader uses the
  /// stricter behaviour. The text must be UTF-8, without unpaired surrogates. Objects and lists may
  /// be nested at most 32 levels deep. An object must not contain the same name twice. Reason: if a
  /// name occurred twice, the program could check the first value and then use the second value.
  ///
  /// - Throws: a `malformed` refusal that describes the error. For a syntax error, the refusal also
  ///   contains the position of the wrong byte. If an object contains a name twice, the `field` of
  ///   the refusal is this name.
  public init(parsing bytes: [UInt8]) throws(Refusal) {
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw Refusal(.malformed, "cannot read the body: it is not UTF-8")
    }
    do {
      self = try JSONParser.document(bytes, allowsSpace: true)
    } catch {
      throw Refusal(.malformed, field: error.name, "cannot read the body: \(error.reason)")
    }
  }
}

/// A reader of JSON bytes that are valid UTF-8.
package struct JSONParser {
  /// The reason why the parser refuses a document.
  package struct Failure: Error {
    /// The reason in a few words. For a syntax error, the reason also contains the position of the
    /// wrong byte.
    package var reason: String
    /// The name that an object contains twice; nil for any other error.
    package var name: String?
  }

  /// The maximum depth of nested values. The JSON documents of Prompter have at most five levels.
  static let deepest = 32
  private static let manyNames = 16

  private let bytes: [UInt8]
  private let allowsSpace: Bool
  private var index = 0

  /// Reads exactly one value. If any byte follows the value, the function throws an error.
  ///
  /// - Parameter allowsSpace: true if the document may contain spaces between its tokens. A
  ///   document that Prompter itself wrote contains no spaces.
  package static func document(_ bytes: [UInt8], allowsSpace: Bool) throws(Failure) -> JSON {
    var parser = JSONParser(bytes: bytes, allowsSpace: allowsSpace)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == bytes.count else { throw parser.failure("more than one value") }
    return value
  }

  private func failure(_ what: String) -> Failure {
    Failure(reason: "it is not valid JSON: \(what) at byte \(index)")
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    guard allowsSpace else { return }
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  /// Skips whitespace. If the first byte after the whitespace is `byte`, the function reads this
  /// byte and the whitespace after it, and returns true. Otherwise, the function returns false.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    index += 1
    skipSpace()
    return true
  }

  private mutating func require(_ word: StaticString) throws(Failure) {
    let count = word.utf8CodeUnitCount
    guard index + count <= bytes.count,
      (0..<count).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
    else { throw failure("expected a value") }
    index += count
  }

  private mutating func value(depth: Int) throws(Failure) -> JSON {
    skipSpace()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard depth < Self.deepest else {
        throw Failure(reason: "it has more than \(Self.deepest) levels")
      }
      return next == UInt8(ascii: "{") ? try members(depth: depth) : try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"):
      try require("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try require("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try require("null")
      return .null
    default: return try number()
    }
  }

  private mutating func members(depth: Int) throws(Failure) -> JSON {
    index += 1
    var members: [JSON.Member] = []
    // If an object has few names, the parser compares each name with all earlier names. These
    // comparisons are faster than a hash table. But the time for the comparisons grows with the
    // square of the number of names, and a client can send an object with very many names.
    // Therefore, if an object has many names, the parser uses a hash table.
    var names: Set<String>?
    if take(UInt8(ascii: "}")) { return .members(members) }
    repeat {
      guard next == UInt8(ascii: "\"") else { throw failure("a member without a name") }
      let name = try string()
      if members.count == Self.manyNames { names = Set(members.map(\.name)) }
      guard names?.insert(name).inserted ?? !members.contains(where: { $0.name == name }) else {
        throw Failure(reason: "it contains this member twice", name: name)
      }
      guard take(UInt8(ascii: ":")) else { throw failure("a member without a value") }
      members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("an object without an end") }
    return .members(members)
  }

  private mutating func array(depth: Int) throws(Failure) -> JSON {
    index += 1
    var values: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("an array without an end") }
    return .array(values)
  }

  /// Reads a number (RFC 8259, section 6).
  ///
  /// A number consists of an optional `-`, a whole part without leading zeros, an optional fraction
  /// and an optional exponent. A whole number that fits in 64 bits stays exact.
  private mutating func number() throws(Failure) -> JSON {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") {
      index += 1
    } else {
      try digits()
    }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      index += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      try digits()
    }
    // Nearly all numbers are short and whole. The function `whole` converts such a number faster
    // than the general conversion below.
    if isWhole, index - start <= 18 { return .integer(whole(start..<index)) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw failure("a number that is too large")
    }
    return .number(value)
  }

  /// Converts at most 18 characters to a whole number. A number with at most 18 characters always
  /// fits in 64 bits.
  private func whole(_ range: Range<Int>) -> Int64 {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in bytes[range].dropFirst(isNegative ? 1 : 0) {
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }

  private mutating func digits() throws(Failure) {
    let start = index
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else {
      throw failure(start == bytes.count ? "unexpected end" : "expected a value")
    }
  }

  private mutating func string() throws(Failure) -> String {
    index += 1
    let start = index
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      index += 1
    }
    if next == UInt8(ascii: "\"") {
      index += 1
      return String(decoding: bytes[start..<index - 1], as: UTF8.self)
    }
    var text = Array(bytes[start..<index])
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw failure("a control character in a string")
      default: text.append(byte)
      }
    }
    throw failure("a string without an end")
  }

  /// Reads an escape after its backslash, and appends the bytes of the escaped character to `text`.
  private mutating func escape(into text: inout [UInt8]) throws(Failure) {
    guard let byte = next else { throw failure("an escape without an end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "u"): text.append(contentsOf: String(Character(try escapedScalar())).utf8)
    default: throw failure("an unknown escape")
    }
  }

  private mutating func escapedScalar() throws(Failure) -> Unicode.Scalar {
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // `first` is a surrogate, because it is not a Unicode scalar. A surrogate pair begins with the
    // high surrogate. A second escape with the low surrogate must follow.
    guard (0xD800..<0xDC00).contains(first), next == UInt8(ascii: "\\") else {
      throw failure("half of a surrogate pair")
    }
    index += 1
    guard next == UInt8(ascii: "u") else { throw failure("half of a surrogate pair") }
    index += 1
    let second = try hexadecimal()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half of a surrogate pair") }
    return scalar
  }

  private mutating func hexadecimal() throws(Failure) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap(hexValue) else {
        throw failure("an escape without its digits")
      }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code
  }
}

/// The value of a hexadecimal digit; nil for any other byte.
package func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
