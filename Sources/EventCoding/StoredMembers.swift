import Alarms
import JSONValue

/// The reason why the decoder cannot decode a stored text.
public struct EventCodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence that contains the reason and the stored text.
  public var description: String

  public init(_ description: String) { self.description = description }
}

extension JSON {
  /// Reads a stored document.
  ///
  /// The members keep their order. Therefore, if the program encodes the result as text, this text
  /// has the same bytes and the same hash as the stored text. A whole number that fits in 64 bits
  /// becomes `.integer`. Any other number becomes `.number`.
  ///
  /// - Throws: `EventCodingError` if the text is not a JSON document.
  public init(stored text: String) throws(EventCodingError) {
    do {
      self = try JSONParser.document(Array(text.utf8), allowsSpace: false)
    } catch {
      throw EventCodingError("cannot read the stored data: \(error.reason)")
    }
  }
}

/// Reads the members of a stored object by name and type.
package struct StoredMembers {
  let json: JSON

  package init(_ json: JSON?) { self.json = json ?? .members([]) }

  func integer(_ name: String) throws(EventCodingError) -> Int64 {
    guard let value = json[name]?.integer else { throw missing(name, "an integer") }
    return value
  }

  package func int(_ name: String) throws(EventCodingError) -> Int { Int(try integer(name)) }

  /// Reads a member as an integer; returns nil if the value of the member is null.
  func optionalInt(_ name: String) throws(EventCodingError) -> Int? {
    json[name] == .null ? nil : try int(name)
  }

  func double(_ name: String) throws(EventCodingError) -> Double {
    guard let value = json[name]?.double else { throw missing(name, "a number") }
    return value
  }

  package func bool(_ name: String) throws(EventCodingError) -> Bool {
    guard let value = json[name]?.bool else { throw missing(name, "true or false") }
    return value
  }

  package func string(_ name: String) throws(EventCodingError) -> String {
    guard let value = json[name]?.string else { throw missing(name, "a text") }
    return value
  }

  package func array(_ name: String) throws(EventCodingError) -> [JSON] {
    guard let value = json[name]?.array else { throw missing(name, "a list") }
    return value
  }

  func choice<Choice: RawRepresentable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) throws(EventCodingError) -> Choice where Choice.RawValue == String {
    let text = try string(name)
    guard let value = Choice(rawValue: text) else {
      throw EventCodingError("cannot read the stored event: \"\(name)\" cannot be \"\(text)\"")
    }
    return value
  }

  private func missing(_ name: String, _ what: String) -> EventCodingError {
    EventCodingError("cannot read the stored event: \"\(name)\" is not \(what)")
  }
}
