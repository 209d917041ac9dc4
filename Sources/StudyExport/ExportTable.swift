/// The description of one field of an exported file, for the codebook and the data package.
public struct ExportField: Sendable, Hashable {
  public var name: String
  /// A field type of Frictionless Table Schema.
  public var type: String
  /// The format of a date-time; nil for ISO 8601.
  public var format: String?
  /// The possible values; empty if any value of the type is possible.
  public var choices: [String]
  public var unit: String?
  public var meaning: String
  public var emptyWhen: String?
  public var example: String
}

/// A table of the export.
public struct ExportTable: Sendable, Hashable {
  /// The name of the file, without `.csv`.
  public var name: String
  public var title: String
  public var columns: [ExportColumn]
  /// The character between two cells.
  public var delimiter: Character = ","
  /// The columns whose values together identify a row. The list is empty if two rows of the table
  /// can be equal.
  public var primaryKey: [String]
  /// The columns that refer to the rows of a different table.
  public var foreignKeys: [ForeignKey] = []

  /// A column whose values refer to the rows of a different table. The column has the same name in
  /// both tables.
  public struct ForeignKey: Sendable, Hashable {
    public var column: String
    public var table: String
  }

  public func fields(_ profile: ExportProfile) -> [ExportField] {
    columns.flatMap { $0.fields(profile) }
  }
}
