import Alarms
import CivilTime
import EventCoding
import StudyExport

/// Writes the tables prompts.csv, rings.csv, gaps.csv, clock.csv, responses.csv and events.csv.
struct TablesSink: ExportSink {
  private let profile: ExportProfile
  private let people: People
  private let prompts: ExportTableFile
  private let rings: ExportTableFile
  /// The file gaps.csv. The value is nil in the export of a person's own data, because this export
  /// contains no data about the device.
  private let gaps: ExportTableFile?
  private let clock: ExportTableFile?
  private let isOwn: Bool
  private let purged: PurgeInForce?
  private let zones: ExportZones
  let responses: ExportTableFile
  private let items: ExportTableFile
  private let events: ExportTableFile

  init(_ export: ExportRun) throws {
    profile = export.profile
    people = export.people
    prompts = try export.file(.prompts)
    rings = try export.file(.rings)
    isOwn = export.owner != nil
    zones = export.zones
    purged = try PurgeInForce.find(in: export.db)
    gaps = isOwn ? nil : try export.file(.gaps)
    clock = isOwn ? nil : try export.file(.clock)
    responses = try export.file(.responses)
    items = try export.file(.items)
    events = try export.file(.events)
  }

  mutating func finish() throws -> [ExportedFile] {
    try [prompts, rings, gaps, clock, responses, items, events].compactMap { try $0?.finish() }
  }

  mutating func take(_ event: RawRow, type: String, at stamp: Stamp) throws {
    try write(event, stamp)
    switch type {
    case "gap": try writeGap(event, stamp)
    case "purged": try writePurge(event, stamp)
    case "response": try writeResponse(event, stamp)
    case "boot", "clock_step", "clock_sync_gained", "clock_sync_lost", "tz_changed",
      "tzdata_changed", "suspend", "resume":
      try writeClock(event, type, stamp)
    default: break
    }
  }

  /// Writes a row of events.csv: the columns of `EventRow.columnNames`, the content, and the time
  /// of the event.
  private func write(_ event: RawRow, _ stamp: Stamp) throws {
    let isTimeKnown =
      profile != .safeHarbor
      || event.text(EventColumn.clockState)?.elementsEqual("unset".utf8) != true
    try events.row { line in
      for (column, kind) in Self.kinds.enumerated() {
        switch kind {
        case _ where !line.isNextShown: line.null()
        case _ where isOwn && column == EventColumn.actorID: line.text(Self.actor(event))
        case .number: line.integer(event.optionalInteger(column))
        case .word: line.word(event.text(column))
        case .text: line.text(event.text(column))
        }
      }
      line.text(isOwn && Self.namesOthers(event) ? nil : event.text(EventColumn.content))
      line.instant(isTimeKnown ? stamp : nil)
    }
  }

  /// Returns the actor of an event in the export of a person's own data. The export of a person's
  /// own data must not contain the names of other people. Therefore, if the actor is neither a
  /// patient nor the daemon, the export contains `another` instead of the id of the actor.
  private static func actor(_ event: RawRow) -> String? {
    let role = event.string(EventColumn.actorRole).flatMap { Role(rawValue: $0) }
    return role == .patient || role == .system ? event.string(EventColumn.actorID) : "another"
  }

  /// Returns true if the content of an event contains the name of a notified contact. The export of
  /// a person's own data does not contain this content, because the content is about the contact.
  private static func namesOthers(_ event: RawRow) -> Bool {
    notifications.contains(event.string(EventColumn.type) ?? "")
  }

  private static let notifications = Set(
    [
      "escalated", "notified", "notification_failed", "inactivity_escalated",
      "inactivity_notified", "inactivity_notification_failed", "notice_due", "notice_sent",
      "notice_failed", "notice_dropped", "call_told",
    ].flatMap(StoredEvent.storedTypes))

  private enum Kind { case number, word, text }

