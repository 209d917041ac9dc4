import Alarms
import CivilTime
import EventCoding
import GRDB
import StudyExport

// Writes the tables participants.csv and phases.csv. The module StudyExport computes their rows.

extension ExportRun {
  func writeParticipants() throws -> ExportedFile {
    let file = try file(.participants)
    let hidden = try lastHiddenCode
    for row in try participantTables().participants {
      try file.row { row.write(to: &$0, profile, zones, hidden: hidden) }
    }
    return try file.finish()
  }

  func writePhases() throws -> ExportedFile {
    let file = try file(.phases)
    let monitored = try PhaseTime(db, without: profile == .safeHarbor ? RowClock.hidden : [])
    for row in try participantTables().phases {
      try file.row { row.write(to: &$0, profile, zones, monitored) }
    }
    return try file.finish()
  }

  /// Writes StudyPhases.csv.
  func writeStudyPhases() throws -> ExportedFile {
    let file = try file(.studyPhases)
    for phase in try participantTables().phases {
      guard let from = phase.phase.from else { continue }
      try file.row { line in
        line.text(phase.row.person ?? Regimen.unknown)
        line.text(phase.phase.kind.rawValue)
        line.civil(phase.row.localSeconds(from, zones))
        line.civil(
          phase.phase.to.map { phase.row.localSeconds($0.adding(milliseconds: -1), zones) })
      }
    }
    return try file.finish()
  }

  private func participantTables() throws -> ParticipantTables {
    var tables = ParticipantTables()
    for (person, zone) in try personZones() { tables.setZone(zone, of: person) }
    let types = ParticipantTables.types.map { "'\($0)'" }.joined(separator: ", ")
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN (\(types)) AND e.person IS coalesce(?, e.person) ORDER BY e.seq
        """, arguments: [owner])
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let content = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      tables.take(try event(stored, content: content), stored.studyRow)
    }
    return tables
  }

  /// Returns the zone of each person whose zone differs from the home zone. The key of the
  /// dictionary is the pseudonym of the person in the record.
  private func personZones() throws -> [String: String] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT person, json_extract(payload, '$.zone') FROM events
        WHERE type IN ('person_added', 'person_changed') AND person IS NOT NULL ORDER BY seq
        """)
    var zones: [String: String] = [:]
    while let row = try rows.next() {
      let cells = RowReader(row, of: "events")
      if let person = try cells.optionalText(0) { zones[person] = try cells.optionalText(1) }
    }
    return zones
  }

  /// The sequence number of the last row whose participant code is hidden in this export.
  private var lastHiddenCode: Int64 {
    get throws {
      if profile == .identified { return 0 }
      return try Int64.fetchOne(
        db, sql: "SELECT max(seq) FROM events WHERE type = 'pseudonyms_rekeyed'") ?? 0
    }
  }
}

extension EventRow {
  /// The values that the tables about participants need.
  var studyRow: StudyRow {
    StudyRow(
      sequence: sequence, person: person, study: studyID,
      at: Instant(milliseconds: wallMilliseconds), zoneName: zoneName,
      utcOffsetSeconds: utcOffsetSeconds)
  }
}

extension PhaseTime {
  /// - Parameter hidden: the types of events that the export does not contain.
  init(_ db: Database, without hidden: Set<String>) throws {
    let types = hidden.map { "'\($0)'" }.joined(separator: ", ")
    let end = try Int64.fetchOne(
      db,
      sql: """
        SELECT wall_utc_ms FROM events WHERE type NOT IN (\(types)) ORDER BY seq DESC LIMIT 1
        """)
    let rows = try RawRows(
      db,
      sql: """
        SELECT json_extract(payload, '$.from_ms'), json_extract(payload, '$.to_ms') FROM events
        WHERE type = 'gap'
        """)
    var gaps: [(from: Int64, to: Int64)] = []
    while let row = try rows.next() { gaps.append((row.integer(0), row.integer(1))) }
    if let purge = try PurgeInForce.find(in: db)?.purge, let first = purge.firstAt {
      gaps.append((first.milliseconds, purge.throughAt.milliseconds))
    }
    self.init(end: end ?? 0, gaps: gaps)
  }
}

extension StudyHistory {
  /// Reads the history of all people in the record. The history includes people whose data an
  /// export leaves out.
  init(_ db: Database, names: People) throws {
    self.init()
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN ('phase_changed', 'enrolled', 'withdrawn') AND e.person IS NOT NULL
        ORDER BY e.seq
        """)
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let stored = try EventRow(row)
      guard let person = stored.person else { continue }
      let content = try RowReader(row, of: "contents").optionalText(width)
      take(
        try names.exportedEvent(stored, content: content), of: person,
        at: Instant(milliseconds: stored.wallMilliseconds))
    }
  }
}
