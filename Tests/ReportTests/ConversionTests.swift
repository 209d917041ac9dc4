import JSONValue
import StudyExport
import Testing

@testable import Report

@Suite struct `A conversion of an export` {
  private func field(
    _ name: String, _ type: String, required: Bool = false, choices: [String] = [],
    unit: String? = nil
  ) -> JSON {
    var constraints: [(String, JSON)] = required ? [("required", .bool(true))] : []
    if !choices.isEmpty { constraints.append(("enum", .array(choices.map { .string($0) }))) }
    return .object(
      [
        ("name", .string(name)), ("type", .string(type)),
        ("description", .string("Meaning of \(name) & <more>")),
        ("constraints", .object(constraints)),
      ] + (unit.map { [("unit", .string($0))] } ?? []))
  }

  private func descriptor(_ tables: [(name: String, fields: [JSON])]) -> JSON {
    .object([
      (
        "resources",
        .array(
          tables.map { name, fields in
            .object([
              ("name", .string(name)), ("title", .string("The \(name)")),
              ("schema", .object([("fields", .array(fields))])),
            ])
          })
      )
    ])
  }

  private var tables: [ConvertedTable] {
    get throws {
      try ConvertedTable.all(
        descriptor([
          (
            "prompts",
            [
              field("prompt_id", "string", required: true), field("person", "string"),
              field("label", "string"), field("due_utc", "datetime"),
              field("outcome", "string", choices: ["completed", "missed"]),
              field("is_delivered", "boolean"), field("late_ms", "integer", unit: "ms"),
            ]
          ),
          ("gaps", [field("seq", "integer")]),
          (
            "responses",
            [
              field("person", "string"), field("value_number", "number"),
              field("due_time", "time"), field("source", "string", choices: ["home-page", "cli"]),
            ]
          ),
        ]))
    }
  }

  private static let prompts = #"""
    prompt_id,person,label,due_utc,outcome,is_delivered,late_ms
    a,P-1,"Tea, & ""cake""",2026-12-03T07:00:03.120Z,completed,true,12
    b,P-2,'=1+1,2026-12-03T08:00:00.000Z,,false,
    c,P-1,"two
    lines",2026-12-04T07:00:00.000Z,missed,false,-7
    d,,,2026-12-04T07:00:00.000Z,missed,false,0

    """#
  private static let responses = """
    person,value_number,due_time,source
    P-1,4.25,08:15:00,cli