  /// The kind of each column of the record. In CSV, only a cell of a `text` column can need
  /// quotation marks.
  private static let kinds: [Kind] = EventRow.columnNames.map { name in
    switch name {
    case "seq", "schema_version", "ring_no", "alarm_version", "wall_utc_ms", "utc_offset_s",
      "boottime_ns", "clock_error_ms":
      .number
    case "event_id", "device", "type", "actor_role", "boot_id", "clock_state", "payload_digest",
      "prev_hash", "hash":
      .word
    default: .text
    }
  }

  /// Writes the purged period as a gap in gaps.csv. The gap starts at the first event of the purged
  /// part with a trusted clock (clock state not `unset`). The gap ends at the last event of the
  /// purged part.
  private func writePurge(_ event: RawRow, _ stamp: Stamp) throws {
    guard let purged, purged.sequence == event.integer(EventColumn.seq) else { return }
    let to = purged.purge.throughAt.milliseconds
    let from = purged.purge.firstAt?.milliseconds ?? to
    try writeGap(purged.sequence, from, to, event, stamp) { $0.text(ExportTable.purgedCause) }
  }

  private func writeGap(_ event: RawRow, _ stamp: Stamp) throws {
    let payload = event.payload
    let (from, to) = (payload.integer("from_ms"), payload.integer("to_ms"))
    guard let from, let to else { return }
    try writeGap(event.integer(EventColumn.seq), from, to, event, stamp) { line in
      line.text(payload.word("cause"))
    }
  }

  private func writeGap(
    _ sequence: Int64, _ from: Int64, _ to: Int64, _ event: RawRow, _ stamp: Stamp,
    cause: (inout ExportEncoder) -> Void
  ) throws {
    let (fromOffset, toOffset) = (offset(at: from, event, stamp), offset(at: to, event, stamp))
    // If the clocks changed during a gap, the true length of the gap would reveal the day of the
    // change. Therefore, in an export with the profile `safe_harbor`, the length of the gap is the
    // difference of the two local times.
    let change = profile == .safeHarbor ? toOffset - fromOffset : 0
    try gaps?.row { line in
      line.integer(sequence)
      line.instant(from, offsetSeconds: fromOffset)
      line.instant(to, offsetSeconds: toOffset)
      line.integer(to - from + 1_000 * change)
      cause(&line)
    }
  }

  /// Returns the UTC offset, in seconds, that the zone of an event has at a given instant.
  private func offset(at milliseconds: Int64, _ event: RawRow, _ stamp: Stamp) -> Int64 {
    zones.offset(
      at: milliseconds, in: event.string(EventColumn.zone) ?? "", recorded: stamp.offsetSeconds)
  }

  private func writeClock(_ event: RawRow, _ type: String, _ stamp: Stamp) throws {
    let payload = event.payload
    try clock?.row { line in
      line.integer(event.integer(EventColumn.seq))
      line.text(type)
      line.instant(stamp)
      line.integer(payload.integer("step_ms"))
      line.text(event.text(EventColumn.clockState))
      line.integer(event.optionalInteger(EventColumn.clockError))
      line.text(event.text(EventColumn.bootID))
      line.integer(stamp.bootNanoseconds)
      line.text(payload.word("from"))
      line.text(payload.word("to"))
    }
  }

  mutating func take(_ prompt: PromptEnd) throws {
    let (row, life) = (prompt.row, prompt.life)
    let id = row.text(PromptColumn.promptID)
    try prompts.row { line in
      plan(prompt, &line)
      delivery(row, life, &line)
      response(row, life, &line)
      outcome(prompt, &line)
    }
    for item in prompt.items { try write(item, of: prompt) }
    for ring in life.rings {
      try rings.row { line in
        line.text(id)
        ring.write(to: &line)
      }
    }
  }

  private func write(_ item: PromptItem, of prompt: PromptEnd) throws {
    let outcome = prompt.row.string(PromptColumn.outcome).flatMap { Outcome(rawValue: $0) }
    try items.row { line in
      line.text(prompt.row.text(PromptColumn.promptID))
      line.text(prompt.studyID)
      line.text(prompt.person)
      line.text(prompt.phase)
      line.text(item.name)
      line.bool(item.isRequired)
      line.bool(item.isAnswered)
      line.text(item.isAnswered ? nil : ItemCause(outcome).rawValue)
    }
  }

