import Alarms
import CivilTime
import Engine

/// The error of a write to a simulated disk that is full.
struct DiskError: Error, CustomStringConvertible {
  var description: String { "no space is left on the simulated disk" }
}

/// The error that a port throws after the world has killed the daemon. Only the killed daemon
/// receives this error.
private struct Dead: Error {}

extension World {
  /// Returns the ports of the daemon.
  ///
  /// The world can kill the daemon before or after each call of a port. If the world kills the
  /// daemon during a function of the daemon, the function still runs to its end, but its calls to
  /// the ports have no effect.
  func ports() -> Ports {
    var ports = Ports(
      now: { [unowned self] in clock.reading },
      environment: { [unowned self] in environment },
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
      setLevel: { _, _ in },
      notify: { [unowned self] order in
        reach {
          audit.notifies(order, isRecordWritable: clock.time >= unwritableUntil)
          notifier.notify(order, at: clock.time)
        }
      },
      cancelNotification: { [unowned self] subject in
        reach { notifier.stop(subject, at: clock.time) }
      },
      wake: { [unowned self] instant in
        if !isDead { armed = isClockNews ? min(instant, clock.wall) : instant }
      },
      freeBytes: { nil },
      log: { [unowned self] line in
        if !isDead, line.text.hasPrefix(EngineCore.stuck) { audit.fail("I1", line.text) }
      })
    ports.writeSummary = { [unowned self] contact, day in
      reach {
        summaries.append(
          .sendSummary(contact: contact, day, text: "Summary of \(day) for \(contact)"))
      }
    }
    return ports
  }

  private func record(_ records: [Record], _ changes: StateDelta) throws {
    if let disk, !isDead, let plannedCrash, plannedCrash.calls <= 0 {
      try dieWriting(records, changes, to: disk)
    }
    killIfDue()
    if isDead { throw Dead() }
    if clock.time < slowness.until {
      clock.advance(to: clock.time + slowness.milliseconds)
      audit.time = clock.time
    }
    if clock.time < unwritableUntil {
      audit.wasUnwritable = true
      guard let disk else { throw DiskError() }
      try writeFailing(records, changes, to: disk)
    } else {
      try store.record(records, changes)
    }
    audit.recorded(records, changes)
    killIfDue()
    if isDead { throw Dead() }
  }

  /// Kills the daemon during a write, after a random number of operations of the disk. As a result,
  /// the daemon ends before, during or after the commit.
  private func dieWriting(
    _ records: [Record], _ changes: StateDelta, to disk: any BreakableStore
  ) throws {
    var random = chance(1)
    isDead = true
    let isPurge = records.contains { $0.event.type == "purged" }
    var disk = disk
    disk.stop(afterOperations: Int(random.roll(0...(isPurge ? 200 : 12))))
    audit.doubt(records, changes)
    try disk.record(records, changes)
    throw Dead()
  }

  /// Makes the disk fail during a write. A random number determines the first operation that fails.
  /// This operation is a part of the transaction, or it follows the transaction.
  private func writeFailing(
    _ records: [Record], _ changes: StateDelta, to disk: any BreakableStore
  ) throws {
    var random = chance(2)
    var disk = disk
    disk.fail(afterOperations: Int(random.roll(0...9)), isBroken: random.chance(50))
    defer { disk.mend() }
    do {
      try disk.record(records, changes)
    } catch {
      audit.doubt(records, changes)
      throw error
    }
  }

  /// Carries out an effect of the daemon, for example a notification. If the world kills the daemon
  /// before the effect, the effect does not occur.
  private func reach(_ work: () -> Void) {
    killIfDue()
    if isDead { return }
    work()
    killIfDue()
  }

  private func killIfDue() {
    guard !isDead, let calls = plannedCrash?.calls else { return }
    if calls <= 0 { isDead = true } else { plannedCrash?.calls -= 1 }
  }
}
