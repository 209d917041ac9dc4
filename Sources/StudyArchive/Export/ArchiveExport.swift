import StudyExport

/// An export of the rows that the archive stores, for all homes or for the homes of one study. The
/// export has the form of a pool of exports.
///
/// The export reads all data in one transaction, so all files show the state of the archive at the
/// same moment. The export reads a limited number of rows, writes them to a file, and then reads
/// the next rows. Only the gaps and the rows about participants stay in memory until the end of the
/// export.
package struct ArchiveExport: Sendable {
  /// The rule that says which tables and values an export contains.
  package enum Profile: String, Sendable, CaseIterable {
    case limited
    case safeHarbor = "safe_harbor"
  }

  package var verification = ArchiveVerification()
  package var homes: [FleetState] = []
  package var prompts = 0
  /// The streams, each with the result of its check.
  var streams: [(stream: ArchivedStream, check: StreamCheck)] = []
  /// The number of rows whose content is not in the export, because the person forbids any use of
  /// the data. The dictionary key is the name of the stream.
  var withheld: [String: Int64] = [:]
  /// One sentence for each stream with at least one unreadable row. A row is unreadable if it is
  /// about a participant and is not a valid event of its type. The sentence describes the first
  /// unreadable row of the stream. `unreadableRows` contains the number of unreadable rows of each
  /// stream.
  package var unreadable: [String] = []
  var unreadableRows: [String: Int64] = [:]
  /// The pairs of site and home from which the export contains a prompt, as codes of the view
  /// `safe_harbor`. The set is empty with the profile `limited`.
  var codedHomes: Set<[String]> = []
  var files: [ExportedFile] = []
  let profile: Profile
  let study: String?
  /// The version of the program.
  let version: String

  /// Writes an export into a new directory, and checks the hash chain of each stream.
  ///
  /// If a stream has a fault, the function still writes all files, because the rows of the other
  /// homes are correct. The manifest lists the faults. A person must examine the rows of the faulty
  /// stream.
  ///
  /// - Parameters:
  ///   - study: the study whose homes the export contains; nil for the homes of all studies.
  ///   - version: the version of the program, for the manifest.
  /// - Throws: `refused` if the directory is not empty or cannot be written. After any error, the
  ///   function removes all files that it has written.
  package static func write(
    into path: String, profile: Profile, study: String?, version: String, _ pool: DatabasePool
  ) throws(ArchiveError) -> ArchiveExport {
    var export = ArchiveExport(profile: profile, study: study, version: version)
    let directory = try ExportDirectory(path)
    do throws(ArchiveError) {
      try pool.use { connection throws(ArchiveError) in
        try connection.transaction { () throws(ArchiveError) in
          try connection.run(
            """
            SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;
            SET LOCAL statement_timeout = 0;
            SET LOCAL idle_in_transaction_session_timeout = 0;
            SET LOCAL cursor_tuple_fraction = 1
            """)
          try export.write(into: directory, connection)
        }
      }
      try directory.commit()
    } catch {
      directory.discard()
      throw error
    }
    return export
  }

  private init(profile: Profile, study: String?, version: String) {
    self.profile = profile
    self.study = study
    self.version = version
  }

  private mutating func write(
    into directory: ExportDirectory, _ connection: DatabaseConnection
  ) throws(ArchiveError) {
    if let study {
      let known = try connection.rows("SELECT 1 FROM studies WHERE study = $1", [study])
      guard !known.isEmpty else {
        throw .refused("cannot export the study \"\(study)\": the archive has no such study")
      }
    }
    homes = try FleetState.homes(connection).filter { study == nil || $0.study == study }
    switch profile {
    case .limited:
      let barred = try barredPeople(connection)
      let (events, records) = try writeEvents(barred: barred, into: directory, connection)
      files.append(try writePrompts(of: records, into: directory, connection))
      files.append(try writeRings(into: directory, connection))
      files += try writeParticipants(
        of: records, barred: barred, into: directory, connection)
      files.append(events)
    case .safeHarbor:
      files.append(try writeSafePrompts(into: directory, connection))
      try checkStreams(connection) { _, _ in }
    }
    prompts = files.first?.rows ?? 0
    files.append(try directory.write("codebook.csv", codebook.bytes, rows: codebook.rows))
    for script in AnalysisScripts.all {
      files.append(try directory.write(script.name, Array(script.text.utf8)))
    }
    _ = try directory.write("MANIFEST.json", Array("\(manifest)\n".utf8))
  }

  private static let pageRows = 2_000

  /// Reads the result of a query in parts, and calls `body` for each row.
  func forEachRow(
    _ sql: String, _ connection: DatabaseConnection,
    _ body: ([String?]) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    try connection.rows("DECLARE export NO SCROLL CURSOR FOR \(sql)", [study])
    while true {
      let page = try connection.rows("FETCH \(Self.pageRows) FROM export")
      for row in page { try body(row) }
      if page.count < Self.pageRows { break }
    }
    try connection.run("CLOSE export")
  }

  /// Writes all rows to events.csv, and checks each stream.
  ///
  /// The rows have the form in which the archive stores them. Exception: the function seals the
  /// rows about the people in `barred`.
  ///
  /// - Returns: the file events.csv, and the participants of each home.
  private mutating func writeEvents(
    barred: [String: [Erasure]], into directory: ExportDirectory, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> (ExportedFile, [HomeTables]) {
    var table = try ExportTableWriter(
      .events, before: ["site", "home", "stream"], try directory.file("events.csv"))
    var collector = HomeCollector(try ArchivedStream.all(connection, study: study))
    var withheld: [String: Int64] = [:]
    try checkStreams(connection) { stream, values throws(ArchiveError) in
      collector.take(values, of: stream)
      let isWithheld = barred[stream.home, default: []].contains { $0.covers(values) }
      if isWithheld { withheld[stream.stream, default: 0] += 1 }
      try table.event(
        before: [stream.site, stream.home, stream.stream],
        isWithheld ? EventTable.sealed(values) : values)
    }
    self.withheld = withheld
    (unreadable, unreadableRows) = (collector.unreadable, collector.unreadableRows)
    return (try table.finish(), collector.homes)
  }

  /// Reads and checks each row of each stream, and calls `body` for the row.
  private mutating func checkStreams(
    _ connection: DatabaseConnection,
    _ body: (ArchivedStream, [String?]) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    for stream in try ArchivedStream.all(connection, study: study) {
      var check = StreamCheck(stream)
      try stream.forEachPage(connection) { page throws(ArchiveError) in
        for values in page {
          check.add(values)
          try body(stream, values)
        }
      }
      check.finish()
      verification.add(check)
      streams.append((stream, check))
    }
  }

  private mutating func writeSafePrompts(
    into directory: ExportDirectory, _ connection: DatabaseConnection
  ) throws(ArchiveError) -> ExportedFile {
    let fields = ExportTable.prompts.fields(.safeHarbor)
    let output = try directory.file("prompts.csv")
    try output.write(
      Array((["site", "home"] + fields.map(\.name)).joined(separator: ",").utf8) + [10])
    let texts = [true, true] + fields.map { $0.type == "string" }
    let bools = [false, false] + fields.map { $0.type == "boolean" }
    var rows = 0
    var coded: Set<[String]> = []
    try forEachRow(
      "SELECT * FROM safe_harbor WHERE $1::text IS NULL OR study_id = $1 ORDER BY home, prompt_id",
      connection
    ) { row throws(ArchiveError) in
      var line: [UInt8] = []
      for (place, cell) in row.enumerated() {
        if place > 0 { line.append(UInt8(ascii: ",")) }
        if texts[place] {
          CSV.append(text: cell ?? "", to: &line)
        } else if bools[place] {
          CSV.append(plain: cell.map { $0 == "t" ? "true" : "false" } ?? "", to: &line)
        } else {
          CSV.append(plain: cell ?? "", to: &line)
        }
      }
      try output.write(line + [10])
      coded.insert([row[0] ?? "", row[1] ?? ""])
      rows += 1
    }
    codedHomes = coded
    return try output.finish(rows: rows)
  }
}
