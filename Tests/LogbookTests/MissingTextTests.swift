import Alarms
import CivilTime
import GRDB
import Testing

@testable import Logbook

/// Tests data that the hash chain does not cover: texts, and the name of the person to whom each
/// pseudonym belongs.
@Suite struct `Texts and identities` {
  private let directory = TemporaryDirectory()
  private let anna = PersonID("anna")
  private let ben = PersonID("ben")

  /// Makes a record with two people, an alarm for each person, and a typed response.
  private func record(_ history: inout History) throws -> Logbook {
    let logbook = try Logbook.open(directory)
    for id in [anna, ben] {
      var alarm = try history.alarm()
      alarm.person = id
      let person = Person(id: id, version: 1, name: id.text)
      var changes = StateDelta()
      changes.people[id] = PersonState(id: id, person: person)
      changes.alarms[alarm.id] = alarm
      try logbook.record(
        [history.record(.personAdded(person)), history.record(.alarmCreated(alarm))], changes)
    }
    return logbook
  }

  private func problem(_ logbook: Logbook) throws -> String? {
    let found = try logbook.verify()
    #expect(found.problem == nil && found.isOK == (found.finding == nil))
    return found.finding?.problem
  }

  @Test func `a text that no erasure deleted is missed`() throws {
    var history = History(seed: 1)
    let logbook = try record(&history)
    #expect(try problem(logbook) == nil)
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM contents WHERE seq = 2") }
    #expect(
      try problem(logbook) == "the free text of row 2 is missing, and no erasure deleted it")
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM contents") }
    let found = try logbook.verify()
    #expect(
      found.finding
        == .init(
          sequence: 1,
          problem:
            "the free text of 4 rows, the first is row 1, is missing, and no erasure deleted it"))
    // The daemon can still use a record in which a text is missing.
    try logbook.rebuild()
    #expect(try logbook.restore().alarms.count == 2)
  }

  @Test func `an erased text must stay away`() throws {
    var history = History(seed: 2)
    let logbook = try record(&history)
    let alarm = try #require(try logbook.restore().alarms.first { $0.person == anna })
    let stored = try logbook.pool.read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM contents WHERE seq = 2")
    }
    let text = try #require(stored)
    var gone = StateDelta()
    gone.deletedAlarms = [alarm.id]
    try logbook.record(
      [
        history.record(.alarmDeleted(alarm.id, version: 1)),
        history.record(.erased(.alarm(alarm.id))),
      ], gone)
    #expect(try problem(logbook) == nil)
    #expect(try logbook.events(after: 5, limit: 1).first?.payload.contains(#""texts":"2""#) == true)

    try tamper(directory.record) { db in
      try db.execute(
        sql: "INSERT INTO contents VALUES (?, ?, ?)", arguments: [text[0], text[1], text[2]])
    }
    #expect(try problem(logbook) == "the free text of row 2 was erased, and is there again")
    // The text of row 4 is also missing, but no erasure deleted this text.
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM contents WHERE seq IN (2, 4)") }
    #expect(
      try problem(logbook) == "the free text of row 4 is missing, and no erasure deleted it")
  }

  @Test func `a pseudonym belongs to the person to whom it was given`() throws {
    var history = History(seed: 3)
    let logbook = try record(&history)
    #expect(try problem(logbook) == nil)
    let attacks = [
      "UPDATE people SET person = CASE person WHEN 'anna' THEN 'x' ELSE 'anna' END WHERE person = 'anna'",
      "UPDATE people SET salt = '00' || substr(salt, 3) WHERE person = 'ben'",
      """
      CREATE TEMP TABLE t AS SELECT * FROM people; DELETE FROM people;
      INSERT INTO people SELECT CASE person WHEN 'anna' THEN 'ben' ELSE 'anna' END, pseudonym, salt
      FROM t
      """,
      """
      CREATE TEMP TABLE t AS SELECT * FROM people; DELETE FROM people;
      INSERT INTO people SELECT a.person, b.pseudonym, a.salt
      FROM t a JOIN t b ON a.person <> b.person
      """,
    ]
    for attack in attacks {
      let copy = TemporaryDirectory()
      try logbook.pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      writeFile(readFile(directory.record), to: copy.record)
      try tamper(copy.record) { try $0.execute(sql: attack) }
      let found = try Logbook.open(copy).verify()
      #expect(found.finding?.problem.contains("was given to another person") == true, "\(attack)")
    }
    try tamper(directory.record) {
      try $0.execute(sql: "UPDATE people SET salt = NULL WHERE person = 'anna'")
    }
    #expect(try problem(logbook)?.hasPrefix("the salt is missing that proves whom") == true)
    try tamper(directory.record) { try $0.execute(sql: "DELETE FROM people WHERE person = 'anna'") }
    #expect(try problem(logbook)?.contains("is missing, and no erasure deleted it") == true)
  }

  @Test func `an erased identity is not missed, and a person of an older record is bound later`()
    throws
  {
    var history = History(seed: 4)
    let logbook = try record(&history)
    let away = StateDelta()
    var removed = away
    removed.people[ben] = PersonState(id: ben, person: nil)
    let alarm = try #require(try logbook.restore().alarms.first { $0.person == ben })
    removed.deletedAlarms = [alarm.id]
    try logbook.record(
      [
        history.record(.alarmDeleted(alarm.id, version: 1)),
        history.record(.personRemoved(ben, version: 1)),
      ], removed)
    try logbook.record([history.record(.erased(.identity(ben)))], away)
    #expect(try problem(logbook) == nil)

    // A record of an older version contains no salt, and its rows contain no digest.
    let other = TemporaryDirectory()
    let old = try Logbook.open(other)
    try old.record([history.record(.heartbeat)], away)
    try old.pool.write { db in
      try db.execute(sql: "INSERT INTO people (person, pseudonym) VALUES ('anna', 'P-00000000')")
    }
    try old.close()
    let again = try Logbook.open(other)
    #expect(try problem(again) == nil)
    let person = Person(id: anna, version: 1, name: "anna")
    var changes = StateDelta()
    changes.people[anna] = PersonState(id: anna, person: person)
    try again.record([history.record(.personAdded(person))], changes)
    let row = try #require(try again.events(after: 1, limit: 1).first)
    #expect(row.person == "P-00000000" && row.payload.contains(#""identity":""#))
    #expect(try problem(again) == nil)
  }

  @Test(arguments: [
    ("", []), ("7", [7...7]), ("1-3,5", [1...3, 5...5]), ("1-2,4-9,11", [1...2, 4...9, 11...11]),
  ])
  func `a list of rows is read and written`(text: String, ranges: [ClosedRange<Int64>]) throws {
    let rows = try #require(RowRanges(text))
    #expect(rows.ranges == ranges && rows.description == text)
    #expect(RowRanges(ranges.flatMap { Array($0) }.shuffled()) == rows)
    for row in Int64(0)...12 {
      #expect(rows.contains(row) == ranges.contains { $0.contains(row) })
    }
  }

  @Test(arguments: ["x", "1,", ",1", "3-1", "0", "-1", "1--2", "1-2-3", "5,4", "1-4,4", "1.5"])
  func `a damaged list of rows is refused`(text: String) { #expect(RowRanges(text) == nil) }
}
