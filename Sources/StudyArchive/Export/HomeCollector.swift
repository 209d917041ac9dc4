import EventCoding
import StudyExport

/// Collects the participants of all homes while an export reads all rows.
struct HomeCollector {
  private let present: PresentRecord
  private var found: [String: HomeParticipants] = [:]
  /// One sentence for each stream with at least one unreadable row about a participant. The
  /// sentence describes the first unreadable row of the stream.
  private(set) var unreadable: [String] = []
  /// The number of unreadable rows about participants. The dictionary key is the name of the
  /// stream.
  private(set) var unreadableRows: [String: Int64] = [:]

  init(_ streams: [ArchivedStream]) { present = PresentRecord(streams) }

  /// Processes a row of a stream. If the row is unreadable, the function counts the row and does
  /// not throw an error. Otherwise, one unreadable row would prevent the export of all homes.
  ///
  /// - Parameter values: the values of `EventTable.selection`.
  mutating func take(_ values: [String?], of stream: ArchivedStream) {
    guard values.last == "f", let sequence = values[0].flatMap({ Int64($0) }),
      present.contains(sequence, of: stream)
    else { return }
    do throws(EventCodingError) {
      try found[stream.home, default: HomeParticipants(of: stream)].take(values)
    } catch {
      if unreadableRows[stream.stream] == nil {
        unreadable.append("\(stream.home) (\(stream.site)), row \(sequence): \(error)")
      }
      unreadableRows[stream.stream, default: 0] += 1
    }
  }

  /// The tables of each home, sorted by the name of the study and then by the name of the home.
  var homes: [HomeTables] {
    found.values.map { HomeTables($0, after: present.start(of: $0.home) ?? 0) }
      .sorted { [$0.study, $0.home].lexicographicallyPrecedes([$1.study, $1.home]) }
  }
}

/// The participants of one home, and the phases with the monitored time of each phase.
struct HomeTables {
  let study: String
  let site: String
  let home: String
  /// The pseudonym of the device in the home's oldest row with a device; nil if no row contains a
  /// device.
  let device: String?
  let tables: ParticipantTables
  let monitored: PhaseTime

  init(_ found: HomeParticipants, after start: Int64) {
    (study, site, home) = (found.study, found.site, found.home)
    device = found.device
    tables = found.tables
    monitored = found.monitored(after: start)
  }
}