    """

  private func rows(
    _ tables: [ConvertedTable], _ row: (CSVTableReader.Line, ConvertedTable) -> Void
  ) throws {
    for (table, text) in zip(tables, [Self.prompts, Self.responses]) {
      var reader = CSVTableReader()
      try reader.feed(Array(text.utf8)) { row($0, table) }
    }
  }

  @Test func `contains the tables about people, without the column of the person`() throws {
    let tables = try tables
    #expect(tables.map(\.name) == ["prompts", "responses"])
    #expect(
      tables[0].fields.map(\.name) == [
        "prompt_id", "label", "due_utc", "outcome", "is_delivered", "late_ms",
      ])
    #expect(tables[0].fields.map(\.isTyped) == [false, true, false, false, false, false])
  }

  @Test func `refuses a descriptor without prompts or without people`() {
    #expect(throws: ConversionError.self) { try ConvertedTable.all(.object([])) }
    #expect(throws: ConversionError.self) {
      try ConvertedTable.all(descriptor([("prompts", [field("prompt_id", "string")])]))
    }
  }

  @Test func `has a data dictionary with one line for each column`() throws {
    let project = REDCapProject(try tables)
    let lines = try CSV.rows(project.dictionary).map { $0.map(\.text) }
    #expect(lines.allSatisfy { $0.count == 18 })
    #expect(
      lines.dropFirst().map { $0[0] } == [
        "record_id", "prompts_prompt_id", "prompts_label", "prompts_due_utc", "prompts_outcome",
        "prompts_is_delivered", "prompts_late_ms", "responses_value_number", "responses_due_time",
        "responses_source",
      ])
    func line(_ name: String) -> [String] { lines.first { $0[0] == name } ?? [] }
    #expect(line("prompts_outcome")[3] == "dropdown")
    #expect(line("prompts_outcome")[5] == "completed, completed | missed, missed")
    #expect(line("prompts_is_delivered")[3] == "truefalse")
    #expect(line("prompts_due_utc")[7] == "datetime_seconds_ymd")
    #expect(line("prompts_late_ms")[4] == "Meaning of late_ms & <more> [ms]")
    // REDCap does not accept a hyphen in the code of a choice.
    #expect(line("responses_source")[3] == "text")
    #expect(line("responses_source")[6] == "One of: home-page, cli")
    #expect(line("prompts_label")[3] == "notes" && line("prompts_label")[10] == "y")
  }

  @Test func `has one record for each person and one instance for each row`() throws {
    let tables = try tables
    var project = REDCapProject(tables)
    var bytes = project.header
    try rows(tables) { bytes += project.add($0, of: $1) }
    let lines = try CSV.rows(bytes).map { $0.map(\.text) }
    #expect(Set(lines.map(\.count)) == [15])
    #expect(
      lines.dropFirst().map { "\($0[0]) \($0[1]) \($0[2]) \($0[4])" } == [
        "P-1   ", "P-1 prompts 1 a", "P-2   ", "P-2 prompts 1 b", "P-1 prompts 2 c", "unknown   ",
        "unknown prompts 1 d", "P-1 responses 1 ",
      ])
    #expect(
      lines[2][4...10] == [
        "a", "Tea, & \"cake\"", "2026-12-03 07:00:03", "completed", "1", "12", "2",
      ])
    #expect(lines[4][5] == "'=1+1")
    // A negative number gets no apostrophe, because a spreadsheet does not execute a number.
    #expect(lines[5][9] == "-7")
    #expect(lines[8][11...14] == ["4.25", "08:15", "cli", "2"])
  }

  @Test func `has the rows of a person together in an ODM file`() throws {
    let tables = try tables
    var file = ODMFile(tables)
    try rows(tables) { file.add($0, of: $1) }
    let text = String(
      decoding: file.bytes(
        ODMFile.Source(
          study: "t & u", manifestSHA256: "abc", version: "1.0", madeAt: "2026-12-05T00:00:00Z")),
      as: UTF8.self)
    #expect(text.contains("<StudyName>t &amp; u</StudyName>"))
    #expect(text.components(of: "<SubjectData ") == 3)
    #expect(text.components(of: "<ItemGroupData ") == 5)
    #expect(text.contains("ItemGroupOID=\"IG.prompts\" ItemGroupRepeatKey=\"2\""))
    #expect(
      text.contains(
        "<ItemData ItemOID=\"IT.prompts.label\" Value=\"Tea, &amp; &quot;cake&quot;\"/>"))
    #expect(text.contains("<ItemData ItemOID=\"IT.prompts.label\" Value=\"two&#10;lines\"/>"))
    #expect(text.contains("Value=\"=1+1\"/>"))
    #expect(
      text.contains("DataType=\"float\" Length=\"4\" SignificantDigits=\"2\""))
    #expect(text.contains("<MeasurementUnitRef MeasurementUnitOID=\"MU.ms\"/>"))
    // For each empty cell, the ODM file contains no item.
    #expect(text.components(of: "ItemOID=\"IT.prompts.outcome\" Value") == 3)
  }

  @Test func `replaces characters that XML cannot contain`() {
    #expect(ODMFile.escaped("a\u{1}b\u{FFFF}<\t'") == "a\u{FFFD}b\u{FFFD}&lt;&#9;&#39;")
  }
}

extension String {
  /// Returns how many times this text contains another text.
  fileprivate func components(of text: String) -> Int {
    split(separator: text, omittingEmptySubsequences: false).count - 1
  }
}
