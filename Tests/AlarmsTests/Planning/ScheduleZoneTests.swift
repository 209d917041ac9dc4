import CivilTime
import Testing

@testable import Alarms

/// Makes a zone with this name and one fixed offset from UTC. With such a zone, a test simulates an
/// update of tzdata, or a move of the home.
private func zone(_ name: String, hours: Int) throws -> Zone {
  let seconds = UInt32(bitPattern: Int32(hours * 3_600))
  let offset = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * UInt32($0))) }
  func count(_ value: UInt8) -> [UInt8] { [0, 0, 0, value] }
  let header =
    Array("TZif".utf8) + [0] + [UInt8](repeating: 0, count: 15) + count(0) + count(0) + count(0)
    + count(0) + count(1) + count(4)
  return try Zone(name: name, tzif: header + offset + [0, 0] + Array("ABC\0".utf8))
}

extension CoreFixture {
  /// Sets a new home zone and new zone data, and tells the daemon that the zones changed.
  fileprivate mutating func change(home: Zone, tzdata: String = "2026f", zones: [Zone]) throws {
    environment = Environment(homeZone: home, tzdataVersion: tzdata) { name in
      (zones + [home, .utc]).first { $0.name == name }
    }
    try handle(.zonesChanged)
  }

  fileprivate var plannedAt: [String] {
    home.openPrompts.filter { $0.state == .planned }.map(\.dueAt.description).sorted()
  }

  fileprivate var dueInstants: [Instant] {
    records.compactMap { if case .due = $0.event { $0.reading.wall } else { nil } }
  }

  /// The times from each due prompt to the next due prompt, in seconds.
  fileprivate var dueDistances: [Int64] {
    zip(dueInstants, dueInstants.dropFirst()).map { $1.milliseconds(since: $0) / 1_000 }
  }

  /// Adds an alarm with one ring. The alarm follows the zone of the home.
  fileprivate mutating func addFloating(_ schedule: String) throws {
    try add {
      $0.schedule = schedule
      $0.zone = "floating"
      $0.rings = 1
    }
  }

  fileprivate var dueNames: [String] {
    records.compactMap {
      if case .due(let id, _) = $0.event { id.nominal.description } else { nil }
    }
  }
}

