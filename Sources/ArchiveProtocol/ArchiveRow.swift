import JSONValue

/// A row of a home's record, in the form that the home sends to the archive.
public enum ArchiveRow: Sendable, Hashable {
  /// A row with all columns.
  case plain(PlainRow)
  /// A row about a person outside the study. It contains only the values that the hash chain needs.
  case sealed(SealedRow)

  public var sequence: Int64 {
    switch self {
    case .plain(let row): row.sequence
    case .sealed(let row): row.sequence
    }
  }

  public var previousHash: String {
    switch self {
    case .plain(let row): row.previousHash
    case .sealed(let row): row.previousHash
    }
  }

  public var hash: String {
    switch self {
    case .plain(let row): row.hash
    case .sealed(let row): row.hash
    }
  }

  public var head: ArchiveHead { ArchiveHead(sequence: sequence, hash: hash) }

  /// The row without its content.
  public var sealed: SealedRow {
    SealedRow(sequence: sequence, previousHash: previousHash, hash: hash)
  }

  /// The row as a JSON document, which is one line of a batch.
  public var json: JSON {
    switch self {
    case .plain(let row): row.json
    case .sealed(let row): row.json
    }
  }
}

/// A row with the values of all 28 columns.
public struct PlainRow: Sendable, Hashable {
  /// The values, in the order of `RowColumn.all`.
  public let cells: [RowCell]
  public let sequence: Int64
  public let previousHash: String
  public let hash: String

  /// Makes a row, and checks the number and the types of the values.
  public init(cells: [RowCell]) throws(RowError) {
    let columns = RowColumn.all
    guard cells.count == columns.count else {
      throw RowError(member: columns.last?.name, reason: .missing)
    }
    for (column, cell) in zip(columns, cells) {
      if let reason = Self.problem(cell, column) {
        throw RowError(member: column.name, reason: reason)
      }
    }
    guard case .integer(let sequence) = cells[0], sequence > 0 else {
      throw RowError(member: "seq", reason: .notPositive)
    }
    guard case .text(let previous) = cells[26], case .text(let hash) = cells[27] else {
      preconditionFailure("the loop above checked both columns")
    }
    self.cells = cells
    (self.sequence, previousHash, self.hash) = (sequence, previous, hash)
  }

  private static func problem(_ cell: RowCell, _ column: RowColumn) -> RowError.Reason? {
    switch (cell, column.kind) {
    case (.null, _): column.isOptional ? nil : .null
    case (.integer, .integer): nil
    case (.text(let text), .hash): isRowHash(text) ? nil : .notHash
    // A text in PostgreSQL cannot contain the character U+0000.
    case (.text(let text), .text): text.utf8.contains(0) ? .nullCharacter : nil
    case (_, .integer): .notInteger
    case (_, .text), (_, .hash): .notText
    }
  }

  /// Reads a row from the reply to `GET /v1/log`. The payload of such a row is a JSON object and
  /// not a text.
  ///
  /// The daemon writes a JSON document without spaces, and always writes the members in the same
  /// order. Therefore this function can restore the exact text from which the hash was computed.
  public init(listed row: JSON) throws(RowError) {
    var row = row
    if let payload = row["payload"], payload.string == nil {
      row.set("payload", .string(payload.description))
    }
    try self.init(row)
  }

  /// Reads a row whose payload is a text.
  init(_ row: JSON) throws(RowError) {
    guard case .members(let members) = row else {
      throw RowError(member: nil, reason: .notObject)
    }
    var cells: [RowCell] = []
    for (index, column) in RowColumn.all.enumerated() {
      guard index < members.count, members[index].name == column.name else {
        throw RowError(member: column.name, reason: .missing)
      }
      cells.append(try Self.cell(members[index]))
    }
    guard members.count == cells.count else {
      throw RowError(member: members[cells.count].name, reason: .unknown)
    }
    try self.init(cells: cells)
  }

  private static func cell(_ member: JSON.Member) throws(RowError) -> RowCell {
    switch member.value {
    case .null: .null
    case .integer(let value): .integer(value)
    case .string(let text): .text(text)
    case .bool, .number, .array, .members:
      throw RowError(member: member.name, reason: .notCell)
    }
  }

  /// Computes the correct value of `hash`.
  ///
  /// - Parameter digest: a function that computes the SHA-256 of the bytes, in lower-case
  ///   hexadecimal.
  public func computedHash(digest: (_ bytes: [UInt8]) -> String) -> String {
    digest(RowEncoding.bytes(cells.dropLast()))
  }

  /// The value of a column; null if no column has this name.
  public subscript(name: String) -> RowCell {
    RowColumn.all.firstIndex { $0.name == name }.map { cells[$0] } ?? .null
  }

  public var json: JSON {
    JSON.object(
      zip(RowColumn.all, cells).map { column, cell in
        switch cell {
        case .null: (column.name, .null)
        case .integer(let value): (column.name, .integer(value))
        case .text(let text): (column.name, .string(text))
        }
      })
  }
}

/// A row about a person outside the study.
///
/// The row contains no values of the event. Its hash also covers the random `event_id`, so nobody
/// can confirm a guess of the hidden values.
public struct SealedRow: Sendable, Hashable {
  public var sequence: Int64
  public var previousHash: String
  public var hash: String

  public init(sequence: Int64, previousHash: String, hash: String) {
    (self.sequence, self.previousHash, self.hash) = (sequence, previousHash, hash)
  }

  static let names = ["seq", "prev_hash", "hash"]

  init(_ row: JSON) throws(RowError) {
    guard let sequence = row["seq"]?.integer else {
      throw RowError(member: "seq", reason: .notInteger)
    }
    guard sequence > 0 else { throw RowError(member: "seq", reason: .notPositive) }
    self.init(
      sequence: sequence, previousHash: try Self.hash("prev_hash", row),
      hash: try Self.hash("hash", row))
  }

  private static func hash(_ name: String, _ row: JSON) throws(RowError) -> String {
    guard let text = row[name]?.string, isRowHash(text) else {
      throw RowError(member: name, reason: .notHash)
    }
    return text
  }

  public var json: JSON {
    JSON.object([
      ("seq", .integer(sequence)), ("prev_hash", .string(previousHash)), ("hash", .string(hash)),
    ])
  }
}
