import API
import Alarms
import CivilTime
import EventCoding
import FileSystem
import GRDB
import Glibc
import JSONValue
import StudyExport

/// A picture in the archive of a person's own data.
public struct OwnPicture: Sendable, Hashable {
  /// The name of the picture in the archive.
  public var name: String
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

extension Logbook {
  /// Packs all data about one person into an archive. The data include the texts that people typed.
  ///
  /// The archive contains a page that the person can read, tables with the same data, and the
  /// pictures of the person. The archive contains no data about other people.
  ///
  /// - Throws: `.notFound` if the record contains no data about the person.
  public func ownArchive(
    of person: PersonID, pictures: [OwnPicture], workDirectory: String,
    zone: @escaping @Sendable (String) -> Zone?
  ) async throws -> ExportArchive {
    try await archive(below: workDirectory) {
      try self.writeOwnData(of: person, pictures: pictures, to: $0, zone: zone)
    }
  }

  func writeOwnData(
    of person: PersonID, pictures: [OwnPicture], to directory: String,
    zone: @escaping (String) -> Zone? = { _ in nil }
  ) throws -> ExportSummary {
    let wasMade = try Self.prepare(directory)
    do {
      return try reading("collect the data about \"\(person)\"") { db in
        guard let owner = try Self.readPseudonyms(in: db)[person] else {
          throw LogbookError.notFound("data about \"\(person)\"")
        }
        return try ExportRun(
          db, directory: directory, profile: .identified, layout: .frictionless, owner: owner,
          zone: zone
        ) { _, _ in }.runOwn(person, pictures)
      }
    } catch {
      if wasMade { removeTree(directory) }
      throw error
    }
  }
}

extension ExportRun {
  func runOwn(_ person: PersonID, _ pictures: [OwnPicture]) throws -> ExportSummary {
    let head = try Logbook.readHead(in: db)
    var sink = try TablesSink(self)
    var files = try walk(through: head.sequence, into: &sink).0
    files += [
      try writeDiary(), try writeParticipants(), try writePhases(), try writeAlarms(),
      try writeInstruments(),
      try writeCodebook(),
    ]
    for picture in pictures { files.append(try write(picture.name, picture.bytes)) }
    files.append(try writePage(person, pictures))
    let package = try write("datapackage.json", dataPackage(files))
    return ExportSummary(
      profile: profile, layout: layout, throughSequence: head.sequence, headHash: head.hash,
      manifestSHA256: package.sha256, files: files + [package], firstBadSequence: nil)
  }

  private func writePage(_ person: PersonID, _ pictures: [OwnPicture]) throws -> ExportedFile {
    let page = try OwnPageFile(self, "my-data.html")
    try page.add(OwnPage.head("Recorded data about \(person)"))
    try alarms(on: page)
    try prompts(on: page)
    try answers(on: page)
    try diary(on: page)
    if !pictures.isEmpty { try page.add(OwnPage.section("Pictures")) }
    for picture in pictures { try page.add(OwnPage.picture(picture.name)) }
    try page.add(OwnPage.end)
    return try page.finish()
  }

  private func alarms(on page: OwnPageFile) throws {
    try page.table("Alarms", ["Set on", "Label", "Instructions", "Schedule"]) { add in
      try events(["alarm_created", "alarm_edited"]) { stored, event in
        switch event {
        case .alarmCreated(let alarm), .alarmEdited(let alarm):
          try add([stored.localTime, alarm.label, alarm.instructions, alarm.phrase])
        default: break
        }
      }
    }
  }

