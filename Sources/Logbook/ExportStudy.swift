import Alarms
import CivilTime
import GRDB
import Wire

extension TablesSink {
  /// A row of responses.csv.
  func writeResponse(_ event: RawRow, _ stamp: Stamp) throws {
    let payload = event.string(EventColumn.payload) ?? ""
    // What cannot be read is for `verify` to complain of; the event itself is in events.csv.
    guard let json = try? JSON(stored: payload) else { return }
    let value = json["value"] ?? .null
    try responses.row { line in
      line.integer(event.integer(EventColumn.seq))
      line.text(event.text(EventColumn.promptID))
      line.text(event.text(EventColumn.person))
      line.text(event.text(EventColumn.phase))
      line.text(json["question"]?.string)
      line.integer(json["number"]?.integer)
      line.text(json["kind"]?.string)
      line.number(Self.number(value))
      line.text(Self.word(value))
      line.text(json["unit"]?.string)
      line.text(line.isNextShown ? Self.words(event) : nil)
      line.instant(stamp)
      line.text(event.text(EventColumn.actorRole))
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

  private static func words(_ event: RawRow) -> String? {
    event.string(EventColumn.content).flatMap { try? JSON(stored: $0) }?["text"]?.string
  }
}

extension Export {
  /// participants.csv: each enrolment with the withdrawal that ended it, if one did.
  func writeParticipants() throws -> ExportedFile {
    let file = try file(.participants)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN ('enrolled', 'withdrawn') ORDER BY e.person, e.seq
        """)
    var waiting: (event: EventRow, enrolment: Enrolment)?
    while let row = try rows.next() {
      let event = try EventRow(row)
      let content = try Cells(row, of: "contents").optionalText(EventRow.columnNames.count)
      switch try fact(event, content: content) {
      case .enrolled(_, let enrolment):
        try write(waiting, reason: nil, to: file)
        waiting = (event, enrolment)
      case .withdrawn(_, let reason):
        guard var ended = waiting, ended.event.person == event.person else { continue }
        let at = Instant(milliseconds: event.wallMilliseconds)
        ended.enrolment.to = max(ended.enrolment.from, min(ended.enrolment.to ?? at, at))
        ended.enrolment.isWithdrawn = true
        try write(ended, reason: reason, to: file)
        waiting = nil
      default: continue
      }
    }
    try write(waiting, reason: nil, to: file)
    return try file.finish()
  }

  private func write(
    _ row: (event: EventRow, enrolment: Enrolment)?, reason: String?, to file: ExportTableFile
  ) throws {
    guard let (event, enrolment) = row else { return }
    try file.row { line in
      line.text(event.person)
      line.text(enrolment.pseudonym.isEmpty ? nil : enrolment.pseudonym)
      line.text(enrolment.study)
      line.text(enrolment.arm)
      line.instant(enrolment.from.milliseconds, offsetSeconds: event.utcOffsetSeconds)
      line.instant(enrolment.to?.milliseconds, offsetSeconds: event.utcOffsetSeconds)
      line.bool(enrolment.isWithdrawn)
      line.text(reason?.isEmpty == false ? reason : nil)
      line.integer(event.sequence)
    }
  }
}
