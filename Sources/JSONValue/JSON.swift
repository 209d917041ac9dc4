/// A JSON value that keeps the order of the members of its objects.
///
/// Because the members keep their order, the texts of two equal JSON values have the same bytes.
/// The hash chain of the record is computed from these bytes.
public enum JSON: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSON])
  case members([Member])

  /// A member of an object: a name and its value.
  public struct Member: Sendable, Hashable {
    public var name: String
    public var value: JSON
  }

  /// Creates an object. The members keep the order of `members`.
  public static func object(_ members: [(String, JSON)]) -> JSON {
    .members(members.map { Member(name: $0.0, value: $0.1) })
  }

  /// Returns a JSON string; if `text` is nil, returns null.
  public static func optional(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

  /// Returns a JSON integer; if `value` is nil, returns null.
  public static func optional(_ value: Int?) -> JSON { value.map { .integer(Int64($0)) } ?? .null }

  /// The value of the member `name`; nil if the JSON value is not an object, or if the object has
  /// no member with this name.
  public subscript(name: String) -> JSON? {
    guard case .members(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// Changes the value of every member with this name, at any depth.
  public func mapping(_ name: String, _ change: (JSON) -> JSON) -> JSON {
    switch self {
    case .members(let members):
      .members(
        members.map { member in
          let value =
            member.name == name ? change(member.value) : member.value.mapping(name, change)
          return Member(name: member.name, value: value)
        })
    case .array(let values): .array(values.map { $0.mapping(name, change) })
    default: self
    }
  }

  /// Sets the value of a member. If the object does not contain the member, the function adds the
  /// member at the end.
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

  /// The value as a number, with or without a fraction.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSON: CustomStringConvertible {
  /// The document on one line, without spaces. The members keep their order.
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
    // JSON cannot express infinity or NaN. Therefore these values become null.
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

  /// The document in a form that people can read. Each member is on its own line, with two spaces
  /// for each level.
  public var indented: String {
    var text = ""
    indent(to: &text, margin: "")
    return text + "\n"
  }

  private func indent(to text: inout String, margin: String) {
    let inner = margin + "  "
    switch self {
    case .array(let values) where !values.isEmpty:
      for (index, value) in values.enumerated() {
        text += index == 0 ? "[\n\(inner)" : ",\n\(inner)"
        value.indent(to: &text, margin: inner)
      }
      text += "\n\(margin)]"
    case .members(let members) where !members.isEmpty:
      for (index, member) in members.enumerated() {
        text += index == 0 ? "{\n\(inner)" : ",\n\(inner)"
        Self.quote(member.name, to: &text)
        text += ": "
        member.value.indent(to: &text, margin: inner)
      }
      text += "\n\(margin)}"
    default: write(to: &text)
    }
  }

  private static func quote(_ string: String, to text: inout String) {
    text += "\""
    defer { text += "\"" }
    // Nearly all strings contain no character that needs an escape. Append such a string in one
    // piece. A loop over the characters of every string would take 10 % of the time of a commit to
    // the record.
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
