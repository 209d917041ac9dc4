import Alarms
import CFaultyDisk
import GRDB
import Glibc
import Testing

@testable import Logbook
@testable import Simulation

/// The record of the shipped Logbook, on a disk that loses what was not synced.
final class FaultyRecord: BreakableStore {
  private let directory: String
  private let disk: OpaquePointer
  private let pragma: String
  private var logbook: Logbook?
  private var dice: Dice
  private(set) var lostBytes = 0
  private(set) var cuts = 0

  /// - Parameter pragma: spoils what the Logbook has set, for a control.
  init(seed: UInt64, pragma: String = "") throws {
    var template = Array("/tmp/simulation-XXXXXX".utf8CString)
    directory = String(cString: try #require(mkdtemp(&template)))
    disk = try #require(faulty_disk_create(directory))
    self.pragma = pragma
    dice = Dice(seed: seed, about: 99)
  }

  deinit {
    faulty_disk_stop_after(disk, 0)
    try? logbook?.pool.close()
    faulty_disk_destroy(disk)
    for name in ["", "-wal", "-shm", "-journal"] { unlink("\(directory)/record.sqlite\(name)") }
    rmdir(directory)
  }

  var operations: Int { faulty_disk_operations(disk) }
  var count: Int { logbook.map { Int($0.head.sequence) } ?? 0 }

  func record(_ records: [Alarms.Record], _ changes: HomeChanges) throws {
    try logbook?.record(records, changes)
  }

  /// Opens the record as a start of the daemon does; now and then the power goes in the middle.
  func restore() throws -> HomeSnapshot {
    while dice.chance(15) {
      stop(afterOperations: Int(dice.roll(0...20)))
      logbook = try? open()
      die(losingPower: dice.next())
    }
    let logbook = try open()
    self.logbook = logbook
    return try logbook.restore()
  }

  private func open() throws -> Logbook {
    let logbook = try Logbook(directory: directory)
    if !pragma.isEmpty {
      try logbook.pool.writeWithoutTransaction { try $0.execute(sql: pragma) }
    }
    return logbook
  }

  /// What the record itself says of its chain and its projections.
  func verify() throws -> Verification { try (logbook ?? open()).verify() }

  func stop(afterOperations: Int) { faulty_disk_stop_after(disk, afterOperations) }

  func die(losingPower seed: UInt64?) {
    // Closing writes; a process that has gone does not.
    faulty_disk_stop_after(disk, 0)
    try? logbook?.pool.close()
    logbook = nil
    guard let seed else {
      #expect(faulty_disk_restart(disk) == 0)
      return
    }
    #expect(faulty_disk_lose_power(disk, seed) == 0)
    lostBytes += faulty_disk_lost_bytes(disk)
    cuts += 1
  }

  func fail(afterOperations: Int, isBroken: Bool) {
    faulty_disk_fail_after(disk, afterOperations, isBroken ? 1 : 0)
  }

  func mend() { faulty_disk_mend(disk) }
}
