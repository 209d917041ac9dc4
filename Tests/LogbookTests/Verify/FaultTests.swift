import Alarms
import CivilTime
import GRDB
import StudyExport
import Testing

@testable import Logbook

/// Tests the exact text of each fault. Also tests the number of the row that the fault reports.
@Suite struct `A fault of the record` {
  private let directory = TemporaryDirectory()

  /// Makes a record with ten rows and closes it. Rows 2, 4, 5 and 9 have texts.
  private func record() throws -> Logbook.Head {
    var timeline = try Timeline(in: directory)
    let tone = Tone(name: "bell", sha256: "ab", durationMilliseconds: 9, loudnessLUFS: -16)
    let alarm = timeline.alarm("pills")
    let events: [Event] = [
      .heartbeat, .toneAdded(tone), .heartbeat, .audioLost(reason: "no card"),
      .alarmCreated(alarm), .planned(timeline.prompt(alarm, due: 60)),
      .volumeChanged(device: "card", .calibrated(percent: 70)), .heartbeat,
      .personAdded(Person(id: PersonID("anna"), version: 1, name: "Anna")), .heartbeat,
    ]
    for (place, event) in events.enumerated() {
      try timeline.add(Int64(place) * 1_000, event)
    }
    try timeline.logbook.pool.write {
      try $0.execute(sql: "INSERT INTO levels VALUES ('card', 70)")
    }
    let head = timeline.logbook.head
    #expect(try timeline.logbook.verify().isOK)
    try timeline.logbook.close()
    return head
  }

  private static let prompt = "pills@2027-01-15T08:01:00"

