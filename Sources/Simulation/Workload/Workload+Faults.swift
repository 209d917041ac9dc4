import Alarms

// Adds the faults of a simulated home to the script.
extension Workload {
  mutating func scatterFaults() {
    add("kill", perYear: 80) { random in
      .kill(calls: Int(random.roll(0...6)), downMilliseconds: random.roll(200...8_000))
    }
    add("restart", perYear: 6) { random in
      .restart(downMilliseconds: random.pick([500, 3_000, 90_000]))
    }
    add("power", perYear: 20) { random in
      .power(
        calls: Int(random.roll(0...6)),
        offSeconds: random.pick([20, 300, 3_000, 40_000, 200_000]), .kept)
    }
    add("boot", perYear: 4) { random in
      .power(
        calls: Int(random.roll(0...6)), offSeconds: random.pick([20, 3_000, 40_000]),
        random.pick([.unset, .far]))
    }
    add("disk", perYear: 12) { random in .disk(seconds: random.pick([1, 60, 600, 7_200, 172_800])) }
    add("slow", perYear: 8) { random in
      .slowDisk(
        milliseconds: random.pick([50, 1_000, 5_000]), seconds: random.pick([60, 3_600, 43_200]))
    }
    add("contacts", perYear: 12) { random in
      .contacts(
        random.pick([.flaky, .failing, .hung]), seconds: random.pick([600, 43_200, 604_800]))
    }
    add("clock", perYear: 12) { random in
      let size: Int64 = random.pick([1, 30, 600, 3_600, 86_400, 2_592_000, 31_536_000, 315_360_000])
      return .clock(seconds: random.chance(50) ? size : -size)
    }
    add("sync", perYear: 8) { _ in .loseSync }
    add("suspend", perYear: 20) { random in
      .suspend(seconds: random.pick([60, 900, 3_600, 30_000, 260_000]))
    }
    add("speaker", perYear: 24) { random in
      .speaker(
        random.pick([.missing, .busy, .hung, .lying, .slow]),
        seconds: random.pick([60, 1_800, 43_200]))
    }
    add("zone", perYear: 6) { random in
      random.chance(60)
        ? .zone(random.pick(ZoneFixtures.names)) : .tzdata(random.pick(ZoneFixtures.releases))
    }
    add("again", perYear: 60) { random in .again(back: Int(random.roll(0...7))) }
    add("forge", perYear: 60) { random in .forge(back: Int(random.roll(0...20))) }
  }

  /// Adds faults of one kind, if `faults` contains this kind. If a fault can change the clock, the
  /// function also adds a later action that synchronises the clock.
  private mutating func add(_ kind: String, perYear: Int64, _ make: (inout SeededRandom) -> Action)
  {
    guard faults.contains(kind) else { return }
    let first = actions.count
    scatter(perYear: perYear * severity, make)
    if kind == "disk", self.faults.contains("kill") {
      // Kill the daemon during some of the disk faults. While the disk is full, the daemon keeps
      // events only in memory. If the world kills the daemon at this time, these events are lost.
      for fault in actions[first...] where random.chance(50) {
        guard case .disk(let seconds) = fault.action else { continue }
        let at = fault.at + random.roll(0...seconds * 1_000)
        let down = random.roll(200...8_000)
        actions.append(
          TimedAction(at: at, .kill(calls: Int(random.roll(0...6)), downMilliseconds: down)))
      }
    }
    guard ["power", "boot", "clock", "sync"].contains(kind) else { return }
    for fault in actions[first...] {
      let later: Int64 = random.pick([20, 60, 600, 7_200, 172_800]) * 1_000
      actions.append(TimedAction(at: fault.at + later, .sync))
    }
  }
}
