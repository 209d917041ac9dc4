import Alarms
import CFaultyDisk
import CivilTime
import FileSystem
import Glibc
import Logbook
import Simulation

/// A record that the real module Logbook keeps on a simulated disk with faults.
///
/// The faults of the disk are:
/// - If a write was not synced, a power failure can remove the whole write or some of its sectors.
/// - The disk can become full.
/// - Each operation of the disk can fail.
public final class DiskRecord: BreakableStore {
  private let directory: String
  private let disk: OpaquePointer
  private let prepare: (Logbook) throws -> Void
  private var logbook: Logbook?
  private var random: SeededRandom
  /// The first error that reports a damaged record; nil if no error has reported damage. The
  /// simulation never damages synced data, so each of these errors shows a bug in the logbook.
  private var damage: String?
  /// The number of bytes that the power failures have removed or damaged so far.
  public private(set) var lostBytes = 0
  public private(set) var cuts = 0

  /// - Parameter prepare: a function that runs after each opening of the record. A test of the
  ///   simulation uses this function to damage the record.
  /// - Throws: `NoDisk` if the machine has no space for the simulated disk.
  public init(seed: UInt64, prepare: @escaping (Logbook) throws -> Void = { _ in }) throws {
    var template = Array("/tmp/simulation-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw NoDisk(code: errno) }
    directory = String(cString: path)
    guard let disk = faulty_disk_create(directory) else {
      rmdir(directory)
      throw NoDisk(code: ENOMEM)
    }
    self.disk = disk
    self.prepare = prepare
    random = SeededRandom(seed: seed, about: 99)
  }

  deinit {
    faulty_disk_stop_after(disk, 0)
    abandon()
    faulty_disk_destroy(disk)
    removeTree(directory)
  }

  public var count: Int { logbook.map { Int($0.head.sequence) } ?? 0 }

  public func record(_ records: [Alarms.Record], _ changes: StateDelta) throws {
    try logbook?.record(records, changes)
    if random.chance(1) { try updateReplica() }
  }

  /// Updates the replica. If the update reports a damaged record, the function stores this error in
  /// `damage`. The function ignores all other errors, because the real daemon tries the update
  /// again later.
  private func updateReplica() throws {
    do throws(LogbookError) {
      try logbook?.updateReplica(directory: directory)
    } catch {
      if case .corrupt = error { damage = error.description }
    }
  }

  /// Opens the record in the same way as a daemon that starts. At random, the simulated process
  /// ends or the simulated power fails before the record is open. After each of these faults, the
  /// function opens the record again.
  public func restore() throws -> HomeSnapshot {
    while random.chance(15) {
      stop(afterOperations: Int(random.roll(0...20)))
      logbook = try? open().logbook
      die(losingPower: random.next())
    }
    let opened = try open()
    logbook = opened.logbook
    if let notice = opened.notices.first { damage = notice }
    return opened.snapshot
  }

  private func open() throws -> OpenedRecord {
    let opened = try Logbook.opening(directory: directory, refuge: nil, now: Int64(cuts))
    try prepare(opened.logbook)
    return opened
  }

  /// Verifies the hash chain, the projections and the replica.
  public func fault() throws -> String? {
    if logbook == nil { logbook = try open().logbook }
    try updateReplica()
    return try damage ?? logbook?.verify().problem
  }

  public func planPurge(before instant: Instant) throws -> PreparedPurge? {
    guard let logbook else { return nil }
    let through = try logbook.purgePlan(before: instant)
    guard through.throughAt != nil else { return nil }
    let digest = try logbook.rowArchive(through: through.throughSequence).digest()
    try logbook.provePurge(through: through.throughSequence)
    try updateReplica()
    return PreparedPurge(throughSequence: through.throughSequence, archiveSHA256: digest)
  }

  public func nextPurge(_ plan: PreparedPurge) throws -> Purge? {
    try logbook?.nextPurge(
      through: plan.throughSequence, archive: plan.archiveSHA256, rows: 300)
  }

  public func reclaimSpace() throws { try logbook?.reclaimSpace() }

  public func stop(afterOperations: Int) { faulty_disk_stop_after(disk, afterOperations) }

  public func die(losingPower seed: UInt64?) {
    if random.chance(30) {
      stop(afterOperations: Int(random.roll(0...60)))
      if random.chance(20) { try? logbook?.reclaimSpace() }
      try? logbook?.updateReplica(directory: directory)
    }
    // Stop the disk before SQLite closes the database. When SQLite closes a database, SQLite writes
    // to the disk. But the world killed the simulated process, and a killed process cannot write.
    faulty_disk_stop_after(disk, 0)
    abandon()
    guard let seed else {
      precondition(faulty_disk_restart(disk) == 0, "cannot start the simulated disk again")
      return
    }
    precondition(faulty_disk_lose_power(disk, seed) == 0, "cannot start the simulated disk again")
    lostBytes += faulty_disk_lost_bytes(disk)
    cuts += 1
  }

  /// Closes the record after the simulated disk has stopped. A write to a stopped disk fails, so
  /// the function ignores errors.
  private func abandon() {
    try? logbook?.abandon()
    logbook = nil
  }

  public func fail(afterOperations: Int, isBroken: Bool) {
    faulty_disk_fail_after(disk, afterOperations, isBroken ? 1 : 0)
  }

  public func mend() { faulty_disk_mend(disk) }
}

/// The error that `DiskRecord` throws if the machine has no space for the simulated disk.
public struct NoDisk: Error, CustomStringConvertible {
  var code: Int32

  public var description: String {
    "cannot create the simulated disk: \(String(cString: strerror(code)))"
  }
}
