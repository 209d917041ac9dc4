import JSONValue

/// A file of an export from a home, of an export from an archive, or of a pool.
public struct ExportedFile: Sendable, Hashable {
  public var name: String
  /// The SHA-256 of the file, in lower-case hex.
  public var sha256: String
  public var bytes: Int
  /// The number of rows below the header; nil for a file that is not a table.
  public var rows: Int?

  public init(name: String, sha256: String, bytes: Int, rows: Int? = nil) {
    (self.name, self.sha256, self.bytes, self.rows) = (name, sha256, bytes, rows)
  }

  /// The entry of the file in MANIFEST.json.
  public var manifestEntry: JSON {
    .object([
      ("name", .string(name)), ("sha256", .string(sha256)), ("bytes", .integer(Int64(bytes))),
      ("rows", .optional(rows)),
    ])
  }
}
