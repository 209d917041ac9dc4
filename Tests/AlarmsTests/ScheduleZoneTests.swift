import CivilTime
import Testing

@testable import Alarms

/// A zone with one offset for ever, under a name of ours: as after an update of tzdata, or a journey.
private func zone(_ name: String, hours: Int) throws -> Zone {
  let seconds = UInt32(bitPattern: Int32(hours * 3_600))
  let offset = (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * UInt32($0))) }
  func count(_ value: UInt8) -> [UInt8] { [0, 0, 0, value] }
  let header =
    Array("TZif".utf8) + [0] + [UInt8](repeating: 0, count: 15) + count(0) + count(0) + count(0)
    + count(0) + count(1) + count(4)
  return try Zone(name: name, tzif: header + offset + [0, 0] + Array("ABC\0".utf8))
}

extension Bench {
  /// Puts other zones in place and lets the daemon notice.
  fileprivate mutating func change(home: Zone, tzdata: String = "2026f", zones: [Zone]) throws {
    environment = Environment(homeZone: home, tzdataVersion: tzdata) { name in
      (zones + [home, .utc]).first { $0.name == name }
    }
    try take(.zonesChanged)
  }

  fileprivate var plannedAt: [String] {
    home.openPrompts.filter { $0.phase == .planned }.map(\.dueAt.description).sorted()
  }

  fileprivate var dueInstants: [Instant] {
    records.compactMap { if case .due = $0.event { $0.reading.wall } else { nil } }
  }

  /// From each prompt that was due to the next, in seconds.
  fileprivate var dueDistances: [Int64] {
    zip(dueInstants, dueInstants.dropFirst()).map { $1.milliseconds(since: $0) / 1_000 }
  }

  /// An alarm of one ring that goes by the zone of the home.
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
  @Test func `an update of tzdata moves what is planned and records the old and the new`() throws {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 12:00" }
    #expect(bench.plannedAt == ["2027-01-15T11:00:00.000Z"])
    try bench.change(home: try zone("Europe/Berlin", hours: 2), zones: [])
    #expect(bench.plannedAt == ["2027-01-15T10:00:00.000Z"])
    #expect(bench.records.contains { $0.event == .tzdataChanged(from: "test", to: "2026f") })
    #expect(!bench.records.contains { $0.event.type == "tz_changed" })
    let instants = bench.records.compactMap {
      if case .planned(let prompt) = $0.event { prompt.dueAt.description } else { nil }
    }
    #expect(instants == ["2027-01-15T11:00:00.000Z", "2027-01-15T10:00:00.000Z"])
    bench.pass(seconds: 86_400)
    #expect(bench.dueNames == ["2027-01-15T12:00:00"])
  }

