import JSONValue

/// The end of a page of a list: the position of its last row.
///
/// The position is the value of the sort keys, not the id of the row. The cursor therefore stays
/// valid if that row moves or is deleted. A row that does not move is neither left out nor
/// repeated.
///
/// The text has only hexadecimal digits, which need no quoting in a query. Clients are not tempted
/// to construct one.
public struct Cursor: Sendable, Hashable {
  /// The values of the sort keys, the most important first.
  public var place: [String]

  public init(_ place: [String]) { self.place = place }

  /// Reads the text of a cursor; nil for any other text.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let pair = String(validating: digits[index..<(index + 2)], as: UTF8.self),
        pair.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
        let byte = UInt8(pair, radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    guard case .array(let parts)? = try? JSON(parsing: bytes) else { return nil }
    place = parts.compactMap(\.string)
    guard place.count == parts.count else { return nil }
  }

  public var text: String {
    let digits = Array("0123456789abcdef")
    return String(
      JSON.array(place.map(JSON.string)).description.utf8.flatMap {
        [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
      })
  }
}

extension JSONSchema.Field {
  static let nextPage = maybe(
    "next_after", .text, "Start of the next page, if there is one.")
}
