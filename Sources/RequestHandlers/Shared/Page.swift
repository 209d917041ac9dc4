import API
import Alarms
import JSONValue

/// One page of a list. The whole list is in memory.
struct Page<Row: Sendable>: Sendable {
  var rows: [Row]
  /// The cursor of the next page; nil if this page is the last page.
  private var next: Cursor?

  /// Selects a page according to the query parameters `limit` and `after` of a request.
  ///
  /// - Parameters:
  ///   - most: the maximum number of rows on a page.
  ///   - usual: the maximum number of rows on the page if the request has no `limit`.
  ///   - place: a function that returns the sort keys of a row; the most important sort key is
  ///     first. No two rows have the same sort keys.
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

  /// Returns the page as a JSON document.
  func document(_ name: String, _ row: (Row) -> JSON) -> JSON {
    var document = JSON.object([(name, .array(rows.map(row)))])
    if let next { document.set("next_after", .string(next.text)) }
    return document
  }
}
