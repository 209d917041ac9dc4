import Alarms
import GRDB

// Finds prompts that are in the events but not in the table `prompts`. If a prompt has no row in
// this table, the daemon does not know that the prompt is due or has ended.
extension Logbook {
  /// The number of rows that `missingPrompts` searches. These rows are the newest rows of the
  /// record. The search takes 10 ms. In a typical home, these rows cover about two months. For the
  /// time before these rows, the daemon computes the occurrences from the schedules of the alarms.
  /// Some other queries also read only this number of rows.
  static let rowsLookedAt = 10_000

  /// Finds the prompts that have events but no row in the table `prompts`. Computes these prompts
  /// from the events.
  ///
  /// If there are no such prompts, the function does not read the whole record.
  func missingPrompts(in db: Database) throws -> [ProjectionMismatch] {
    let names = try String.fetchSet(
      db,
      sql: """
        SELECT e.prompt_id FROM events e
        WHERE e.seq > (SELECT max(seq) FROM events) - ? AND e.type IN ('planned', 'due')
          AND NOT EXISTS (SELECT 1 FROM prompts p WHERE p.prompt_id = e.prompt_id)
        """, arguments: [Self.rowsLookedAt])
    if names.isEmpty { return [] }
    var scan = try Scan(db, anchors: [], keepsPrompts: true)
    do {
      try scan.run(db)
    } catch let finding as VerificationFault {
      throw LogbookError.corrupt(doing: "look for lost prompts", reason: finding.problem)
    }
    let prompts = names.sorted().compactMap { PromptID($0).flatMap { scan.replay.prompts[$0] } }
    return prompts.map { ProjectionMismatch(prompt: $0, defect: .promptNotStored) }
  }
}
