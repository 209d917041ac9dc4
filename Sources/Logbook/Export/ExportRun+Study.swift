import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import StudyExport

extension TablesSink {
  /// Writes the row of one response to responses.csv.
  func writeResponse(_ stored: RawRow, _ stamp: Stamp) throws {
    let payload = stored.string(EventColumn.payload) ?? ""
    // If the payload cannot be read, responses.csv has no row for the event, but events.csv has a
    // row for the event. `verify` reports the fault in the payload.
    guard let json = try? JSON(stored: payload) else { return }
    let value = json["value"] ?? .null
    try responses.row { line in
      line.integer(stored.integer(EventColumn.seq))
      line.text(stored.text(EventColumn.promptID))
      line.text(stored.text(EventColumn.person))
      line.text(stored.text(EventColumn.phase))
      line.text(json["question"]?.string)
      line.integer(json["number"]?.integer)
      line.text(json["kind"]?.string)
      line.number(Self.number(value))
      line.text(Self.word(value))
      line.text(json["unit"]?.string)
      line.text(line.isNextShown ? Self.words(stored) : nil)
      line.instant(stamp)
      line.text(stored.text(EventColumn.actorRole))
    }
  }

  private static func number(_ value: JSON) -> Double? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .string(let word): Mood(rawValue: word).map { Double($0.level) }
    default: value.double
    }
  }

  private static func word(_ value: JSON) -> String? {
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    case .string(let word): word
    case .array(let names): names.isEmpty ? nil : names.compactMap(\.string).joined(separator: "|")
    default: nil
    }
  }

  private static func words(_ stored: RawRow) -> String? {
    stored.string(EventColumn.content).flatMap { try? JSON(stored: $0) }?["text"]?.string
  }
}

extension ExportRun {
  /// Writes diary.csv, with the entries in the order in which they were recorded.
  func writeDiary() throws -> ExportedFile {
    let file = try file(.diary)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body,
          row_number() OVER (
            PARTITION BY e.person, e.prompt_id, json_extract(e.payload, '$.day') ORDER BY e.seq DESC
          ) = 1
        FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type = 'diary' AND e.person = coalesce(?, e.person)
          AND (e.prompt_id IS NULL
            OR EXISTS (SELECT 1 FROM prompts p WHERE p.prompt_id = e.prompt_id))
        ORDER BY e.seq
        """, arguments: [owner])
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let cells = RowReader(row, of: "contents")
      guard case .diary(let entry) = try event(stored, content: try cells.optionalText(width))
      else {
        continue
      }
      let isCurrent = try cells.integer(width + 1) == 1
      try file.row { write(entry, stored, isCurrent: isCurrent, to: &$0) }
    }
    return try file.finish()
  }

  private func write(
    _ entry: DiaryEntry, _ stored: EventRow, isCurrent: Bool, to line: inout ExportEncoder
  ) {
    line.integer(stored.sequence)
    line.text(stored.person)
    line.text(stored.studyID)
    line.text(stored.phase)
    if case .day(let day) = entry.subject { line.day(day) } else { line.null() }
    line.text(stored.promptID)
    line.integer(Int64(entry.number))
    line.bool(isCurrent)
    line.integer(Int64(entry.completion))
    line.integer(entry.burden.map { Int64($0) })
    line.text(entry.note.isEmpty ? nil : entry.note)
    line.instant(stored.wallMilliseconds, offsetSeconds: stored.utcOffsetSeconds)
    line.text(stored.actorRole)
  }

  /// Writes participants.csv. Each row is about one enrolment. The row also says which kinds of
  /// data of the person were erased. If the person withdrew from the study, the row also contains
  /// the withdrawal.
  func writeParticipants() throws -> ExportedFile {
    let file = try file(.participants)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN ('enrolled', 'withdrawn', 'unblinded', 'erased')
          AND e.person IS NOT NULL AND e.person = coalesce(?, e.person)
        ORDER BY e.person, e.seq
        """, arguments: [owner])
    let zones = try personZones()
    var parts: [Participation] = []
    var kept = "all"
    while let row = try rows.next() {
      let stored = try EventRow(row).inZone(of: zones)
      let content = try RowReader(row, of: "contents").optionalText(EventRow.columnNames.count)
      if let last = parts.last, last.stored.person != stored.person {
        try write(parts, kept, to: file)
        (parts, kept) = ([], "all")
      }
      switch try event(stored, content: content) {
      case .enrolled(_, let enrolment):
        parts.append(Participation(stored: stored, enrolment: enrolment))
      case .withdrawn(_, let withdrawal):
        if !parts.isEmpty { parts[parts.count - 1].withdraw(stored, withdrawal) }
      case .unblinded(_, let study):
        for index in parts.indices where parts[index].enrolment.study == study {
          parts[index].isUnblinded = true
        }
      case .erased(.words): if kept == "all" { kept = "no_words" }
      case .erased(.identity): kept = "no_identity"
      default: continue
      }
    }
    try write(parts, kept, to: file)
    return try file.finish()
  }

  private func write(_ parts: [Participation], _ kept: String, to file: ExportTableFile) throws {
    let hidden = try lastHiddenCode
    for part in parts {
      let (stored, enrolment) = (part.stored, part.enrolment)
      let isBlinded = enrolment.isBlinded && !part.isUnblinded
      try file.row { line in
        line.text(stored.person)
        line.text(stored.sequence > hidden ? shown(enrolment.pseudonym) : nil)
        line.text(enrolment.study)
        line.text(part.isUnblinded ? enrolment.arm : enrolment.shownArm)
        instant(enrolment.from, in: stored, to: &line)
        instant(enrolment.to, in: stored, to: &line)
        line.bool(enrolment.isWithdrawn)
        instant(
          part.withdrawal.map { Instant(milliseconds: $0.wallMilliseconds) }, in: stored, to: &line)
        line.text(part.reason.isEmpty ? nil : part.reason)
        line.text(kept)
        line.integer(stored.sequence)
        line.bool(isBlinded)
        line.text(enrolment.consent)
        line.text(part.code?.rawValue)
        line.bool(enrolment.hidesPhases)
        line.text(Self.joined(enrolment.consentScope))
        line.text(part.dataUse?.rawValue)
        line.text(isBlinded ? nil : enrolment.allocationSHA256)
      }
    }
  }
}

