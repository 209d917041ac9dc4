import Alarms
import CivilTime

/// A row of phases.csv. The row contains a phase of a person and the original plan of this phase.
public struct PhaseRow: Hashable, Sendable {
  /// The newest row that changed the phases of the person, with the zone of the person.
  public let row: StudyRow
  /// The number of the phase. The first phase of the person has the number 1.
  let number: Int
  public let phase: PhasePlans.Phase
  /// The study of the phase; empty if the phase belongs to no study.
  let study: String

  /// Writes the cells of the row.
  public func write(
    to line: inout ExportEncoder, _ profile: ExportProfile, _ zones: ExportZones,
    _ monitored: PhaseTime
  ) {
    line.text(row.person)
    line.integer(Int64(number))
    line.text(phase.kind.rawValue)
    line.instant(phase.from, in: row, zones)
    line.instant(phase.to, in: row, zones)
    line.integer(row.sequence)
    line.integer(seconds(profile, zones, monitored))
    line.instant(phase.plannedFrom, in: row, zones)
    line.instant(phase.plannedTo, in: row, zones)
    line.text(study.isEmpty ? nil : study)
  }

  /// The monitored time of the phase, in seconds.
  ///
  /// If the clocks changed in a phase, the exact length of the phase would reveal the day of the
  /// change. Therefore, with the profile `safe_harbor`, the function measures the phase in local
  /// time, and rounds the result down to whole hours.
  private func seconds(
    _ profile: ExportProfile, _ zones: ExportZones, _ monitored: PhaseTime
  ) -> Int64 {
    guard let from = phase.from?.milliseconds else { return 0 }
    let to = phase.to?.milliseconds
    guard profile == .safeHarbor else {
      return monitored.milliseconds(from: from, to: to) / 1_000
    }
    let local = monitored.milliseconds(from: from, to: to) {
      $0 + row.offset(at: $0, zones) * 1_000
    }
    return local / 3_600_000 * 3_600
  }
}
