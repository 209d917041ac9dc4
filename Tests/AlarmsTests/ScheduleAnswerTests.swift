import CivilTime
import Testing

@testable import Alarms

/// Breakfast at 10:00 every day, and pills half an hour after it is completed.
private func meal(_ after: String) throws -> Bench {
  var bench = Bench()
  try bench.add("Breakfast") {
    $0.schedule = "every day 10:00"
    $0.rings = 1
    $0.lateWindowSeconds = 7_200
  }
  try bench.add("Pills") {
    $0.schedule = after
    $0.rings = 1
  }
  return bench
}

extension Bench {
  /// Label and time of every prompt that became due.
  fileprivate var dues: [String] {
    records.compactMap {
      guard case .due(let id, _) = $0.event else { return nil }
      let label = replay.alarms[id.alarm]?.label ?? "?"
      return "\(label) \(id.nominal.date.day) \(id.nominal.time)"
    }
  }
}

@Suite struct `After an answer` {
  @Test func `half an hour after breakfast is completed the pills ring, once`() throws {
    var bench = try meal("30 minutes after breakfast is completed")
    #expect(bench.home.openPrompts.count == 1)
    bench.pass(seconds: 3_900)
    try bench.answer(.complete)
    bench.crash(offForSeconds: 10)
    bench.pass(seconds: 7_200)
    #expect(bench.dues == ["Breakfast 15 10:00", "Pills 15 10:35"])
    bench.stepClock(seconds: -7_000)
    bench.pass(seconds: 10_000)
    #expect(bench.dues == ["Breakfast 15 10:00", "Pills 15 10:35"])
  }

  @Test func `without the answer nothing follows, and a declined breakfast is none`() throws {
    var bench = try meal("30 minutes after Breakfast is completed")
    bench.pass(seconds: 3_900)
    try bench.answer(.decline(.refused))
    bench.pass(seconds: 86_400)
    #expect(bench.dues == ["Breakfast 15 10:00", "Breakfast 16 10:00"])
  }

