import API
import Alarms
import CLinux
import Dispatch
import Glibc
import Logbook
import Logging
import Platform
import ServiceLifecycle
import Synchronization
import Systemd

/// Maintains the record. The service keeps a reserve of disk space, copies the record to the
/// replica, and verifies the whole record once after each start.
final class RecordMaintenance: Service {
  private let logbook: Logbook
  private let directory: String
  private let reserve: DiskReserve
  private let manager: ServiceManager
  private let logger: Logger
  /// Messages from the start of the daemon. The daemon logs each message once, and shows all
  /// messages in the status.
  private let notified: [String]
  private let heartbeats = Mutex(0)
  /// The state of the home that the daemon read from the record at its start. The state needs much
  /// memory, so `takeSnapshot` removes it from this property.
  private let snapshot: Mutex<HomeSnapshot?>
  private let damage = Mutex<String?>(nil)
  /// A fault that the verification found outside the rows of the record; nil if the verification
  /// found no such fault.
  private let finding = Mutex<String?>(nil)
  private let files: StoredFileCheck
  private let wanted: AsyncStream<Void>
  private let want: AsyncStream<Void>.Continuation
  private let queue = DispatchQueue(label: "replica", qos: .utility)

  /// The number of heartbeats between two copies of the record to the replica. The heartbeats are
  /// 15 minutes apart, so the copies are 4 hours apart.
  ///
  /// After each change of the alarms, the daemon makes an additional copy.
  private static let heartbeatsBetweenCopies = 16
  /// The delay before a copy to the replica, in milliseconds.
  ///
  /// If several changes happen during the delay, one copy includes all these changes. At the start
  /// of the daemon, more important work can run during the delay.
  private static let pause = 5_000
  /// The time from the end of the first copy to the replica to the start of the full verification,
  /// in milliseconds. During this time, the daemon can do other work that is more urgent after its
  /// start.
  private static let pauseBeforeVerification = 20_000

  init(
    _ opened: OpenedRecord, files: StoredFileCheck, directory: String, reserve: DiskReserve,
    manager: ServiceManager, logger: Logger
  ) {
    logbook = opened.logbook
    self.files = files
    snapshot = Mutex(opened.snapshot)
    self.directory = directory
    self.manager = manager
    self.logger = logger
    notified = opened.notices
    self.reserve = reserve
    (wanted, want) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    for notice in notified { logger.error("\(notice)") }
  }

  /// Returns the state of the home. The first call returns the state that the daemon read at its
  /// start. Each later call reads the state from the record again.
  func takeSnapshot() throws -> HomeSnapshot {
    let first = snapshot.withLock { snapshot in
      defer { snapshot = nil }
      return snapshot
    }
    return try first ?? logbook.restore()
  }

  /// The problems to show to the person who maintains the device, one sentence each.
  var notices: [StatusProblem] {
    var notices = notified.map { StatusProblem(.recordNotice, $0) }
    if notices.isEmpty {
      notices += Logbook.damagedRecords(in: directory).map {
        .init(
          .recordNotice,
          "the record was damaged and has been recovered; the damaged file is \(directory)/\($0); "
            + "move or delete it to end this message")
      }
    }
    if let damage = damage.withLock({ $0 }) {
      notices.append(.init(.recordDamaged, "the record is damaged: \(damage)"))
    }
    if let finding = finding.withLock({ $0 }) {
      notices.append(.init(.recordNotice, "the record is not complete: \(finding)"))
    }
    if let lowSpaceReason { notices.append(.init(.diskFull, lowSpaceReason)) }
    return notices
  }

  /// True if the daemon has found an error in the record since the start of the daemon.
  var isDamaged: Bool { damage.withLock { $0 != nil } }

  /// The reason why the daemon refuses changes by a caretaker; nil if the daemon accepts changes.
  var lowSpaceReason: String? {
    reserve.isSpent
      ? "the disk is full, and the remaining space is kept for the record; free some space" : nil
  }

