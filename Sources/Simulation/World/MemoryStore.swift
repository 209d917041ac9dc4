import Alarms
import CivilTime

/// The study record with the functions that the ports and the audit need.
public protocol RecordStore: AnyObject {
  func record(_ records: [Record], _ changes: StateDelta) throws
  func restore() throws -> HomeSnapshot
  /// The number of events in the record.
  var count: Int { get }
  /// The first error that the record finds in its own content; nil if there is none.
  func fault() throws -> String?
}

/// A record on a disk with faults.
///
/// The disk can stop during a write, lose power, become full and fail.
public protocol BreakableStore: RecordStore {
  /// Stops the disk after this number of further operations. Later writes do not reach the disk.
  func stop(afterOperations: Int)
  /// Ends the process and closes its files. If `seed` is not nil, the power fails too. In this case
  /// a part of the data that was not synced is lost.
  func die(losingPower seed: UInt64?)
  /// Lets this number of further operations succeed, and then makes all operations fail until
  /// `mend`.
  func fail(afterOperations: Int, isBroken: Bool)
  func mend()
  /// Plans a purge, and proves that the remaining events give the present state.
  ///
  /// - Returns: nil if no row can be purged.
  func planPurge(before instant: Instant) throws -> PreparedPurge?
  /// The next piece of a purge, computed from the present record; nil if the purge is complete.
  func nextPurge(_ plan: PreparedPurge) throws -> Purge?
  /// Returns the free space of the database file to the disk.
  func reclaimSpace() throws
}

/// A purge that was planned and proven.
public struct PreparedPurge: Sendable {
  /// The number of the last row to purge.
  public var throughSequence: Int64
  /// SHA-256 of the archive with all purged rows, in hex.
  public var archiveSHA256: String

  public init(throughSequence: Int64, archiveSHA256: String) {
    self.throughSequence = throughSequence
    self.archiveSHA256 = archiveSHA256
  }
}

/// A record in memory that behaves like `Logbook`.
///
/// The record writes a whole batch or nothing. A restore reads the projections and not the events.
/// A record in memory is many times faster than a record on a disk. Some simulated homes use a
/// record on a simulated disk instead.
public final class MemoryStore: RecordStore {
  private var alarms: [AlarmID: Alarm] = [:]
  private var open: [PromptID: Prompt] = [:]
  /// Closed prompts whose answers can still be undone.
  private var answered: [PromptID: Prompt] = [:]
  private var closedNominals: [AlarmID: Set<Int64>] = [:]
  private var closedInstants: [AlarmID: Set<Instant>] = [:]
  private var unheardNominals: [AlarmID: Set<Int64>] = [:]
  private var unheardInstants: [AlarmID: [Int64: Instant]] = [:]
  private var tones: [String: Tone] = [:]
  private var people: [PersonID: PersonState] = [:]
  /// The starts of rings and the clock steps in the newest rows.
  private var pulse: [Beat] = []
  /// True for each prompt whose newest ring is a repetition.
  private var repetitions: [PromptID: Bool] = [:]
  private var last: HomeSnapshot.LastRecord?
  private var notifications = UnconfirmedTally()
  public private(set) var count = 0

  private struct Beat {
    var row: Int
    /// The person for whom a ring began; nil for a clock step.
    var person: PersonID?
    var wall: Instant
    var step: Int64 = 0
    var isRepetition = false
    var alarm: AlarmID?
  }

  /// The number of newest rows in which the logbook searches for rings of the last hour.
  private static let rowsLookedAt = 10_000

  public init() {}

  public func fault() -> String? { nil }

  public func record(_ records: [Record], _ changes: StateDelta) {
    for record in records {
      count += 1
      notifications.apply(record.event)
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
    if answered.count > 200 { answered = answered.filter { isRecent($0.value) } }
    if let record = records.last {
      last = .init(reading: record.reading.asRecorded, isServiceStop: record.event.isServiceStop)
    }
  }

  /// The rings that the hourly limit counts. The function moves the time of a ring by each later
  /// clock step.
  private func recentRings() -> RecentRings {
    forgetOldBeats()
    var found: [(person: PersonID, ring: RecentRing)] = []
    var shift: Int64 = 0
    for beat in pulse.reversed() {
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

  /// True if the prompt was closed in the last minute before the newest row.
  private func isRecent(_ prompt: Prompt) -> Bool {
    guard case .closed(_, _, let at) = prompt.state, let now = last?.reading.wall else {
      return false
    }
    return at >= now.adding(milliseconds: -LastAnswer.undoMilliseconds)
  }

  private func forgetOldBeats() { pulse.removeAll { $0.row <= count - Self.rowsLookedAt } }

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
    return snapshot
  }
}
