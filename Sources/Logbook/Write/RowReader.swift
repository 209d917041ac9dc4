import GRDB

/// Reads the cells of a row by index, and checks the type of each cell.
///
/// If the disk is damaged, a cell can have a wrong type. In this case, a subscript of GRDB ends the
/// process, but `RowReader` throws an error.
struct RowReader {
  let row: Row
  /// The name of the table that contains the row. If a cell has a wrong type, the error contains
  /// this name.
  let table: StaticString

  init(_ row: Row, of table: StaticString) {
    self.row = row
    self.table = table
  }

  func optionalInteger(_ index: Int) throws -> Int64? {
    switch (row[index] as DatabaseValue).storage {
    case .null: nil
    case .int64(let value): value
    default: throw damage(index)
    }
  }

  func integer(_ index: Int) throws -> Int64 {
    guard let value = try optionalInteger(index) else { throw damage(index) }
    return value
  }

  func optionalText(_ index: Int) throws -> String? {
    switch (row[index] as DatabaseValue).storage {
    case .null: nil
    case .string(let text): text
    default: throw damage(index)
    }
  }

  func text(_ index: Int) throws -> String {
    guard let text = try optionalText(index) else { throw damage(index) }
    return text
  }

  func double(_ index: Int) throws -> Double {
    switch (row[index] as DatabaseValue).storage {
    case .int64(let value): Double(value)
    case .double(let value): value
    default: throw damage(index)
    }
  }

  func damage(_ index: Int) -> LogbookError {
    .corrupt(
      doing: "read the record",
      reason: "a row of the table \(table) has a wrong value in column \(index)")
  }
}

extension EventRow {
  static let selection = columnNames.map { "e.\($0)" }.joined(separator: ", ")

  /// - Parameters:
  ///   - row: a row that contains the columns of `selection`, in order.
  ///   - first: the index of the first column of `selection` in the row.
  init(_ row: Row, first: Int = 0) throws {
    let cells = RowReader(row, of: "events")
    self.init(
      sequence: try cells.integer(first), eventID: try cells.text(first + 1),
      schemaVersion: try cells.integer(first + 2), studyID: try cells.text(first + 3),
      person: try cells.optionalText(first + 4), device: try cells.text(first + 5),
      phase: try cells.optionalText(first + 6), type: try cells.text(first + 7),
      promptID: try cells.optionalText(first + 8), ringNumber: try cells.optionalInteger(first + 9),
      alarmID: try cells.optionalText(first + 10),
      alarmVersion: try cells.optionalInteger(first + 11),
      toneSHA256: try cells.optionalText(first + 12), actorRole: try cells.text(first + 13),
      actorID: try cells.text(first + 14), source: try cells.text(first + 15),
      wallMilliseconds: try cells.integer(first + 16), zoneName: try cells.text(first + 17),
      utcOffsetSeconds: try cells.integer(first + 18), tzdataVersion: try cells.text(first + 19),
      bootID: try cells.text(first + 20), bootNanoseconds: try cells.integer(first + 21),
      clockState: try cells.text(first + 22),
      clockErrorMilliseconds: try cells.optionalInteger(first + 23),
      payload: try cells.text(first + 24), payloadDigest: try cells.optionalText(first + 25),
      previousHash: try cells.text(first + 26), hash: try cells.text(first + 27))
  }
}