extension ExportRun {
  /// The scope of a consent in one cell; nil if nobody gave it.
  private static func joined(_ scope: [ConsentScope]) -> String? {
    scope.isEmpty ? nil : scope.map(\.rawValue).joined(separator: "|")
  }

  /// The sequence number of the last row whose code of a participant this export does not show.
  ///
  /// A rekey separates the data before it from the data after it. With the same code in both, anybody
  /// could join them again.
  private var lastHiddenCode: Int64 {
    get throws {
      if profile == .identified { return 0 }
      return try Int64.fetchOne(
        db, sql: "SELECT max(seq) FROM events WHERE type = 'pseudonyms_rekeyed'") ?? 0
    }
  }

  /// The code of a participant as this export shows it; nil if the export does not show it.
  private func shown(_ code: String) -> String? {
    if code.isEmpty { return nil }
    return profile == .identified || ExportProfile.isPlainCode(code) ? code : nil
  }
}

/// An enrolment of a person, and the withdrawal if the person withdrew.
private struct Participation {
  let stored: EventRow
  var enrolment: Enrolment
  var withdrawal: EventRow?
  var reason = ""
  var code: WithdrawalCode?
  var dataUse: DataUse?
  var isUnblinded = false

  init(stored: EventRow, enrolment: Enrolment) {
    self.stored = stored
    self.enrolment = enrolment
  }

  /// Takes a withdrawal. After the end of the enrolment, it only forbids the use of the data. What a
  /// person forbade stays forbidden.
  mutating func withdraw(_ row: EventRow, _ why: Withdrawal) {
    let at = Instant(milliseconds: row.wallMilliseconds)
    if enrolment.isOpen(at: at) {
      enrolment.to = max(enrolment.from, min(enrolment.to ?? at, at))
      enrolment.isWithdrawn = true
      (withdrawal, reason, code) = (row, why.reason, why.code)
    }
    if dataUse != DataUse.none { dataUse = why.dataUse ?? dataUse }
  }
}