  /// Writes events to the record. If the disk is full, the function releases the reserve and writes
  /// again.
  func record(_ records: [Record], _ changes: StateDelta) throws {
    do throws(LogbookError) {
      try logbook.record(records, changes)
    } catch {
      guard case .full = error, reserve.release() else { throw error }
      logger.error("the disk is full: the daemon uses the reserved space for the record")
      try logbook.record(records, changes)
    }
    let needsCopy = records.contains { $0.event.changesAlarms || $0.event.destroys }
    if needsCopy || countHeartbeat(in: records) { want.yield() }
  }

  /// Counts the heartbeat in `records`, if there is one. At a heartbeat, the function also creates
  /// the reserve file again if this file is missing and the disk has enough space.
  ///
  /// - Returns: true if the next copy to the replica is due.
  private func countHeartbeat(in records: [Record]) -> Bool {
    guard records.contains(where: { $0.event == .heartbeat }) else { return false }
    reserve.refill()
    return heartbeats.withLock { heartbeats in
      heartbeats += 1
      return heartbeats % Self.heartbeatsBetweenCopies == 0
    }
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { [self] in
      guard await hasSlept(milliseconds: Self.pause) else { return }
      await onQueue { [self] in updateReplica() }
      guard await hasSlept(milliseconds: Self.pauseBeforeVerification) else { return }
      await onQueue { [self] in verifyRecord() }
      for await _ in wanted {
        guard await hasSlept(milliseconds: Self.pause) else { return }
        await onQueue { [self] in updateReplica() }
      }
    }
  }

  /// Verifies the whole record. A full verification takes a long time. Therefore, it runs after the
  /// start of the daemon and does not delay the start. If the record is damaged, the daemon
  /// recovers the record at its next start.
  private func verifyRecord() {
    guard !logbook.isDetached else { return }
    do {
      let verdict = try files.completing(logbook.verify(isAwaited: false))
      // The verification used much memory. Return the free memory to the kernel.
      prompter_return_memory()
      if let problem = verdict.problem { return reportDamage(problem) }
      // A finding is a fault outside the rows of the record. The events are correct, so a recovery
      // would change nothing.
      if let fault = verdict.finding {
        logger.error("the record is not complete: \(fault.problem)")
        finding.withLock { $0 = fault.problem }
      }
    } catch {
      logger.error("cannot verify the record: \(error)")
    }
  }

  private func updateReplica() {
    // When this function ends, return the free memory of the process to the kernel. At that time,
    // the copy to the replica no longer needs this memory.
    defer { prompter_return_memory() }
    guard !logbook.isDetached, damage.withLock({ $0 }) == nil else { return }
    do throws(LogbookError) {
      try logbook.updateReplica(directory: directory)
    } catch {
      if case .corrupt(_, let reason) = error { return reportDamage(reason) }
      logger.warning("\(error)")
    }
  }

  private func reportDamage(_ problem: String) {
    logger.error("the record is damaged: \(problem)")
    damage.withLock { $0 = problem }
    do {
      try Logbook.markDamaged(directory: directory, because: problem)
    } catch {
      logger.error("\(error)")
      return
    }
    // The daemon recovers the record at its next start. After the signal SIGTERM, the service
    // manager restarts the daemon. Without a service manager, nothing would restart the daemon, so
    // the daemon continues to run.
    if manager.isPresent { kill(getpid(), SIGTERM) }
  }

  private func onQueue(_ work: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      queue.async {
        work()
        continuation.resume()
      }
    }
  }
}

extension Event {
  /// True if the event changes the alarms, recordings or people.
  fileprivate var changesAlarms: Bool {
    switch self {
    case .alarmCreated, .alarmEdited, .alarmDeleted, .toneAdded, .toneRemoved, .personAdded,
      .personChanged, .personRemoved, .personPaused, .personResumed, .phaseChanged:
      true
    default: false
    }
  }

  /// True if the event removed data from the record. Until the next copy, the replica still
  /// contains these data.
  fileprivate var destroys: Bool {
    switch self {
    case .erased, .rekeyed, .purged: true
    default: false
    }
  }
}
