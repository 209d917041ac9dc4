import Alarms
import GRDB
import SimulatedDisk
import Simulation
import Testing

@testable import Logbook

/// Runs the real logbook on a simulated disk. In the middle of a write, this disk can stop, lose
/// unsynced data, write only some sectors, become full, or fail.
@Suite struct DiskTests {
  private static let faults: Set = ["kill", "power", "boot", "disk", "again"]

  /// Simulates `years` (about a week by default) with fifty times as many faults as usual.
  private func live(
    _ seed: UInt64, _ store: DiskRecord, _ faults: Set<String>, years: Double = 0.02
  ) throws -> Campaign.Result {
    var campaign = try home(years: years, faults: faults)
    campaign.severity = 50
    campaign.purgesPerYear = 500
    return campaign.run(seed: seed, store: store)
  }

  // `Tests/simulate` uses the same simulated disk with optimised code, and simulates a longer time
  // than this test.
  @Test func `on the real record no acknowledged event is lost, and the hash chain is valid`()
    throws
  {
    let store = try DiskRecord(seed: 1)
    let result = try live(1, store, Self.faults, years: 0.012)
    #expect(result.violation == nil, "\(result.violation?.what ?? "") \(result.lastEvents)")
    #expect(store.cuts > 10)
    #expect(store.lostBytes > 0)
  }

  @Test func `on the real record no invariant is broken, with every kind of fault`() throws {
    let store = try DiskRecord(seed: 103)
    var campaign = try home(years: 0.03)
    campaign.purgesPerYear = 500
    let result = campaign.run(seed: 103, store: store)
    #expect(result.violation == nil, "\(result.violation?.what ?? "") \(result.lastEvents)")
    #expect(result.rings > 50 && store.cuts > 0)
    #expect(result.eventCounts["purged", default: 0] > 10)
  }

  /// The creation of the record takes about a hundred disk operations. The test stops the disk
  /// after each of them.
  @Test(arguments: 0..<120)
  func `wherever the first start is cut, the next start succeeds`(operations: Int) throws {
    for seed in UInt64(0)..<3 {
      let store = try DiskRecord(seed: seed)
      store.stop(afterOperations: operations)
      _ = try? store.restore()
      store.die(losingPower: seed * 1_000 + UInt64(operations))
      _ = try store.restore()
      let fault = try store.fault()
      #expect(store.count == 0 && fault == nil, "\(fault ?? "")")
    }
  }

  /// With these settings, SQLite reports a commit as done before the commit is synced. The
  /// simulation must then lose events. This shows that the simulated disk really loses unsynced
  /// data.
  @Test(arguments: ["PRAGMA synchronous = OFF", "PRAGMA synchronous = NORMAL"])
  func `a record that does not sync is found`(pragma: String) throws {
    var found: Violation?
    // With the seeds 2 and 3, the simulation finds the lost events early.
    for seed: UInt64 in 2...7 where found == nil {
      let store = try DiskRecord(seed: seed) { logbook in
        try logbook.pool.writeWithoutTransaction { try $0.execute(sql: pragma) }
      }
      found = try live(seed, store, Self.faults).violation
    }
    #expect(found?.invariant == "I2")
  }

  /// Shows that the check at the end of a simulation finds a row that somebody changed.
  @Test func `a record that was changed is found`() throws {
    let store = try DiskRecord(seed: 1) { logbook in
      guard logbook.head.sequence > 50 else { return }
      try logbook.pool.write { db in
        let guards = try Row.fetchAll(
          db,
          sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'events'")
        for row in guards { try db.execute(sql: "DROP TRIGGER \(row[0] as String)") }
        try db.execute(sql: "UPDATE events SET actor_id = 'nobody' WHERE seq = 20")
        // Without these triggers, the next start would treat the record as damaged, and recover it.
        for row in guards { try db.execute(sql: row[1] as String) }
      }
    }
    let found = try live(1, store, Self.faults, years: 0.005).violation
    #expect(found?.invariant == "I7", "\(found?.what ?? "nothing is found")")
  }
}
