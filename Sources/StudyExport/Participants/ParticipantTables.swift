import Alarms
import CivilTime

/// Computes the rows of participants.csv and phases.csv from the events of one record.
///
/// ```swift
/// var tables = ParticipantTables()
/// for (event, row) in events { tables.take(event, row) }   // in the order of `seq`
/// for row in tables.participants { ... }
/// ```
public struct ParticipantTables: Sendable {
  /// The types of the events from which the rows come.
  public static let types = ["enrolled", "withdrawn", "unblinded", "erased", "phase_changed"]

  private struct PersonRows {
    var participations: [Participation] = []
    var kept = "all"
    var plans = PhasePlans()
    /// The newest row that changed the phases.
    var phaseRow: StudyRow?
  }

  /// The data of each person. The key is the pseudonym in the record; nil for rows that are not
  /// about a person.
  private var people: [String?: PersonRows] = [:]
  private var zones: [String: String] = [:]
  /// The studies and phases of the people at each instant.
  public private(set) var history = StudyHistory()

  public init() {}

  /// Sets the zone of a person for the local times of this person.
  ///
  /// A phase begins at midnight in the zone of the person. In a different zone, a clock change
  /// would change the local time of this beginning, and this local time would reveal the date of
  /// the clock change.
  ///
  /// - Parameter zone: the tzdata name of the zone; nil if the person has no zone other than the
  ///   home zone.
  public mutating func setZone(_ zone: String?, of person: String) { zones[person] = zone }

  /// Processes the next event, in the order of `seq`. An event whose type is not in `types` changes
  /// nothing.
  public mutating func take(_ event: Event, _ row: StudyRow) {
    if case .phaseChanged(_, let phases) = event {
      people[row.person, default: PersonRows()].phaseRow = row
      people[row.person, default: PersonRows()].plans.take(phases, study: row.study)
    }
    guard let name = row.person else { return }
    history.take(event, of: name, at: row.at)
    var person = people[name] ?? PersonRows()
    let last = person.participations.count - 1
    switch event {
    case .enrolled(_, let enrolment):
      person.participations.append(Participation(row: row, enrolment: enrolment))
    case .withdrawn(_, let withdrawal):
      if last >= 0 { person.participations[last].withdraw(at: row.at, withdrawal) }
    case .unblinded(_, let study):
      for index in person.participations.indices
      where person.participations[index].enrolment.study == study {
        person.participations[index].isUnblinded = true
      }
    case .erased(.words): if person.kept == "all" { person.kept = "no_words" }
    case .erased(.identity): person.kept = "no_identity"
    default: return
    }
    people[name] = person
  }

  /// The rows of participants.csv, one for each enrolment. The rows are sorted by pseudonym, and
  /// then by their order in the record.
  ///
  /// Each row says which kinds of data about the person were erased. If the person withdrew from
  /// the study, the row contains the withdrawal.
  public var participants: [ParticipantRow] {
    sorted.flatMap { person in
      person.participations.map {
        ParticipantRow(participation: $0, row: inZone($0.row), kept: person.kept)
      }
    }
  }

  /// The rows of phases.csv, sorted by pseudonym, and then by phase.
  public var phases: [PhaseRow] {
    sorted.flatMap { person -> [PhaseRow] in
      guard let row = person.phaseRow.map(inZone) else { return [] }
      return person.plans.rows.enumerated().map { index, phase in
        // A researcher can plan a phase before the enrolment begins. Such a phase contains no
        // study. The study of this phase is the study of the person when the phase begins.
        let study =
          phase.study.isEmpty
          ? history.study(of: row.person, at: phase.from ?? phase.plannedFrom, recorded: "")
          : phase.study
        return PhaseRow(row: row, number: index + 1, phase: phase, study: study)
      }
    }
  }

  /// The people, sorted by the bytes of their pseudonyms. SQLite sorts texts in the same way.
  private var sorted: [PersonRows] {
    people.sorted { first, second in
      guard let other = second.key else { return false }
      return first.key?.utf8.lexicographicallyPrecedes(other.utf8) ?? true
    }.map(\.value)
  }

  /// Returns the row with the zone of its person. If the person has no separate zone, the row does
  /// not change.
  private func inZone(_ row: StudyRow) -> StudyRow {
    guard let zone = row.person.flatMap({ zones[$0] }) else { return row }
    var row = row
    row.zoneName = zone
    return row
  }
}
