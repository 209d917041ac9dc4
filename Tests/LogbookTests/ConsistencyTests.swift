import Alarms
import GRDB
import Testing

@testable import Logbook

/// Rows of prompts that a fault elsewhere has taken or spoiled: the events still know them.
@Suite struct `What is stored astray` {
  private let directory = TemporaryDirectory()

  /// A home that has lived, with its rows damaged by a statement; and what the events make of it.
  private func damaged(_ sql: String) throws -> (Logbook, History) {
    var history = History(seed: 7)
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(300, into: logbook)
    try logbook.close()
    let queue = try DatabaseQueue(path: directory.record)
    try queue.write { db in try db.execute(sql: sql) }
    try queue.close()
    return (try Logbook.open(directory), history)
  }

  @Test func `an open prompt whose row says no next step is open, and astray`() throws {
    let (logbook, history) = try damaged(
      "UPDATE prompts SET next_step_ms = NULL WHERE phase <> 'closed'")
    let snapshot = try logbook.restore()
    let open = Set(history.replay.prompts.values.filter(\.phase.isOpen))
    #expect(!open.isEmpty && Set(snapshot.openPrompts) == open)
    #expect(Set(snapshot.mismatches.map(\.prompt)) == open)
    #expect(Set(snapshot.mismatches.map(\.defect)) == [.stepNotStored])
  }

  @Test func `a prompt without a row is as the events make it, open or over`() throws {
    let (logbook, history) = try damaged("DELETE FROM prompts")
    let snapshot = try logbook.restore()
    #expect(snapshot.openPrompts.isEmpty)
    #expect(Set(snapshot.mismatches.map(\.prompt)) == Set(history.replay.prompts.values))
    #expect(Set(snapshot.mismatches.map(\.defect)) == [.promptNotStored])

    // Written once more, as the daemon does that finds them, they are what the record says.
    var changes = StateDelta()
    for stray in snapshot.mismatches { changes.prompts[stray.prompt.id] = stray.prompt }
    var later = history
    let events = snapshot.mismatches.map { later.record(.repaired($0.prompt.id, $0.defect)) }
    try logbook.record(events, changes)
    #expect(try logbook.verify().isOK)
    try expect(try logbook.restore(), equals: later.replay)
  }
}
