import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import StudyExport

// Writes the tables alarms.csv and tones.csv.

extension ExportRun {
  func writeTones() throws -> ExportedFile {
    let file = try file(.tones)
    // A caretaker can remove a tone and later add a new tone with the same name. Therefore, each
    // row of tones.csv describes one period: from the addition of a tone to the removal of this
    // tone.
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
      let stored = try EventRow(row)
      let cells = RowReader(row, of: "tones")
      let body = try cells.optionalText(width)
      guard case .toneAdded(let tone) = try event(stored, content: body) else { continue }
      let removed = try cells.optionalInteger(width + 2)
      let removedOffset = try cells.optionalInteger(width + 3) ?? 0
      try file.row { line in
        line.integer(stored.sequence)
        line.text(tone.sha256)
        line.text(body == nil ? nil : tone.name)
        line.integer(Int64(tone.durationMilliseconds))
        line.number(tone.loudnessLUFS)
        line.instant(stored.wallMilliseconds, offsetSeconds: stored.utcOffsetSeconds)
        line.instant(removed, offsetSeconds: removedOffset)
      }
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
        WHERE e.type IN ('alarm_created', 'alarm_edited') AND e.person IS coalesce(?, e.person)
        ORDER BY e.alarm_id, e.alarm_version
        """, arguments: [owner])
    let width = EventRow.columnNames.count
    while let row = try rows.next() {
      let stored = try EventRow(row)
      let cells = RowReader(row, of: "alarms")
      switch try event(stored, content: try cells.optionalText(width)) {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        let isCurrent = try cells.integer(width + 1) == 1
        try file.row { write(alarm, stored, isCurrent: isCurrent, to: &$0) }
      default: continue
      }
    }
    return try file.finish()
  }

  private func write(
    _ alarm: Alarm, _ stored: EventRow, isCurrent: Bool, to line: inout ExportEncoder
  ) {
    let times = ScheduleTimes(alarm.schedule)
    let offset = stored.utcOffsetSeconds
    line.text(alarm.id.text)
    line.integer(Int64(alarm.version))
    line.integer(stored.sequence)
    line.instant(stored.wallMilliseconds, offsetSeconds: offset)
    line.text(stored.person)
    line.text(stored.person.flatMap(people.name))
    line.text(alarm.label)
    line.text(alarm.instructions)
    line.text(alarm.phrase)
    line.text(alarm.tone)
    line.text(alarm.schedule.kind)
    line.text(times.frequency)
    line.text(times.rule)
    line.civil(times.start?.localSeconds)
    instant(times.at, in: stored, to: &line)
    line.integer(times.everySeconds)
    line.text(alarm.schedule.payload.description)
    line.text(alarm.zoneName)
    line.integer(Int64(alarm.burst.rings))
    line.integer(alarm.burst.spacingSeconds)
    line.text(JSON.array(alarm.burst.gainsDecibels.map { .number($0) }).description)
    let escalation = alarm.escalation.payloadMembers
    line.integer(Int64(alarm.escalation.steps.count))
    line.text(escalation.isEmpty ? nil : JSON.object(escalation).description)
    line.bool(alarm.isAnnouncement)
    line.integer(alarm.lateWindowSeconds)
    line.integer(alarm.delaySeconds)
    line.integer(Int64(alarm.delayLimit))
    line.bool(isCurrent)
  }

  /// Writes an instant that is not the time of the row. The function uses the UTC offset that the
  /// zone of the row has at this instant.
  func instant(_ instant: Instant?, in stored: EventRow, to line: inout ExportEncoder) {
    line.instant(instant, in: stored.studyRow, zones)
  }

  /// Decodes the event of a row.
  func event(_ stored: EventRow, content: String?) throws -> Event {
    try people.exportedEvent(stored, content: content)
  }
}

/// The times and rules of a schedule, in the form that the columns of alarms.csv require.
private struct ScheduleTimes {
  var frequency: String?
  var rule: String?
  var start: CivilDateTime?
  var at: Instant?
  var everySeconds: Int64?

  init(_ schedule: Schedule) {
    switch schedule {
    case .at(let instant): at = instant
    case .once(let dateTime): start = dateTime
    case .recurring(let recurrence, let first):
      frequency = SafePayload.rule(recurrence)
      rule = recurrence.description
      start = first
    case .every(let seconds, let from):
      everySeconds = seconds
      at = from
    case .within(let seconds, let window):
      everySeconds = seconds
      start = CivilDateTime(date: window.firstDay, time: window.from)
    case .random(let times):
      start = CivilDateTime(date: times.window.firstDay, time: times.window.from)
    case .several(let parts):
      frequency = parts.rules.map { SafePayload.rule($0.rule) }.joined(separator: " ")
      rule = parts.rules.map(\.rule.description).joined(separator: " ")
      start = (parts.rules.map(\.start) + parts.dates).min()
    case .after: break
    }
  }
}
