import Alarms
import CivilTime

/// The phases of one person: the original plan of each phase, and its present values.
///
/// After a phase has begun, its beginning never changes. Its end can change, because a withdrawal
/// or a researcher can end the phase early. A researcher can remove a phase that has not begun. The
/// plan of a phase is its beginning and its end in the first event that contains the phase.
public struct PhasePlans: Sendable {
  /// A phase of the newest event, or a phase that somebody removed before it began.
  public struct Phase: Hashable, Sendable {
    public var kind: StudyPhase.Kind
    /// The id of the study for which the phase was planned; empty if the phase was planned outside
    /// a study.
    public var study: String
    /// The first instant of the phase; nil if somebody removed the phase before it began.
    public var from: Instant?
    public var to: Instant?
    public var plannedFrom: Instant
    /// The planned end; nil if the phase was planned without an end.
    public var plannedTo: Instant?
  }

  public init() {}

  private var present: [Phase] = []
  private var removed: [Phase] = []

  /// The phases of the newest event in their order, then the removed phases in the order of their
  /// removal.
  public var rows: [Phase] { present + removed }

  /// Processes the next event that changes the phases of the person.
  ///
  /// An event can change only the last phases of the list. Therefore the function compares the old
  /// and the new list from their start. For each pair of phases, the function compares the kind and
  /// the beginning. From the first pair that differs, all phases of the new list are new phases.
  ///
  /// - Parameter study: the id of the study in the event; empty if the event contains no study.
  public mutating func take(_ phases: [StudyPhase], study: String) {
    let same = zip(present, phases).prefix { $0.kind == $1.kind && $0.from == $1.from }.count
    for row in present[same...] {
      var row = row
      (row.from, row.to) = (nil, nil)
      removed.append(row)
    }
    present = phases.enumerated().map { index, phase in
      let known = index < same ? present[index] : nil
      return Phase(
        kind: phase.kind, study: known?.study ?? study, from: phase.from, to: phase.to,
        plannedFrom: known?.plannedFrom ?? phase.from,
        plannedTo: known == nil ? phase.to : known?.plannedTo)
    }
  }
}
