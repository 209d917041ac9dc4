import Alarms
import CivilTime
import GRDB
import Wire

// prompts.csv and rings.csv, in one pass: prompts in the order of their names, and beside them their
// events in the same order.

extension Export {
  func writePrompts() throws -> [ExportedFile] {
    let (promptFile, ringFile) = (try file(.prompts), try file(.rings))
    var events = try PromptEvents(db)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Prompt.selection), e.person, c.body FROM prompts p
        LEFT JOIN events e ON e.alarm_id = p.alarm_id AND e.alarm_version = p.alarm_version
          AND e.type IN ('alarm_created', 'alarm_edited')
        LEFT JOIN contents c ON c.seq = e.seq
        ORDER BY p.prompt_id
        """)
    while let row = try rows.next() {
      let prompt = try Prompt(row)
      var life = PromptLife()
      try events.forEach(of: prompt.id.description) { try life.add($0) }
      let cells = Cells(row, of: "prompts")
      let words = try cells.optionalText(Prompt.selectionCount + 1)
      try promptFile.append(
        self.cells(
          prompt, life, person: try cells.optionalText(Prompt.selectionCount),
          label: profile == .identified ? try words.map(Logbook.label) : nil))
      for ring in life.rings {
        try ringFile.append([.text(prompt.id.description)] + ring.cells)
      }
    }
    return [try promptFile.finish(), try ringFile.finish()]
  }

  private func cells(
    _ prompt: Prompt, _ life: PromptLife, person: String?, label: String?
  ) -> [ExportCell] {
    plan(prompt, life, person: person, label: label) + delivery(prompt, life)
      + response(prompt, life) + outcome(prompt, life)
  }

  private func plan(
    _ prompt: Prompt, _ life: PromptLife, person: String?, label: String?
  ) -> [ExportCell] {
    [
      .text(prompt.id.description), ExportCell(person),
      ExportCell(person.map { people.person($0).text }), ExportCell(life.phase),
      .text(prompt.id.alarm.text), .integer(Int64(prompt.alarmVersion)), ExportCell(label),
      .civil(prompt.id.nominal),
      ExportCell(prompt.alsoNominal.isEmpty ? nil : prompt.alsoNominalText),
      .integer(Int64(prompt.id.fold)), .text(prompt.zoneName),
      .integer(Int64(prompt.utcOffsetSeconds)),
      .instant(prompt.dueAt, offsetSeconds: prompt.utcOffsetSeconds),
      .integer(Int64(life.plans)), ExportCell(life.lateMilliseconds),
    ]
  }

  private func delivery(_ prompt: Prompt, _ life: PromptLife) -> [ExportCell] {
    let first = life.firstSound
    return [
      .integer(Int64(prompt.ringsIntended)), .integer(Int64(prompt.ringsSounded)),
      .integer(Int64(prompt.ringsFailed)),
      .integer(Int64(life.rings.count { $0.result == "uncertain" })),
      .bool(prompt.ringsSounded > 0), first?.wall ?? .null,
      ExportCell(first.map { $0.wallMilliseconds - prompt.dueAt.milliseconds }),
    ]
  }

  private func response(_ prompt: Prompt, _ life: PromptLife) -> [ExportCell] {
    let answer = life.firstAnswer
    var afterRing: Int64?
    if let answer, let ring = life.firstSound { afterRing = ring.milliseconds(until: answer) }
    return [
      ExportCell(answer?.type), ExportCell(answer?.actorRole), answer?.wall ?? .null,
      ExportCell(answer.map { $0.wallMilliseconds - prompt.dueAt.milliseconds }),
      ExportCell(afterRing), ExportCell(answer.map { _ in Int64(life.soundsBeforeAnswer) }),
      .integer(Int64(prompt.delays)),
    ]
  }

  private func outcome(_ prompt: Prompt, _ life: PromptLife) -> [ExportCell] {
    var (outcome, reason, closed) = (ExportCell.null, ExportCell.null, ExportCell.null)
    if case .closed(let how, let why, let at) = prompt.phase {
      outcome = .text(how.rawValue)
      reason = .text(why.rawValue)
      closed = .instant(at, offsetSeconds: prompt.utcOffsetSeconds)
    }
    return [
      .text(prompt.phase.isOpen ? "open" : "closed"), outcome, reason, closed,
      ExportCell(prompt.phase.isOpen ? nil : life.closedRole), ExportCell(life.clockState),
      .integer(Int64(life.boots.count)),
    ]
  }
}

/// The events that are about prompts, prompt by prompt.
private struct PromptEvents {
  private let rows: RowCursor
  private var waiting: EventRow?

  init(_ db: Database) throws {
    rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection) FROM events e WHERE e.prompt_id IS NOT NULL
        ORDER BY e.prompt_id, e.seq
        """)
    waiting = try rows.next().map { try EventRow($0) }
  }

  /// The events of one prompt in order. Prompts must be asked for in the order of their names; the
  /// events of one that is not asked for are passed over.
  mutating func forEach(of prompt: String, _ body: (EventRow) throws -> Void) throws {
    while let event = waiting, let name = event.promptID {
      // The order of SQLite's BINARY collation, which is that of the bytes.
      if prompt.utf8.lexicographicallyPrecedes(name.utf8) { return }
      if name == prompt { try body(event) }
      waiting = try rows.next().map { try EventRow($0) }
    }
  }
}
