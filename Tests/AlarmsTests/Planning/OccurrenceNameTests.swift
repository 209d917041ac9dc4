import CivilTime
import Testing

@testable import Alarms

/// Checks the id that an occurrence gets, and which ids and instants belong to ended prompts.
@Suite struct `The id of an occurrence` {
  /// The ids and the instants of ended prompts.
  private struct Past: Ended {
    var closed: Set<PromptID> = []
    var unheard: Set<PromptID> = []
    var over: Set<Instant> = []
    var unheardInstants: Set<Instant> = []

    func isClosed(_ id: PromptID) -> Bool { closed.contains(id) }
    func isUnheard(_ id: PromptID) -> Bool { unheard.contains(id) }
    func isOver(at instant: Instant, of id: AlarmID) -> Bool { over.contains(instant) }
    func wasUnheard(at instant: Instant, of id: AlarmID) -> Bool {
      unheardInstants.contains(instant)
    }
  }

  private static let at = Instant(seconds: 1_800_000_000)
  private static let nominal = CivilDateTime(localSeconds: 1_800_000_000)

  private static func id(_ fold: Int, _ alarm: String = "a") -> PromptID {
    PromptID(alarm: AlarmID(alarm), nominal: nominal, fold: fold)
  }

  private static func alarm(
    _ schedule: Schedule, id: String = "a", zone: String = "UTC"
  ) -> Alarm {
    Alarm(
      id: AlarmID(id), version: 1, person: .patient, label: "", instructions: "",
      schedule: schedule, phrase: "", zoneName: zone, tone: nil, burst: .standard,
      lateWindowSeconds: 1, delaySeconds: 1, delayLimit: 1)
  }

  private static func rule(_ text: String) throws -> Schedule {
    .recurring(try RecurrenceRule(parsing: text), start: nominal)
  }

  private static func prompt(_ id: PromptID, at instant: Instant) -> Prompt {
    Prompt(id: id, alarmVersion: 1, dueAt: instant, zoneName: "UTC", utcOffsetSeconds: 0)
  }

  @Test func `depends on the prompts that are open or have ended`() throws {
    let (first, second) = (Self.id(0), Self.id(1))
    let other = PromptID(alarm: AlarmID("a"), nominalKey: 8)
    let later = Self.at.adding(seconds: 60)
    let (same, moved) = (
      Self.prompt(other, at: Self.at), Self.prompt(first, at: later)
    )
    // Each case has the open prompts, the ended prompts, and three ids. The first id is for an
    // alarm that is due at a time of day. The second id is for an alarm that keeps its instants.
    // The third id is for an alarm that counts elapsed time.
    let cases: [(String, [Prompt], Past, PromptID?, PromptID?, PromptID?)] = [
      ("new", [], Past(), first, first, first),
      ("open at the same instant", [same], Past(), first, other, other),
      ("open at another instant", [moved], Past(), first, first, second),
      ("other prompt", [Self.prompt(other, at: later)], Past(), first, first, first),
      ("closed", [], Past(closed: [first]), nil, nil, second),
      ("both closed", [], Past(closed: [first, second]), nil, nil, nil),
      ("over", [], Past(over: [Self.at]), first, nil, nil),
      ("over later", [], Past(over: [later]), first, first, first),
      ("open and over", [same], Past(over: [Self.at]), first, other, other),
      ("unheard at another instant", [], Past(unheard: [first]), first, first, second),
      (
        "unheard at this instant", [], Past(unheard: [first], unheardInstants: [Self.at]), first,
        first, first
      ),
      ("another unheard", [], Past(unheardInstants: [Self.at]), first, first, first),
    ]
    let daily = Self.alarm(try Self.rule("FREQ=DAILY"))
    let floating = Self.alarm(try Self.rule("FREQ=HOURLY"), zone: Alarm.floating)
    let elapsed = Self.alarm(.every(seconds: 3_600, from: Self.at))
    let occurrence = Occurrence(nominal: Self.nominal, fold: 0, instant: Self.at, moved: nil)
    for (name, open, past, inDay, inZone, inTime) in cases {
      #expect(daily.name(of: occurrence, among: open, past) == inDay, "\(name)")
      #expect(floating.name(of: occurrence, among: open, past) == inZone, "\(name)")
      #expect(elapsed.name(of: occurrence, among: open, past) == inTime, "\(name)")
    }
    let again = Occurrence(nominal: Self.nominal, fold: 1, instant: Self.at, moved: nil)
    for alarm in [daily, floating, elapsed] {
      #expect(alarm.name(of: again, among: [], Past()) == second)
      #expect(alarm.name(of: again, among: [], Past(closed: [second])) == nil)
    }
  }

