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
    /// The prompts of the alarms that a test added with `more`.
    var others: [Prompt]

    init(
      _ edit: (inout AlarmForm) -> Void = { _ in },
      older editOlder: (inout AlarmForm) -> Void = { _ in },
      more: (inout CoreFixture) throws -> Void = { _ in }
    ) throws {
      var fixture = CoreFixture()
      try fixture.person { $0.ringsPerHour = HourlyNeedTests.limit }
      let a = try fixture.add("A") {
        ($0.schedule, $0.rings) = ("in 1 minute", 5)
        editOlder(&$0)
      }
      let b = try fixture.add("B") {
        ($0.schedule, $0.rings) = ("in 2 minutes", 5)
        edit(&$0)
      }
      try more(&fixture)
      let open = fixture.home.openPrompts
      older = try #require(open.first { $0.id.alarm == a.id })
      newer = try #require(open.first { $0.id.alarm == b.id })
      others = open.filter { ![a.id, b.id].contains($0.id.alarm) }
      self.fixture = fixture
      self.fixture.move(to: newer.dueAt.adding(seconds: 60))
      older.state = .waiting(ring: 1, at: self.fixture.now.wall)
      older.isDelivered = true
    }

    var now: Instant { fixture.now.wall }

    /// Returns how many seconds the next ring of the older prompt must wait; nil if the limit
    /// allows this ring now. `begun` is the number of repetitions in the last hour.
    func earliest(_ begun: Int) throws -> Int64? {
      let transition = transition(begun)
      let alarm = try #require(transition.alarm(older.id.alarm))
      return transition.earliestUnderHourlyLimit(for: older, of: alarm).map {
        $0.milliseconds(since: now) / 1_000
      }
    }

    func transition(_ begun: Int) -> Transition {
      var snapshot = fixture.snapshot()
      snapshot.openPrompts = [older, newer] + others
      for index in 0..<begun {
        snapshot.recentRings.add(
          RecentRing(
            at: now.adding(seconds: -600 + Int64(index)), isRepetition: true, isTask: true),
          of: .patient)
      }
      let home = HomeState(
        snapshot: snapshot, limits: .standard, environment: fixture.environment)
      return Transition(home, fixture.now, .daemon("test"), fixture.environment)
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

  /// A newer prompt with five or more repetitions needs the other half of the hourly limit.
  @Test func `the older prompt can use half of the hourly limit, but not more`() throws {
    for rings in [6, 7, 9] {
      #expect(try Home { $0.rings = rings }.waits() == 5, "\(rings)")
    }
  }

  @Test func `the older prompt asks again after its ring interval if this is over five minutes`()
    throws
  {
    var home = try Home(older: {
      ($0.rings, $0.lateWindowSeconds) = (nil, 3_600)
      $0.steps = [
        StepForm(rings: 2, spacingSeconds: 400),
        StepForm(rings: 3, spacingSeconds: 60, pauseSeconds: 700),
      ]
    })
    for (ring, seconds) in [(1, 400), (2, 700), (3, 300)] as [(Int, Int64)] {
      home.older.state = .waiting(ring: ring, at: home.now)
      #expect(try home.earliest(6) == seconds, "\(ring)")
    }
  }

  @Test func `the repetitions of all newer tasks of the person count together`() throws {
    let cases: [(String, waits: Int, (inout CoreFixture) throws -> Void)] = [
      ("the same person", 8, { try $0.add("C") { $0.schedule = "in 3 minutes" } }),
      (
        "another person", 9,
        {
          try $0.person("eva") { $0.name = "Eva" }
          try $0.add("C") { ($0.schedule, $0.person) = ("in 3 minutes", "eva") }
        }
      ),
      (
        "an announcement", 9,
        { try $0.say { ($0.schedule, $0.rings, $0.message) = ("in 3 minutes", 2, .heard) } }
      ),
    ]
    for (name, waits, more) in cases {
      var home = try Home(more: more)
      home.newer.state = .waiting(ring: 4, at: home.now)
      try #require(home.others.count == 1)
      let last = name == "an announcement" ? 1 : 4
      home.others[0].state = .waiting(ring: last, at: home.now)
      #expect(try home.waits() == waits, "\(name)")
    }
  }

  /// The decision itself has changed the newer prompt.
  @Test func `the newer prompt counts once, with its changed state`() throws {
    var home = try Home()
    let now = home.now
    let cases: [(stored: Int, changed: PromptState, waits: Int)] = [
      (5, .waiting(ring: 1, at: now), 6), (1, .waiting(ring: 4, at: now), 9),
      (1, .closed(.completed, reason: .none, at: now), 10), (5, .expiring(at: now), 10),
    ]
    for (stored, state, waits) in cases {
      home.newer.state = .waiting(ring: stored, at: now)
      var changed = home.newer
      changed.state = state
      let first = try (0...Self.limit).first { begun in
        var transition = home.transition(begun)
        transition.put(changed)
        let alarm = try #require(transition.alarm(home.older.id.alarm))
        return transition.earliestUnderHourlyLimit(for: home.older, of: alarm) != nil
      }
      #expect(first == waits, "\(stored) \(state)")
    }
  }

  /// The late window of the prompt is 600 s. Each case has the reason of the suppression. It also
  /// has the end and the beginning of the suppression, in milliseconds after the present time.
  @Test func `a suppression ends if the hourly limit allows the ring in the late window`() throws {
    let cases: [(Suppression.Reason, until: Int64, since: Int64, isReleased: Bool)] = [
      (.cap, 1, 0, true), (.capRest, 1, 0, true), (.cap, 0, 0, false), (.capRest, 0, 0, false),
      (.cap, 1, -600_000, true), (.cap, 1, -600_001, false), (.quietHours, 1, 0, false),
      (.quietRest, 1, 0, false), (.controlPhase, 1, 0, false),
    ]
    for (reason, until, since, isReleased) in cases {
      var home = try Home(older: { $0.lateWindowSeconds = 600 })
      let now = home.now
      var suppression = Suppression(
        until: now.adding(milliseconds: until), since: now.adding(milliseconds: since), ring: 1,
        reason: reason)
      home.older.state = .held(suppression)
      let name: Comment = "\(reason) \(until) \(since)"
      for (person, isOfPerson) in [(nil, true), (.patient, true), (PersonID("eva"), false)]
        as [(PersonID?, Bool)]
      {
        var transition = home.transition(0)
        transition.releaseCapped(of: person)
        let held = transition.records.filter { $0.event.type == "held" }
        #expect(held.count == (isReleased && isOfPerson ? 1 : 0), name)
      }
      var full = home.transition(Self.limit)
      full.releaseCapped(of: nil)
      #expect(full.records.isEmpty, name)
      guard isReleased else { continue }
      var transition = home.transition(0)
      transition.releaseCapped(of: nil)
      (suppression.reason, suppression.until) = (.cap, now)
      #expect(transition.prompt(home.older.id)?.state == .held(suppression), name)
    }
  }
}
