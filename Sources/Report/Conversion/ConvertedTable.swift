import JSONValue
import StudyExport

/// A table of an export that a conversion contains. The file datapackage.json of the export
/// describes the table.
public struct ConvertedTable: Sendable, Hashable {
  /// A column of the table.
  public struct Field: Sendable, Hashable {
    /// A field type of Frictionless Table Schema that an export uses.
    public enum Kind: String, Sendable {
      case string, integer, number, boolean, datetime, date, time
    }

    public var name: String
    public var kind: Kind
    public var unit: String?
    public var meaning: String
    /// The possible values; empty if any value of the type is possible.
    public var choices: [String]
    /// True if every row has a value.
    public var isRequired: Bool
    /// True if the column contains text that a person typed. Only an export with the profile
    /// `identified` contains this text.
    public var isTyped: Bool

    /// The meaning and the unit, for a person who reads a form.
    var label: String { unit.map { "\(meaning) [\($0)]" } ?? meaning }
  }

  /// The name of the column that contains the person of a row.
  public static let person = "person"
  /// The tables that a conversion contains: the data of a trial.
  ///
  /// The tables `alarms` and `events` also have the column `person`. A conversion leaves these two
  /// tables out, because they contain settings and the unprocessed record.
  public static let names = ["participants", "phases", "prompts", "items", "responses", "diary"]

  public let name: String
  public let title: String
  /// The columns, except for the column `person`.
  public let fields: [Field]

  public var file: String { "\(name).csv" }

  /// Reads the tables of an export or of a pool.
  ///
  /// - Parameter descriptor: datapackage.json.
  /// - Throws: a `ConversionError` if the descriptor contains no table of prompts, or if a table
  ///   has no column `person`.
  public static func all(_ descriptor: JSON) throws(ConversionError) -> [ConvertedTable] {
    let resources = descriptor["resources"]?.array ?? []
    var tables: [ConvertedTable] = []
    for name in names {
      guard let resource = resources.first(where: { $0["name"]?.string == name }) else { continue }
      tables.append(try ConvertedTable(name, resource))
    }
    guard tables.contains(where: { $0.name == "prompts" }) else {
      throw ConversionError("datapackage.json describes no table \"prompts\"")
    }
    return tables
  }

  private init(_ name: String, _ resource: JSON) throws(ConversionError) {
    let typed = Self.typedColumns(of: name)
    let all = (resource["schema"]?["fields"]?.array ?? []).compactMap { field -> Field? in
      guard let column = field["name"]?.string else { return nil }
      let constraints = field["constraints"]
      return Field(
        name: column, kind: field["type"]?.string.flatMap(Field.Kind.init) ?? .string,
        unit: field["unit"]?.string, meaning: field["description"]?.string ?? column,
        choices: (constraints?["enum"]?.array ?? []).compactMap(\.string),
        isRequired: constraints?["required"]?.bool ?? false, isTyped: typed.contains(column))
    }
    guard all.contains(where: { $0.name == Self.person }) else {
      throw ConversionError(
        "datapackage.json describes no column \"\(Self.person)\" in \(name).csv")
    }
    self.name = name
    title = resource["title"]?.string ?? name
    fields = all.filter { $0.name != Self.person }
  }

  /// The names of the columns that contain texts that a person typed.
  private static func typedColumns(of table: String) -> Set<String> {
    let columns = ExportLayout.frictionless.tables.first { $0.name == table }?.columns ?? []
    return Set(columns.filter { $0.kind == .typed }.map(\.name))
  }

  /// The person of a row; the word `unknown` if the record does not contain the person.
  static func subject(of line: CSVTableReader.Line) -> String { line[person] ?? "unknown" }

  /// The value of a cell; nil if the cell is empty.
  static func value(_ field: Field, _ line: CSVTableReader.Line) -> String? {
    line[field.name].map { field.kind == .string ? CSV.unmarked($0) : $0 }
  }
}

/// The reason why Prompter cannot convert an export.
public struct ConversionError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
