import JSONValue

/// The position of the last row of a page within a sorted list.
///
/// The position consists of the values of the sort keys. It does not contain the id of the row.
/// Therefore the cursor stays valid if the row moves or is deleted. A client that reads all pages
/// gets each row exactly once, unless a row moves between two requests.
///
/// The text of a cursor contains only hexadecimal digits. Therefore a query can contain the text
/// without percent-encoding. The digits also hide the sort keys, so that clients do not construct
/// cursors themselves.
public struct Cursor: Sendable, Hashable {
  /// The value of each sort key in the last row of the page. The value of the most important sort
  /// key is first.
  public var place: [String]

  public init(_ place: [String]) { self.place = place }

  /// Reads the text of a cursor; nil if the text is not a cursor.
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
    "next_after", .text,
    "To get the next page, send this value as `after`. Absent on the last page.")
}
