import CivilTime

/// A purge of the oldest rows of the record. The purge leaves some of these rows in the record.
///
/// The purge removes the rows up to `throughSequence`, but keeps the rows that a present alarm, a
/// person or an open prompt still needs. `keptDigest` is a digest of the rows that stay, so that
/// `verify` detects a later change of these rows.
public struct Purge: Hashable, Sendable {
  /// The sequence number of the last row of the purged part. This row always stays in the record,
  /// because the hash chain continues from this row.
  public var throughSequence: Int64
  /// The stored time of the row `throughSequence`.
  public var throughAt: Instant
  /// The time of the first row in the purged part that has a clock state other than `unset`.
  /// `firstOffsetSeconds` is the zone offset at this time.
  ///
  /// In an export, the local day of this time is day 1. If every row of the purged part has the
  /// clock state `unset`, the value is nil.
  public var firstAt: Instant?
  public var firstOffsetSeconds: Int
  /// The end of the purged period. The occurrences before this instant must not ring again.
  ///
  /// The daemon needs this instant, because the purge removed the rows that say that these
  /// occurrences have ended. The value is nil if no time source confirmed the clock at the time of
  /// the purge. Without this confirmation, the clock could be ahead. Then `closedBefore` could be
  /// in the future, and future occurrences would not ring.
  public var closedBefore: Instant?
  /// The number of rows of the purged part that stay in the record.
  public var kept: Int
  /// The SHA-256 of the hashes of the rows that stay, in hexadecimal digits. The hashes are in the
  /// order of the rows.
  public var keptDigest: String
  /// The SHA-256 of the archive file with the removed rows, in hex.
  public var archiveSHA256: String

  /// The number of rows that were removed.
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

/// A period from which a purge removed the rows of one alarm. The occurrences of the alarm in this
/// period have ended. They must not ring again, although the record does not contain their rows any
/// more.
///
/// If there were several purges, the period ends at the largest `Purge.closedBefore`.
struct PurgedTimes: Sendable, Hashable {
  var instants: Range<Instant>
  /// The same period as `instants`, as a range of `PromptID.nominalKey`.
  var nominals: Range<Int64>
}

extension HomeState {
  /// Searches for an enrolment or a phase that has not ended at `instant`. Returns a sentence that
  /// names the person and the study or phase; nil if all enrolments and phases have ended.
  ///
  /// In the name of this function, a study is open if such an enrolment or phase exists. While a
  /// study is open, nobody can purge the record.
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
  /// - Throws: `.inUse` if a study is open.
  public func requireNoOpenStudy(at instant: Instant) throws(Refusal) {
    guard let why = openStudy(at: instant) else { return }
    throw Refusal(.inUse, "cannot purge: \(why); wait for the end of the study, or end it first")
  }

  /// Marks the occurrences in the periods `snapshot.purged` as ended.
  ///
  /// Even if somebody sets the clock back, these occurrences do not ring again.
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
