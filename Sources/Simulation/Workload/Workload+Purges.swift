import Alarms

// When the beginning of the record goes.
extension Workload {
  /// Mostly while somebody is being called: what is open then is made of much that is past.
  mutating func scatterPurges() {
    if purgesPerYear == 0 { return }
    let days = max(1, length / Self.day)
    for _ in 0..<max(1, purgesPerYear * days / 365) {
      let hour: Int64 = random.pick([0, 1, 5, 6, 7, 8, 11, 12, 16, 17, 18, 19])
      let at = random.roll(0...days - 1) * Self.day + hour * 60 * Self.minute
      purge(at: at + random.roll(0...20 * Self.minute))
    }
  }

  /// Nobody takes part in a study any more, and what is handed out goes; now and then the clock was set shortly
  /// before, and the service or the mains fail meanwhile.
  private mutating func purge(at time: Int64) {
    for name in ["patient", "anna", "bert"] {
      actions.append(TimedAction(at: time, .endPhase(name)))
    }
    if faults.contains("clock"), random.chance(30) {
      let size: Int64 = random.pick([30, 300, 3_600])
      actions.append(TimedAction(at: time, .loseSync))
      actions.append(TimedAction(at: time, .clock(seconds: random.chance(50) ? size : -size)))
      actions.append(TimedAction(at: time + 40 * Self.minute, .sync))
    }
    // The row that says so is where a beginning can end.
    actions.append(TimedAction(at: time, .export))
    let then = time + random.roll(1...50_000)
    if faults.contains("kill"), random.chance(30) {
      let calls = Int(random.roll(0...12))
      actions.append(TimedAction(at: then, .kill(calls: calls, downMilliseconds: 1_000)))
    } else if faults.contains("power"), random.chance(40) {
      let calls = Int(random.roll(0...12))
      actions.append(TimedAction(at: then, .power(calls: calls, offSeconds: 60, .kept)))
    }
    let days: Int64 = random.pick([0, 0, 0, 1, 7, 30])
    actions.append(TimedAction(at: then, .purge(keepDays: days)))
    if faults.contains("restart"), random.chance(60) {
      let later = then + random.roll(1...20_000)
      actions.append(TimedAction(at: later, .restart(downMilliseconds: 500)))
    }
  }
}
