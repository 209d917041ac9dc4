import CivilTime

/// A purge of the beginning of the record, with the proof of the rows that stay.
///
/// Rows up to `throughSequence` are removed, except the rows from which present alarms, people and
/// open prompts follow. Those rows stay in place and unchanged. `keptDigest` proves which rows they
/// are, so that nobody can add, remove or change one later.
public struct Purge: Hashable, Sendable {
  /// Last row of the purged beginning. It always stays, because the hash chain continues from it.
  public var throughSequence: Int64
  /// When that row was written, by the clock at that time.
  public var throughAt: Instant
  /// Time of the record's first row whose clock state was not `unset`, with the zone offset then.
  ///
  /// The first day of an export is counted from it. nil if the beginning has no such row.
  public var firstAt: Instant?
  public var firstOffsetSeconds: Int
  /// Occurrences of living alarms that were due before this instant are over.
  ///
  /// No row says so after the purge. nil if no time source confirmed the clock at that time: a
  /// clock that was ahead would silence future occurrences.
  public var closedBefore: Instant?
  /// Number of rows of the beginning that stay.
  public var kept: Int
  /// SHA-256 over the hashes of those rows, in order, in hex.
  public var keptDigest: String
  /// SHA-256 of the archive file with the removed rows, in hex.
  public var archiveSHA256: String

  /// Number of rows that were removed.
  public var gone: Int64 { throughSequence - Int64(kept) }

  public init(
    throughSequence: Int64, throughAt: Instant, firstAt: Instant?, firstOffsetSeconds: Int,
    closedBefore: Instant? = nil, kept: Int, keptDigest: String, archiveSHA256: String
  ) {
    self.throughSequence = throughSequence
    self.throughAt = throughAt
    self.firstAt = firstAt
    self.firstOffsetSeconds = firstOffsetSeconds
    self.closedBefore = closedBefore
    self.kept = kept
    self.keptDigest = keptDigest
    self.archiveSHA256 = archiveSHA256
  }
}

/// Due times of one alarm that were over when the record was purged.
struct PurgedTimes: Sendable, Hashable {
  var instants: Range<Instant>
  /// The same times as `PromptID.nominalKey`.
  var nominals: Range<Int64>
}

extension HomeState {
  /// Why nothing may be purged at an instant: a study is open. nil if no study is open.
  public func openStudy(at instant: Instant) -> String? {
    for state in people.values.sorted(by: { $0.id.text < $1.id.text }) {
      if let part = state.enrolments.last, part.isOpen(at: instant) {
        return "\"\(state.id)\" takes part in the study \"\(part.study)\""
          + (part.to.map { " until \($0)" } ?? ", which has no end date")
      }
      if let phase = state.phases.last, phase.to.map({ instant < $0 }) ?? true {
        return "a \(phase.kind.rawValue) phase of \"\(state.id)\" is not over"
      }
    }
    return nil
  }

  /// Refuses a purge while a study is open.
  ///
  /// - Throws: `.inUse`.
  public func requireNoOpenStudy(at instant: Instant) throws(Refusal) {
    guard let why = openStudy(at: instant) else { return }
    throw Refusal(.inUse, "cannot purge: \(why); wait for the end of the study, or end it first")
  }

  /// Marks occurrences that were over when the record was purged.
  ///
  /// None of them rings again, however the clock is set.
  mutating func markPurged(_ snapshot: HomeSnapshot, _ environment: Environment) {
    for (id, over) in snapshot.purged {
      guard let alarm = entries[id]?.alarm, let zone = environment.zone(of: alarm) else {
        continue
      }
      let ends = [over.lowerBound, over.upperBound].map {
        PromptID(alarm: id, nominal: zone.civil(at: $0).dateTime, fold: 0).nominalKey
      }
      entries[id]?.purged = PurgedTimes(instants: over, nominals: ends[0]..<max(ends[0], ends[1]))
    }
  }
}

extension Transition {
  mutating func purge(_ purge: Purge) throws(Refusal) {
    try home.requireNoOpenStudy(at: wall)
    var purge = purge
    purge.closedBefore = reading.clockState == .synced ? min(purge.throughAt, wall) : nil
    emit(.purged(purge))
    reply = .done
  }
}
