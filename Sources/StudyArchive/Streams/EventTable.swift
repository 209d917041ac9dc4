import ArchiveProtocol
import JSONValue

/// The rows of the table `events`.
enum EventTable {
  /// The columns between `seq` and `prev_hash`.
  private static let middle = RowColumn.all.dropFirst().dropLast(2)
  private static let middleNames = middle.map(\.name).joined(separator: ", ")

  /// The SQL assignments that set all columns in `middle` to null. An erasure uses them to seal a
  /// stored row.
  static let erasingAssignments = middle.map { "\($0.name) = NULL" }.joined(separator: ", ")

  static let copy =
    "COPY events (study, stream, seq, is_sealed, is_json, \(middleNames), prev_hash, hash) "
    + "FROM STDIN"

  /// Adds a row to the input of the statement `copy`.
  static func add(
    _ row: ArchiveRow, study: String, _ stream: String, to lines: inout CopyLines
  ) {
    lines.text(study)
    lines.text(stream)
    lines.integer(row.sequence)
    switch row {
    case .sealed:
      lines.bool(true)
      lines.bool(false)
      for _ in middle { lines.null() }
    case .plain(let plain):
      lines.bool(false)
      lines.bool(isJSON(plain))
      for cell in plain.cells[middle.indices] {
        switch cell {
        case .null: lines.null()
        case .integer(let value): lines.integer(value)
        case .text(let text): lines.text(text)
        }
      }
    }
    lines.binary(row.previousHash)
    lines.binary(row.hash)
    lines.endRow()
  }

  /// The column list of a SELECT: all columns in the order of `RowColumn.all`, and then
  /// `is_sealed`.
  static let selection =
    "seq, \(middleNames), encode(prev_hash, 'hex'), encode(hash, 'hex'), is_sealed"

  /// The indexes of some columns in `selection`.
  static let studyID = place("study_id")
  static let person = place("person")
  static let device = place("device")
  static let type = place("type")
  static let alarmID = place("alarm_id")
  static let wall = place("wall_utc_ms")
  static let zone = place("tz_name")
  static let offset = place("utc_offset_s")
  static let payload = place("payload")

  private static func place(_ name: String) -> Int {
    // The column always exists, because only the constants above call this function, and each of
    // them uses the name of a column.
    RowColumn.all.firstIndex { $0.name == name }!
  }

  /// Returns the values that `selection` would contain if the row were sealed.
  static func sealed(_ values: [String?]) -> [String?] {
    [values[0]] + middle.map { _ in nil } + values[26...27] + ["t"]
  }

  /// For each of the 28 columns of `selection`: true if the column contains a number.
  static let integers = RowColumn.all.map { $0.kind == .integer }

  /// Makes a row from the values of `selection`.
  static func row(_ values: [String?]) throws(RowError) -> ArchiveRow {
    let columns = RowColumn.all
    guard values.count == columns.count + 1, let sequence = values[0].flatMap({ Int64($0) }),
      let previous = values[26], let hash = values[27]
    else { throw RowError(member: nil, reason: .missing) }
    if values[28] == "t" {
      return .sealed(SealedRow(sequence: sequence, previousHash: previous, hash: hash))
    }
    return .plain(
      try PlainRow(
        cells: zip(columns, values).map { column, value in
          column.kind == .integer ? RowCell(value.flatMap { Int64($0) }) : RowCell(value)
        }))
  }

  /// Returns true if PostgreSQL can read the payload of a row as `jsonb`. If PostgreSQL cannot read
  /// the payload, the views treat it as empty. Otherwise, one wrong payload could make a whole view
  /// unusable.
  private static func isJSON(_ row: PlainRow) -> Bool {
    guard let payload = row["payload"].text else { return false }
    let bytes = Array(payload.utf8)
    guard let document = try? JSONParser.document(bytes, allowsSpace: true),
      case .members = document
    else { return false }
    // The type `jsonb` cannot contain U+0000. This simple check also refuses some valid payloads,
    // for example a payload with an escaped backslash before `u0000`. The search for `\u0000` is
    // slow. Therefore, first search for a backslash, which very few payloads contain.
    return !(bytes.contains(UInt8(ascii: "\\")) && payload.contains("\\u0000"))
  }
}