  @Test func `what is planned between a change of zones and its notice goes by the new ones`()
    throws
  {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 12:00" }
    try bench.change(home: Bench.berlin, zones: [])
    let moved = try zone("Europe/Berlin", hours: 5)
    bench.environment = Environment(homeZone: moved, tzdataVersion: "2026g") { name in
      [moved, .utc].first { $0.name == name }
    }
    bench.stepClock(seconds: 86_400)
    let late = bench.records.compactMap { record -> Instant? in
      guard case .planned(let prompt) = record.event, prompt.id.nominal.date.day > 15 else {
        return nil
      }
      return prompt.dueAt
    }
    #expect(
      !late.isEmpty && late.allSatisfy { $0.description.hasSuffix("T07:00:00.000Z") }, "\(late)")
  }

  @Test func `a floating beat of hours goes on where the home has moved to`() throws {
    var bench = Bench()
    try bench.addFloating("FREQ=HOURLY;INTERVAL=7")
    bench.pass(seconds: 3_600)
    // West by six hours: a name that was planned in Berlin is seven hours away again.
    try bench.change(home: try zone("America/New_York", hours: -6), zones: [])
    bench.pass(seconds: 28 * 3_600)
    let distances = bench.dueDistances
    #expect(distances.count >= 2 && distances.allSatisfy { $0 == 7 * 3_600 }, "\(distances)")
    #expect(Set(bench.outcomes) == [.missedNoResponse])
  }

  @Test func `two times that the clocks put on one instant are one prompt that names both`() throws
  {
    var bench = Bench()
    try bench.add {
      $0.schedule = "every day 02:30 and 03:30 starting 2027-03-27"
      $0.rings = 1
    }
    bench.pass(seconds: 74 * 86_400)
    // One ring on the odd day, two on every other.
    #expect(
      bench.dueNames.prefix(5) == [
        "2027-03-27T02:30:00", "2027-03-27T03:30:00", "2027-03-28T03:30:00", "2027-03-29T02:30:00",
        "2027-03-29T03:30:00",
      ])
    let both = bench.records.compactMap { record -> String? in
      guard case .planned(let prompt) = record.event, !prompt.alsoNominal.isEmpty else {
        return nil
      }
      return "\(prompt.id.nominal) stands for \(prompt.alsoNominal.map(\.description)) too"
    }
    #expect(both == [#"2027-03-28T03:30:00 stands for ["2027-03-28T02:30:00"] too"#])
  }

  @Test func `a time that was jumped over rings at once as late, and only once`() throws {
    var bench = Bench()
    try bench.add {
      $0.schedule = "every day 10:00, 12:00"
      $0.rings = 1
    }
    // Five hours east: 09:00 becomes 13:00, so 10:00 and 12:00 are jumped over.
    try bench.change(home: try zone("Europe/Berlin", hours: 5), zones: [])
    #expect(bench.sounding?.order.prompt.nominal.description == "2027-01-15T12:00:00")
    bench.pass(seconds: 7_200)
    #expect(bench.dueNames == ["2027-01-15T12:00:00"])
    #expect(bench.endings == ["15 missed_clock_invalid", "15 missed_no_response"])
    // And back again: what is over never rings again.
    try bench.change(home: Bench.berlin, tzdata: "2026g", zones: [])
    bench.pass(seconds: 12 * 3_600)
    #expect(bench.dueNames == ["2027-01-15T12:00:00"])
  }

  @Test func `an alarm keeps its own zone on a journey, a floating one keeps the wall's time`()
    throws
  {
    var bench = Bench()
    try bench.add("Pinned") { $0.schedule = "every day 20:00" }
    try bench.add("Floating") {
      $0.schedule = "every day 20:00"
      $0.zone = "floating"
    }
    try bench.change(
      home: try zone("America/New_York", hours: -5), tzdata: "test", zones: [Bench.berlin])
    #expect(bench.plannedAt == ["2027-01-15T19:00:00.000Z", "2027-01-16T01:00:00.000Z"])
    #expect(
      bench.records.contains {
        $0.event == .tzChanged(from: "Europe/Berlin", to: "America/New_York")
      })
  }

  @Test func `elapsed time does not move with the zone and rings once`() throws {
    var bench = Bench()
    try bench.add {
      $0.schedule = "every 8 hours"
      $0.rings = 1
    }
    let before = bench.plannedAt
    try bench.change(home: try zone("Europe/Berlin", hours: 3), zones: [])
    #expect(bench.plannedAt == before)
    bench.pass(seconds: 8 * 3_600 + 60)
    #expect(bench.records.filter { $0.event.type == "ring_started" }.count == 1)
  }

  /// Each way in which what has ended may be known: the daemon's own memory, the record, and what stands for a
  /// part of it that was purged.
  @Test(arguments: ["", "restarted", "purged"])
  func `an elapsed time that is done does not ring under the name that it has elsewhere`(
    after: String
  ) throws {
    var bench = Bench()
    let began = bench.now.wall
    try bench.addFloating("every 6 hours")
    bench.pass(seconds: 6 * 3_600 + 20)
    try bench.answer(.complete)
    bench.pass(seconds: 600)
    if after == "purged" { bench.purged = began..<bench.now.wall }
    if after != "" { bench.crash(offForSeconds: 5, newBoot: true) }
    bench.stepClock(seconds: -1_200)
    try bench.change(home: try zone("America/New_York", hours: -5), zones: [])
    bench.pass(seconds: 3_600)
    #expect(bench.dueNames == ["2027-01-15T15:00:00"])
    // None is lost when the clocks show the time of one before once more.
    bench.pass(seconds: 12 * 3_600)
    let evening = "2027-01-15T21:00:00"
    #expect(bench.dueNames == ["2027-01-15T15:00:00", evening, evening])
    #expect(bench.dueDistances == [6 * 3_600, 6 * 3_600])
  }

  @Test func `what a wrong clock has listed as missed is not listed again under other names`()
    throws
  {
    func missed(moving: Bool) throws -> Int {
      var bench = Bench()
      try bench.addFloating("every 5 hours")
      bench.stepClock(seconds: 2 * 86_400)
      bench.pass(seconds: 60)
      bench.stepClock(seconds: -2 * 86_400)
      if moving { try bench.change(home: try zone("America/New_York", hours: -5), zones: []) }
      bench.stepClock(seconds: 2 * 86_400)
      bench.pass(seconds: 60)
      return bench.outcomes.filter { $0 == .missedClockInvalid }.count
    }
    #expect(try missed(moving: false) > 9)
    #expect(try missed(moving: true) == missed(moving: false))
  }

  @Test func `what was purged takes no elapsed time from a home that moves`() throws {
    var bench = Bench()
    let began = bench.now.wall
    try bench.addFloating("every 2 hours")
    bench.pass(seconds: 12 * 3_600 + 600)
    bench.purged = began..<bench.now.wall
    bench.crash(offForSeconds: 5, newBoot: true)
    try bench.change(home: try zone("America/New_York", hours: -5), zones: [])
    bench.pass(seconds: 24 * 3_600)
    #expect(bench.dueDistances == [Int64](repeating: 2 * 3_600, count: 17))
  }

  @Test func `a time of day that was served does not come again where the clocks show it again`()
    throws
  {
    var bench = Bench()
    for schedule in ["every day 10:00", "FREQ=HOURLY;BYHOUR=10,11"] {
      try bench.addFloating(schedule)
    }
    bench.pass(seconds: 2 * 3_600)
    #expect(bench.dueNames.count == 3)
    try bench.change(home: try zone("America/New_York", hours: -5), zones: [])
    bench.pass(seconds: 8 * 3_600)
    #expect(bench.dueNames.count == 3)
  }

  @Test func `telling the same news twice changes nothing`() throws {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 12:00" }
    let east = try zone("Europe/Berlin", hours: 2)
    try bench.change(home: east, zones: [])
    let count = bench.records.count
    try bench.change(home: east, zones: [])
    #expect(bench.records.count == count)
  }

  @Test func `an update while the daemon was off is noticed at the start`() throws {
    var bench = Bench()
    try bench.add { $0.schedule = "every day 12:00" }
    let east = try zone("Europe/Berlin", hours: 2)
    bench.environment = Environment(homeZone: east, tzdataVersion: "2026f") {
      $0 == "Europe/Berlin" ? east : nil
    }
    bench.crash()
    #expect(bench.plannedAt == ["2027-01-15T10:00:00.000Z"])
  }
}
