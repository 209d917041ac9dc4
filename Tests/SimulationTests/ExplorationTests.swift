import Testing

@testable import Alarms
@testable import Simulation

@Suite struct ExplorationTests {
  private func explore(
    _ depth: Int, _ edit: (inout Campaign) -> Void = { _ in }
  ) async throws -> Exploration.Result {
    var campaign = try home(years: 0)
    edit(&campaign)
    return await Exploration(campaign).run(depth: depth, jobs: 2, readZones: ZoneFixtures.read)
  }

  @Test func `no order of three inputs violates an invariant`() async throws {
    let result = try await explore(3)
    #expect(result.violation == nil, "\(result.violation?.what ?? "") after \(result.order)")
    #expect(result.states > 500 && result.transitions > result.states)
  }

  /// The bug appears only in this order: a ring sounds, an answer comes, and one more event
  /// follows.
  @Test func `the shortest order that shows a bug is found`() async throws {
    func broken(_ campaign: inout Campaign) {
      campaign.makeDaemon = {
        var fault = Mutant.Fault()
        fault.decision = { decision, _, _ in
          decision.effects.removeAll { if case .stop = $0 { true } else { false } }
        }
        return Mutant($0, $1, fault)
      }
    }
    var found: Exploration.Result?
    for depth in 1...5 where found?.violation == nil { found = try await explore(depth, broken) }
    let result = try #require(found)
    #expect(result.violation != nil)
    #expect(result.order.count == result.depth)
    #expect(result.order.contains { if case .action = $0 { true } else { false } })
  }

  /// Compares a copy of a world with the world. If the copy did not contain a field, the
  /// exploration would give a wrong result, and no other check would find the error.
  @Test func `a copy of a world equals the world in every field`() throws {
    let settings = WorldSettings(
      seed: 7, length: .max,
      script: Workload(
        seed: 7, length: Campaign.yearMilliseconds / 50, faults: Set(Action.faults), severity: 50
      ).written(), hasPatient: true)
    let world = World(settings, store: MemoryStore(), atlas: try #require(ZoneFixtures.read()))
    world.start()
    for steps in 0..<2_000 {
      guard world.goOn(), world.audit.violations.isEmpty else { break }
      guard steps % 100 == 0 else { continue }
      let copy = World(copying: world)
      let fields = zip(Mirror(reflecting: world).children, Mirror(reflecting: copy).children)
      for (old, new) in fields where !["daemon", "settings"].contains(old.label) {
        #expect("\(old.value)" == "\(new.value)", "\(old.label ?? "")")
      }
      // The daemon of the copy must change only the copy, not the original world.
      let before = world.audit.count
      copy.perform(.say(AlarmForm()))
      while copy.clock.time == world.clock.time, copy.goOn() {}
      #expect(world.audit.count == before)
    }
  }

  @Test func `a copy goes on as the world does`() throws {
    let settings = WorldSettings(
      seed: 3, length: Campaign.yearMilliseconds / 20,
      script: Workload(
        seed: 3, length: Campaign.yearMilliseconds / 20, faults: Set(Action.faults), severity: 20
      ).written(), hasPatient: true)
    let atlas = try #require(ZoneFixtures.read())
    let world = World(settings, store: MemoryStore(), atlas: atlas)
    world.start()
    for _ in 0..<500 { _ = world.goOn() }
    let copy = World(copying: world)
    for one in [world, copy] {
      while one.audit.violations.isEmpty, one.clock.time < settings.length, one.goOn() {}
    }
    #expect(copy.audit.digest == world.audit.digest && copy.audit.count == world.audit.count)
    #expect(copy.audit.count > 1_000)
  }
}
