import Alarms
import CivilTime
import GRDB
import Glibc
import JSONValue
import Testing

@testable import Logbook

@Suite struct `Recording` {
  private let directory = TemporaryDirectory()

  @Test func `the writer syncs every commit to the disk`() throws {
    let logbook = try Logbook.open(directory)
    #expect(try logbook.pragma("synchronous") == "2")
    #expect(try logbook.pragma("journal_mode") == "wal")
    #expect(try logbook.pragma("secure_delete") == "1")
    var history = History(seed: 1)
    try history.play(50, into: logbook)
    #expect(try logbook.pragma("synchronous") == "2")
  }

  @Test func `only the owner can read the files`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.play(5, into: logbook)
    for name in TemporaryDirectory.list(directory.path) {
      var status = stat()
      #expect(stat("\(directory.path)/\(name)", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600, "\(name)")
    }
  }

  @Test func `recorded events are there when the file is opened again`() throws {
    var history = History(seed: 2)
    let first = try Logbook.open(directory)
    try history.play(200, into: first)
    let (head, events) = (first.head, try first.events(after: 0, limit: .max))
    try first.close()

    let second = try Logbook.open(directory, seed: 99)
    #expect(second.head == head)
    #expect(second.device == first.device)
    #expect(try second.events(after: 0, limit: .max) == events)
    try expect(try second.restore(), equals: history.replay)

    try history.play(50, into: second)
    try expect(try second.restore(), equals: history.replay)
    #expect(second.head.sequence == Int64(try second.events(after: 0, limit: .max).count))
  }

  @Test func `recorded events are there if the file was never closed`() throws {
    var history = History(seed: 3)
    let logbook = try Logbook.open(directory)
    try history.play(100, into: logbook)
    // The test copies the open record and its write-ahead log. A killed process leaves the same
    // files.
    let copy = TemporaryDirectory()
    for suffix in ["", "-wal"] {
      writeFile(readFile(directory.record + suffix), to: copy.record + suffix)
    }
    let reopened = try Logbook.open(copy)
    #expect(reopened.head == logbook.head)
    try expect(try reopened.restore(), equals: history.replay)
  }

  @Test func `simultaneous writers make one unbroken record, and a reader never sees a broken one`()
    async throws
  {
    let logbook = try Logbook.open(directory)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seed in 0..<4 as Range<UInt64> {
        group.addTask {
          var history = History(seed: seed)
          for _ in 0..<25 { try logbook.record([history.record(.heartbeat)], StateDelta()) }
        }
      }
      group.addTask {
        for _ in 0..<10 {
          let found = try logbook.verify(anchor: logbook.head)
          #expect(found.isOK, "\(found)")
        }
      }
      try await group.waitForAll()
    }
    #expect(logbook.head.sequence == 100)
    #expect(try logbook.verify().isOK)
  }

  @Test func `an empty record starts at row zero`() throws {
    let logbook = try Logbook.open(directory)
    #expect(logbook.head == (0, EventRow.genesis))
    let snapshot = try logbook.restore()
    #expect(snapshot.alarms.isEmpty && snapshot.openPrompts.isEmpty)
    #expect(snapshot.lastRecord == nil)
    #expect(try logbook.events(after: 0, limit: 10).isEmpty)
    #expect(try logbook.prompts(PromptQuery()).isEmpty)
  }

  @Test(arguments: [
    "UPDATE events SET payload = '{}' WHERE seq = 2", "DELETE FROM events WHERE seq = 2",
    "DELETE FROM events", "UPDATE events SET seq = 900 WHERE seq = 2",
    "INSERT OR REPLACE INTO events SELECT * FROM events WHERE seq = 2",
    "UPDATE contents SET body = '{}'",
  ])
  func `no statement changes a recorded event`(sql: String) throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 4)
    try history.play(20, into: logbook)
    let before = try logbook.events(after: 0, limit: .max)
    #expect(throws: DatabaseError.self) {
      try logbook.pool.write { db in try db.execute(sql: sql) }
    }
    #expect(try logbook.events(after: 0, limit: .max) == before)
  }

  @Test func `an event is added at the end only`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 4)
    try history.play(20, into: logbook)
    let rest = EventRow.columnNames.dropFirst().joined(separator: ", ")
    for seq in ["0", "-1", "NULL", "\(logbook.head.sequence + 2)"] {
      #expect(throws: DatabaseError.self) {
        try logbook.pool.write { db in
          try db.execute(sql: "INSERT INTO events SELECT \(seq), \(rest) FROM events WHERE seq = 1")
        }
      }
    }
  }

  @Test func `a person has one lasting pseudonym in the record`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 3)
    history.word = "Anna"
    try history.play(100, into: logbook)
    try logbook.close()
    let second = try Logbook.open(directory, seed: 77)
    try history.play(100, into: second)
    let events = try second.events(after: 0, limit: .max)
    let people = Set(events.compactMap(\.person))
    #expect(people.count == 2)
    for person in people { #expect(person.wholeMatch(of: /P-[0-9a-z]{8}/) != nil) }
    #expect(Set(events.map(\.device)).count == 1)
    #expect(!events.contains { "\($0)".contains("Anna") })
    let alarms = try second.restore().alarms
    #expect(alarms.contains { $0.person == PersonID("Anna person") })
  }

  @Test func `a row prints its columns in order and its payload as an object`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 6)
    try logbook.record([history.record(.clockStep(milliseconds: -5))], StateDelta())
    let row = try #require(try logbook.events(after: 0, limit: 1).first)
    guard case .members(let members) = row.json else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.name) == EventRow.columnNames)
    #expect(row.json["payload"]?.description == #"{"step_ms":-5}"#)
    #expect(row.json["prompt_id"] == .null)
  }
}

/// Checks that two states are equal: the state that the daemon restores at a start, and the state
/// of a replay.
func expect(_ snapshot: HomeSnapshot, equals replay: Replay) throws {
  #expect(
    Dictionary(uniqueKeysWithValues: snapshot.alarms.map { ($0.id, $0) }) == replay.alarms)
  #expect(
    Dictionary(uniqueKeysWithValues: snapshot.openPrompts.map { ($0.id, $0) })
      == replay.prompts.filter(\.value.state.isOpen))
  #expect(snapshot.levels == replay.levels)
  #expect(Dictionary(uniqueKeysWithValues: snapshot.tones.map { ($0.name, $0) }) == replay.tones)
  var closed: [AlarmID: Set<Int64>] = [:]
  var unheard: [AlarmID: Set<Int64>] = [:]
  var instants: [AlarmID: Set<Instant>] = [:]
  var unheardInstants: [AlarmID: Set<Instant>] = [:]
  for (id, prompt) in replay.prompts where !prompt.state.isOpen {
    guard let alarm = replay.alarms[id.alarm] else { continue }
    if prompt.canBePlannedAgain {
      unheard[id.alarm, default: []].insert(id.nominalKey)
      if alarm.keepsInstants { unheardInstants[id.alarm, default: []].insert(prompt.dueAt) }
    } else {
      closed[id.alarm, default: []].insert(id.nominalKey)
      if alarm.keepsInstants { instants[id.alarm, default: []].insert(prompt.dueAt) }
    }
  }
  #expect(snapshot.closedNominals == closed)
  #expect(snapshot.unheardNominals == unheard)
  #expect(snapshot.closedInstants == instants)
  #expect(snapshot.unheardInstants == unheardInstants)
  #expect(snapshot.mismatches.isEmpty)
}
