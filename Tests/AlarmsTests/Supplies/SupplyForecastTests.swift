import CivilTime
import Testing

@testable import Alarms

/// Checks for how many days a supply lasts, and which alarms and contacts it has.
///
/// The clock shows Friday 15 January 2027, 09:00 in Berlin.
@Suite struct `The forecast of a supply` {
  private static let box = SupplyID("box")

  private func home(
    _ schedules: [String], left: Int64, contacts: [String] = [], lowAt: Int64? = nil,
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws -> CoreFixture {
    var fixture = CoreFixture(limits: HomeLimits(alarms: 10, tones: 1, ringsPerHour: 240))
    let form = SupplyForm(name: "Box", lowAt: lowAt.map { .at($0) }, contacts: contacts)
    try fixture.handle(.command(.supply(.add(Self.box, form, left: left)), CoreFixture.anna))
    for (index, schedule) in schedules.enumerated() {
      try fixture.add("Task \(9 - index)") {
        ($0.schedule, $0.rings, $0.lateWindowSeconds) = (schedule, 1, 60)
        $0.uses = [SupplyUseForm(supply: "Box", amount: 2)]
        edit(&$0)
      }
    }
    return fixture
  }

  private func days(_ fixture: CoreFixture) throws -> Int? {
    fixture.home.daysLeft(
      of: try #require(fixture.home.supplies[Self.box]), at: fixture.now.wall)
  }

  @Test(
    arguments: [
      // The first due time without enough units is exactly one day from now, or a minute earlier.
      (["every day 09:00"], 1, 1), (["every day 08:59"], 1, 0), (["every day 09:00"], 3, 2),
      // A due time after 366 days is not part of the forecast.
      (["2028-01-16 08:59"], 1, 365), (["2028-01-16 08:59"], 2, nil),
      (["2028-01-16 09:00"], 2, 366), (["2028-01-16 09:00"], 1, 366),
      // The forecast reads at most 5,000 due times of an alarm.
      (["every 2 minutes"], 9_998, 6), (["every 2 minutes"], 9_999, 6),
      (["every 2 minutes"], 10_000, 366),
      // One alarm goes on, and the other alarm ends.
      (["every day 08:00", "in 20 minutes"], 100_000, 366),
      (["in 20 minutes", "every day 08:00"], 100_000, 366),
      (["in 20 minutes", "in 30 minutes"], 4, nil), (["in 20 minutes", "in 30 minutes"], 3, 0),
      (["in 20 minutes", "2027-01-18 09:00"], 3, 3),
      (["2027-01-18 09:00", "in 20 minutes"], 3, 3),
      // Early reminders use nothing.
      (["2027-01-18 09:00 and 1 hour before"], 1, 3),
    ] as [([String], Int64, Int?)])
  func `counts full days until the first due time without enough units`(
    schedules: [String], left: Int64, expected: Int?
  ) throws {
    #expect(try days(home(schedules, left: left)) == expected)
  }

  @Test func `leaves out the occurrences that are paused, skipped or over`() throws {
    #expect(
      try days(home(["every day 08:00"], left: 1) { $0.exclude = ["2027-01-16/2027-01-18"] }) == 3)
    #expect(try days(home(["every day 08:00"], left: 1) { $0.skipNext = 2 }) == 2)
    #expect(try days(home(["every day 08:00"], left: 1) { $0.pausedUntil = "2027-01-20" }) == 5)
    var paused = try home(["every day 08:00"], left: 1)
    try paused.pause(until: "2027-01-17")
    #expect(try days(paused) == 2)
    try paused.pause()
    #expect(try days(paused) == nil)
    try paused.resume()
    // The prompt of 10:00 is completed, so the next due time is on the next day.
    var early = try home(["every day 10:00"], left: 3)
    #expect(try days(early) == 1)
    early.pass(seconds: 3_610)
    try early.answer(.complete)
    #expect(early.home.supplies[Self.box]?.left == 1)
    #expect(try days(early) == 0)
  }

  @Test func `counts the alarms that can still ring, by label`() throws {
    var fixture = try home(["every day 08:00", "in 20 minutes", "every day 09:00"], left: 9)
    #expect(fixture.home.alarms(using: Self.box).map(\.label) == ["Task 7", "Task 8", "Task 9"])
    fixture.pass(seconds: 1_210)
    try fixture.answer(.complete)
    #expect(fixture.home.alarms(using: Self.box).map(\.label) == ["Task 7", "Task 9"])
    #expect(fixture.home.alarms(using: SupplyID("other")).isEmpty)
  }

  @Test func `sends its message only to contacts of the configuration`() throws {
    for (contacts, known, told) in [
      (["bob", "anna"], ["anna", "bob"], ["bob", "anna"]), (["bob", "anna"], ["anna"], ["anna"]),
      (["bob"], ["anna"], []), ([], ["bob", "anna"], ["anna", "bob"]),
    ] as [([String], Set<String>, [String])] {
      var fixture = try home([], left: 9, contacts: contacts, lowAt: 3)
      fixture.environment.contacts = known
      for left in [4, 3] as [Int64] {
        try fixture.handle(.command(.supply(.count("Box", left: left)), CoreFixture.anna))
        #expect(fixture.sentNotices.map(\.contact) == (left == 3 ? told : []))
      }
      #expect(fixture.sentNotices.allSatisfy { $0.label == "Box" && $0.personName == "" })
    }
  }

  @Test func `an amount has a unit in the singular or in the plural`() {
    for (unit, one, two) in [
      ("cups", "1 cup", "2 cups"), ("pads", "1 pad", "2 pads"), ("gas", "1 gas", "2 gas"),
      ("dishes", "1 dish", "2 dishes"), ("glasses", "1 glass", "2 glasses"),
      ("boxes", "1 box", "2 boxes"), ("matches", "1 match", "2 matches"), ("", "1", "2"),
      ("press", "1 press", "2 press"), ("g", "1 g", "2 g"),
    ] {
      #expect(Supply.words(1, unit: unit) == one && Supply.words(2, unit: unit) == two)
    }
    #expect(Supply.words(0, unit: "cups") == "0 cups")
    #expect(Supply.leftWords(2, unit: "cups", of: "Tea") == "2 cups of Tea are left")
    #expect(Supply.leftWords(1, unit: "", of: "Tea") == "1 of Tea is left")
    #expect(Supply.leftWords(2, unit: "", of: "Tea") == "2 of Tea are left")
    #expect(Supply.leftWords(0, unit: "cups", of: "Tea") == "no cups of Tea are left")
  }

  @Test func `the amounts of one minute can be returned`() {
    let start = CoreFixture().now
    func prompt(_ key: Int64) -> PromptID { PromptID(alarm: AlarmID("a"), nominalKey: key) }
    func kept(_ milliseconds: Int64) -> [Int64] {
      var replay = Replay()
      func apply(_ change: SupplyChange, after milliseconds: Int64 = 0) {
        var reading = start
        reading.wall = start.wall.adding(milliseconds: milliseconds)
        replay.apply(.supply(Self.box, change), at: reading)
      }
      apply(.added(SupplySettings(name: "Box"), left: 9))
      apply(.used(prompt(1), amount: 1, taken: 1, left: 8))
      apply(.used(prompt(2), amount: 1, taken: 1, left: 7), after: milliseconds)
      return replay.supplies[Self.box]?.taken.map(\.prompt.nominalKey) ?? []
    }
    #expect(kept(0) == [1, 2] && kept(60_000) == [1, 2] && kept(-60_000) == [1, 2])
    #expect(kept(60_001) == [2] && kept(-60_001) == [2])
  }

  @Test func `an undo never puts the amount above the limit`() throws {
    var fixture = try home(["in 15 seconds"], left: 7)
    fixture.pass(seconds: 20)
    try fixture.answer(.complete)
    try fixture.handle(.command(.supply(.count("Box", left: 999_999)), CoreFixture.anna))
    try fixture.handle(.command(.undo(nil), CoreFixture.anna))
    #expect(fixture.home.supplies[Self.box]?.left == 1_000_000)
    #expect(fixture.home.supplies[Self.box]?.taken == [])
    #expect(fixture.replay.supplies == fixture.home.supplies)
  }
}
