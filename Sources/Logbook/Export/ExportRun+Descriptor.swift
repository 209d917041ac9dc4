import JSONValue
import StudyExport

extension ExportRun {
  /// Returns the descriptor of an export: Frictionless Data Package, version 1.
  func dataPackage(_ files: [ExportedFile]) -> JSON {
    let written = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
    return .object([
      ("profile", .string("tabular-data-package")), ("name", .string("prompter-record")),
      ("title", .string("A record of prompts, \(profile.rawValue)")),
      (
        "resources",
        .array(
          tables.compactMap { table in
            written["\(table.name).csv"].map { resource(table, $0) }
          })
      ),
    ])
  }

  private func resource(_ table: ExportTable, _ file: ExportedFile) -> JSON {
    let keys = table.foreignKeys.map { key in
      JSON.object([
        ("fields", .string(key.column)),
        (
          "reference",
          .object([("resource", .string(key.table)), ("fields", .string(key.column))])
        ),
      ])
    }
    return .object([
      ("name", .string(table.name.lowercased())), ("title", .string(table.title)),
      ("path", .string(file.name)),
      ("profile", .string("tabular-data-resource")), ("format", .string("csv")),
      ("mediatype", .string("text/csv")), ("encoding", .string("utf-8")),
      ("bytes", .integer(Int64(file.bytes))), ("hash", .string("sha256:\(file.sha256)")),
      (
        "dialect",
        .object([
          ("delimiter", .string(String(table.delimiter))), ("lineTerminator", .string("\n")),
        ])
      ),
      (
        "schema",
        .object([
          ("fields", .array(table.fields(profile).map(description))),
          ("missingValues", .array([.string("")])),
          ("primaryKey", .array(table.primaryKey.map { .string($0) })),
          ("foreignKeys", .array(keys)),
        ])
      ),
    ])
  }

  private func description(_ field: ExportField) -> JSON {
    var json = JSON.object([
      ("name", .string(field.name)), ("type", .string(field.type)),
      ("description", .string(field.meaning)),
    ])
    json.set("example", .string(field.example))
    if let format = field.format { json.set("format", .string(format)) }
    var constraints = JSON.members([])
    if field.emptyWhen == nil { constraints.set("required", .bool(true)) }
    if !field.choices.isEmpty {
      constraints.set("enum", .array(field.choices.map { .string($0) }))
    }
    if constraints != .members([]) { json.set("constraints", constraints) }
    if let unit = field.unit { json.set("unit", .string(unit)) }
    return json
  }
}
