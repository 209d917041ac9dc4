import JSONValue

/// The reason why the archive refuses a row.
public struct RowError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Reason: String, Sendable, CaseIterable {
    case notUTF8 = "not_utf8"
    case notJSON = "not_json"
    case notObject = "not_object"
    case noLineEnd = "no_line_end"
    case missing
    case unknown
    case null
    case notCell = "not_cell"
    case notInteger = "not_integer"
    case notPositive = "not_positive"
    case notText = "not_text"
    case notHash = "not_hash"
    case nullCharacter = "null_character"
  }

  /// The number of the line, counted from 1; nil if the row does not come from a batch.
  public var line: Int?
  /// The name of the wrong column or member; nil if the error concerns the whole row.
  public var member: String?
  public var reason: Reason

  public init(line: Int? = nil, member: String?, reason: Reason) {
    (self.line, self.member, self.reason) = (line, member, reason)
  }

  public var description: String {
    let row = line.map { "line \($0)" } ?? "the row"
    let subject = member.map { "the member \"\($0)\"" } ?? "it"
    return "cannot read \(row): \(subject) \(words)"
  }

  private var words: String {
    switch reason {
    case .notUTF8: "is not UTF-8"
    case .notJSON: "is not valid JSON"
    case .notObject: "is not a JSON object"
    case .noLineEnd: "does not end with a line feed"
    case .missing: "is missing, or is not in its place"
    case .unknown: "does not belong to a row"
    case .null: "must not be null"
    case .notCell: "must be a text, an integer or null"
    case .notInteger: "must be an integer"
    case .notPositive: "must be at least 1"
    case .notText: "must be a text"
    case .notHash: "must be 64 lower-case hexadecimal digits"
    case .nullCharacter: "must not contain the character U+0000"
    }
  }
}

/// Reads a batch of rows. Each line of the batch is a JSON document.
public enum BatchReader {
  /// The reason why the archive refuses a batch.
  public enum Failure: Error, Sendable, Hashable {
    case row(RowError)
    /// The batch has more rows than `ArchiveLimits.rows`.
    case tooManyRows
    /// The batch has more bytes than `ArchiveLimits.bytes`.
    case tooManyBytes
  }

  /// - Returns: the rows in the order of the lines. The list is empty if the body is empty.
  /// - Throws: the first error. In this case, the function returns no row, not even a row before
  ///   the error.
  public static func rows(_ body: [UInt8]) throws(Failure) -> [ArchiveRow] {
    guard body.count <= ArchiveLimits.bytes else { throw .tooManyBytes }
    // Check all lines at once, because this is faster than one check for each line.
    let isUTF8 = String(validating: body, as: UTF8.self) != nil
    var rows: [ArchiveRow] = []
    var start = 0
    while start < body.count {
      let line = rows.count + 1
      guard line <= ArchiveLimits.rows else { throw .tooManyRows }
      guard let end = body[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        throw .row(RowError(line: line, member: nil, reason: .noLineEnd))
      }
      do throws(RowError) {
        rows.append(try row(Array(body[start..<end]), isUTF8: isUTF8))
      } catch {
        throw .row(RowError(line: line, member: error.member, reason: error.reason))
      }
      start = end + 1
    }
    return rows
  }

  /// Reads one line without its line feed.
  ///
  /// - Parameter isUTF8: true if the caller knows that the line is UTF-8.
  static func row(_ line: [UInt8], isUTF8: Bool) throws(RowError) -> ArchiveRow {
    guard isUTF8 || String(validating: line, as: UTF8.self) != nil else {
      throw RowError(member: nil, reason: .notUTF8)
    }
    let document: JSON
    do {
      document = try JSONParser.document(line, allowsSpace: false)
    } catch {
      throw RowError(member: error.name, reason: .notJSON)
    }
    guard case .members(let members) = document else {
      throw RowError(member: nil, reason: .notObject)
    }
    if members.map(\.name) == SealedRow.names { return .sealed(try SealedRow(document)) }
    return .plain(try PlainRow(document))
  }

  /// Returns the body of a batch with these rows.
  public static func body(_ rows: some Sequence<ArchiveRow>) -> [UInt8] {
    rows.reduce(into: []) { body, row in
      body += row.json.description.utf8
      body.append(UInt8(ascii: "\n"))
    }
  }
}
