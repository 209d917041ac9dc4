import CivilTime

/// The beginning of the record that is taken away, and what stands for it from then on.
///
/// Rows up to `throughSequence` go, but for those of which alarms, people and open prompts are made still. These
/// stay where they are, in their own words; `keptDigest` says which, so that none can be added, taken away or
/// changed afterwards.
public struct Purge: Hashable, Sendable {
  /// The last row of the beginning; it always stays, for the chain goes on from it.
  public var throughSequence: Int64
  /// When that row was written, by the clock as it was then.
  public var throughAt: Instant
  /// When the first row of the record was written under a clock that could be right, and the zone's offset then:
  /// where the first day of an export is. nil where there is none in the beginning.
  public var firstAt: Instant?
  public var firstOffsetSeconds: Int
  /// Occurrences of living alarms that were due before this are over, though no row says so any more. nil where no
  /// time source vouched for the clock then: one that was ahead would silence what is to come.
  public var closedBefore: Instant?
  /// Rows of the beginning that stay.
  public var kept: Int
  /// SHA-256 over the hashes of those rows, in order, in hex.
  public var keptDigest: String
  /// SHA-256 of the file that holds all that goes, in hex.
  public var archiveSHA256: String

  /// Rows that are not there any more.
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

/// What was over when it was purged.
struct PurgedTimes: Sendable, Hashable {
  var instants: Range<Instant>
  /// The same by `PromptID.nominalKey`.
  var nominals: Range<Int64>
}

extension HomeState {
  /// Why nothing may be purged at an instant: a study is open; nil where none is.
  public func openStudy(at instant: Instant) -> String? {
    for state in people.values.sorted(by: { $0.id.text < $1.id.text }) {
      if let part = state.enrolments.last, part.isOpen(at: instant) {
        return "\"\(state.id)\" takes part in the study \"\(part.study)\""
          + (part.to.map { " until \($0)" } ?? ", which has no end yet")
      }
      if let phase = state.phases.last, phase.to.map({ instant < $0 }) ?? true {
        return "a \(phase.kind.rawValue) phase of \"\(state.id)\" is not over"
      }
    }
    return nil
  }

  /// - Throws: `.inUse` while a study is open.
  public func requireNoOpenStudy(at instant: Instant) throws(Refusal) {
    guard let why = openStudy(at: instant) else { return }
    throw Refusal(.inUse, "cannot purge: \(why); nothing is purged while a study is open")
  }

  /// Sets aside what was over when it was purged: however the clock is set, none of it rings again.
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
