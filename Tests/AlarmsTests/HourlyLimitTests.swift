import CivilTime
import Testing

@testable import Alarms

/// How often a person is called again within an hour.
@Suite struct `The hourly limit` {
  private func rings(_ bench: Bench) -> Int {
    bench.records.count { $0.event.type == "ring_started" }
  }

  @Test func `a full hour holds repetitions back, and lets them through when there is room`()
    throws
  {
    var bench = Bench()
    try bench.person { $0.ringsPerHour = 4 }
    for label in ["A", "B"] {
      try bench.add(label) {
        $0.schedule = "in 60 seconds"
        $0.rings = 4
        $0.lateWindowSeconds = 7_200
      }
    }
    bench.pass(seconds: 600)
    // Both first rings, and four of six repetitions; the older prompt has fewer of them.
    #expect(rings(bench) == 6)
    #expect(bench.states.contains("held cap"))
    bench.crash()
    bench.pass(seconds: 2_000)
    #expect(rings(bench) == 6)
    bench.pass(seconds: 2_000)
    #expect(rings(bench) == 8)
    bench.pass(seconds: 7_200)
    #expect(bench.outcomes == [.missedNoResponse, .missedNoResponse])
  }

  @Test func `a full hour silences no first ring and no urgent step`() throws {
    var bench = Bench()
    try bench.person { $0.ringsPerHour = 3 }
    for label in ["A", "B", "C"] {
      try bench.add(label) {
        $0.schedule = label == "A" ? "in 60 seconds" : "in 10 minutes"
        $0.rings = label == "A" ? 3 : 2
        $0.lateWindowSeconds = 600
        if label == "C" {
          $0.rings = nil
          $0.steps = [StepForm(rings: 1), StepForm(rings: 2, isUrgent: true, pauseSeconds: 60)]
        }
      }
    }
    bench.pass(seconds: 3_600)
    // Three of A and two of B fill the hour; C rings all three times, for its urgent step is exempt.
    #expect(rings(bench) == 8)
    #expect(bench.outcomes == [.missedNoResponse, .missedNoResponse, .missedNoResponse])
  }

  @Test func `one pill put off three times leaves other medicine its rings`() throws {
    var bench = Bench()
    try bench.add("Pill") { $0.schedule = "in 60 seconds" }
    let insulin = try bench.add("Insulin") { $0.schedule = "in 32 minutes" }
    bench.pass(seconds: 70)
    for _ in 0..<3 {
      bench.pass(seconds: 250)
      try bench.answer(.delay(seconds: nil))
      bench.pass(seconds: 310)
    }
    bench.pass(seconds: 1_500)
    let heard = bench.records.count {
      $0.event.type == "ring_started" && $0.event.promptID?.alarm == insulin.id
    }
    #expect(heard == 5)
    #expect(!bench.outcomes.contains(.suppressedCap))
  }

  @Test func `a limit that is raised releases what it held`() throws {
    var bench = Bench()
    try bench.person { $0.ringsPerHour = 2 }
    try bench.add("A") {
      $0.schedule = "in 60 seconds"
      $0.rings = 2
      $0.lateWindowSeconds = 7_200
    }
    try bench.add("B") {
      $0.schedule = "in 10 minutes"
      $0.rings = 2
      $0.lateWindowSeconds = 7_200
    }
    try bench.person { $0.ringsPerHour = 1 }
    bench.pass(seconds: 1_200)
    #expect(rings(bench) == 3)
    #expect(bench.states.contains("held cap"))
    try bench.person { $0.ringsPerHour = 10 }
    bench.pass(seconds: 10)
    #expect(rings(bench) == 4)
  }

  @Test func `a cap of one person's own counts when an alarm is saved`() throws {
    var bench = Bench()
    try bench.person { $0.ringsPerHour = 4 }
    #expect(refusal { try bench.add { $0.schedule = "every day 08:00" } }?.kind == .limit)
  }

  @Test func `alarms that fill an hour together are warned of, and each alone is not`() throws {
    var bench = Bench()
    func warnings(_ label: String, _ schedule: String) throws -> [ScheduleWarning] {
      var form = AlarmForm()
      (form.label, form.schedule) = (label, schedule)
      let reply = try bench.take(.command(.add(AlarmID(label), form), Bench.anna))
      guard case .alarm(_, _, let report)? = reply else { return [] }
      return report.warnings.filter { $0.kind == .fullHour }
    }
    for number in 0..<5 {
      #expect(try warnings("Task \(number)", "every day 08:0\(number)").isEmpty)
    }
    let full = try warnings("Insulin", "every day 08:30")
    #expect(full.count == 1)
    #expect(full.first?.text.contains("24 times") == true, "\(full)")
    #expect(full.first?.text.contains("\"Task 0\"") == true)
    #expect(try warnings("Walk", "every day 15:00").isEmpty)
    let hours = bench.home.fullHours(at: bench.now, bench.environment)
    #expect(hours.map(\.hour.repetitions) == [24] && hours.first?.hour.limit == 20)
    #expect(bench.home.fullHours(of: PersonID("nobody"), at: bench.now, bench.environment).isEmpty)
  }
}
