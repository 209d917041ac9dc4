import Alarms
import CivilTime
import GRDB
import Wire

// Alarms, tones, gaps and the events themselves.

extension Export {
  func writeEvents() throws -> ExportedFile {
    let file = try file(.events)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body FROM events e LEFT JOIN contents c USING (seq)
        ORDER BY e.seq
        """)
    while let row = try rows.next() {
      let event = try EventRow(row)
      var cells = event.cells.map(ExportCell.init)
      cells.append(
        ExportCell(try Cells(row, of: "contents").optionalText(EventRow.columnNames.count)))
      let isTimeKnown = profile != .safeHarbor || event.clockState != ClockState.unset.rawValue
      cells.append(isTimeKnown ? event.wall : .null)
      try file.append(cells)
    }
    return try file.finish()
  }

  func writeGaps() throws -> ExportedFile {
    let file = try file(.gaps)
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(EventRow.selection) FROM events e WHERE e.type = 'gap' ORDER BY e.seq")
    while let row = try rows.next() {
      let event = try EventRow(row)
      guard case .gap(let from, let to, let cause) = try fact(event, content: nil) else { continue }
      let offset = Int(event.utcOffsetSeconds)
      try file.append([
        .integer(event.sequence), .instant(from, offsetSeconds: offset),
        .instant(to, offsetSeconds: offset), .integer(to.milliseconds(since: from)),
        .text(cause.rawValue),
      ])
    }
    return try file.finish()
  }

  func writeTones() throws -> ExportedFile {
    let file = try file(.tones)
    // A name is added, removed, and may be added again: each addition ends at the next removal.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body, min(r.seq), r.wall_utc_ms, r.utc_offset_s
        FROM events e LEFT JOIN contents c ON c.seq = e.seq
        LEFT JOIN (
          SELECT x.seq, x.wall_utc_ms, x.utc_offset_s, x.tone_sha256, y.body
          FROM events x LEFT JOIN contents y ON y.seq = x.seq WHERE x.type = 'tone_removed'
        ) r ON r.seq > e.seq AND r.tone_sha256 = e.tone_sha256 AND r.body IS c.body
        WHERE e.type = 'tone_added' GROUP BY e.seq ORDER BY e.seq
        """)
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let event = try EventRow(row)
      let cells = Cells(row, of: "tones")
      let body = try cells.optionalText(width)
      guard case .toneAdded(let tone) = try fact(event, content: body) else { continue }
      var removed = ExportCell.null
      if let wall = try cells.optionalInteger(width + 2) {
        removed = .instant(
          Instant(milliseconds: wall), offsetSeconds: Int(try cells.integer(width + 3)))
      }
      try file.append([
        .integer(event.sequence), .text(tone.sha256), body == nil ? .null : .text(tone.name),
        .integer(Int64(tone.durationMilliseconds)), .number(tone.loudnessLUFS), event.wall, removed,
      ])
    }
    return try file.finish()
  }

  func writeAlarms() throws -> ExportedFile {
    let file = try file(.alarms)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body, a.seq IS NOT NULL
        FROM events e LEFT JOIN contents c USING (seq)
        LEFT JOIN alarms a
          ON a.alarm_id = e.alarm_id AND a.seq = e.seq AND a.is_deleted = 0
        WHERE e.type IN ('alarm_created', 'alarm_edited')
        ORDER BY e.alarm_id, e.alarm_version
        """)
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let event = try EventRow(row)
      let cells = Cells(row, of: "alarms")
      switch try fact(event, content: try cells.optionalText(width)) {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        try file.append(
          self.cells(alarm, event, isCurrent: try cells.integer(width + 1) == 1))
      default: continue
      }
    }
    return try file.finish()
  }

  private func cells(_ alarm: Alarm, _ event: EventRow, isCurrent: Bool) -> [ExportCell] {
    var (frequency, rule, start, at, every) = (
      ExportCell.null, ExportCell.null, ExportCell.null, ExportCell.null, ExportCell.null
    )
    let offset = Int(event.utcOffsetSeconds)
    switch alarm.schedule {
    case .at(let instant): at = .instant(instant, offsetSeconds: offset)
    case .once(let dateTime): start = .civil(dateTime)
    case .recurring(let recurrence, let first):
      frequency = .text(SafePayload.rule(recurrence))
      rule = .text(recurrence.description)
      start = .civil(first)
    case .every(let seconds, let from):
      every = .integer(seconds)
      at = .instant(from, offsetSeconds: offset)
    case .within(let seconds, let window):
      every = .integer(seconds)
      start = .civil(CivilDateTime(date: window.firstDay, time: window.from))
    case .random(let times):
      start = .civil(CivilDateTime(date: times.window.firstDay, time: times.window.from))
    case .several(let parts):
      frequency = .text(parts.rules.map { SafePayload.rule($0.rule) }.joined(separator: " "))
      rule = .text(parts.rules.map(\.rule.description).joined(separator: " "))
      start = (parts.rules.map(\.start) + parts.dates).min().map { .civil($0) } ?? .null
    case .after: break
    }
    let gains = JSON.array(alarm.burst.gainsDecibels.map { .number($0) })
    return [
      .text(alarm.id.text), .integer(Int64(alarm.version)), .integer(event.sequence), event.wall,
      ExportCell(event.person), .text(alarm.person.text), .text(alarm.label),
      .text(alarm.instructions), .text(alarm.phrase), ExportCell(alarm.tone),
      .text(alarm.schedule.kind), frequency, rule, start, at, every,
      .text(alarm.schedule.json.description), .text(alarm.zoneName),
      .integer(Int64(alarm.burst.rings)), .integer(alarm.burst.spacingSeconds),
      .text(gains.description), .integer(alarm.lateWindowSeconds), .integer(alarm.delaySeconds),
      .integer(Int64(alarm.delayLimit)), .bool(isCurrent),
    ]
  }

  /// The fact of a row.
  ///
  /// - Throws: `.corrupt` where it cannot be read: `verify` names the row.
  func fact(_ event: EventRow, content: String?) throws -> Fact {
    do {
      return try event.storedFact(content: content).fact(person: people.person)
    } catch let error as FactCodingError {
      throw LogbookError.corrupt(
        doing: "export row \(event.sequence)", reason: error.description)
    }
  }
}

extension EventRow {
  /// When it was, by the wall clock of its row.
  var wall: ExportCell {
    .instant(
      Instant(milliseconds: wallMilliseconds), offsetSeconds: Int(utcOffsetSeconds))
  }
}

extension ExportCell {
  init(_ cell: EventRow.Cell) {
    switch cell {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .text(let text): self = .text(text)
    }
  }
}
