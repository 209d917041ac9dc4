import Alarms
import Testing

@testable import Logbook
@testable import Simulation

/// The shipped Logbook in worlds whose disk stops in the middle of a write, loses what was not synced,
/// tears sectors, fills up and breaks.
@Suite struct DiskTests {
  private static let faults: Set = ["kill", "power", "boot", "disk", "again"]

  /// A week in which as much goes wrong as else in a year.
  private func live(_ seed: UInt64, _ store: FaultyRecord) throws -> Campaign.Result {
    var campaign = try home(years: 0.02, faults: Self.faults)
    campaign.severity = 50
    return campaign.run(seed: seed, store: store)
  }

  @Test(arguments: 1...6)
  func `on the real record no acknowledged fact is lost, and its chain holds`(seed: Int) throws {
    let store = try FaultyRecord(seed: UInt64(seed))
    let result = try live(UInt64(seed), store)
    #expect(
      result.violation == nil, "seed \(seed): \(result.violation?.what ?? "") \(result.lastFacts)")
    let proof = try store.verify()
    #expect(proof.isOK, "\(proof.problem ?? "")")
    #expect(store.cuts > 10)
    #expect(store.lostBytes > 0)
  }

  /// In this mode a commit is not synced before it is acknowledged: the control that shows that the
  /// disk takes what it may.
  @Test(arguments: ["PRAGMA synchronous = OFF", "PRAGMA synchronous = NORMAL"])
  func `a record that does not sync is found`(pragma: String) throws {
    var found: Violation?
    for seed: UInt64 in 1...6 where found == nil {
      found = try live(seed, try FaultyRecord(seed: seed, pragma: pragma)).violation
    }
    #expect(found?.invariant == "I2")
  }
}