@Suite struct `Zones that change` {
  @Test func `a zone with the same offset and another name becomes the zone of planned prompts`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.change(home: try zone("Old/Name", hours: 1), zones: [])
    try fixture.addFloating("every day 10:00")
    let before = fixture.plannedAt
    try fixture.change(home: try zone("New/Name", hours: 1), zones: [])
    #expect(fixture.plannedAt == before)
    #expect(fixture.home.openPrompts.map(\.zoneName) == ["New/Name"])
  }

  @Test func `an update of tzdata moves planned prompts and records old and new instants`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 12:00" }
    #expect(fixture.plannedAt == ["2027-01-15T11:00:00.000Z"])
    try fixture.change(home: try zone("Europe/Berlin", hours: 2), zones: [])
    #expect(fixture.plannedAt == ["2027-01-15T10:00:00.000Z"])
    #expect(fixture.records.contains { $0.event == .tzdataChanged(from: "test", to: "2026f") })
    #expect(!fixture.records.contains { $0.event.type == "tz_changed" })
    let instants = fixture.records.compactMap {
      if case .planned(let prompt) = $0.event { prompt.dueAt.description } else { nil }
    }
    #expect(instants == ["2027-01-15T11:00:00.000Z", "2027-01-15T10:00:00.000Z"])
    fixture.pass(seconds: 86_400)
    #expect(fixture.dueNames == ["2027-01-15T12:00:00"])
  }

  @Test func `a prompt planned between a zone change and its report uses the new zones`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 12:00" }
    try fixture.change(home: CoreFixture.berlin, zones: [])
    let moved = try zone("Europe/Berlin", hours: 5)
    fixture.environment = Environment(homeZone: moved, tzdataVersion: "2026g") { name in
      [moved, .utc].first { $0.name == name }
    }
    fixture.stepClock(seconds: 86_400)
    let late = fixture.records.compactMap { record -> Instant? in
      guard case .planned(let prompt) = record.event, prompt.id.nominal.date.day > 15 else {
        return nil
      }
      return prompt.dueAt
    }
    #expect(
      !late.isEmpty && late.allSatisfy { $0.description.hasSuffix("T07:00:00.000Z") }, "\(late)")
  }

  @Test func `a floating interval of hours continues after the home has moved`() throws {
    var fixture = CoreFixture()
    try fixture.addFloating("FREQ=HOURLY;INTERVAL=7")
    fixture.pass(seconds: 3_600)
    // The home moves to a zone seven hours behind Berlin. The planned prompt keeps its local time.
    // The later prompts follow every seven hours.
    try fixture.change(home: try zone("America/New_York", hours: -6), zones: [])
    fixture.pass(seconds: 28 * 3_600)
    let distances = fixture.dueDistances
    #expect(distances.count >= 2 && distances.allSatisfy { $0 == 7 * 3_600 }, "\(distances)")
    #expect(Set(fixture.outcomes) == [.missedNoResponse])
  }

  @Test func `a floating set of rules keeps its civil times after the home has moved`() throws {
    var fixture = CoreFixture()
    try fixture.addFloating(
      "DTSTART:20270115T080000 RRULE:FREQ=HOURLY;BYHOUR=8,20 RRULE:FREQ=DAILY;BYHOUR=12")
    try fixture.change(home: try zone("America/New_York", hours: -6), zones: [])
    fixture.pass(seconds: 26 * 3_600)
    #expect(
      fixture.dueNames == ["2027-01-15T08:00:00", "2027-01-15T12:00:00", "2027-01-15T20:00:00"])
  }

  @Test func `two times that the clocks put on one instant are one prompt, which names both`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every day 02:30 and 03:30 starting 2027-03-27"
      $0.rings = 1
    }
    fixture.pass(seconds: 74 * 86_400)
    // On the day of the clock change, the alarm rings once. On every other day, it rings twice.
    #expect(
      fixture.dueNames.prefix(5) == [
        "2027-03-27T02:30:00", "2027-03-27T03:30:00", "2027-03-28T03:30:00", "2027-03-29T02:30:00",
        "2027-03-29T03:30:00",
      ])
    let both = fixture.records.compactMap { record -> String? in
      guard case .planned(let prompt) = record.event, !prompt.alsoNominal.isEmpty else {
        return nil
      }
      return "\(prompt.id.nominal) stands for \(prompt.alsoNominal.map(\.description)) too"
    }
    #expect(both == [#"2027-03-28T03:30:00 stands for ["2027-03-28T02:30:00"] too"#])
  }

  @Test func `a time that a zone change skips rings at once as late, and only once`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every day 10:00, 12:00"
      $0.rings = 1
    }
    // The home moves to a zone four hours ahead of Berlin. The clock goes from 09:00 to 13:00, so
    // it skips the due times 10:00 and 12:00.
    try fixture.change(home: try zone("Europe/Berlin", hours: 5), zones: [])
    #expect(fixture.sounding?.order.prompt.nominal.description == "2027-01-15T12:00:00")
    fixture.pass(seconds: 7_200)
    #expect(fixture.dueNames == ["2027-01-15T12:00:00"])
    #expect(fixture.endings == ["15 missed_clock_invalid", "15 missed_no_response"])
    // The zone changes back, so 12:00 comes a second time. The closed prompt of 12:00 does not ring
    // again.
    try fixture.change(home: CoreFixture.berlin, tzdata: "2026g", zones: [])
    fixture.pass(seconds: 12 * 3_600)
    #expect(fixture.dueNames == ["2027-01-15T12:00:00"])
  }

  @Test
  func `an alarm with its own zone keeps it on a journey, and a floating alarm follows local time`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add("Pinned") { $0.schedule = "every day 20:00" }
    try fixture.add("Floating") {
      $0.schedule = "every day 20:00"
      $0.zone = "floating"
    }
    try fixture.change(
      home: try zone("America/New_York", hours: -5), tzdata: "test", zones: [CoreFixture.berlin])
    #expect(fixture.plannedAt == ["2027-01-15T19:00:00.000Z", "2027-01-16T01:00:00.000Z"])
    #expect(
      fixture.records.contains {
        $0.event == .tzChanged(from: "Europe/Berlin", to: "America/New_York")
      })
  }

  @Test func `an elapsed interval does not move with the zone and rings once`() throws {
    var fixture = CoreFixture()
    try fixture.add {
      $0.schedule = "every 8 hours"
      $0.rings = 1
    }
    let before = fixture.plannedAt
    try fixture.change(home: try zone("Europe/Berlin", hours: 3), zones: [])
    #expect(fixture.plannedAt == before)
    fixture.pass(seconds: 8 * 3_600 + 60)
    #expect(fixture.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  /// The daemon learns from one of three places which prompts are closed: from its memory, after a
  /// restart from the record, or from the summary that replaces a purged part of the record.
  @Test(arguments: ["", "restarted", "purged"])
  func `an elapsed time that is completed does not ring under its local time in another zone`(
    after: String
  ) throws {
    var fixture = CoreFixture()
    let began = fixture.now.wall
    try fixture.addFloating("every 6 hours")
    fixture.pass(seconds: 6 * 3_600 + 20)
    try fixture.answer(.complete)
    fixture.pass(seconds: 600)
    if after == "purged" { fixture.purged = began..<fixture.now.wall }
    if after != "" { fixture.crash(offForSeconds: 5, newBoot: true) }
    fixture.stepClock(seconds: -1_200)
    try fixture.change(home: try zone("America/New_York", hours: -5), zones: [])
    fixture.pass(seconds: 3_600)
    #expect(fixture.dueNames == ["2027-01-15T15:00:00"])
    // Two prompts now have the local time 21:00 in their ids. The first was planned before the move
    // of the home, and the second after the move. Both become due, six hours apart.
    fixture.pass(seconds: 12 * 3_600)
    let evening = "2027-01-15T21:00:00"
    #expect(fixture.dueNames == ["2027-01-15T15:00:00", evening, evening])
    #expect(fixture.dueDistances == [6 * 3_600, 6 * 3_600])
  }

  @Test
  func `prompts that a wrong clock listed as missed are not listed again under other local times`()
    throws
  {
    func missed(moving: Bool) throws -> Int {
      var fixture = CoreFixture()
      try fixture.addFloating("every 5 hours")
      fixture.stepClock(seconds: 2 * 86_400)
      fixture.pass(seconds: 60)
      fixture.stepClock(seconds: -2 * 86_400)
      if moving { try fixture.change(home: try zone("America/New_York", hours: -5), zones: []) }
      fixture.stepClock(seconds: 2 * 86_400)
      fixture.pass(seconds: 60)
      return fixture.outcomes.filter { $0 == .missedClockInvalid }.count
    }
    #expect(try missed(moving: false) > 9)
    #expect(try missed(moving: true) == missed(moving: false))
  }

  @Test func `a purge suppresses no elapsed time in a home that moves`() throws {
    var fixture = CoreFixture()
    let began = fixture.now.wall
    try fixture.addFloating("every 2 hours")
    fixture.pass(seconds: 12 * 3_600 + 600)
    fixture.purged = began..<fixture.now.wall
    fixture.crash(offForSeconds: 5, newBoot: true)
    try fixture.change(home: try zone("America/New_York", hours: -5), zones: [])
    fixture.pass(seconds: 24 * 3_600)
    #expect(fixture.dueDistances == [Int64](repeating: 2 * 3_600, count: 17))
  }

  @Test func `a time of day that has rung does not ring again when the clocks show it again`()
    throws
  {
    var fixture = CoreFixture()
    for schedule in ["every day 10:00", "FREQ=HOURLY;BYHOUR=10,11"] {
      try fixture.addFloating(schedule)
    }
    fixture.pass(seconds: 2 * 3_600)
    #expect(fixture.dueNames.count == 3)
    try fixture.change(home: try zone("America/New_York", hours: -5), zones: [])
    fixture.pass(seconds: 8 * 3_600)
    #expect(fixture.dueNames.count == 3)
  }

  @Test func `the same report of a zone change twice changes nothing`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 12:00" }
    let east = try zone("Europe/Berlin", hours: 2)
    try fixture.change(home: east, zones: [])
    let count = fixture.records.count
    try fixture.change(home: east, zones: [])
    #expect(fixture.records.count == count)
  }

  @Test func `an update while the daemon was off is noticed at the start`() throws {
    var fixture = CoreFixture()
    try fixture.add { $0.schedule = "every day 12:00" }
    let east = try zone("Europe/Berlin", hours: 2)
    fixture.environment = Environment(homeZone: east, tzdataVersion: "2026f") {
      $0 == "Europe/Berlin" ? east : nil
    }
    fixture.crash()
    #expect(fixture.plannedAt == ["2027-01-15T10:00:00.000Z"])
  }
}
