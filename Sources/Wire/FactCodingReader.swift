import Alarms

/// Why a stored text is not what this program once wrote.
public struct FactCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence: what cannot be read, and why.
  public var description: String

  public init(_ description: String) { self.description = description }
}

extension JSON {
  /// Reads a document that the record holds, its members in the order in which they stand.
  ///
  /// The request parser orders members by name, which would not print the hashed bytes again, and
  /// takes some fifty times as long: a start reads every alarm of the home through here. Numbers with
  /// a fraction or an exponent become `.number`, others `.integer`. At most 32 levels deep.
  ///
  /// - Throws: `FactCodingError` where the text is no JSON document.
  public init(stored text: String) throws(FactCodingError) {
    var reader = StoredReader(bytes: Array(text.utf8))
    self = try reader.value(depth: 0)
    guard reader.index == reader.bytes.count else { throw reader.failure("more than one value") }
  }
}

private struct StoredReader {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  func failure(_ reason: String) -> FactCodingError {
    FactCodingError("cannot read the stored JSON: \(reason) at byte \(index)")
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func require(_ word: StaticString) throws(FactCodingError) {
    let count = word.utf8CodeUnitCount
    guard index + count <= bytes.count,
      (0..<count).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
    else { throw failure("no value") }
    index += count
  }

  mutating func value(depth: Int) throws(FactCodingError) -> JSON {
    guard depth < 32 else { throw failure("more than 32 levels") }
    switch next {
    case UInt8(ascii: "{"): return try members(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
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

  private mutating func members(depth: Int) throws(FactCodingError) -> JSON {
    index += 1
    var members: [JSON.Member] = []
    if take(UInt8(ascii: "}")) { return .members(members) }
    repeat {
      guard next == UInt8(ascii: "\"") else { throw failure("a member without a name") }
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw failure("a member without a value") }
      members.append(JSON.Member(name: name, value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw failure("an object without an end") }
    return .members(members)
  }

  private mutating func array(depth: Int) throws(FactCodingError) -> JSON {
    index += 1
    var values: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat { values.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw failure("an array without an end") }
    return .array(values)
  }

  private mutating func number() throws(FactCodingError) -> JSON {
    let start = index
    var isWhole = true
    while let byte = next {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"):
        isWhole = false
      default:
        return try number(from: start, isWhole: isWhole)
      }
      index += 1
    }
    return try number(from: start, isWhole: isWhole)
  }

  private func number(from start: Int, isWhole: Bool) throws(FactCodingError) -> JSON {
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure("no value") }
    return .number(value)
  }

  private mutating func string() throws(FactCodingError) -> String {
    index += 1
    let start = index
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { index += 1 }
    var text = Array(bytes[start..<index])
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try text.append(contentsOf: escape())
      default: text.append(byte)
      }
    }
    throw failure("a string without an end")
  }

  private mutating func escape() throws(FactCodingError) -> [UInt8] {
    guard let byte = next else { throw failure("an escape without an end") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count,
        let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(code)
      else { throw failure("an escape that this program does not write") }
      index += 4
      return Array(String(Character(scalar)).utf8)
    default: throw failure("an escape that this program does not write")
    }
  }
}

/// The members of a stored object, read by name and type.
struct StoredMembers {
  let json: JSON

  init(_ json: JSON?) { self.json = json ?? .members([]) }

  func integer(_ name: String) throws(FactCodingError) -> Int64 {
    guard let value = json[name]?.integer else { throw missing(name, "an integer") }
    return value
  }

  func int(_ name: String) throws(FactCodingError) -> Int { Int(try integer(name)) }

  func double(_ name: String) throws(FactCodingError) -> Double {
    guard let value = json[name]?.double else { throw missing(name, "a number") }
    return value
  }

  func bool(_ name: String) throws(FactCodingError) -> Bool {
    guard let value = json[name]?.bool else { throw missing(name, "true or false") }
    return value
  }

  func string(_ name: String) throws(FactCodingError) -> String {
    guard let value = json[name]?.string else { throw missing(name, "a text") }
    return value
  }

  func array(_ name: String) throws(FactCodingError) -> [JSON] {
    guard let value = json[name]?.array else { throw missing(name, "a list") }
    return value
  }

  func choice<Choice: RawRepresentable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) throws(FactCodingError) -> Choice where Choice.RawValue == String {
    let text = try string(name)
    guard let value = Choice(rawValue: text) else {
      throw FactCodingError("cannot read the stored fact: \"\(name)\" knows no \"\(text)\"")
    }
    return value
  }

  private func missing(_ name: String, _ what: String) -> FactCodingError {
    FactCodingError("cannot read the stored fact: \"\(name)\" is not \(what)")
  }
}
