import Alarms
import CivilTime
import EventCoding
import GRDB
import Glibc
import JSONValue
import MessageDigest
import StudyExport

/// The result of an export.
public struct ExportSummary: Sendable, Hashable {
  public var profile: ExportProfile
  public var layout: ExportLayout
  /// The sequence number of the newest event in the export.
  public var throughSequence: Int64
  /// The hash of the newest event in the export. A researcher can store `throughSequence` and this
  /// hash outside the device. Later, `verify` can check whether the record still contains this
  /// event.
  public var headHash: String
  /// The SHA-256 of MANIFEST.json. MANIFEST.json contains the SHA-256 of every other file.
  public var manifestSHA256: String
  public var files: [ExportedFile]
  /// The sequence number of the first faulty event; nil if the export found no fault. A faulty
  /// event is missing, or does not continue the hash chain.
  public var firstBadSequence: Int64?
}

extension Logbook {
  /// Exports the whole record as a Frictionless Data Package.
  ///
  /// The export reads one snapshot of the record. Two exports of the same record with the same
  /// profile and layout are equal byte for byte. The export keeps a buffer for each file and small
  /// caches in memory. The export keeps a prompt in memory only from the first event of the prompt
  /// to its last event. The memory that the export needs does not depend on the length of the
  /// record. If the export fails, the function removes the files of the export.
  ///
  /// - Parameters:
  ///   - directory: an empty directory. If this directory does not exist, the export creates it.
  ///   - zone: looks up a zone by its tzdata name. If the zone is unknown, the export computes a
  ///     local time with the UTC offset that the row contains.
  ///   - progress: a function that the export calls regularly during its work. The arguments of the
  ///     function are the number of processed events and the total number of events.
  public func writeExport(
    to directory: String, profile: ExportProfile, layout: ExportLayout = .frictionless,
    zone: @escaping (String) -> Zone? = { _ in nil },
    progress: @escaping (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogbookError) -> ExportSummary {
    let wasMade = try Self.prepare(directory)
    do {
      return try reading("export the record") { db in
        try ExportRun(
          db, directory: directory, profile: profile, layout: layout, zone: zone,
          progress: progress
        ).run()
      }
    } catch {
      for name in ExportRun.fileNames(layout) { unlink("\(directory)/\(name)") }
      if wasMade { rmdir(directory) }
      throw error
    }
  }

  static func prepare(_ directory: String) throws(LogbookError) -> Bool {
    if mkdir(directory, 0o700) == 0 { return true }
    guard errno == EEXIST else { throw ExportFile.failure("create \"\(directory)\"", errno) }
    guard let stream = opendir(directory) else {
      throw ExportFile.failure("open \"\(directory)\"", errno)
    }
    defer { closedir(stream) }
    var entries = 0
    while readdir(stream) != nil { entries += 1 }
    guard entries <= 2 else {  // An empty directory lists "." and "..".
      throw .invalid(
        doing: "export to \"\(directory)\"",
        reason: "the directory is not empty; give a new or empty directory")
    }
    return false
  }
}

/// One export in progress. The export reads all data in one read transaction.
struct ExportRun {
  let db: Database
  let directory: String
  let profile: ExportProfile
  let layout: ExportLayout
  /// The pseudonym of the person whose data are exported; nil for an export of all persons.
  let owner: String?
  let people: People
  let zones: ExportZones
  /// The questions of all alarms; empty in a layout other than `mpath`.
  let mpathItems: [MPathItem]
  private let firstDay: Int
  private let opaque: OpaqueNames
  private let pseudonyms: Pseudonyms
  private let writer = ExportFileWriter()

  private let progress: (Int64, Int64) -> Void

