import CivilTime
import Testing

@testable import Alarms

/// Adds an alarm "Breakfast" at 10:00 every day, and an alarm "Pills" with the schedule `after`.
private func meal(_ after: String) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add("Breakfast") {
    $0.schedule = "every day 10:00"
    $0.rings = 1
    $0.lateWindowSeconds = 7_200
  }
  try fixture.add("Pills") {
    $0.schedule = after
    $0.rings = 1
  }
  return fixture
}

extension CoreFixture {
  /// The label, the day and the time of every prompt that became due.
  fileprivate var dues: [String] {
    records.compactMap {
      guard case .due(let id, _) = $0.event else { return nil }
      let label = replay.alarms[id.alarm]?.label ?? "?"
      return "\(label) \(id.nominal.date.day) \(id.nominal.time)"
    }
  }
}

@Suite struct `After an answer` {
  @Test func `the pills ring once, half an hour after breakfast is completed`() throws {
    var fixture = try meal("30 minutes after breakfast is completed")
    #expect(fixture.home.openPrompts.count == 1)
    fixture.pass(seconds: 3_900)
    try fixture.answer(.complete)
    fixture.crash(offForSeconds: 10)
    fixture.pass(seconds: 7_200)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Pills 15 10:35"])
    fixture.stepClock(seconds: -7_000)
    fixture.pass(seconds: 10_000)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Pills 15 10:35"])
  }

  @Test func `nothing follows without the answer, and a declined breakfast does not count`() throws
  {
    var fixture = try meal("30 minutes after Breakfast is completed")
    fixture.pass(seconds: 3_900)
    try fixture.answer(.decline(.refused))
    fixture.pass(seconds: 86_400)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Breakfast 16 10:00"])
  }

