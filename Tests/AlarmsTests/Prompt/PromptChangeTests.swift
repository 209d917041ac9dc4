import CivilTime
import Testing

@testable import Alarms

/// Checks the effect of every change on every state of a prompt, with a table.
@Suite("The states of a prompt") struct PromptChangeTests {
  private static let now = Instant(seconds: 1_800_000_000)
  private static let later = now.adding(seconds: 600)
  private static let ring = Ring(
    number: 3, index: 2, gainDecibels: 0, toneSHA256: nil, dueAt: now, intendedAt: now)
  private static let suppression = Suppression(until: later, since: now, ring: 1, reason: .cap)
  private static let next = PromptState.expiring(at: later.adding(seconds: 61))
  private static let restored = PromptState.waiting(ring: 1, at: later)

  private static let states: [(name: String, state: PromptState)] = [
    ("planned", .planned), ("waiting", .waiting(ring: 1, at: now)),
    ("ringing", .ringing(ring, deadline: later)), ("expiring", .expiring(at: later)),
    ("delayed", .delayed(until: later)), ("acknowledged", .acknowledged(until: later)),
    ("held", .held(suppression)), ("closed", .closed(.completed, reason: .none, at: now)),
  ]

  private static let changes: [String: PromptChange] = [
    "planned": .planned, "due": .due(at: now),
    "ringIntended": .ringIntended(ring, deadline: later),
    "ringStarted": .ringStarted(number: 3, at: later),
    "ringOver": .ringOver(number: 3, next: next),
    "ringUncertain": .ringUncertain(number: 3, next: next),
    "acknowledged": .acknowledged(until: later.adding(seconds: 5)),
    "delayed": .delayed(until: later.adding(seconds: 5)),
    "suppressed": .suppressed(suppression), "closed": .closed(.declined, reason: .busy, at: later),
    "revised": .revised, "corrected": .corrected(restored),
    "clockStepped": .clockStepped(milliseconds: 60_000),
  ]

  /// The columns are the states before the change. Most entries are the state after the change. The
  /// other entries mean:
  /// - "=": the state stays the same.
  /// - "–": the change is impossible in this state.
  /// - "moved": the state stays the same, but its times are one minute later.
  /// - "next" and "restored": the states `next` and `restored` above.
  private static let table = """
    change         planned  waiting   ringing  expiring  delayed   acknowledged  held     closed
    planned        =        –         –        –         –         –             –        planned
    due            waiting  –         –        –         –         –             –        –
    ringIntended   –        ringing   –        –         ringing   ringing       ringing  –
    ringStarted    –        =         ringing  =         =         =             =        =
    ringOver       –        =         next     =         =         =             =        =
    ringUncertain  –        =         waiting  =         =         =             =        =
    acknowledged   –        acknowledged acknowledged acknowledged acknowledged acknowledged acknowledged –
    delayed        –        delayed   delayed  delayed   delayed   delayed       delayed  –
    suppressed     –        held      –        –         held      held          =        –
    closed         closed   closed    closed   closed    closed    closed        closed   –
    corrected      –        –         –        –         restored  restored      –        restored
    revised        –        =         =        =         =         =             =        –
    clockStepped   =        moved     moved    moved     moved     moved         moved    =
    """

  private static func kind(_ state: PromptState) -> String {
    switch state {
    case .planned: "planned"
    case .waiting: "waiting"
    case .ringing: "ringing"
    case .expiring: "expiring"
    case .delayed: "delayed"
    case .acknowledged: "acknowledged"
    case .held: "held"
    case .closed: "closed"
    }
  }

  /// Returns the effect of a change, in the words of the table.
  private static func effect(of change: PromptChange, on state: PromptState) -> String {
    guard let after = try? state.applying(change) else { return "–" }
    if after == next { return "next" }
    if after == restored { return "restored" }
    if after == state { return "=" }
    if case .clockStepped(let milliseconds) = change {
      return after == state.shifted(by: milliseconds) ? "moved" : "wrong"
    }
    return kind(after)
  }

  @Test func `every pair of a state and a change is decided`() {
    let rows = Self.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(Set(rows.dropFirst().map { $0[0] }) == Set(Self.changes.keys))
    #expect(Array(rows[0].dropFirst()) == Self.states.map(\.name))
    for row in rows.dropFirst() {
      for (column, (name, state)) in Self.states.enumerated() {
        let found = Self.changes[row[0]].map { Self.effect(of: $0, on: state) }
        #expect(found == row[column + 1], "\(row[0]) of a prompt that is \(name)")
      }
    }
  }

  @Test func `a report of another ring does not change the ring that sounds`() throws {
    let ringing = PromptState.ringing(Self.ring, deadline: Self.later)
    for change: PromptChange in [
      .ringStarted(number: 2, at: Self.later), .ringOver(number: 4, next: Self.next),
      .ringUncertain(number: 1, next: Self.next),
    ] {
      #expect(try ringing.applying(change) == ringing)
    }
  }

  @Test func `an uncertain ring is repeated only if it had not started`() throws {
    var ring = Self.ring
    let change = PromptChange.ringUncertain(number: 3, next: Self.next)
    #expect(
      try PromptState.ringing(ring, deadline: Self.later).applying(change)
        == .waiting(ring: 2, at: Self.now))
    ring.startedAt = Self.now
    #expect(try PromptState.ringing(ring, deadline: Self.later).applying(change) == Self.next)
  }

  @Test func `a step of the clock moves the instants that depend on elapsed time`() {
    func shifted(_ state: PromptState) -> PromptState { state.shifted(by: 90_000) }
    let (now, later) = (Self.now, Self.later)
    let (nowThen, laterThen) = (now.adding(seconds: 90), later.adding(seconds: 90))
    #expect(shifted(.waiting(ring: 1, at: now)) == .waiting(ring: 1, at: nowThen))
    #expect(shifted(.expiring(at: later)) == .expiring(at: laterThen))
    #expect(shifted(.delayed(until: later)) == .delayed(until: laterThen))
    #expect(shifted(.acknowledged(until: later)) == .acknowledged(until: laterThen))
    var ring = Self.ring
    (ring.dueAt, ring.intendedAt) = (nowThen, nowThen)
    #expect(shifted(.ringing(Self.ring, deadline: later)) == .ringing(ring, deadline: laterThen))
    for reason in Suppression.Reason.allCases {
      let held = Suppression(until: later, since: now, ring: 1, reason: reason)
      let moved = Suppression(until: laterThen, since: nowThen, ring: 1, reason: reason)
      let isMoved = reason == .cap || reason == .capRest
      #expect(shifted(.held(held)) == .held(isMoved ? moved : held), "\(reason)")
    }
    let closed = PromptState.closed(.completed, reason: .none, at: now)
    #expect(shifted(.planned) == .planned && shifted(closed) == closed)
  }

  @Test func `a replay reports the first event that cannot follow`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 08:00" }
    let records = fixture.records
    var replay = Replay()
    for record in records { replay.apply(record.event, at: record.reading) }
    #expect(replay.impossible == nil)
    let prompt = try #require(fixture.home.openPrompts.first)
    let event = Event.delayed(
      prompt.id, until: Self.later, Stopped(pending: 0, sounding: false, sounded: 0))
    replay.apply(event, at: records[records.count - 1].reading)
    #expect(replay.impossible?.prompt == prompt.id)
    #expect(replay.impossible?.change.state == .planned)
    #expect(replay.prompts[prompt.id] == prompt)
  }
}
