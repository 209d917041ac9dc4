import Alarms
import CivilTime
import EventCoding
import JSONValue

/// A reader for the members of a request body.
///
/// The caller reads the members one by one, and then calls `finish`. If the body contains a member
/// that the caller did not read, `finish` refuses the body. Without this check, the daemon would
/// ignore a member whose name contains a spelling error.
public struct FieldReader {
  private let members: [JSON.Member]
  private var known: Set<String> = []

  /// Parses a body.
  ///
  /// - Parameter body: a JSON object. An empty body counts as an empty object.
  public init(body: [UInt8]) throws(Refusal) {
    if body.allSatisfy({ $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
      members = []
      return
    }
    guard case .members(let members) = try JSON(parsing: body) else {
      throw Refusal(.malformed, "cannot read the body: it must be a JSON object")
    }
    self.members = members
  }

  /// Reads the members of an object within a body.
  ///
  /// - Parameter field: the field that contains the object.
  init(json: JSON, within field: String) throws(Refusal) {
    guard case .members(let members) = json else {
      throw Refusal(.invalidField, field: field, "it must be a list of texts or objects")
    }
    self.members = members
  }

  /// The value of a field; nil if the field is missing or `null`.
  private mutating func value(_ name: String) -> JSON? {
    known.insert(name)
    let value = members.first { $0.name == name }?.value
    return value == .null ? nil : value
  }

  /// Reads a field of any type; returns nil if the field is missing or `null`.
  mutating func any(_ name: String) -> JSON? { value(name) }

  public mutating func flag(_ name: String) throws(Refusal) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw wrong(name, "true or false") }
    return flag
  }

  public mutating func string(_ name: String) throws(Refusal) -> String? {
    guard let value = value(name) else { return nil }
    guard let string = value.string else { throw wrong(name, "a text") }
    return string
  }

  public mutating func integer(_ name: String) throws(Refusal) -> Int? {
    guard let value = value(name) else { return nil }
    // JSON has only one kind of number. Therefore 5.0 is also a whole number.
    guard let integer = value.integer ?? value.double.flatMap({ Int64(exactly: $0) }) else {
      throw wrong(name, "a whole number")
    }
    return Int(integer)
  }

  mutating func number(_ name: String) throws(Refusal) -> Double? {
    guard let value = value(name) else { return nil }
    guard let number = value.double else { throw wrong(name, "a number") }
    return number
  }

  public mutating func numbers(_ name: String) throws(Refusal) -> [Double]? {
    guard let value = value(name) else { return nil }
    let numbers = value.array?.compactMap(\.double)
    guard let numbers, numbers.count == value.array?.count else {
      throw wrong(name, "a list of numbers")
    }
    return numbers
  }

  public mutating func strings(_ name: String) throws(Refusal) -> [String]? {
    guard let value = value(name) else { return nil }
    let strings = value.array?.compactMap(\.string)
    guard let strings, strings.count == value.array?.count else {
      throw wrong(name, "a list of texts")
    }
    return strings
  }

  /// Reads a duration, such as `10m`, and returns it in seconds.
  public mutating func seconds(_ name: String) throws(Refusal) -> Int64? {
    guard let text = try string(name) else { return nil }
    guard let seconds = DurationText.seconds(text) else {
      throw Refusal(
        .invalidField, field: name,
        "\"\(text)\" is not a duration; write it like 90s, 10m or 1h30m")
    }
    return seconds
  }

  /// Reads an instant in UTC, such as `2026-12-01T08:00:00Z`.
  mutating func instant(_ name: String) throws(Refusal) -> Instant? {
    guard let text = try string(name) else { return nil }
    do {
      return try Instant(parsing: text)
    } catch {
      throw Refusal(
        .invalidField, field: name,
        "\"\(text)\" is not an instant; write it like 2026-12-01T08:00:00Z")
    }
  }

  /// Reads a field whose value is a word of a fixed list.
  public mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of type: Choice.Type
  ) throws(Refusal) -> Choice? where Choice.RawValue == String {
    guard let text = try string(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw Refusal(
        .invalidField, field: name,
        "\"\(text)\" is not one of: "
          + Choice.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  /// Refuses the body if it contains a field that the caller did not read. The refusal names the
  /// first field that the caller did not read.
  public func finish() throws(Refusal) {
    guard let unknown = members.first(where: { !known.contains($0.name) }) else { return }
    throw Refusal(
      .unknownField, field: unknown.name,
      known.isEmpty
        ? "this request takes no fields"
        : "there is no such field; known fields: \(known.sorted().joined(separator: ", "))")
  }

  private func wrong(_ name: String, _ what: String) -> Refusal {
    Refusal(.invalidField, field: name, "it must be \(what)")
  }
}
