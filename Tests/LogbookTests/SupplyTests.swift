import Alarms
import CivilTime
import EventCoding
import GRDB
import Glibc
import Testing

@testable import Logbook

@Suite struct Supplies {
  private let directory = TemporaryDirectory()
  private let box = SupplyID("k3v9box")

  /// Records a home with two supplies. A prompt used the first supply. A caretaker then counted and
  /// refilled the first supply, and removed the second supply.
  private func lived(_ history: inout History, _ logbook: Logbook) throws {
    let alarm = try history.alarm()
    let prompt = history.prompt(alarm)
    let settings = SupplySettings(name: "Donepezil", unit: "tablets", lowAt: 7, contacts: ["anna"])
    let old = SupplyID("k3v9old")
    let events: [Event] = [
      .supply(box, .added(settings, left: 28)),
      .supply(old, .added(SupplySettings(name: "CANARY", unit: "CANARY"), left: 1)),
      .alarmCreated(alarm), .planned(prompt), .due(prompt.id, lateMilliseconds: 0),
      .closed(prompt.id, .completed, reason: .none, .nothing),
      .supply(box, .used(prompt.id, amount: 2, taken: 2, left: 26)),
      .supply(box, .counted(left: 6)), .supply(box, .refilled(amount: 3, left: 9)),
      .supply(old, .removed),
    ]
    for event in events { try history.write(event, into: logbook) }
  }

  private func expectSame(_ logbook: Logbook, _ history: History) throws {
    let found = try logbook.restore().supplies
    #expect(Dictionary(uniqueKeysWithValues: found.map { ($0.id, $0) }) == history.replay.supplies)
    #expect(found.map(\.left) == [9] && found.first?.taken.count == 1)
    let verification = try logbook.verify(anchor: HeadCode(logbook.head))
    #expect(verification.isOK, "\(verification)")
  }

  @Test func `the supplies are the same after a restart, a rebuild and a purge`() throws {
    var logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try lived(&history, logbook)
    try logbook.close()
    logbook = try Logbook.open(directory)
    try expectSame(logbook, history)
    try logbook.rebuild()
    try expectSame(logbook, history)
    try history.playAtOnce(60, into: logbook)
    try history.export(from: logbook)
    try history.playAtOnce(20, into: logbook)
    let plan = try logbook.purgePlan(before: Instant(milliseconds: .max / 4))
    try logbook.provePurge(through: plan.throughSequence)
    _ = try logbook.purge(through: plan.throughSequence, rows: 1_000)
    try expectSame(logbook, history)
  }

  @Test(arguments: [
    "DELETE FROM supplies", "UPDATE supplies SET state = replace(state, '9', '8')",
    "INSERT INTO supplies VALUES ('more', '{}')",
  ])
  func `a changed supply in the file is found`(sql: String) throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try lived(&history, logbook)
    try logbook.close()
    let queue = try DatabaseQueue(path: directory.record)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    let changed = try Logbook(directory: directory.path)
    let found = try changed.verify()
    #expect(found.problem?.contains("supplies") == true, "\(found)")
  }

  @Test func `an erasure deletes the words of a removed supply, and of no other supply`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try lived(&history, logbook)
    func traces(_ word: String) -> Int {
      TemporaryDirectory.list(directory.path).count {
        run("grep -c -a -F '\(word)' '\(directory.path)/\($0)'").status == 0
      }
    }
    #expect(traces("CANARY") > 0)
    try history.write(.erased(.words(.patient)), into: logbook)
    #expect(traces("CANARY") == 0)
    #expect(traces("Donepezil") > 0)
    try expectSame(logbook, history)
  }
}
