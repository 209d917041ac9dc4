import Alarms
import CivilTime
import GRDB
import Glibc
import Wire

/// What an export wrote.
public struct ExportSummary: Sendable, Hashable {
  public var profile: ExportProfile
  /// The newest event in it.
  public var throughSequence: Int64
  /// That event's hash: kept away from the device, it anchors `verify`.
  public var headHash: String
  /// SHA-256 of MANIFEST.json, which holds the digests of all the other files.
  public var manifestSHA256: String
  public var files: [ExportedFile]
}

extension Logbook {
  /// Writes a Frictionless Data Package of the whole record, as it is at one instant.
  ///
  /// The same record gives the same bytes. Nothing is held in memory but a buffer for each file and
  /// one prompt with its events, however long the record is. When it fails, the files that it began
  /// are removed.
  ///
  /// - Parameter directory: made where it is not there; must be empty.
  /// - Parameter progress: told now and then how many events of how many are through.
  public func writeExport(
    to directory: String, profile: ExportProfile,
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) -> ExportSummary {
    let wasMade = try Self.prepare(directory)
    do {
      return try reading("export the record") { db in
        try Export(db, directory: directory, profile: profile, progress: progress).run()
      }
    } catch {
      for table in ExportTable.all { unlink("\(directory)/\(table.name).csv") }
      for name in ["datapackage.json", "MANIFEST.json"] { unlink("\(directory)/\(name)") }
      if wasMade { rmdir(directory) }
      throw error
    }
  }

  private static func prepare(_ directory: String) throws(LogbookError) -> Bool {
    if mkdir(directory, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw ExportFile.failure("create \"\(directory)\"", errno) }
    guard let stream = opendir(directory) else {
      throw ExportFile.failure("open \"\(directory)\"", errno)
    }
    defer { closedir(stream) }
    var entries = 0
    while readdir(stream) != nil { entries += 1 }
    guard entries <= 2 else {  // "." and ".."
      throw .invalid(doing: "export to \"\(directory)\"", reason: "the directory is not empty")
    }
    return false
  }
}

/// One export in the making, within one read transaction.
struct Export {
  let db: Database
  let directory: String
  let profile: ExportProfile
  let people: People
  private let firstDay: Int
  private let opaque: OpaqueNames

  private let progress: (Int64, Int64) -> Void

  init(
    _ db: Database, directory: String, profile: ExportProfile,
    progress: @escaping (Int64, Int64) -> Void
  ) throws {
    self.progress = progress
    self.db = db
    self.directory = directory
    self.profile = profile
    people = try People(db)
    firstDay = try Self.firstDay(in: db)
    let secret = try Logbook.setting("export_secret", in: db).flatMap(bytes(hexadecimal:))
    guard let secret else {
      throw LogbookError.corrupt(doing: "export the record", reason: "its export secret is gone")
    }
    opaque = OpaqueNames(secret: secret)
  }

  func run() throws -> ExportSummary {
    let head = try Logbook.readHead(in: db)
    var sink = try TablesSink(self)
    var pass = ExportPass(db, profile, progress: progress)
    try pass.run(through: head.sequence, into: &sink)
    var files = try sink.finish()
    files.append(try writeAlarms())
    files.append(try writeTones())
    files.append(try writeCodebook())
    files.append(try write("datapackage.json", dataPackage(files)))
    let manifest = try write("MANIFEST.json", manifest(head, files))
    return ExportSummary(
      profile: profile, throughSequence: head.sequence, headHash: head.hash,
      manifestSHA256: manifest.sha256, files: files + [manifest])
  }

  func file(_ table: ExportTable) throws -> ExportTableFile {
    let encoder = ExportEncoder(table, profile, firstDay: firstDay) { [opaque] letter, text in
      opaque.name(letter, text)
    }
    return try ExportTableFile(directory: directory, table: table, encoder: encoder)
  }

  /// Day 1: the local day of the first event under a clock that could be right.
  private static func firstDay(in db: Database) throws -> Int {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT wall_utc_ms, utc_offset_s FROM events
        ORDER BY clock_state = 'unset', seq LIMIT 1
        """)
    guard let row else { return 0 }
    let cells = Cells(row, of: "events")
    let wall = Instant(milliseconds: try cells.integer(0))
    return CivilDateTime(localSeconds: wall.seconds + (try cells.integer(1))).date.dayNumber
  }

  private func writeCodebook() throws -> ExportedFile {
    let file = try file(.codebook)
    for table in ExportTable.all {
      for field in table.fields(profile) {
        try file.row { line in
          line.text("\(table.name).csv")
          line.text(field.name)
          line.text(field.type)
          line.text(field.unit)
          line.text(field.meaning)
          line.text(field.choices.isEmpty ? nil : field.choices.joined(separator: "|"))
          line.text(field.emptyWhen)
        }
      }
    }
    return try file.finish()
  }

  private func write(_ name: String, _ json: JSON) throws -> ExportedFile {
    let file = try ExportFile(directory: directory, name: name)
    try file.write(Array((json.description + "\n").utf8))
    return try file.finish(rows: nil)
  }

  private func manifest(_ head: Logbook.Head, _ files: [ExportedFile]) -> JSON {
    .object([
      ("format", .integer(1)), ("profile", .string(profile.rawValue)),
      ("head", .object([("seq", .integer(head.sequence)), ("hash", .string(head.hash))])),
      (
        "files",
        .array(
          files.map { file in
            .object([
              ("name", .string(file.name)), ("sha256", .string(file.sha256)),
              ("bytes", .integer(Int64(file.bytes))), ("rows", .optional(file.rows)),
            ])
          })
      ),
    ])
  }

  /// The descriptor: Frictionless Data Package, version 1.
  private func dataPackage(_ files: [ExportedFile]) -> JSON {
    let written = Dictionary(uniqueKeysWithValues: files.map { ($0.name, $0) })
    return .object([
      ("profile", .string("tabular-data-package")), ("name", .string("prompter-record")),
      ("title", .string("A record of prompts, \(profile.rawValue)")),
      (
        "resources",
        .array(
          ExportTable.all.compactMap { table in
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
      ("name", .string(table.name)), ("title", .string(table.title)), ("path", .string(file.name)),
      ("profile", .string("tabular-data-resource")), ("format", .string("csv")),
      ("mediatype", .string("text/csv")), ("encoding", .string("utf-8")),
      ("bytes", .integer(Int64(file.bytes))), ("hash", .string("sha256:\(file.sha256)")),
      ("dialect", .object([("lineTerminator", .string("\n"))])),
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

/// Identifiers that cannot be traced back: HMAC-SHA-256 under a secret that never leaves the record,
/// 80 bits of it, so that in a million of them two are alike once in two trillion exports.
private final class OpaqueNames {
  private let secret: [UInt8]
  /// Rows that are close name the same things; forgotten when full, so that memory stays bounded.
  private var known: [String: String] = [:]

  init(secret: [UInt8]) { self.secret = secret }

  func name(_ letter: Character, _ text: String) -> String {
    let message = "\(letter):\(text)"
    if let name = known[message] { return name }
    if known.count == 4096 { known.removeAll(keepingCapacity: true) }
    let code = SHA256Digest.authenticationCode(key: secret, Array(message.utf8))
    let name = "\(letter)-\(hexadecimal(code.prefix(10)))"
    known[message] = name
    return name
  }
}
