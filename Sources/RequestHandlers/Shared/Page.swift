import API
import Alarms
import JSONValue

/// A page of a list that is in memory as a whole.
struct Page<Row: Sendable>: Sendable {
  var rows: [Row]
  /// The start of the next page; nil if this page is the last.
  private var next: Cursor?

  /// Reads `limit` and `after` of a request.
  ///
  /// - Parameters:
  ///   - most: the largest page.
  ///   - usual: the size of the page if the request has no limit.
  ///   - place: the sort keys, the most important first; no two rows have the same keys.
  init(
    _ all: [Row], of request: APIRequest, most: Int, usual: Int? = nil,
    by place: (Row) -> [String]
  ) throws(Refusal) {
    let limit = try request.integer("limit", in: 1...most) ?? usual ?? most
    let sorted = all.map { (place: place($0), row: $0) }
      .sorted { $0.place.lexicographicallyPrecedes($1.place) }
    var rest = sorted[...]
    if let text = request.query["after"] {
      guard let cursor = Cursor(text) else {
        throw Refusal(
          .invalidField, field: "after",
          "\"\(text)\" is not a cursor; send the next_after of an earlier page, or start at the "
            + "first page")
      }
      rest = rest.drop { !cursor.place.lexicographicallyPrecedes($0.place) }
    }
    rows = rest.prefix(limit).map(\.row)
    next = rest.count > limit ? rest.prefix(limit).last.map { Cursor($0.place) } : nil
  }

  /// The page as a document.
  func document(_ name: String, _ row: (Row) -> JSON) -> JSON {
    var document = JSON.object([(name, .array(rows.map(row)))])
    if let next { document.set("next_after", .string(next.text)) }
    return document
  }
}
