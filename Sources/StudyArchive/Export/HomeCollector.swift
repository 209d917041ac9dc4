import EventCoding
import StudyExport

/// Collects the participants of all homes while an export reads all rows.
struct HomeCollector {
  private let present: PresentRecord
  private var found: [String: HomeParticipants] = [:]
  /// A sentence for each stream with an unreadable row about a participant. The sentence describes
  /// the first such row.
  private(set) var unreadable: [String] = []
  /// For each stream, the number of unreadable rows about participants.
  private(set) var unreadableRows: [String: Int64] = [:]

  init(_ streams: [ArchivedStream]) { present = PresentRecord(streams) }

  /// Processes a row of a stream. If the row is unreadable, the function does not throw, because
  /// one row must not prevent the export of all homes.
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

  /// The tables of each home, in the order of the studies and homes.
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
  /// The pseudonym of the first device; nil if no row contains one.
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