  init(
    _ db: Database, directory: String, profile: ExportProfile, layout: ExportLayout,
    owner: String? = nil, zone: @escaping (String) -> Zone?,
    progress: @escaping (Int64, Int64) -> Void
  ) throws {
    zones = ExportZones(zone)
    self.progress = progress
    self.db = db
    self.directory = directory
    self.profile = profile
    self.layout = layout
    self.owner = owner
    people = try People(db)
    mpathItems = layout == .mpath ? try Self.mpathItems(db) : []
    firstDay = try Self.firstDay(in: db)
    let root = try Logbook.setting("export_secret", in: db).flatMap(bytes(hexadecimal:))
    guard let root else {
      throw LogbookError.corrupt(doing: "export the record", reason: "its export secret is missing")
    }
    // Each profile has its own secret for opaque names. With the profile `safe_harbor`, the
    // pseudonyms also come from this secret. Therefore, nobody can use the names to join an export
    // with the profile `safe_harbor` and an export with a different profile.
    let secret = SHA256Digest.authenticationCode(key: root, Array(profile.rawValue.utf8))
    pseudonyms = try Pseudonyms(db, secret: profile == .safeHarbor ? secret : nil)
    opaque = OpaqueNames(secret: secret)
  }

  /// The tables of the export. In the layout `mpath`, each question of a check-in is a column.
  var tables: [ExportTable] {
    guard owner == nil else { return ExportLayout.ownTables }
    return layout.tables.map { $0 == .mpathBasic ? mpathBasic : $0 }
  }

  /// The table mpath_basic.csv with the columns of the questions.
  var mpathBasic: ExportTable {
    var table = ExportTable.mpathBasic
    table.columns += mpathItems.map { $0.column(shown: shown("q", $0.name)) }
    return table
  }

  /// Returns a name that a person typed, in the form that the profile permits.
  func shown(_ letter: Character, _ name: String) -> String {
    profile == .safeHarbor ? opaque.name(letter, name) : name
  }

  /// Returns the names of all files in an export with this layout.
  static func fileNames(_ layout: ExportLayout) -> [String] {
    let scripts = layout == .frictionless ? AnalysisScripts.all.map(\.name) : []
    return layout.tables.map { "\($0.name).csv" } + scripts + ["datapackage.json", "MANIFEST.json"]
  }

  func run() throws -> ExportSummary {
    let head = try Logbook.readHead(in: db)
    var files: [ExportedFile]
    let flaws: RecordFlaws
    switch layout {
    case .frictionless:
      var sink = try TablesSink(self)
      (files, flaws) = try walk(through: head.sequence, into: &sink)
      files += [
        try writeDiary(), try writeParticipants(), try writePhases(), try writeAlarms(),
        try writeInstruments(), try writeTones(),
      ]
      for script in AnalysisScripts.all {
        files.append(try write(script.name, Array(script.text.utf8)))
      }
    case .mpath:
      var sink = try MPathSink(self)
      (files, flaws) = try walk(through: head.sequence, into: &sink)
      files.append(try writeQuestions())
    case .cleanadh:
      var sink = try EventListSink(self)
      (files, flaws) = try walk(through: head.sequence, into: &sink)
      files += try writeRegimen()
      files.append(try writeStudyPhases())
    }
    files.append(try writeCodebook())
    files.append(try write("datapackage.json", dataPackage(files)))
    let manifest = try write("MANIFEST.json", manifest(head, files, flaws))
    return ExportSummary(
      profile: profile, layout: layout, throughSequence: head.sequence, headHash: head.hash,
      manifestSHA256: manifest.sha256, files: files + [manifest],
      firstBadSequence: flaws.firstSequence)
  }

  func walk(
    through last: Int64, into sink: inout some ExportSink
  ) throws -> ([ExportedFile], RecordFlaws) {
    var pass = try ExportPass(db, profile, owner: owner, progress: progress)
    try pass.run(through: last, into: &sink)
    return (try sink.finish(), pass.flaws)
  }

  func file(_ table: ExportTable) throws -> ExportTableFile {
    let encoder = ExportEncoder(
      table, profile, firstDay: firstDay, pseudonyms: pseudonyms
    ) { [opaque] letter, text in
      opaque.name(letter, text)
    }
    return try ExportTableFile(
      directory: directory, table: table, encoder: encoder, writer: writer)
  }

