import Alarms
import CivilTime
import Testing

@testable import Simulation

/// Returns a campaign for a home in Berlin.
func home(years: Double, faults: Set<String> = Set(Action.faults)) throws -> Campaign {
  Campaign(years: years, faults: faults, atlas: try #require(ZoneFixtures.read()))
}

@Suite struct CampaignTests {
  /// This test and the next test simulate 3 years of a device in a debug build. `Tests/simulate`
  /// simulates more years, with optimised code.
  @Test(arguments: 1...4)
  func `with every kind of fault no invariant is broken`(seed: Int) throws {
    let result = try home(years: 0.5).run(seed: UInt64(seed))
    #expect(result.violation == nil, "seed \(seed)")
    #expect(result.rings > 100)
  }

  @Test func `without faults a prompt is missed only because of the patient`() throws {
    let result = try home(years: 1, faults: []).run(seed: 77)
    #expect(result.violation == nil)
    #expect(
      Set(result.outcomes.keys).isDisjoint(with: [
        .missedDeviceOff, .missedSuspended, .missedClockInvalid, .unknownCrash,
      ]))
  }

  /// If the simulation refused every action, no invariant would be broken. Therefore, this test
  /// counts the actions that were carried out.
  @Test func `most actions are carried out, and some of every kind`() throws {
    var requests: [String: RequestCount] = [:]
    var events: [String: Int] = [:]
    for seed: UInt64 in 201...203 {
      let result = try home(years: 0.5, faults: []).run(seed: seed)
      requests.merge(result.requests, uniquingKeysWith: +)
      events.merge(result.eventCounts, uniquingKeysWith: +)
    }
    let all = requests.values.reduce(RequestCount(), +)
    #expect(all.refused * 3 < all.accepted, "\(requests)")
    #expect(all.refused > 0)
    for kind in [
      "add", "edit", "remove", "answer", "undo", "say", "person-add", "person-edit", "phase",
      "phase-end",
    ] {
      #expect((requests[kind]?.accepted ?? 0) > 0, "\(kind): \(requests)")
    }
    for type in [
      "held", "escalated", "notified", "suppressed", "acknowledged", "delayed", "ring_started",
      "phase_changed", "correction",
    ] {
      #expect((events[type] ?? 0) > 0, "no event \(type): \(events)")
    }
  }

  /// The disk is full for 45 days, and an alarm rings 120 times a day. The rings cause more events
  /// than the backlog can keep.
  @Test
  func `the record stays consistent if a full disk causes more events than the backlog keeps`()
    throws
  {
    let scenario = try Scenario(
      """
      # H7
      0d 00:10:00 add label=Turn over; schedule=every 1 hours; rings=5; spacing=60
      1d 00:00:00 disk 3888000
      until 47d 00:00:00
      """)
    let result = try home(years: 0).run(
      seed: 1, script: scenario.script, hasPatient: false, length: scenario.length)
    #expect(result.violation == nil, "\(String(describing: result.violation))")
    // The events that do not fit into the backlog are lost. One gap in the record shows this loss.
    #expect((15_000..<25_000).contains(result.events), "\(result.events)")
    #expect(result.eventCounts["gap"] == 1)
  }

  @Test func `the same seed gives the same simulation, row for row`() throws {
    let (first, second) = (try home(years: 0.2).run(seed: 5), try home(years: 0.2).run(seed: 5))
    #expect(first.performed == second.performed)
    #expect(first.lastEvents == second.lastEvents)
    #expect(first.digest == second.digest)
    #expect(first.events == second.events)
  }
}
