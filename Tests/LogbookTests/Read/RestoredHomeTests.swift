import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue
import Testing

@testable import Logbook

/// Tests that a home is the same after a restart, and which rows the daemon reads at its start.
@Suite struct `A home from the record` {
  private let directory = TemporaryDirectory()

  private func compare(_ logbook: Logbook, _ history: History, _ how: String) throws {
    let (snapshot, replay) = (try logbook.restore(), history.replay)
    try expect(snapshot, equals: replay)
    #expect(
      Dictionary(uniqueKeysWithValues: snapshot.pictures.map { ($0.sha256, $0) })
        == replay.pictures, "\(how)")
    #expect(
      Dictionary(uniqueKeysWithValues: snapshot.supplies.map { ($0.id, $0) })
        == replay.supplies, "\(how)")
    #expect(
      Dictionary(uniqueKeysWithValues: snapshot.people.map { ($0.id, $0.stored) })
        == replay.people.mapValues(\.stored), "\(how)")
    #expect(
      snapshot.holidays == replay.holidays.values.sorted { $0.name < $1.name }, "\(how)")
    let last = try #require(try logbook.events(after: logbook.head.sequence - 1, limit: 1).first)
    #expect(
      snapshot.lastRecord == .init(reading: last.reading, isServiceStop: false), "\(how)")
    #expect(try logbook.verify().isOK, "\(how)")
  }

  @Test func `is the same when it is opened, rebuilt and recovered`() throws {
    var logbook = try Logbook.open(directory)
    var history = History(seed: 21)
    try history.playAtOnce(300, into: logbook)
    func list(_ name: String, _ day: Int) -> HolidayList {
      HolidayList(name: name, days: [Holiday(date: CivilDate(dayNumber: day), label: name)])
    }
    let (box, bag) = (SupplyID("k3v9box"), SupplyID("k3v9bag"))
    let settings = SupplySettings(name: "Donepezil", unit: "tablets", lowAt: 7, contacts: ["anna"])
    let events: [Event] = [
      .holidays(.imported(list("DE", 20_800))), .holidays(.imported(list("AT", 20_801))),
      .holidays(.imported(list("US", 20_802))), .holidays(.removed("US")),
      .supply(box, .added(settings, left: 28)), .supply(bag, .added(settings, left: 5)),
      .supply(bag, .refilled(amount: 3, left: 8)), .toneAdded(history.tone()),
      .imageAdded(history.picture()),
      .volumeChanged(device: "speaker", .calibrated(percent: 61)), .heartbeat,
    ]
    for event in events { try history.write(event, into: logbook) }
    #expect(history.replay.supplies.count == 2 && history.replay.holidays.count == 2)
    try compare(logbook, history, "open")
    try logbook.updateReplica(directory: directory.path)
    try logbook.close()
    logbook = try Logbook.open(directory)
    try compare(logbook, history, "opened again")
    try logbook.rebuild()
    try compare(logbook, history, "rebuilt")
    try logbook.close()
    try Logbook.markDamaged(directory: directory.path, because: "a test says so")
    let opened = try Logbook.opening(directory: directory.path, refuge: nil, now: 1)
    try compare(opened.logbook, history, "recovered")
  }

  /// Copies the newest row this number of times. The copies do not continue the hash chain.
  private func pad(_ logbook: Logbook, _ count: Int) throws {
    let others = EventRow.columnNames.dropFirst().map { "e.\($0)" }.joined(separator: ", ")
    try logbook.pool.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
          INSERT INTO events SELECT e.seq + n.i, \(others) FROM n, events e
          WHERE e.seq = (SELECT max(seq) FROM events) ORDER BY n.i
          """)
    }
  }

  @Test func `has the lost prompts of the newest 10,000 rows`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    try timeline.add(1, .planned(timeline.prompt(alarm, due: 60)))
    try timeline.add(2, .heartbeat)
    let logbook = timeline.logbook
    try logbook.pool.write { try $0.execute(sql: "DELETE FROM prompts") }
    // With these copies, row 2 is one of the newest 10,000 rows. The search for lost prompts finds
    // the prompt of row 2 and reads all rows. It finds that the copied rows do not continue the
    // hash chain.
    try pad(logbook, 9_998)
    #expect(
      throws: LogbookError.corrupt(
        doing: "look for lost prompts", reason: "row 4 does not continue the hash chain")
    ) { try logbook.restore() }
    try pad(logbook, 1)
    #expect(try logbook.restore().mismatches.isEmpty)
  }

  @Test func `knows the period in which a purge removed the prompts of each alarm`() throws {
    var timeline = try Timeline(in: directory)
    let logbook = timeline.logbook
    let names: [(String, Int64)] = [
      ("gone", 500), ("early", 1_000), ("just", 1_999), ("edge", 2_000), ("late", 2_001),
    ]
    for (name, at) in names { try timeline.add(at, .alarmCreated(timeline.alarm(name))) }
    try timeline.add(3_000, .heartbeat)
    try timeline.add(
      4_000,
      .exportMade(profile: "limited", layout: "frictionless", throughSequence: 6, sha256: "cd"))
    var piece = try #require(try logbook.nextPurge(through: 6, archive: "ab"))
    piece.closedBefore = timeline.at(2_000)
    #expect(try logbook.restore().purged.isEmpty)
    try timeline.add(5_000, .purged(piece))
    try timeline.add(6_000, .alarmDeleted(AlarmID("gone"), version: 1))
    #expect(
      try logbook.restore().purged == [
        AlarmID("early"): timeline.at(1_000)..<timeline.at(2_000),
        AlarmID("just"): timeline.at(1_999)..<timeline.at(2_000),
      ])
    // The archive of a study contains no row in the range of the purge. This range includes row 6,
    // although the purge keeps row 6.
    let rows = try #require(try logbook.studyRows(after: 0, limit: 9, study: nil))
    #expect(rows.map { $0["seq"]?.integer } == [7, 8, 9])
  }
}
