import Alarms
import CivilTime

/// A record of a simulated home, with the functions that the ports and the audit call.
public protocol RecordStore {
  mutating func record(_ records: [Record], _ changes: StateDelta) throws
  func restore() throws -> HomeSnapshot
  /// The number of events in the record.
  var count: Int { get }
  /// Checks the content of the record. Returns a description of the first fault; nil if there is no
  /// fault.
  func fault() throws -> String?
}

/// A record on a simulated disk that can fail.
///
/// The disk can stop during a write, lose power, be full, or fail.
public protocol BreakableStore: RecordStore, AnyObject {
  /// Stops the disk after the next `afterOperations` operations. A stopped disk stores no more
  /// data.
  func stop(afterOperations: Int)
  /// Simulates the end of the process. If `seed` is not nil, the power also fails, and a part of
  /// the data that was not synced is lost.
  func die(losingPower seed: UInt64?)
  /// Makes the disk fail after the next `afterOperations` operations. From then on, all operations
  /// fail until a call of `mend`. If `isBroken` is true, the operations fail as on a broken disk.
  /// Otherwise, the operations fail as on a full disk.
  func fail(afterOperations: Int, isBroken: Bool)
  func mend()
  /// Plans a purge, and proves that the daemon could still compute the present state after the
  /// purge.
  ///
  /// - Returns: nil if the purge would remove no rows.
  func planPurge(before instant: Instant) throws -> PreparedPurge?
  /// Computes the next part of a purge from the present content of the record. The result is nil if
  /// the purge is complete.
  func nextPurge(_ plan: PreparedPurge) throws -> Purge?
  /// Removes the unused pages from the database file, so that the file becomes smaller.
  func reclaimSpace() throws
}

/// A plan of a purge. `planPurge` has proven that the daemon can still compute the present state
/// after the purge.
public struct PreparedPurge: Sendable {
  /// The sequence number of the last row that the purge covers.
  public var throughSequence: Int64
  /// The SHA-256 of the archive of the purge, in hex.
  public var archiveSHA256: String

  public init(throughSequence: Int64, archiveSHA256: String) {
    self.throughSequence = throughSequence
    self.archiveSHA256 = archiveSHA256
  }
}

/// A record in memory that behaves like `Logbook`.
///
/// The daemon hands over the events of one decision together, as a batch. The record accepts either
/// all events of a batch or no event of the batch. The record stores only the projections, and does
/// not store the events. A record in memory is many times faster than a record on a disk. Some
/// simulated homes use the type `DiskRecord` with a record on a disk.
public struct MemoryStore: RecordStore {
  private var alarms: [AlarmID: Alarm] = [:]
  private var open: [PromptID: Prompt] = [:]
  /// The closed prompts whose answers can still be undone.
  private var answered: [PromptID: Prompt] = [:]
  private var closedNominals: [AlarmID: Set<Int64>] = [:]
  private var closedInstants: [AlarmID: Set<Instant>] = [:]
  private var unheardNominals: [AlarmID: Set<Int64>] = [:]
  private var unheardInstants: [AlarmID: [Int64: Instant]] = [:]
  private var tones: [String: Tone] = [:]
  private var holidays: [String: HolidayList] = [:]
  private var people: [PersonID: PersonState] = [:]
  /// The newest rows of the record (see `rowsLookedAt`) that contain the start of a ring or a clock
  /// step.
  private var pulse: [Beat] = []
  /// For each prompt, true if its newest ring is a repetition.
  private var repetitions: [PromptID: Bool] = [:]
  private var last: HomeSnapshot.LastRecord?
  private var notifications = UnconfirmedTally()
  private var notices = NoticeBook()
  private var supplies: [SupplyID: Supply] = [:]
  public private(set) var count = 0

  private struct Beat {
    var row: Int
    /// The person for whom a ring started; nil for a clock step.
    var person: PersonID?
    var wall: Instant
    var step: Int64 = 0
    var isRepetition = false
    var alarm: AlarmID?
  }

  /// The maximum number of rows in which the store searches for recent rings. The store searches
  /// only the newest rows. `Logbook` uses the same number.
  private static let rowsLookedAt = 10_000

  public init() {}

  public func fault() -> String? { nil }

