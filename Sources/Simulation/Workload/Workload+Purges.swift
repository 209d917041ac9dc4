import Alarms

// Adds purges to the script. A purge removes the oldest rows of the record.
extension Workload {
  /// Adds random purges. Most purges happen while a prompt is open. A purge during an open prompt
  /// is a harder test, because the state of an open prompt depends on many earlier rows.
  mutating func scatterPurges() {
    if purgesPerYear == 0 { return }
    let days = max(1, length / Self.day)
    for _ in 0..<max(1, purgesPerYear * days / 365) {
      let hour: Int64 = random.pick([0, 1, 5, 6, 7, 8, 11, 12, 16, 17, 18, 19])
      let at = random.roll(0...days - 1) * Self.day + hour * 60 * Self.minute
      purge(at: at + random.roll(0...20 * Self.minute))
    }
  }

  /// Adds one purge. Before the purge, the script ends all phases and exports the record.
  ///
  /// For some purges, a person sets the clock shortly before the purge. During some purges, the
  /// world kills the daemon or switches the power off. After some purges, the daemon restarts
  /// within 20 seconds.
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
    // The purge starts less than a minute after the export. Therefore, the last row of the purge
    // can be the row `export_made`.
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
