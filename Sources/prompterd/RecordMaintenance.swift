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

/// Looks after the record beyond its next row: room for it on the disk, a second copy, and a look at all of it
/// once after each start.
final class RecordMaintenance: Service {
  private let logbook: Logbook
  private let directory: String
  private let reserve: DiskReserve
  private let manager: ServiceManager
  private let logger: Logger
  /// Said once at the start, and shown for as long as the daemon runs.
  private let notified: [String]
  private let heartbeats = Mutex(0)
  /// What the home begins with; large, and nobody's once it has begun.
  private let snapshot: Mutex<HomeSnapshot?>
  private let damage = Mutex<String?>(nil)
  private let wanted: AsyncStream<Void>
  private let want: AsyncStream<Void>.Continuation
  private let queue = DispatchQueue(label: "second copy", qos: .utility)

  /// The second copy follows this often, in heartbeats of 15 minutes, and after each change of what rings.
  private static let heartbeatsBetweenCopies = 16
  /// Changes come in crowds, and a start has better things to do, in milliseconds.
  private static let pause = 5_000
  /// A look at all of it can wait until the start is over, in milliseconds.
  private static let pauseBeforeLook = 20_000

  init(
    _ opened: OpenedRecord, directory: String, reserve: DiskReserve, manager: ServiceManager,
    logger: Logger
  ) {
    logbook = opened.logbook
    snapshot = Mutex(opened.snapshot)
    self.directory = directory
    self.manager = manager
    self.logger = logger
    notified = opened.notices
    self.reserve = reserve
    (wanted, want) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    for notice in notified { logger.error("\(notice)") }
  }

  /// What was restored, once; after that the record is asked.
  func takeSnapshot() throws -> HomeSnapshot {
    let first = snapshot.withLock { snapshot in
      defer { snapshot = nil }
      return snapshot
    }
    return try first ?? logbook.restore()
  }

  /// What whoever looks after the device should know, a sentence each.
  var notices: [StatusProblem] {
    var notices = notified.map { StatusProblem(.recordNotice, $0) }
    if notices.isEmpty {
      notices += Logbook.damagedRecords(in: directory).map {
        .init(
          .recordNotice,
          "the record was damaged once and recovered; what was damaged is in \(directory)/\($0), "
            + "and this is said until it is taken away")
      }
    }
    if let damage = damage.withLock({ $0 }) {
      notices.append(.init(.recordDamaged, "the record is damaged: \(damage)"))
    }
    if let lowSpaceReason { notices.append(.init(.diskFull, lowSpaceReason)) }
    return notices
  }

  /// Whether something was found wrong with the record since the start.
  var isDamaged: Bool { damage.withLock { $0 != nil } }

  /// Why what a caretaker sets cannot be taken; nil where it can.
  var lowSpaceReason: String? {
    reserve.isSpent
      ? "the disk is full; what room is left is kept for recording what happens" : nil
  }

  /// Writes the record, if need be into the room that was set aside.
  func record(_ records: [Record], _ changes: StateDelta) throws {
    do throws(LogbookError) {
      try logbook.record(records, changes)
    } catch {
      guard case .full = error, reserve.release() else { throw error }
      logger.error("the disk is full: what was set aside for the record is used now")
      try logbook.record(records, changes)
    }
    let isWanted = records.contains { $0.event.changesWhatRings || $0.event.destroys }
    if isWanted || countsAsTime(records) { want.yield() }
  }

  private func countsAsTime(_ records: [Record]) -> Bool {
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
      await onQueue { [self] in copy() }
      guard await hasSlept(milliseconds: Self.pauseBeforeLook) else { return }
      await onQueue { [self] in read() }
      for await _ in wanted {
        guard await hasSlept(milliseconds: Self.pause) else { return }
        await onQueue { [self] in copy() }
      }
    }
  }

  /// Proves the whole record; a start has no time for that. What is damaged is recovered by another start.
  private func read() {
    guard !logbook.isDetached else { return }
    do {
      let verdict = try logbook.verify(isAwaited: false)
      // Reading it all took memory that nothing else needs.
      prompter_return_memory()
      if let problem = verdict.problem { found(problem) }
    } catch {
      logger.error("cannot look through the record: \(error)")
    }
  }

  private func copy() {
    // What came and went since the last time is needed no more than what the copy takes.
    defer { prompter_return_memory() }
    guard !logbook.isDetached, damage.withLock({ $0 }) == nil else { return }
    do throws(LogbookError) {
      try logbook.updateReplica(directory: directory)
    } catch {
      if case .corrupt(_, let reason) = error { return found(reason) }
      logger.warning("\(error)")
    }
  }

  private func found(_ problem: String) {
    logger.error("the record is damaged: \(problem)")
    damage.withLock { $0 = problem }
    do {
      try Logbook.markDamaged(directory: directory, because: problem)
    } catch {
      logger.error("\(error)")
      return
    }
    // The next start recovers it; without somebody who starts us again, we had better go on.
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
  /// Whether another set of alarms, voices or people follows from it.
  fileprivate var changesWhatRings: Bool {
    switch self {
    case .alarmCreated, .alarmEdited, .alarmDeleted, .toneAdded, .toneRemoved, .personAdded,
      .personChanged, .personRemoved, .phaseChanged:
      true
    default: false
    }
  }

  /// Whether something is gone from the record that the second copy still holds.
  fileprivate var destroys: Bool {
    switch self {
    case .erased, .rekeyed, .purged: true
    default: false
    }
  }
}