  @Test func `counts as closed in the purged period, or if it is closed in the snapshot`() throws {
    let (daily, every) = (AlarmID("daily"), AlarmID("every"))
    let berlin = "Europe/Berlin"
    var snapshot = HomeSnapshot(alarms: [
      Self.alarm(try Self.rule("FREQ=DAILY"), id: "daily", zone: berlin),
      Self.alarm(.every(seconds: 3_600, from: Self.at), id: "every", zone: berlin),
    ])
    // In Berlin, the purged period lasts from 09:00 until 09:00 on the next day.
    let end = Self.at.adding(seconds: 86_400)
    for id in [daily, every] {
      snapshot.purged[id] = Self.at..<end
      snapshot.closedNominals[id] = [2]
      snapshot.closedInstants[id] = [Instant(seconds: 2)]
      snapshot.unheardNominals[id] = [4]
      snapshot.unheardInstants[id] = [Instant(seconds: 4)]
    }
    let home = HomeState(
      snapshot: snapshot, limits: .standard, environment: CoreFixture().environment)
    for (seconds, isPurged) in [(-1, false), (0, true), (86_399, true), (86_400, false)] {
      // Berlin is one hour ahead of UTC.
      let nominal = CivilDateTime(localSeconds: 1_800_000_000 + 3_600 + Int64(seconds))
      let at = Self.at.adding(seconds: Int64(seconds))
      #expect(
        home.isClosed(PromptID(alarm: daily, nominal: nominal, fold: 0)) == isPurged, "\(seconds)")
      #expect(!home.isOver(at: at, of: daily))
      #expect(!home.isClosed(PromptID(alarm: every, nominal: nominal, fold: 0)))
      #expect(home.isOver(at: at, of: every) == isPurged, "\(seconds)")
    }
    for id in [daily, every, AlarmID("unknown")] {
      let isKnown = id != AlarmID("unknown")
      #expect(
        [2, 4].map { home.isClosed(PromptID(alarm: id, nominalKey: $0)) } == [isKnown, false])
      #expect(
        [2, 4].map { home.isUnheard(PromptID(alarm: id, nominalKey: $0)) } == [false, isKnown])
      #expect([2, 4].map { home.isOver(at: Instant(seconds: $0), of: id) } == [isKnown, false])
      #expect(
        [2, 4].map { home.wasUnheard(at: Instant(seconds: $0), of: id) } == [false, isKnown])
    }
  }

  @Test func `does not count as closed if the clocks go back in the purged period`() throws {
    // The period begins at 02:30 in summer time, and ends at 02:10 in standard time.
    let id = AlarmID("daily")
    var snapshot = HomeSnapshot(alarms: [
      Self.alarm(try Self.rule("FREQ=DAILY"), id: "daily", zone: "Europe/Berlin")
    ])
    snapshot.purged[id] =
      try Instant(parsing: "2026-10-25T00:30:00Z")..<Instant(parsing: "2026-10-25T01:10:00Z")
    let home = HomeState(
      snapshot: snapshot, limits: .standard, environment: CoreFixture().environment)
    for time in ["02:09:59", "02:10:00", "02:20:00", "02:30:00"] {
      let nominal = try CivilDateTime(parsing: "2026-10-25T\(time)")
      #expect(!home.isClosed(PromptID(alarm: id, nominal: nominal, fold: 0)), "\(time)")
    }
  }

  @Test func `changes with the zone of an interval, and the instant does not change`() throws {
    var fixture = CoreFixture()
    let alarm = try fixture.add { $0.schedule = "every 2 hours" }
    let old = try #require(fixture.home.openPrompts.first)
    var form = AlarmForm()
    form.zone = "UTC"
    try fixture.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
    #expect(fixture.outcomes == [.supersededByEdit])
    #expect(fixture.home.openPrompts.map(\.dueAt) == [old.dueAt])
    #expect(fixture.home.openPrompts.map(\.zoneName) == ["UTC"])
    #expect(fixture.home.openPrompts.first?.id != old.id)
  }
}
