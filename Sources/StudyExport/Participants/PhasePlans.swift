import Alarms
import CivilTime

/// The phases of one person as they were first planned, beside the phases as they are.
///
/// A phase that has begun keeps its beginning, but its end can change: a withdrawal or a researcher can
/// end the phase early. A phase that has not begun can be removed. The plan of a phase is its beginning
/// and its end in the event that first contains the phase.
public struct PhasePlans: Sendable {
  /// A phase of the newest event, or a phase that was removed before it began.
  public struct Phase: Hashable, Sendable {
    public var kind: StudyPhase.Kind
    /// The id of the study in which the phase was first planned; empty outside of a study.
    public var study: String
    /// The first instant of the phase; nil if the phase was removed before it began.
    public var from: Instant?
    public var to: Instant?
    public var plannedFrom: Instant
    /// The planned end; nil if the phase was planned without an end.
    public var plannedTo: Instant?
  }

  public init() {}

  private var present: [Phase] = []
  private var removed: [Phase] = []

  /// The phases of the newest event in their order, and then the removed phases in the order in which
  /// somebody removed them.
  public var rows: [Phase] { present + removed }

  /// Takes the next event of the person.
  ///
  /// Only the last phases of a list can change, so a phase is the same phase as long as the phases
  /// before it, its kind and its beginning are the same.
  ///
  /// - Parameter study: the id of the study in the event; empty outside of a study.
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
