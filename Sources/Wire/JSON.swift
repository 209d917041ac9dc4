import Alarms
import FoundationEssentials

/// A JSON value whose members keep their order, so that equal values print equal bytes: the record's
/// hashes are taken over them.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case members([Member])

  /// A name and its value.
  public struct Member: Sendable, Hashable {
    public var name: String
    public var value: JSON
  }

  /// An object with its members in this order.
  public static func object(_ members: [(String, JSON)]) -> JSON {
    .members(members.map { Member(name: $0.0, value: $0.1) })
  }

  /// A string, or null.
  public static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// An integer, or null.
  public static func optional(_ value: Int?) -> JSON { value.map { .integer(Int64($0)) } ?? .null }

  /// The value of a member; nil where this is no object or has none by that name.
  public subscript(name: String) -> JSON? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Sets a member of an object, at the end where it is new.
  public mutating func set(_ name: String, _ value: JSON) {
    guard case .members(var members) = self else { return }
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append(Member(name: name, value: value))
    }
    self = .members(members)
  }

  public var string: String? { if case .string(let text) = self { text } else { nil } }
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var array: [JSON]? { if case .array(let values) = self { values } else { nil } }

  /// The value as a number, whether or not it was written with a fraction.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSON: Decodable {
  /// Reads a document. Members come back ordered by name.
  ///
  /// - Throws: a `malformed` refusal in words of the parser.
  public init(parsing bytes: [UInt8]) throws(Refusal) {
    // The decoder would guess at UTF-16 and UTF-32, in which the count of brackets can be fooled.
    guard !bytes.contains(0) else {
      throw Refusal(.malformed, "cannot read the body: it is not UTF-8")
    }
    guard Self.depth(of: bytes) <= Self.deepest else {
      throw Refusal(.malformed, "cannot read the body: it nests deeper than \(Self.deepest) levels")
    }
    do {
      self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    } catch {
      throw Refusal(.malformed, "cannot read the body: it is not valid JSON")
    }
  }

  /// Nothing we take nests deeper than five levels. The decoder's work grows with the cube of the
  /// depth: 60 KiB of lists 500 deep took it 27 s.
  private static let deepest = 32

  /// How deep the brackets outside strings nest.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (depth, deepest) = (0, 0)
    var (inString, isEscaped) = (false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if inString {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { inString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
    }
    return deepest
  }

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: Name.self) {
      var members: [Member] = []
      for key in object.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        members.append(
          Member(name: key.stringValue, value: try object.decode(JSON.self, forKey: key)))
      }
      self = .members(members)
      return
    }
    if var list = try? decoder.unkeyedContainer() {
      var values: [JSON] = []
      while !list.isAtEnd { values.append(try list.decode(JSON.self)) }
      self = .array(values)
      return
    }
    let single = try decoder.singleValueContainer()
    if let text = try? single.decode(String.self) {
      self = .string(text)
    } else if single.decodeNil() {
      self = .null
    } else if let flag = try? single.decode(Bool.self) {
      self = .bool(flag)
    } else if let value = try? single.decode(Int64.self) {
      self = .integer(value)
    } else {
      self = .number(try single.decode(Double.self))
    }
  }
}

extension JSON: CustomStringConvertible {
  /// The document on one line, without spaces, members in their order.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let value): text += String(value)
    // JSON has no word for these; a measurement that is no number is absent.
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .string(let string): Self.quote(string, to: &text)
    case .array(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .members(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly every string: scalar by scalar costs a tenth of a commit to the record.
    let mark = UInt8(ascii: "\"")
    let backslash = UInt8(ascii: "\\")
    if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != mark && $0 != backslash }) {
      text += string
      return
    }
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20:
        let hex = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
