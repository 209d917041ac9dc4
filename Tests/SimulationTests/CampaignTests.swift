import Alarms
import CivilTime
import Testing

@testable import Simulation

/// A home in Berlin, as far as worlds are concerned.
func home(years: Double, faults: Set<String> = Set(Action.faults)) throws -> Campaign {
  Campaign(years: years, faults: faults, atlas: try #require(Atlas.read()))
}

@Suite struct CampaignTests {
  /// With the one below, 6 device-years: what a debug build lives in half a minute.
  @Test(arguments: 1...10)
  func `with every fault there is, no promise is broken`(seed: Int) throws {
    let result = try home(years: 0.5).run(seed: UInt64(seed))
    #expect(result.violation == nil, "seed \(seed)")
    #expect(result.rings > 100)
  }

  @Test func `with no faults nothing is missed but by the patient`() throws {
    let result = try home(years: 1, faults: []).run(seed: 77)
    #expect(result.violation == nil)
    #expect(
      Set(result.outcomes.keys).isDisjoint(with: [
        .missedDeviceOff, .missedSuspended, .missedClockInvalid, .unknownCrash,
      ]))
  }

  @Test func `the same seed lives the same life, row for row`() throws {
    let (first, second) = (try home(years: 0.2).run(seed: 5), try home(years: 0.2).run(seed: 5))
    #expect(first.performed == second.performed)
    #expect(first.lastFacts == second.lastFacts)
    #expect(first.digest == second.digest)
    #expect(first.facts == second.facts)
  }
}
