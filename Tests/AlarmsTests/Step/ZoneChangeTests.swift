import CivilTime
import Testing

@testable import Alarms

/// Checks how a change of the zone affects a planned prompt, for each kind of schedule.
@Suite struct `A change of the zone` {
  /// Makes a zone with this name and one fixed offset from UTC.
  private static func zone(_ name: String, hours: Int) throws -> Zone {
    let seconds = UInt32(bitPattern: Int32(hours * 3_600))
    let offset = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * UInt32($0))) }
    let counts: [UInt8] = [0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] }
    let header = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts
    return try Zone(name: name, tzif: header + offset + [0, 0] + Array("ABC\0".utf8))
  }

  /// Sets another offset for the zone of the home, as an update of tzdata does.
  private static func update(_ fixture: inout CoreFixture, hours: Int) throws {
    let berlin = try zone("Europe/Berlin", hours: hours)
    fixture.environment = Environment(homeZone: berlin, tzdataVersion: "2026f") { name in
      [berlin, .utc].first { $0.name == name }
    }
    try fixture.handle(.zonesChanged)
  }

  /// Returns the nominal time of each prompt that became due, and its lateness in seconds.
  private func due(_ fixture: CoreFixture) -> [String] {
    fixture.records.compactMap {
      guard case .due(let id, let late) = $0.event else { return nil }
      return "\(id.nominal.description.suffix(8)) +\(late / 1_000)"
    }
  }

  /// The zone of Berlin gets the offset +02:00 instead of +01:00. A prompt that keeps its local
  /// time moves to an instant that is one hour earlier.
  @Test(
    arguments: [
      ("2027-01-16 10:00", nil, true), ("every day 12:00", nil, true),
      ("every friday 12:00", nil, true), ("random between 12:00 and 18:00", nil, true),
      ("every 5 hours", nil, false), ("in 5 hours", nil, false), ("FREQ=HOURLY", nil, false),
      ("FREQ=HOURLY;INTERVAL=7", "floating", true),
      ("DTSTART:20270115T120000 RRULE:FREQ=DAILY RRULE:FREQ=WEEKLY;BYHOUR=14", nil, true),
      ("DTSTART:20270115T120000 RRULE:FREQ=DAILY RRULE:FREQ=HOURLY", nil, false),
      ("DTSTART:20270115T120000 RRULE:FREQ=HOURLY RRULE:FREQ=DAILY", nil, false),
      ("DTSTART:20270115T120000 RRULE:FREQ=HOURLY RRULE:FREQ=DAILY", "floating", true),
    ] as [(String, String?, Bool)])
  func `moves a planned prompt if its schedule has a local time`(
    _ schedule: String, _ zone: String?, isMoved: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings) = (schedule, 1)
      $0.zone = zone
    }
    let before = try #require(fixture.home.openPrompts.first)
    try Self.update(&fixture, hours: 2)
    let after = try #require(fixture.home.prompt(before.id))
    #expect(after.state == .planned)
    #expect(after.dueAt == before.dueAt.adding(seconds: isMoved ? -3_600 : 0))
    #expect(after.utcOffsetSeconds == (isMoved ? 7_200 : 3_600))
  }

  @Test func `moves a prompt that follows an answer only if it is due at the latest time of day`()
    throws
  {
    for (seconds, isMoved) in [(3_600, false), (8 * 3_600, true)] as [(Int64, Bool)] {
      var fixture = CoreFixture()
      let pills = try fixture.add { ($0.schedule, $0.rings) = ("in 1 minute", 1) }
      let eat = try fixture.add("Eat") {
        $0.schedule = "\(seconds / 60) minutes after \(pills.id) is completed at the latest 15:00"
        $0.rings = 1
      }
      fixture.pass(seconds: 65)
      try fixture.answer(.complete)
      let mine = fixture.home.openPrompts.filter { $0.id.alarm == eat.id }
      let before = try #require(mine.min { $0.dueAt < $1.dueAt })
      try Self.update(&fixture, hours: 2)
      let after = try #require(fixture.home.prompt(before.id))
      #expect(after.dueAt == before.dueAt.adding(seconds: isMoved ? -3_600 : 0), "\(seconds)")
    }
  }

  /// The local time of the home changes from 09:00 to 13:00.
  @Test(arguments: [
    ("10:00, 12:00", ["12:00:00 +3600"]), ("10:00, 12:00, 13:00", ["13:00:00 +0"]),
    ("10:00, 12:00, 13:01", ["12:00:00 +3600"]), ("13:00", ["13:00:00 +0"]), ("13:01", []),
    ("12:59", ["12:59:00 +60"]),
  ])
  func `can move several prompts into the past, and then only the newest prompt rings`(
    _ times: String, _ expected: [String]
  ) throws {
    var fixture = CoreFixture()
    try fixture.add { ($0.schedule, $0.rings) = ("every day \(times)", 1) }
    try Self.update(&fixture, hours: 5)
    #expect(due(fixture) == expected)
    let skipped = fixture.outcomes.count { $0 == .missedClockInvalid }
    let past = times.split(separator: ", ").count { $0 <= "13:00" }
    #expect(skipped == max(past - 1, 0))
    #expect(fixture.played.count == expected.count)
  }

  /// After the change of the zone, the prompt of 12:00 is one hour late. The prompt gets a new due
  /// time only if its late window has passed.
  @Test(arguments: [(3_599, true), (3_600, false), (3_601, false)] as [(Int64, Bool)])
  func `begins a new late window for a prompt that would be missed`(
    _ window: Int64, isNew: Bool
  ) throws {
    var fixture = CoreFixture()
    try fixture.add {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("every day 12:00", 1, window)
    }
    let id = try #require(fixture.home.openPrompts.first?.id)
    try Self.update(&fixture, hours: 5)
    let due = try #require(fixture.home.prompt(id)?.dueAt)
    #expect(due == fixture.now.wall.adding(seconds: isNew ? 0 : -3_600))
    #expect(fixture.played.map(\.prompt) == [id])
  }

  @Test func `keeps a prompt silent in a pause and in quiet hours`() throws {
    var paused = CoreFixture()
    try paused.add { ($0.schedule, $0.rings) = ("every day 12:00", 1) }
    var quiet = paused
    try paused.handle(.command(.pausePeople(.everybody, until: nil), CoreFixture.anna))
    try Self.update(&paused, hours: 5)
    #expect(due(paused) == [] && paused.outcomes == [.suppressedPaused])
    #expect(paused.played.isEmpty)
    try quiet.person { ($0.quietHours, $0.quietPolicy) = ("12:30-14:00", .hold) }
    try Self.update(&quiet, hours: 5)
    #expect(due(quiet) == ["12:00:00 +3600"] && quiet.states == ["held quiet_hours"])
    #expect(quiet.played.isEmpty)
    quiet.pass(seconds: 3_599)
    #expect(quiet.played.isEmpty)
    quiet.pass(seconds: 1)
    #expect(quiet.played.count == 1)
  }
}
