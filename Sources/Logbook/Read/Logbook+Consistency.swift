import Alarms
import GRDB

// Prompts that the record knows and of which nothing is stored: the daemon would not know that they are
// due, or that they are over.
extension Logbook {
  /// Looked for among so many of the newest rows, which takes 10 ms; about two months of a home. What was
  /// planned before that is found by the plans of its alarm.
  static let rowsLookedAt = 10_000

  /// Each as the whole record makes it, which is only read where one is missing.
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