  /// Returns the number of days from 1970-01-01 to day 1 of the export. Day 1 is the local date of
  /// the first event whose clock state is not `unset`.
  private static func firstDay(in db: Database) throws -> Int {
    if let first = try PurgeInForce.find(in: db)?.purge.first {
      return CivilDateTime(localSeconds: first.at.seconds + Int64(first.offset)).date.dayNumber
    }
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT wall_utc_ms, utc_offset_s FROM events
        ORDER BY clock_state = 'unset', seq LIMIT 1
        """)
    guard let row else { return 0 }
    let cells = RowReader(row, of: "events")
    let wall = Instant(milliseconds: try cells.integer(0))
    return CivilDateTime(localSeconds: wall.seconds + (try cells.integer(1))).date.dayNumber
  }

  func writeCodebook() throws -> ExportedFile {
    let file = try file(.codebook)
    // A report is made from an export in the default layout. Therefore, the codebook of this export
    // also describes the tables of the report.
    let report = layout == .frictionless && owner == nil ? ExportTable.ofReport : []
    for table in tables + report {
      for field in table.fields(profile) {
        try file.row { line in
          line.text("\(table.name).csv")
          line.text(field.name)
          line.text(field.type)
          line.text(field.unit)
          line.text(field.meaning)
          line.text(field.choices.isEmpty ? nil : field.choices.joined(separator: "|"))
          line.text(field.emptyWhen)
          line.text(field.example)
        }
      }
    }
    if tables.contains(.events) {
      for member in PayloadMember.list(profile) {
        try file.row { line in
          line.text(PayloadMember.file)
          line.text(member.name)
          line.text(member.kind.rawValue)
          line.text(member.unit)
          line.text(member.meaning)
          line.text(member.words.isEmpty ? nil : member.words.joined(separator: "|"))
          line.text(member.nullWhen)
          line.null()
        }
      }
    }
    return try file.finish()
  }

  func write(_ name: String, _ json: JSON) throws -> ExportedFile {
    try write(name, Array((json.description + "\n").utf8))
  }

  func newFile(_ name: String) throws -> ExportFile {
    try ExportFile(directory: directory, name: name, writer: writer)
  }

  func write(_ name: String, _ bytes: [UInt8]) throws -> ExportedFile {
    let file = try newFile(name)
    try file.write(bytes)
    return try file.finish(rows: nil)
  }

  private func manifest(
    _ head: Logbook.Head, _ files: [ExportedFile], _ flaws: RecordFlaws
  ) -> JSON {
    var json = JSON.object([
      ("format", .integer(1)), ("profile", .string(profile.rawValue)),
      ("layout", .string(layout.rawValue)),
    ])
    // Two exports of the same record have the same head, even if their profiles differ. With the
    // head, a reader could join the two exports. Therefore, an export with the profile
    // `safe_harbor` does not contain the head.
    if profile != .safeHarbor {
      json.set(
        "head",
        .object([
          ("seq", .integer(head.sequence)), ("hash", .string(head.hash)),
          ("code", .string(HeadCode(sequence: head.sequence, hash: head.hash).description)),
        ]))
    }
    json.set("record", flaws.json(profile))
    json.set("files", .array(files.map(\.manifestEntry)))
    return json
  }
}

/// Replaces identifiers by opaque names, computed with HMAC-SHA-256 and a secret.
///
/// Without the secret, nobody can find the identifier that belongs to an opaque name. Exports do
/// not contain the secret. An opaque name contains 80 bits of the HMAC. Therefore, two identifiers
/// almost never get the same opaque name: in an export with a million identifiers, the probability
/// is about 1 in 2 trillion.
private final class OpaqueNames {
  private let secret: [UInt8]
  /// A cache of opaque names. The cache saves time, because neighbouring rows often contain the
  /// same identifiers. If the cache is full, the code removes all entries, to limit the memory.
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
