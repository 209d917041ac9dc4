import JSONValue
import StudyExport

/// The files that describe a pool: codebook.csv, datapackage.json and MANIFEST.json.
public struct PoolDescription: Sendable {
  let exports: [PooledExport]
  /// The version of the program that made the pool.
  let version: String
  /// The time at which the pool was made: RFC 3339, UTC.
  let madeAt: String

  public init(_ exports: [PooledExport], version: String, madeAt: String) {
    self.exports = exports
    self.version = version
    self.madeAt = madeAt
  }

  private struct Column {
    var name: String
    var type = "string"
    var meaning: String
    var emptyWhen = ""
    var example: String
  }

  private static let columns = [
    Column(
      name: "site", meaning: "Site of the study, as named for the pool",
      emptyWhen: "the pool was made without sites", example: "berlin"),
    Column(name: "home", meaning: "Home, as named for the pool", example: "h017"),
    Column(
      name: "device", meaning: "Pseudonym of the device of the home",
      emptyWhen: "the export has no events", example: "D-16q4g4jx"),
    Column(
      name: "study_day", type: "integer", meaning: StudyDays.meaning,
      emptyWhen: StudyDays.emptyWhen, example: "3"),
  ]

  /// The columns that the pool adds to a table. The pool adds no columns to the tables that only a
  /// report writes.
  private func added(to file: String) -> [Column] {
    guard exports.first?.headers[file] != nil else { return [] }
    let names = exports.first?.added(to: file) ?? []
    return Self.columns.filter { names.contains($0.name) }
  }

  /// The codebook of the pool: the codebook of one export, and additional rows for the added
  /// columns.
  ///
  /// The rows for the added columns of a table come before the other rows of this table.
  ///
  /// - Parameter codebook: the bytes of codebook.csv of an export.
  public func codebook(_ codebook: [UInt8]) -> [UInt8] {
    var pooled: [UInt8] = []
    var begun: Set<String> = []
    for (index, row) in ((try? CSV.rows(codebook)) ?? []).enumerated() {
      let cells = row.map(\.text)
      if index > 0, let file = cells.first, begun.insert(file).inserted {
        for column in added(to: file) {
          Self.append(
            [
              file, column.name, column.type, "", column.meaning, "", column.emptyWhen,
              column.example,
            ],
            to: &pooled)
        }
      }
      Self.append(cells.map(CSV.unmarked), to: &pooled)
    }
    return pooled
  }

  private static func append(_ cells: [String], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      CSV.append(text: cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The descriptor of the pool: a Frictionless Data Package. The first column of each primary key
  /// is the home, because two homes can have the same sequence numbers.
  ///
  /// - Parameter descriptor: datapackage.json of an export.
  public func dataPackage(_ descriptor: JSON, _ files: [ExportedFile]) -> JSON {
    let written = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
    let resources = (descriptor["resources"]?.array ?? []).compactMap { resource in
      resource["path"]?.string.flatMap { written[$0] }.map { self.resource(resource, $0) }
    }
    return .object([
      ("profile", .string("tabular-data-package")), ("name", .string("prompter-pool")),
      (
        "title",
        .string("Records of prompts of \(exports.count) homes, \(exports.first?.profile ?? "")")
      ), ("version", .string(version)), ("created", .string(madeAt)),
      (
        "sources",
        .array(
          exports.map {
            .object([
              ("title", .string($0.site.isEmpty ? $0.home : "\($0.site)/\($0.home)"))
            ])
          })
      ), ("resources", .array(resources)),
    ])
  }

  private func resource(_ resource: JSON, _ file: ExportedFile) -> JSON {
    var (resource, schema) = (resource, resource["schema"] ?? .object([]))
    resource.set("bytes", .integer(Int64(file.bytes)))
    resource.set("hash", .string("sha256:\(file.sha256)"))
    guard file.name != "codebook.csv" else { return resource }
    let fields = added(to: file.name).map { column in
      var field = JSON.object([
        ("name", .string(column.name)), ("type", .string(column.type)),
        ("description", .string(column.meaning)), ("example", .string(column.example)),
      ])
      if column.emptyWhen.isEmpty {
        field.set("constraints", .object([("required", .bool(true))]))
      }
      return field
    }
    schema.set("fields", .array(fields + (schema["fields"]?.array ?? [])))
    let home = JSON.string("home")
    let key = schema["primaryKey"]?.array ?? []
    if !key.isEmpty { schema.set("primaryKey", .array([home] + key)) }
    let foreign = (schema["foreignKeys"]?.array ?? []).map { key in
      let fields = JSON.array([home, key["fields"] ?? .null])
      return JSON.object([
        ("fields", fields),
        (
          "reference",
          .object([("resource", key["reference"]?["resource"] ?? .null), ("fields", fields)])
        ),
      ])
    }
    schema.set("foreignKeys", .array(foreign))
    resource.set("schema", schema)
    return resource
  }

  /// The manifest. The manifest lists the files of the pool, and the exports from which the pool
  /// was made.
  public func manifest(_ files: [ExportedFile]) -> JSON {
    .object([
      ("format", .integer(1)), ("kind", .string("pool")),
      ("profile", .string(exports.first?.profile ?? "")), ("layout", .string("frictionless")),
      ("version", .string(version)), ("made_utc", .string(madeAt)),
      (
        "homes",
        .array(
          exports.map { export in
            .object([
              ("site", .string(export.site)), ("home", .string(export.home)),
              ("device", .string(export.device)), ("head_code", .optional(export.headCode)),
              ("manifest_sha256", .string(export.manifestSHA256)),
            ])
          })
      ),
      ("files", .array(files.map(\.manifestEntry))),
    ])
  }
}