  @Test func `with a latest time the pills ring at that time if there was no answer`() throws {
    var fixture = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    // On 15 January, breakfast is completed at 10:05. The pills ring at 10:35 and not again at
    // 11:00.
    fixture.pass(seconds: 3_900)
    try fixture.answer(.complete)
    fixture.pass(seconds: 86_400 - 3_900)
    // On 16 January, nobody completes breakfast. On 17 January, breakfast is completed at 10:50,
    // which is less than 30 minutes before 11:00. On both days, the pills ring at their latest
    // time, 11:00.
    fixture.pass(seconds: 86_400)
    fixture.pass(seconds: 6_600)
    try fixture.answer(.complete, to: fixture.home.openPrompts.first { $0.state != .planned }?.id)
    fixture.pass(seconds: 7_200)
    #expect(
      fixture.dues == [
        "Breakfast 15 10:00", "Pills 15 10:35", "Breakfast 16 10:00", "Pills 16 11:00",
        "Breakfast 17 10:00", "Pills 17 11:00",
      ])
    #expect(fixture.outcomes.filter { $0 == .cancelledBeforeDue }.count == 1)
  }

  /// Breakfast is due at 10:00, and the pills are due at 11:00 at the latest. The patient completes
  /// breakfast at 11:05. After that, the pills must not become due a second time.
  @Test(arguments: [Answer?.some(.complete), .some(.decline(.refused)), nil])
  func `a late breakfast does not repeat the pills of the latest time`(answer: Answer?) throws {
    var fixture = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    func due(_ label: String) -> PromptID? {
      fixture.home.openPrompts.first {
        $0.state != .planned && fixture.home.alarm($0.id.alarm)?.label == label
      }?.id
    }
    fixture.pass(seconds: 3_600 + 3_660)
    if let answer { try fixture.answer(answer, to: due("Pills")) }
    fixture.pass(seconds: 240)
    try fixture.answer(.complete, to: due("Breakfast"))
    fixture.pass(seconds: 12 * 3_600)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Pills 15 11:00"])
    fixture.pass(seconds: 86_400)
    #expect(fixture.dues.suffix(2) == ["Breakfast 16 10:00", "Pills 16 11:00"])
  }

  @Test func `a breakfast after midnight does not repeat the pills of the day before`() throws {
    var fixture = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    try fixture.edit(try #require(fixture.home.alarms.first { $0.label == "Breakfast" }).id) {
      $0.lateWindowSeconds = 86_400
    }
    fixture.pass(seconds: 15 * 3_600 + 1_800)
    try fixture.answer(
      .complete,
      to: fixture.home.openPrompts.first {
        $0.state != .planned && fixture.home.alarm($0.id.alarm)?.label == "Breakfast"
      }?.id)
    fixture.pass(seconds: 15 * 3_600)
    #expect(
      fixture.dues == [
        "Breakfast 15 10:00", "Pills 15 11:00", "Breakfast 16 10:00", "Pills 16 11:00",
      ])
  }

  /// Breakfast is completed at the instant at which the pills become due at their latest time.
  @Test func `a breakfast at the latest time of the pills does not repeat the pills`() throws {
    var fixture = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    fixture.pass(seconds: 7_200)
    let breakfast = try #require(
      fixture.home.openPrompts.first {
        $0.state != .planned && fixture.home.alarm($0.id.alarm)?.label == "Breakfast"
      })
    try fixture.answer(.complete, to: breakfast.id)
    fixture.pass(seconds: 12 * 3_600)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Pills 15 11:00"])
  }

  @Test func `pills that ring at night do not ring again at their latest time`() throws {
    var fixture = CoreFixture()
    try fixture.add("Dose") {
      ($0.schedule, $0.rings, $0.lateWindowSeconds) = ("every day 01:00", 1, 7_200)
    }
    try fixture.add("Pills") {
      ($0.schedule, $0.rings) = ("30 minutes after Dose is completed at the latest 11:00", 1)
    }
    try fixture.pass(to: "2027-01-16T01:05:00")
    try fixture.answer(.complete)
    try fixture.pass(to: "2027-01-16T20:00:00")
    #expect(fixture.dues == ["Pills 15 11:00", "Dose 16 01:00", "Pills 16 01:35"])
  }

  @Test func `the pills follow a late breakfast if the device was off at their latest time`() throws
  {
    var fixture = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    fixture.pass(seconds: 6_600)
    fixture.crash(offForSeconds: 4_000, newBoot: true)
    try fixture.answer(
      .complete,
      to: fixture.home.openPrompts.first {
        $0.state != .planned && fixture.home.alarm($0.id.alarm)?.label == "Breakfast"
      }?.id)
    fixture.pass(seconds: 3_600)
    #expect(fixture.dues.filter { $0.hasPrefix("Pills") }.count == 1)
    // The pills of the next day stay planned at their latest time.
    fixture.pass(seconds: 86_400)
    #expect(fixture.dues.filter { $0.hasPrefix("Pills") }.last == "Pills 16 11:00")
  }

  @Test
  func `eight hours after the last dose counts from the answer, and a missed dose does not count`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    fixture.pass(seconds: 8 * 3_600 + 600)
    try fixture.answer(.complete)
    fixture.pass(seconds: 8 * 3_600)
    #expect(fixture.dues == ["Dose 15 17:00", "Dose 16 01:10"])
    // Nobody answers the dose of 01:10, so this dose is missed at 01:40. The next dose is due eight
    // hours after 01:40.
    fixture.pass(seconds: 9 * 3_600)
    #expect(fixture.dues == ["Dose 15 17:00", "Dose 16 01:10", "Dose 16 09:40"])
    fixture.crash(offForSeconds: 2 * 86_400, newBoot: true)
    #expect(fixture.home.openPrompts.count == 1)
  }

  @Test func `an edit keeps the prompt that is planned after an answer`() throws {
    var fixture = try meal("30 minutes after Breakfast is completed")
    fixture.pass(seconds: 3_900)
    try fixture.answer(.complete)
    let pills = try #require(fixture.home.alarms.first { $0.label == "Pills" })
    try fixture.edit(pills.id) { $0.label = "Green pills" }
    fixture.pass(seconds: 3_600)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Green pills 15 10:35"])
  }

  /// Breakfast is completed at 10:05:00. At 10:15, a caretaker changes the schedule of the pills.
  @Test(arguments: [
    ("40 minutes after Breakfast is completed", "15 10:45"),
    ("20 minutes after Breakfast is completed", "15 10:25"),
    ("5 minutes after Breakfast is completed", "15 10:15"),
    ("30 minutes after Breakfast is completed at the latest 11:00", "15 10:35"),
    ("40 minutes after Breakfast is completed at the latest 10:40", "15 10:40"),
    ("every day 10:50", "15 10:50"),
  ])
  func `a change of the delay moves the prompt that is planned after an answer`(
    schedule: String, due: String
  ) throws {
    var fixture = try meal("30 minutes after Breakfast is completed")
    fixture.pass(seconds: 3_900)
    try fixture.answer(.complete)
    let pills = try #require(fixture.home.alarms.first { $0.label == "Pills" })
    fixture.pass(seconds: 600)
    try fixture.edit(pills.id) { $0.schedule = schedule }
    fixture.pass(seconds: 3_600)
    #expect(fixture.dues == ["Breakfast 15 10:00", "Pills \(due)"])
  }

  /// The alarm is set at 09:00 on the 15th. Its prompt is completed at 17:10, so the next prompt is
  /// due at 01:10. A caretaker changes the alarm at 20:10.
  @Test(arguments: [
    ("8 hours after the last completion", "16 01:10"),
    ("6 hours after the last completion", "15 23:10"),
    ("12 hours after the last completion", "16 05:10"),
    ("2 hours after the last completion", "15 20:10"),
    ("6 hours after the last completion starting 2027-01-16 07:00", "16 07:00"),
    ("6 hours after the last completion starting 2027-01-15 07:00", "15 23:10"),
    ("every day 06:00", "16 06:00"),
  ])
  func `a change of the delay from the last dose counts from that dose`(
    schedule: String, due: String
  ) throws {
    var fixture = CoreFixture()
    let dose = try fixture.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    fixture.pass(seconds: 8 * 3_600 + 600)
    try fixture.answer(.complete)
    fixture.pass(seconds: 3 * 3_600)
    try fixture.edit(dose.id) { $0.schedule = schedule }
    #expect(fixture.home.openPrompts.count == 1)
    fixture.pass(seconds: 11 * 3_600)
    #expect(fixture.dues.prefix(2) == ["Dose 15 17:00", "Dose \(due)"])
  }

  @Test func `before the first dose a change of the delay counts from the change`() throws {
    var fixture = CoreFixture()
    let dose = try fixture.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    fixture.pass(seconds: 3_600)
    try fixture.edit(dose.id) { $0.schedule = "6 hours after the last completion" }
    fixture.pass(seconds: 8 * 3_600)
    #expect(fixture.dues == ["Dose 15 16:00"])
  }

  @Test
  func `an alarm that another alarm refers to stays, and an unknown alarm cannot be referred to`()
    throws
  {
    var fixture = try meal("30 minutes after Breakfast is completed")
    let breakfast = try #require(fixture.home.alarms.first { $0.label == "Breakfast" })
    let pills = try #require(fixture.home.alarms.first { $0.label == "Pills" })
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.remove(breakfast.id, ifVersion: nil), CoreFixture.anna))
    }
    #expect(throws: Refusal.self) {
      try fixture.add { $0.schedule = "5 minutes after lunch is completed" }
    }
    #expect(throws: Refusal.self) {
      try fixture.edit(pills.id) { $0.schedule = "5 minutes after \(pills.id) is completed" }
    }
    try fixture.handle(.command(.remove(pills.id, ifVersion: nil), CoreFixture.anna))
    try fixture.handle(.command(.remove(breakfast.id, ifVersion: nil), CoreFixture.anna))
    #expect(fixture.home.nextWake == nil)
  }

  @Test func `the program does not choose between two alarms with the same label`() throws {
    var fixture = try meal("30 minutes after Breakfast is completed")
    try fixture.add("Breakfast") { $0.schedule = "every day 11:00" }
    do {
      try fixture.add { $0.schedule = "5 minutes after breakfast is completed" }
      Issue.record("it was guessed")
    } catch {
      #expect(error.detail.contains("2 alarms have the label \"breakfast\""))
    }
  }
}