  private func plan(_ prompt: PromptEnd, _ line: inout ExportEncoder) {
    let (row, life) = (prompt.row, prompt.life)
    let key = row.integer(PromptColumn.nominalKey)
    line.text(row.text(PromptColumn.promptID))
    line.text(prompt.studyID)
    line.text(prompt.person)
    line.text(line.isNextShown ? prompt.person.flatMap(people.name) : nil)
    line.text(prompt.phase)
    line.text(row.text(PromptColumn.alarmID))
    line.integer(row.integer(PromptColumn.alarmVersion))
    line.text(prompt.label)
    line.bool(prompt.isAnnouncement)
    line.civil(key >> 1)
    let also = row.text(PromptColumn.alsoNominal)
    line.text(also?.isEmpty == false ? also : nil)
    line.integer(key & 1)
    line.text(row.text(PromptColumn.zone))
    line.integer(row.integer(PromptColumn.offset))
    let (due, offset) = (row.integer(PromptColumn.due), row.integer(PromptColumn.offset))
    line.instant(due, offsetSeconds: prompt.offset(at: due, wall: offset))
    line.integer(Int64(life.plans))
    line.integer(life.lateMilliseconds)
  }

  private func delivery(_ row: RawRow, _ life: PromptMetrics, _ line: inout ExportEncoder) {
    line.integer(row.integer(PromptColumn.ringsIntended))
    line.integer(row.integer(PromptColumn.ringsSounded))
    line.integer(row.integer(PromptColumn.ringsFailed))
    line.integer(Int64(life.rings.count { $0.result == "uncertain" }))
    line.bool(row.integer(PromptColumn.delivered) > 0)
    line.instant(life.firstSound)
    line.integer(life.firstSound.map { $0.wallMilliseconds - row.integer(PromptColumn.due) })
    line.integer(life.presented.map { $0.wallMilliseconds - row.integer(PromptColumn.due) })
  }

  private func response(_ row: RawRow, _ life: PromptMetrics, _ line: inout ExportEncoder) {
    let answer = life.firstAnswer
    var afterRing: Int64?
    if let answer, let ring = life.firstSound { afterRing = ring.milliseconds(until: answer.at) }
    line.text(answer?.type)
    line.text(answer?.role)
    line.text(answer?.source)
    line.instant(answer?.at)
    line.integer(answer.map { $0.at.wallMilliseconds - row.integer(PromptColumn.due) })
    line.integer(afterRing)
    line.integer(completionLatency(row))
    line.integer(answer.map { _ in Int64(life.soundsBeforeAnswer) })
    line.integer(Int64(life.contactsNotified))
    line.integer(Int64(life.contactsReached))
    line.integer(row.integer(PromptColumn.delays))
  }

  private func completionLatency(_ row: RawRow) -> Int64? {
    guard row.isCompleted else { return nil }
    return row.integer(PromptColumn.closed) - row.integer(PromptColumn.due)
  }

  private func outcome(_ prompt: PromptEnd, _ line: inout ExportEncoder) {
    let (row, life) = (prompt.row, prompt.life)
    let isOpen = row.isNull(PromptColumn.outcome)
    line.text(isOpen ? "open" : "closed")
    line.text(row.text(PromptColumn.outcome))
    line.text(row.text(PromptColumn.reason))
    if let closed = row.optionalInteger(PromptColumn.closed) {
      let wall = zones.offset(
        at: closed, in: row.string(PromptColumn.zone) ?? "",
        recorded: row.integer(PromptColumn.offset))
      line.instant(closed, offsetSeconds: prompt.offset(at: closed, wall: wall))
    } else {
      line.null()
    }
    line.text(isOpen ? nil : life.closedRole)
    line.text(life.boots > 0 ? life.clockState.rawValue : nil)
    line.integer(life.clockErrorMilliseconds)
    line.integer(Int64(life.boots))
    line.integer(Int64(life.corrections))
  }
}

extension RawRow {
  /// True if the prompt in this row was completed. The row is a result of `ExportPass.prompts`.
  var isCompleted: Bool {
    text(PromptColumn.outcome)?.starts(with: "completed".utf8) == true
  }
}