  public mutating func record(_ records: [Record], _ changes: StateDelta) {
    for record in records {
      count += 1
      notifications.apply(record.event)
      notices.apply(record.event, at: record.reading.wall, by: record.actor.role)
      switch record.event {
      case .ringIntent(let id, let ring, _): repetitions[id] = ring.isRepetition
      case .ringStarted(let id, _, _, _):
        guard let person = record.person else { continue }
        pulse.append(
          Beat(
            row: count, person: person, wall: record.reading.wall,
            isRepetition: repetitions[id] ?? false, alarm: id.alarm))
      case .clockStep(let milliseconds):
        pulse.append(Beat(row: count, person: nil, wall: record.reading.wall, step: milliseconds))
      default: break
      }
    }
    if pulse.count > Self.rowsLookedAt { forgetOldBeats() }
    people.merge(changes.people) { _, new in new }
    for (id, alarm) in changes.alarms { alarms[id] = alarm }
    for (id, prompt) in changes.prompts {
      open[id] = prompt.state.isOpen ? prompt : nil
      answered[id] = !prompt.state.isOpen && prompt.lastAnswer?.before != nil ? prompt : nil
      if closedNominals[id.alarm]?.remove(id.nominalKey) != nil {
        closedInstants[id.alarm]?.remove(prompt.dueAt)
      }
      unheardNominals[id.alarm]?.remove(id.nominalKey)
      unheardInstants[id.alarm]?[id.nominalKey] = nil
      if prompt.canBePlannedAgain {
        unheardNominals[id.alarm, default: []].insert(id.nominalKey)
        unheardInstants[id.alarm, default: [:]][id.nominalKey] = prompt.dueAt
      } else if !prompt.state.isOpen {
        closedNominals[id.alarm, default: []].insert(id.nominalKey)
        closedInstants[id.alarm, default: []].insert(prompt.dueAt)
      }
    }
    for id in changes.deletedAlarms {
      alarms[id] = nil
      closedNominals[id] = nil
      closedInstants[id] = nil
      unheardNominals[id] = nil
      unheardInstants[id] = nil
    }
    for name in changes.removedTones { tones[name] = nil }
    for (name, tone) in changes.tones { tones[name] = tone }
    supplies.merge(changes.supplies) { _, new in new }
    for id in changes.removedSupplies { supplies[id] = nil }
    for (name, list) in changes.holidays { holidays[name] = list }
    if answered.count > 200 { answered = answered.filter { isRecent($0.value) } }
    if let record = records.last {
      last = .init(reading: record.reading.asRecorded, isServiceStop: record.event.isServiceStop)
    }
  }

  /// Returns the recent rings, which the daemon needs for the hourly limit. If a clock step
  /// followed a ring, the function adds the size of the clock step to the time of the ring.
  private func recentRings() -> RecentRings {
    var found: [(person: PersonID, ring: RecentRing)] = []
    var shift: Int64 = 0
    for beat in pulse.reversed() where beat.row > count - Self.rowsLookedAt {
      shift += beat.step
      guard let person = beat.person, let id = beat.alarm else { continue }
      let ring = RecentRing(
        at: beat.wall.adding(milliseconds: shift), isRepetition: beat.isRepetition,
        isTask: alarms[id]?.isAnnouncement == false)
      found.append((person, ring))
    }
    var rings = RecentRings()
    for (person, ring) in found.reversed() { rings.add(ring, of: person) }
    return rings
  }

  /// Returns true if the prompt was closed at most one minute before the newest row of the record.
  private func isRecent(_ prompt: Prompt) -> Bool {
    guard case .closed(_, _, let at) = prompt.state, let now = last?.reading.wall else {
      return false
    }
    return at >= now.adding(milliseconds: -LastAnswer.undoMilliseconds)
  }

  private mutating func forgetOldBeats() { pulse.removeAll { $0.row <= count - Self.rowsLookedAt } }

  public func restore() -> HomeSnapshot {
    var snapshot = HomeSnapshot(
      alarms: alarms.values.sorted { $0.id < $1.id },
      openPrompts: open.values.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) },
      answeredPrompts: answered.values.filter(isRecent).sorted {
        ($0.dueAt, $0.id) < ($1.dueAt, $1.id)
      },
      closedNominals: closedNominals,
      closedInstants: closedInstants.filter { alarms[$0.key]?.keepsInstants == true },
      unheardNominals: unheardNominals,
      unheardInstants: unheardInstants.filter { alarms[$0.key]?.keepsInstants == true }
        .mapValues { Set($0.values) },
      tones: tones.values.sorted { $0.name < $1.name },
      people: Array(people.values), recentRings: recentRings(), lastRecord: last)
    snapshot.unconfirmed = notifications.unconfirmed
    snapshot.notices = notices
    snapshot.supplies = supplies.values.sorted { $0.id < $1.id }
    snapshot.holidays = holidays.values.sorted { $0.name < $1.name }
    return snapshot
  }
}
