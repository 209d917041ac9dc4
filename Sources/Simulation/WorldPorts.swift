import Alarms
import CivilTime
import Daemon

/// The disk that does not take it.
struct DiskError: Error, CustomStringConvertible {
  var description: String { "no space is left on the simulated disk" }
}

/// Nobody is there any more to whom this could be thrown.
private struct Dead: Error {}

extension World {
  /// The ports of the daemon. Before and after every call that reaches the world, it may be killed:
  /// a killed daemon goes on computing here, but nothing that it does arrives any more.
  func ports() -> Ports {
    Ports(
      now: { [unowned self] in clock.moment },
      surroundings: { [unowned self] in surroundings },
      record: { [unowned self] records, changes in try record(records, changes) },
      play: { [unowned self] order in
        reach {
          plays += 1
          audit.plays(order, speaker: speaker, isRecordWritable: clock.time >= unwritableUntil)
          speaker.play(order, at: clock.time)
        }
      },
      stop: { [unowned self] prompt, ring in
        reach { speaker.stop(prompt, ring, at: clock.time) }
      },
      rehearse: { _ in },
      wake: { [unowned self] instant in if !isDead { armed = instant } },
      log: { _ in })
  }

  private func record(_ records: [Record], _ changes: HomeChanges) throws {
    doomIfDue()
    if isDead { throw Dead() }
    if clock.time < unwritableUntil {
      audit.wasUnwritable = true
      throw DiskError()
    }
    try store.record(records, changes)
    audit.recorded(records, changes)
    doomIfDue()
    if isDead { throw Dead() }
  }

  /// Does something to the world, unless the daemon is dead by then.
  private func reach(_ work: () -> Void) {
    doomIfDue()
    if isDead { return }
    work()
    doomIfDue()
  }

  private func doomIfDue() {
    guard !isDead, let calls = doom?.calls else { return }
    if calls <= 0 { isDead = true } else { doom?.calls -= 1 }
  }
}
