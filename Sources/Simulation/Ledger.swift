import Alarms
import CivilTime

/// The study record, as the daemon's ports need it and as the audit looks into it.
public protocol RecordStore: AnyObject {
  func record(_ records: [Record], _ changes: HomeChanges) throws
  func restore() throws -> HomeSnapshot
  /// How many facts it holds.
  var count: Int { get }
}

/// A record on a disk that can be stopped in the middle of a write, lose its power, fill up and fail.
public protocol BreakableStore: RecordStore {
  /// After so many more operations of the disk nothing reaches it any more.
  func stop(afterOperations: Int)
  /// The process has ended and whatever it had open is closed; with a seed the power has gone too, and
  /// with it a part of what was not synced.
  func die(losingPower seed: UInt64?)
  /// After so many more operations each one fails, until `mend`.
  func fail(afterOperations: Int, isBroken: Bool)
  func mend()
}

/// A record in memory with the contract of the Logbook: all of a batch or none, state restored from
/// the projections and not from the facts.
///
/// A thousand times faster than a disk. A part of the worlds runs on the real one instead.
public final class Ledger: RecordStore {
  private var alarms: [AlarmID: Alarm] = [:]
  private var open: [PromptID: Prompt] = [:]
  private var closedNominals: [AlarmID: Set<Int64>] = [:]
  private var tones: [String: Tone] = [:]
  private var last: HomeSnapshot.LastRecord?
  public private(set) var count = 0

  public init() {}

  public func record(_ records: [Record], _ changes: HomeChanges) {
    count += records.count
    for (id, alarm) in changes.alarms { alarms[id] = alarm }
    for (id, prompt) in changes.prompts {
      open[id] = prompt.phase.isOpen ? prompt : nil
      if prompt.phase.isOpen || prompt.mayComeAgain {
        closedNominals[id.alarm]?.remove(id.nominalKey)
      } else {
        closedNominals[id.alarm, default: []].insert(id.nominalKey)
      }
    }
    for id in changes.deletedAlarms {
      alarms[id] = nil
      closedNominals[id] = nil
    }
    for name in changes.removedTones { tones[name] = nil }
    for (name, tone) in changes.tones { tones[name] = tone }
    if let record = records.last {
      last = .init(moment: record.moment, type: record.fact.type)
    }
  }

  public func restore() -> HomeSnapshot {
    HomeSnapshot(
      alarms: alarms.values.sorted { $0.id < $1.id },
      openPrompts: open.values.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) },
      closedNominals: closedNominals, tones: tones.values.sorted { $0.name < $1.name },
      lastRecord: last)
  }
}