  @Test(
    arguments: [
      (
        "DELETE FROM contents WHERE seq = 4; DELETE FROM events WHERE seq = 4", 4,
        "row 4 is missing"
      ),
      ("DELETE FROM events WHERE seq = 1", 1, "row 1 is missing"),
      (
        "UPDATE events SET prev_hash = 'x' WHERE seq = 3", 3,
        "row 3 does not continue the hash chain"
      ),
      (
        "UPDATE events SET source = 'x' WHERE seq = 3", 3, "row 3 was changed after it was written"
      ),
      (
        "UPDATE contents SET body = '{}' WHERE seq = 4", 4,
        "the free text of row 4 was changed after it was written"
      ),
      (
        "UPDATE contents SET salt = 'x' WHERE seq = 4", 4,
        "the free text of row 4 was changed after it was written"
      ),
      (
        "INSERT INTO contents VALUES (3, '00', '{}')", 3,
        "the free text of row 3 was changed after it was written"
      ),
      (
        "INSERT INTO contents VALUES (98, '00', '{}'), (99, '00', '{}')", 98,
        "row 98 has free text, but the row does not exist"
      ),
      ("DELETE FROM prompts", nil, "the prompt \"\(prompt)\" is missing"),
      (
        "UPDATE prompts SET delays = 1", nil,
        "the stored prompt \"\(prompt)\" does not match its events"
      ),
      (
        """
        INSERT INTO prompts SELECT 'other', alarm_id, nominal_key, alarm_version, due_ms, tz_name,
          utc_offset_s, phase, phase_detail, next_step_ms, outcome, reason, closed_ms,
          rings_intended, rings_sounded, rings_failed, delays, last_sounded_ms, also_nominal, course
        FROM prompts
        """, nil, "the stored prompt \"other\" has no events"
      ),
      ("DELETE FROM alarms", nil, "\"pills\" is missing from the table alarms"),
      (
        "UPDATE alarms SET version = 2", nil,
        "\"pills\" in the table alarms does not match the events"
      ),
      ("DELETE FROM tones", nil, "\"bell\" is missing from the table tones"),
      ("DELETE FROM levels", nil, "\"card\" is missing from the table levels"),
      (
        "INSERT INTO levels VALUES ('b', 1)", nil,
        "\"b\" in the table levels does not match the events"
      ),
      (
        "INSERT INTO supplies VALUES ('box', '{}')", nil,
        "\"box\" in the table supplies does not match the events"
      ),
      (
        "INSERT INTO images VALUES ('cd', 'image/png', 1, 1, 1, NULL)", nil,
        "\"cd\" in the table images does not match the events"
      ),
    ] as [(String, Int64?, String)])
  func `is reported with its row and one sentence`(sql: String, row: Int64?, sentence: String)
    throws
  {
    let head = try record()
    try tamper(directory.record) { try $0.execute(sql: sql) }
    let found = try Logbook.open(directory).verify()
    #expect(found.problem == sentence && found.firstBadSequence == row)
    #expect(found.events == (sentence.contains("has free text") ? 10 : row.map { $0 - 1 } ?? 10))
    if row == nil { #expect(found.head == head.hash) }
  }

  @Test func `with a known head is a row that is absent or has another hash`() throws {
    let head = try record()
    let logbook = try Logbook.open(directory)
    let third = try #require(try logbook.events(after: 2, limit: 1).first?.hash)
    func found(_ sequence: Int64, _ hash: String) throws -> (Int64?, String?) {
      let found = try logbook.verify(anchor: (sequence, hash))
      return (found.firstBadSequence, found.problem)
    }
    #expect(try found(10, head.hash) == (nil, nil))
    #expect(try found(3, third) == (nil, nil))
    #expect(try found(3, head.hash) == (3, "row 3 does not have the known hash"))
    #expect(try found(10, third) == (10, "row 10 does not have the known hash"))
    #expect(
      try found(11, head.hash) == (11, "the record ends before row 11, which existed earlier"))
    #expect(
      try found(99, head.hash) == (11, "the record ends before row 99, which existed earlier"))
  }

  @Test func `in the schema is reported before any row is read`() throws {
    _ = try record()
    let logbook = try Logbook.open(directory)
    let queue = try DatabaseQueue(path: directory.record)
    try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE VIEW peek AS SELECT 1") }
    try queue.close()
    #expect(
      try logbook.verify()
        == Verification(
          events: 0, head: EventRow.genesis,
          problem: "it contains the view \"peek\", which this program does not create"))
  }

  @Test func `in the only row is found before the row is copied`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try logbook.record([history.record(.heartbeat)], .init())
    try logbook.updateReplica(directory: directory.path)
    let head = logbook.head
    try tamper(directory.record) { db in
      try db.execute(sql: "UPDATE events SET source = 'x' WHERE seq = 1")
      try reseal(db)
    }
    #expect(
      throws: LogbookError.corrupt(
        doing: "update the second copy", reason: "row 1 does not have the known hash")
    ) { try logbook.updateReplica(directory: directory.path) }
    #expect(try #require(Replica.head(in: directory.path)) == head)
  }

  @Test func `is a row in the table of prompts if no event planned the prompt`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let other = timeline.prompt(alarm, due: 120).id
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(1, .planned(timeline.prompt(alarm, due: 60)))
    try timeline.add(2, .presented(other))
    #expect(try timeline.logbook.verify().isOK)
    try timeline.logbook.close()
    try tamper(directory.record) { db in
      try db.execute(
        sql: """
          INSERT INTO prompts SELECT '\(other)', alarm_id, nominal_key, alarm_version, due_ms, tz_name,
            utc_offset_s, phase, phase_detail, next_step_ms, outcome, reason, closed_ms,
            rings_intended, rings_sounded, rings_failed, delays, last_sounded_ms, also_nominal, course
          FROM prompts
          """)
    }
    let found = try Logbook.open(directory).verify()
    #expect(found.problem == "the stored prompt \"\(other)\" does not match its events")
    #expect(found.firstBadSequence == nil && found.events == 3)
  }

  @Test func `is searched with a report after every 1,000 rows`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try logbook.record((0..<2_001).map { _ in history.record(.heartbeat) }, .init())
    var calls: [[Int64]] = []
    _ = try logbook.verify { calls.append([$0, $1]) }
    #expect(calls == [[1_000, 2_001], [2_000, 2_001]])
    calls = []
    _ = try logbook.writeExport(
      to: "\(directory.path)/out", profile: .limited, progress: { calls.append([$0, $1]) })
    #expect(calls == [[2_001, 2_001]])
  }

  @Test(arguments: [
    (["1-3", "4"], "1-4"), (["1-3", "5"], "1-3,5"), (["1-9", "2-3"], "1-9"), (["5", "1"], "1,5"),
    (["1-3", "3-6"], "1-6"), (["1-3", "2-6"], "1-6"), (["7-8,10", "1,9"], "1,7-10"), ([], ""),
    (["", "2"], "2"),
  ])
  func `in the texts is searched in the union of the lists of rows`(lists: [String], union: String)
    throws
  {
    #expect(RowRanges.union(try lists.map { try #require(RowRanges($0)) }).description == union)
  }

  @Test(arguments: ["", "4", "2-3", "2-3,5", "2-3,5,8-10", "1,3,5,7,9", "0", "1-4,6-11"])
  func `in the texts is in the list exactly if it is in a range`(text: String) {
    let ranges = RowRanges(text)?.ranges ?? []
    let list = RowRanges(ranges.flatMap { Array($0) })
    for row: Int64 in 0...12 {
      #expect(list.contains(row) == ranges.contains { $0.contains(row) }, "\(row)")
    }
    var appended = RowRanges()
    for row in ranges.joined() { appended.append(row) }
    #expect(appended == list && list.ranges == ranges)
  }

  @Test func `in the files is searched in the sorted list of recordings and pictures`() throws {
    let logbook = try Logbook.open(directory)
    try logbook.pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO tones VALUES
            ('mum', 'b', 1, -1.0), ('dad', 'c', 1, -1.0), ('sis', 'a', 1, -1.0);
          INSERT INTO images VALUES
            ('3', 'image/png', 1, 1, 1, NULL), ('1', 'image/png', 1, 1, 1, NULL)
          """)
    }
    let tones = try logbook.storedTones()
    #expect(tones.map(\.name) == ["dad", "mum", "sis"] && tones.map(\.sha256) == ["c", "b", "a"])
    #expect(try logbook.storedPictures() == ["1", "3"])
  }
}
