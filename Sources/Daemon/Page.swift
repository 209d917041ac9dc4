import Alarms
import Wire

/// A page of a list that is at hand as a whole.
struct Page<Row: Sendable>: Sendable {
  var rows: [Row]
  /// The cursor of the next page; nil where this is the last.
  var nextAfter: String?

  /// Reads `limit` and `after` of a request.
  ///
  /// - Parameters:
  ///   - most: the largest page.
  ///   - usual: the page where no limit is asked for.
  ///   - name: the cursor of a row. One that has left the list meanwhile is refused: going on from
  ///     where it may have been could leave rows out.
  init(
    _ all: [Row], of request: WireRequest, most: Int, usual: Int? = nil,
    by name: (Row) -> String
  ) throws(Refusal) {
    let limit = try request.integer("limit", in: 1...most) ?? usual ?? most
    var rest = all[...]
    if let after = request.query["after"] {
      guard let place = all.firstIndex(where: { name($0) == after }) else {
        throw Refusal(
          .invalidField, field: "after", "\"\(after)\" is not in the list; begin anew")
      }
      rest = all[(place + 1)...]
    }
    rows = Array(rest.prefix(limit))
    nextAfter = rest.count > limit ? rows.last.map(name) : nil
  }

  /// The page as a document.
  func document(_ name: String, _ row: (Row) -> JSON) -> JSON {
    var document = JSON.object([(name, .array(rows.map(row)))])
    if let nextAfter { document.set("next_after", .string(nextAfter)) }
    return document
  }
}
