import JSONValue

/// Where a page of a list ended: the last row's place in the order of the list, not its name. So it holds
/// when that row has moved or has gone, and no row that stayed where it was is left out or comes twice.
///
/// Written as hexadecimal digits, which need no quoting in a query, and which nobody is tempted to make up.
public struct Cursor: Sendable, Hashable {
  /// What the list is ordered by, the most important first.
  public var place: [String]

  public init(_ place: [String]) { self.place = place }

  /// Reads what an earlier page gave; nil for anything else.
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
    "next_after", .text, "Where the next page begins, where there is one.")
}