  @Test func `with a latest time the pills ring then at the latest, answer or no answer`() throws {
    var bench = try meal("30 minutes after Breakfast is completed at the latest 11:00")
    // 15 January: completed at 10:05, so the pills come at 10:35 and not again at 11:00.
    bench.pass(seconds: 3_900)
    try bench.answer(.complete)
    bench.pass(seconds: 86_400 - 3_900)
    // 16 January: never completed; 17 January: completed at 10:50.
    bench.pass(seconds: 86_400)
    bench.pass(seconds: 6_600)
    try bench.answer(.complete, to: bench.home.openPrompts.first { $0.phase != .planned }?.id)
    bench.pass(seconds: 7_200)
    #expect(
      bench.dues == [
        "Breakfast 15 10:00", "Pills 15 10:35", "Breakfast 16 10:00", "Pills 16 11:00",
        "Breakfast 17 10:00", "Pills 17 11:00",
      ])
    #expect(bench.outcomes.filter { $0 == .cancelledBeforeDue }.count == 1)
  }

  @Test
  func `eight hours after the last dose counts from the answer, and a missed dose is not the last`()
    throws
  {
    var bench = Bench()
    try bench.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    bench.pass(seconds: 8 * 3_600 + 600)
    try bench.answer(.complete)
    bench.pass(seconds: 8 * 3_600)
    #expect(bench.dues == ["Dose 15 17:00", "Dose 16 01:10"])
    // Nobody answers: missed at 01:40, and the next comes eight hours after that.
    bench.pass(seconds: 9 * 3_600)
    #expect(bench.dues == ["Dose 15 17:00", "Dose 16 01:10", "Dose 16 09:40"])
    bench.crash(offForSeconds: 2 * 86_400, newBoot: true)
    #expect(bench.home.openPrompts.count == 1)
  }

  @Test func `an edit keeps what is planned after an answer`() throws {
    var bench = try meal("30 minutes after Breakfast is completed")
    bench.pass(seconds: 3_900)
    try bench.answer(.complete)
    let pills = try #require(bench.home.alarms.first { $0.label == "Pills" })
    try bench.edit(pills.id) { $0.label = "Green pills" }
    bench.pass(seconds: 3_600)
    #expect(bench.dues == ["Breakfast 15 10:00", "Green pills 15 10:35"])
  }

  /// Breakfast is completed at 10:05:00, and the pills' alarm changed ten minutes later.
  @Test(arguments: [
    ("40 minutes after Breakfast is completed", "15 10:45"),
    ("20 minutes after Breakfast is completed", "15 10:25"),
    ("5 minutes after Breakfast is completed", "15 10:15"),
    ("30 minutes after Breakfast is completed at the latest 11:00", "15 10:35"),
    ("40 minutes after Breakfast is completed at the latest 10:40", "15 10:40"),
    ("every day 10:50", "15 10:50"),
  ])
  func `a change of the distance moves what is planned after an answer`(
    schedule: String, due: String
  ) throws {
    var bench = try meal("30 minutes after Breakfast is completed")
    bench.pass(seconds: 3_900)
    try bench.answer(.complete)
    let pills = try #require(bench.home.alarms.first { $0.label == "Pills" })
    bench.pass(seconds: 600)
    try bench.edit(pills.id) { $0.schedule = schedule }
    bench.pass(seconds: 3_600)
    #expect(bench.dues == ["Breakfast 15 10:00", "Pills \(due)"])
  }

  /// Set at 09:00 on the 15th and answered at 17:10, so due at 01:10; the alarm is changed at 20:10.
  @Test(arguments: [
    ("8 hours after the last completion", "16 01:10"),
    ("6 hours after the last completion", "15 23:10"),
    ("12 hours after the last completion", "16 05:10"),
    ("2 hours after the last completion", "15 20:10"),
    ("6 hours after the last completion starting 2027-01-16 07:00", "16 07:00"),
    ("6 hours after the last completion starting 2027-01-15 07:00", "15 23:10"),
    ("every day 06:00", "16 06:00"),
  ])
  func `a change of the distance from the last dose counts from that dose`(
    schedule: String, due: String
  ) throws {
    var bench = Bench()
    let dose = try bench.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    bench.pass(seconds: 8 * 3_600 + 600)
    try bench.answer(.complete)
    bench.pass(seconds: 3 * 3_600)
    try bench.edit(dose.id) { $0.schedule = schedule }
    #expect(bench.home.openPrompts.count == 1)
    bench.pass(seconds: 11 * 3_600)
    #expect(bench.dues.prefix(2) == ["Dose 15 17:00", "Dose \(due)"])
  }

  @Test func `before the first dose a change of the distance counts from the change`() throws {
    var bench = Bench()
    let dose = try bench.add("Dose") {
      $0.schedule = "8 hours after the last completion"
      $0.rings = 1
    }
    bench.pass(seconds: 3_600)
    try bench.edit(dose.id) { $0.schedule = "6 hours after the last completion" }
    bench.pass(seconds: 8 * 3_600)
    #expect(bench.dues == ["Dose 15 16:00"])
  }

  @Test func `an alarm that another waits for cannot be removed, nor can a stranger be waited for`()
    throws
  {
    var bench = try meal("30 minutes after Breakfast is completed")
    let breakfast = try #require(bench.home.alarms.first { $0.label == "Breakfast" })
    let pills = try #require(bench.home.alarms.first { $0.label == "Pills" })
    #expect(throws: Refusal.self) {
      try bench.take(.command(.remove(breakfast.id, ifVersion: nil), Bench.anna))
    }
    #expect(throws: Refusal.self) {
      try bench.add { $0.schedule = "5 minutes after lunch is completed" }
    }
    #expect(throws: Refusal.self) {
      try bench.edit(pills.id) { $0.schedule = "5 minutes after \(pills.id) is completed" }
    }
    try bench.take(.command(.remove(pills.id, ifVersion: nil), Bench.anna))
    try bench.take(.command(.remove(breakfast.id, ifVersion: nil), Bench.anna))
    #expect(bench.home.nextWake == nil)
  }

  @Test func `of two alarms with one label neither is guessed`() throws {
    var bench = try meal("30 minutes after Breakfast is completed")
    try bench.add("Breakfast") { $0.schedule = "every day 11:00" }
    do {
      try bench.add { $0.schedule = "5 minutes after breakfast is completed" }
      Issue.record("it was guessed")
    } catch {
      #expect(error.detail.contains("2 alarms are called \"breakfast\""))
    }
  }
}
