import Alarms
import GRDB
import Testing

@testable import Logbook

/// Tests a record in which a fault removed or changed rows of prompts. The events of these prompts
/// are complete.
@Suite struct `A projection that disagrees with the events` {
  private let directory = TemporaryDirectory()

  /// Makes a record with a history, and damages rows of the record with an SQL statement. The
  /// returned history contains the correct state.
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

  @Test func `an open prompt without a next step in its row is open and reported as a mismatch`()
    throws
  {
    let (logbook, history) = try damaged(
      "UPDATE prompts SET next_step_ms = NULL WHERE phase <> 'closed'")
    let snapshot = try logbook.restore()
    let open = Set(history.replay.prompts.values.filter(\.state.isOpen))
    #expect(!open.isEmpty && Set(snapshot.openPrompts) == open)
    #expect(Set(snapshot.mismatches.map(\.prompt)) == open)
    #expect(Set(snapshot.mismatches.map(\.defect)) == [.stepNotStored])
  }

  @Test func `a prompt without a row has the state that the events give`() throws {
    let (logbook, history) = try damaged("DELETE FROM prompts")
    let snapshot = try logbook.restore()
    #expect(snapshot.openPrompts.isEmpty)
    #expect(Set(snapshot.mismatches.map(\.prompt)) == Set(history.replay.prompts.values))
    #expect(Set(snapshot.mismatches.map(\.defect)) == [.promptNotStored])

    // The daemon writes the mismatched prompts again. After this, the rows agree with the events.
    var changes = StateDelta()
    for stray in snapshot.mismatches { changes.prompts[stray.prompt.id] = stray.prompt }
    var later = history
    let events = snapshot.mismatches.map { later.record(.repaired($0.prompt.id, $0.defect)) }
    try logbook.record(events, changes)
    #expect(try logbook.verify().isOK)
    try expect(try logbook.restore(), equals: later.replay)
  }
}
