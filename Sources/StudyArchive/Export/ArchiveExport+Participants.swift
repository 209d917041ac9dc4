import StudyExport

extension ArchiveExport {
  /// The columns that come first in each table about prompts or participants. The tables in a pool
  /// of exports begin with the same columns.
  static let homeColumns = ["site", "home", "device"]

  /// Writes participants.csv and phases.csv by the same rules as an export of a home.
  ///
  /// If a person forbids any use of the data, phases.csv contains no row of this person.
  /// participants.csv still contains the row of this person, because researchers must report the
  /// number of people who withdrew (the participant flow).
  func writeParticipants(
    of homes: [HomeTables], barred: [String: [Erasure]], into directory: ExportDirectory,
    _ connection: DatabaseConnection
  ) throws(ArchiveError) -> [ExportedFile] {
    let zones = DatabaseZones(connection)
    var participants = try ExportTableWriter(
      .participants, before: Self.homeColumns, try directory.file("participants.csv"))
    var phases = try ExportTableWriter(
      .phases, before: Self.homeColumns, try directory.file("phases.csv"))
    for home in homes {
      let before = [home.site, home.home, home.device]
      for row in home.tables.participants {
        try participants.write(before: before) { row.write(to: &$0, .limited, zones.zones) }
      }
      let barred = Set(barred[home.home, default: []].map(\.person))
      for row in home.tables.phases where !barred.contains(row.row.person) {
        try phases.write(before: before) {
          row.write(to: &$0, .limited, zones.zones, home.monitored)
        }
      }
    }
    if let failure = zones.failure { throw failure }
    return [try participants.finish(), try phases.finish()]
  }

  /// Returns the people who forbid any use of their data. The dictionary key is the name of the
  /// home. The export treats the rows about these people in the same way as erased rows.
  func barredPeople(
    _ connection: DatabaseConnection
  ) throws(ArchiveError) -> [String: [Erasure]] {
    var barred: [String: [Erasure]] = [:]
    for row in try connection.rows("SELECT home, person FROM barred_people") {
      barred[row[0] ?? "", default: []].append(Erasure(person: row[1]))
    }
    return barred
  }
}

/// Computes UTC offsets with the time zones of PostgreSQL. PostgreSQL also computes the local times
/// of prompts.csv, so the local times in all tables agree.
final class DatabaseZones {
  private let connection: DatabaseConnection
  /// The first error of the database; nil if there was no error. The closure in `zones` cannot
  /// throw. Therefore, the code that uses `zones` must throw this error later.
  private(set) var failure: ArchiveError?

  init(_ connection: DatabaseConnection) { self.connection = connection }

  var zones: ExportZones {
    ExportZones { [self] zone, milliseconds in
      do throws(ArchiveError) {
        let rows = try connection.rows(
          "SELECT zone_offset($1, $2)", [zone, String(milliseconds)])
        return rows.first?[0].flatMap { Int64($0) }
      } catch {
        failure = failure ?? error
        return nil
      }
    }
  }
}
