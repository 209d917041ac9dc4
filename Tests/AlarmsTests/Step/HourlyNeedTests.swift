import CivilTime
import Testing

@testable import Alarms

/// Checks how many repetitions the hourly limit reserves for the newer of two prompts.
@Suite struct HourlyNeedTests {
  private static let limit = 10

  /// A home with an older prompt that waits for a repetition, and with a newer prompt.
  private struct Home {
    var fixture: CoreFixture
    var older: Prompt
    var newer: Prompt

    init(_ edit: (inout AlarmForm) -> Void = { _ in }) throws {
      var fixture = CoreFixture()
      try fixture.person { $0.ringsPerHour = HourlyNeedTests.limit }
      let a = try fixture.add("A") { ($0.schedule, $0.rings) = ("in 1 minute", 5) }
      let b = try fixture.add("B") {
        ($0.schedule, $0.rings) = ("in 2 minutes", 5)
        edit(&$0)
      }
      let open = fixture.home.openPrompts
      older = try #require(open.first { $0.id.alarm == a.id })
      newer = try #require(open.first { $0.id.alarm == b.id })
      self.fixture = fixture
      self.fixture.move(to: newer.dueAt.adding(seconds: 60))
      older.state = .waiting(ring: 1, at: self.fixture.now.wall)
      older.isDelivered = true
    }

    var now: Instant { fixture.now.wall }

    /// Returns how many seconds the next ring of the older prompt must wait; nil if the limit
    /// allows this ring now. `begun` is the number of repetitions in the last hour.
    func earliest(_ begun: Int) throws -> Int64? {
      var snapshot = fixture.snapshot()
      snapshot.openPrompts = [older, newer]
      for index in 0..<begun {
        snapshot.recentRings.add(
          RecentRing(
            at: now.adding(seconds: -600 + Int64(index)), isRepetition: true, isTask: true),
          of: .patient)
      }
      let home = HomeState(
        snapshot: snapshot, limits: .standard, environment: fixture.environment)
      let transition = Transition(home, fixture.now, .daemon("test"), fixture.environment)
      let alarm = try #require(transition.alarm(older.id.alarm))
      return transition.earliestUnderHourlyLimit(for: older, of: alarm).map {
        $0.milliseconds(since: now) / 1_000
      }
    }

    /// Returns the smallest number of repetitions in the last hour with which the older prompt must
    /// wait; nil if the older prompt never waits.
    func waits() throws -> Int? {
      try (0...HourlyNeedTests.limit).first { try earliest($0) != nil }
    }
  }

  private func ring(_ index: Int, at: Instant) -> Ring {
    Ring(
      number: index + 1, index: index, gainDecibels: 0, toneSHA256: nil, dueAt: at, intendedAt: at)
  }

  @Test func `each state of the newer prompt needs its number of repetitions`() throws {
    var home = try Home()
    let now = home.now
    let later = now.adding(seconds: 3_600)
    func held(_ ring: Int, _ reason: Suppression.Reason) -> PromptState {
      .held(Suppression(until: now, since: now, ring: ring, reason: reason))
    }
    // Each case has the state of the newer prompt, and the number of repetitions that the newer
    // prompt needs in this state. The older prompt waits if the number of repetitions that are left
    // in the hour is equal to or smaller than this number.
    let cases: [(PromptState, needed: Int)] = [
      (.planned, 4), (.waiting(ring: 0, at: now), 4), (.waiting(ring: 1, at: now), 4),
      (.waiting(ring: 2, at: now), 3), (.waiting(ring: 4, at: now), 1),
      (.waiting(ring: 5, at: now), 0), (.waiting(ring: 2, at: later), 0),
      (.waiting(ring: 2, at: later.adding(milliseconds: -1)), 3),
      (.ringing(ring(0, at: now), deadline: now), 4),
      (.ringing(ring(1, at: now), deadline: now), 3),
      (.ringing(ring(4, at: now), deadline: now), 0), (.delayed(until: now), 4),
      (.acknowledged(until: now), 4), (.expiring(at: now), 0), (held(2, .cap), 3),
      (held(2, .capRest), 0), (held(0, .quietHours), 4),
      (.closed(.completed, reason: .none, at: now), 0),
    ]
    for (state, needed) in cases {
      home.newer.state = state
      #expect(try home.waits() == Self.limit - needed, "\(state)")
    }
  }

  @Test func `the older prompt asks again after five minutes, or when a repetition is an hour old`()
    throws
  {
    var home = try Home()
    #expect(try [5, 6, 9].map { try home.earliest($0) } == [nil, 300, 300])
    // With ten repetitions, the older prompt waits until the first repetition is one hour old. The
    // first repetition was 600 s ago. The next repetitions follow at intervals of one second.
    #expect(try [10, 11, 12].map { try home.earliest($0) } == [3_000, 3_001, 3_002])
    home.older.state = .waiting(ring: 0, at: home.now)
    #expect(try home.earliest(10) == nil)
    home.older.state = .waiting(ring: 1, at: home.now)
    home.older.isDelivered = false
    #expect(try home.earliest(10) == nil)
  }

  @Test func `a prompt with an earlier due time, an announcement and urgent rings reserve nothing`()
    throws
  {
    var earlier = try Home()
    (earlier.older.dueAt, earlier.newer.dueAt) = (earlier.now, earlier.now)
    #expect(try earlier.waits() == 6)
    earlier.older.dueAt = earlier.now.adding(milliseconds: 1)
    #expect(try earlier.waits() == 10)
    let urgent = try Home {
      $0.rings = nil
      $0.steps = [
        StepForm(rings: 3, spacingSeconds: 60),
        StepForm(rings: 4, spacingSeconds: 60, isUrgent: true, pauseSeconds: 60),
      ]
    }
    #expect(try urgent.waits() == 8)
    var quiet = try Home()
    try quiet.fixture.person { ($0.quietHours, $0.quietPolicy) = ("09:02-09:03", .hold) }
    #expect(try quiet.waits() == 10)
    quiet.newer.state = .waiting(ring: 0, at: quiet.now)
    #expect(try quiet.waits() == 6)
  }
}
