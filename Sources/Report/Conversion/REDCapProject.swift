import StudyExport

/// The files of a REDCap project: a data dictionary, the list of repeating instruments, and the
/// data.
///
/// Each person is one record. Each table is one repeating instrument, and each row of the table is
/// one instance. The variables have the names `TABLE_COLUMN`. REDCap stores date-times without
/// milliseconds. Therefore a conversion leaves out the milliseconds of date-times. Columns such as
/// `late_ms` contain the exact durations.
public struct REDCapProject: Sendable {
  /// The columns of a data dictionary of REDCap, in their order.
  static let columns = [
    "Variable / Field Name", "Form Name", "Section Header", "Field Type", "Field Label",
    "Choices, Calculations, OR Slider Labels", "Field Note",
    "Text Validation Type OR Show Slider Number", "Text Validation Min", "Text Validation Max",
    "Identifier?", "Branching Logic (Show field only if...)", "Required Field?", "Custom Alignment",
    "Question Number (surveys only)", "Matrix Group Name", "Matrix Ranking?", "Field Annotation",
  ]

  private let tables: [ConvertedTable]
  /// For each person, the number of rows of each table that the program has already converted.
  private var instances: [String: [String: Int]] = [:]

  public init(_ tables: [ConvertedTable]) { self.tables = tables }

  // MARK: The files about the variables

  /// The data dictionary. The first variable is the id of the record.
  public var dictionary: [UInt8] {
    var lines = [Self.columns]
    lines.append(
      row([
        "record_id", "person", "", "text",
        "Pseudonym of the person. The word unknown: the record does not contain the person",
      ]))
    for table in tables {
      for field in table.fields { lines.append(Self.definition(of: field, in: table)) }
    }
    return lines.reduce(into: []) { Self.append($1, to: &$0) }
  }

  /// The list of the repeating instruments. REDCap imports this list when somebody sets up the
  /// project.
  public var repeatingInstruments: [UInt8] {
    tables.reduce(into: Array("form_name,custom_form_label\n".utf8)) {
      Self.append([$1.name, ""], to: &$0)
    }
  }

  private static func definition(
    of field: ConvertedTable.Field, in table: ConvertedTable
  ) -> [String] {
    var cells = Array(repeating: "", count: columns.count)
    cells[0] = variable(field, table)
    cells[1] = table.name
    cells[3] = "text"
    cells[4] = field.label
    switch field.kind {
    case .boolean: cells[3] = "truefalse"
    case .integer: cells[7] = "integer"
    case .number: cells[7] = "number"
    case .datetime: cells[7] = "datetime_seconds_ymd"
    case .date: cells[7] = "date_ymd"
    case .time: cells[7] = "time"
    case .string where isCoded(field.choices):
      cells[3] = "dropdown"
      cells[5] = field.choices.map { "\($0), \($0)" }.joined(separator: " | ")
    case .string:
      if field.isTyped { cells[3] = "notes" }
      if !field.choices.isEmpty { cells[6] = "One of: " + field.choices.joined(separator: ", ") }
    }
    if field.isTyped { cells[10] = "y" }
    return cells
  }

  private func row(_ cells: [String]) -> [String] {
    cells + Array(repeating: "", count: Self.columns.count - cells.count)
  }

  /// True if REDCap accepts all these values as codes of choices.
  private static func isCoded(_ choices: [String]) -> Bool {
    !choices.isEmpty
      && choices.allSatisfy { choice in
        choice.utf8.allSatisfy {
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
      }
  }

  private static func variable(_ field: ConvertedTable.Field, _ table: ConvertedTable) -> String {
    "\(table.name)_\(field.name)"
  }

  // MARK: The data

  /// The header row of the data.
  public var header: [UInt8] {
    var cells = ["record_id", "redcap_repeat_instrument", "redcap_repeat_instance"]
    cells.append("person_complete")
    for table in tables {
      cells += table.fields.map { Self.variable($0, table) } + ["\(table.name)_complete"]
    }
    return Self.line(cells)
  }

  /// Converts one row of a table to rows of the data. Before the first row of a person, the
  /// function adds a row for the record of the person.
  public mutating func add(_ line: CSVTableReader.Line, of table: ConvertedTable) -> [UInt8] {
    let person = ConvertedTable.subject(of: line)
    var bytes: [UInt8] = []
    if instances[person] == nil {
      let empty = tables.reduce(0) { $0 + $1.fields.count + 1 }
      bytes += Self.line([person, "", "", Self.complete] + Array(repeating: "", count: empty))
    }
    let instance = instances[person, default: [:]][table.name, default: 0] + 1
    instances[person, default: [:]][table.name] = instance
    var cells = [person, table.name, "\(instance)", ""]
    // The indexes of the cells that contain the values of `table`.
    var places = 0..<0
    for other in tables {
      guard other.name == table.name else {
        cells += Array(repeating: "", count: other.fields.count + 1)
        continue
      }
      places = cells.count..<(cells.count + table.fields.count)
      cells += table.fields.map { field in
        ConvertedTable.value(field, line).map { Self.value($0, field.kind) } ?? ""
      }
      cells.append(Self.complete)
    }
    Self.append(cells, to: &bytes) { index in
      places.contains(index) && table.fields[index - places.lowerBound].kind != .string
    }
    return bytes
  }

  /// The code that REDCap uses for a complete form.
  private static let complete = "2"

  /// Converts a value to the form that REDCap imports.
  static func value(_ text: String, _ kind: ConvertedTable.Field.Kind) -> String {
    switch kind {
    case .boolean: text == "true" ? "1" : "0"
    // 2026-12-03T07:00:03.120Z becomes 2026-12-03 07:00:03.
    case .datetime: String(text.prefix(19)).replacing("T", with: " ")
    // 08:00:00 becomes 08:00.
    case .time: String(text.prefix(5))
    case .string, .integer, .number, .date: text
    }
  }

  private static func line(_ cells: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    append(cells, to: &bytes)
    return bytes
  }

  /// Appends a row in CSV. If a text begins like a formula of a spreadsheet, `CSV.append(text:)`
  /// puts a `'` before the text. A number such as -7 stays unchanged.
  private static func append(
    _ cells: [String], to bytes: inout [UInt8], isPlain: (Int) -> Bool = { _ in false }
  ) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      if isPlain(index) {
        CSV.append(plain: cell, to: &bytes)
      } else {
        CSV.append(text: cell, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}