  private func prompts(on page: OwnPageFile) throws {
    try page.table("Prompts", ["Due", "Label", "Outcome", "Ended", "Rings"]) { add in
      let rows = try RawRows(
        db,
        sql: """
          SELECT p.due_ms, p.utc_offset_s, c.body, p.outcome, p.closed_ms, p.rings_sounded
          FROM prompts p
          JOIN events e ON e.alarm_id = p.alarm_id AND e.alarm_version = p.alarm_version
            AND e.type IN ('alarm_created', 'alarm_edited') AND e.person = ?
          LEFT JOIN contents c ON c.seq = e.seq
          WHERE p.outcome IS NOT NULL OR p.rings_intended > 0 ORDER BY p.due_ms, p.prompt_id
          """, arguments: [owner])
      while let row = try rows.next() {
        let offset = row.integer(1)
        let outcome = row.string(3).flatMap { Outcome(rawValue: $0) }
        try add([
          EventRow.localTime(row.integer(0), offset), try row.string(2).map(Logbook.label) ?? "",
          outcome?.meaning ?? "Open",
          row.isNull(4) ? "" : EventRow.localTime(row.integer(4), offset), "\(row.integer(5))",
        ])
      }
    }
  }

  private func answers(on page: OwnPageFile) throws {
    try page.table("Answers", ["When", "Question", "Answer", "By"]) { add in
      try events(["response"]) { stored, event in
        guard case .response(_, let response) = event else { return }
        let value =
          if case .text(let words) = response.value { words } else {
            response.value.stored.string ?? response.value.stored.description
          }
        try add([
          stored.localTime, response.question, [value, response.unit ?? ""].joined(separator: " "),
          stored.actorRole,
        ])
      }
    }
  }

  private func diary(on page: OwnPageFile) throws {
    try page.table("Diary", ["Day or prompt", "Done (0 to 3)", "Burden (0 to 4)", "Note"]) { add in
      try events(["diary"]) { stored, event in
        guard case .diary(let entry) = event else { return }
        let about =
          switch entry.subject {
          case .day(let day): day.description
          case .prompt(let prompt): prompt.description
          }
        try add([
          about, "\(entry.completion)", entry.burden.map { "\($0)" } ?? "", entry.note,
        ])
      }
    }
  }

  /// Calls `take` for each event that is about the owner and has a type in `types`. The owner is
  /// the person whose data are in the archive. The events are in the order of the record.
  private func events(_ types: [String], _ take: (EventRow, Event) throws -> Void) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.person = ? AND e.type IN (\(types.map { "'\($0)'" }.joined(separator: ", ")))
        ORDER BY e.seq
        """, arguments: [owner])
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let body = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      try take(stored, try event(stored, content: body))
    }
  }
}

/// Writes the page about a person. The class writes the page in pieces, so that the daemon never
/// needs memory for the whole page.
private final class OwnPageFile {
  private let file: ExportFile
  private var waiting: [UInt8] = []

  init(_ export: ExportRun, _ name: String) throws { file = try export.newFile(name) }

  func add(_ text: String) throws {
    waiting.append(contentsOf: text.utf8)
    guard waiting.count >= ExportFile.bufferSize else { return }
    try file.write(waiting)
    waiting = []
  }

  /// Adds a section with a table. If the table has no rows, the section contains the text "None."
  /// instead.
  func table(
    _ title: String, _ columns: [String], _ fill: (_ add: ([String]) throws -> Void) throws -> Void
  ) throws {
    try add(OwnPage.section(title))
    var isEmpty = true
    try fill { cells in
      if isEmpty { try add(OwnPage.table(columns)) }
      isEmpty = false
      try add(OwnPage.row(cells))
    }
    try add(isEmpty ? "<p>None.</p>\n" : OwnPage.endOfTable)
  }

  func finish() throws -> ExportedFile {
    try file.write(waiting)
    return try file.finish(rows: nil)
  }
}

extension EventRow {
  fileprivate var localTime: String { Self.localTime(wallMilliseconds, utcOffsetSeconds) }

  /// Returns a local time without seconds, for example `2026-12-01 08:00`.
  fileprivate static func localTime(_ milliseconds: Int64, _ offsetSeconds: Int64) -> String {
    let local = CivilDateTime(
      localSeconds: Instant(milliseconds: milliseconds).seconds + offsetSeconds)
    return String("\(local)".prefix(16)).replacing("T", with: " ")
  }
}
