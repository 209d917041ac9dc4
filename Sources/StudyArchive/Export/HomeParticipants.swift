import Alarms
import CivilTime
import EventCoding
import JSONValue
import StudyExport

/// The decoded rows about the participants of one home.
///
/// The archive stores no content of events. Therefore this type does not know the code of a
/// participant or the reason for a withdrawal.
struct HomeParticipants {
  let study: String
  let site: String
  let home: String
  private var rows: [(sequence: Int64, row: Row)] = []
  private var gaps: [(from: Int64, to: Int64)] = []
  private var purges: [Purge] = []
  /// The oldest row that contains the pseudonym of a device.
  private var firstDevice: (sequence: Int64, device: String)?
  /// The newest row that contains a time.
  private var newest: (sequence: Int64, milliseconds: Int64)?

  private enum Row {
    case event(Event, StudyRow)
    case zone(String?, person: String)
  }

  init(of stream: ArchivedStream) { (study, site, home) = (stream.study, stream.site, stream.home) }

  /// Processes a row of the present record of the home. The caller can pass the rows in any order.
  ///
  /// - Parameter values: the values of `EventTable.selection`.
  /// - Throws: `EventCodingError` if the row is not a valid event of its type. After an error, the
  ///   caller can continue with the next row.
  mutating func take(_ values: [String?]) throws(EventCodingError) {
    guard let sequence = Self.integer(values[0]), let type = values[EventTable.type],
      let wall = Self.integer(values[EventTable.wall])
    else { return }
    if let device = values[EventTable.device], sequence < firstDevice?.sequence ?? .max {
      firstDevice = (sequence, device)
    }
    if sequence > newest?.sequence ?? 0 { newest = (sequence, wall) }
    let person = values[EventTable.person]
    func payload() throws(EventCodingError) -> JSON {
      try JSON(stored: values[EventTable.payload] ?? "")
    }
    switch type {
    case "gap":
      let payload = try payload()
      gaps.append((payload["from_ms"]?.integer ?? 0, payload["to_ms"]?.integer ?? 0))
    case "purged": purges.append(try Purge(payload: try payload()))
    case "person_added", "person_changed":
      if let person {
        rows.append((sequence, .zone(try payload()["zone"]?.string, person: person)))
      }
    case _ where ParticipantTables.types.contains(type):
      let stored = StoredEvent(
        type: type, promptID: nil, ringNumber: nil,
        alarmID: values[EventTable.alarmID].map { AlarmID($0) }, alarmVersion: nil,
        toneSHA256: nil, payload: try payload(), content: nil)
      let event = try stored.event { PersonID($0) }
      let row = StudyRow(
        sequence: sequence, person: person, study: values[EventTable.studyID] ?? "",
        at: Instant(milliseconds: wall), zoneName: values[EventTable.zone] ?? "",
        utcOffsetSeconds: Self.integer(values[EventTable.offset]) ?? 0)
      try Self.check(event, row)
      rows.append((sequence, .event(event, row)))
    default: break
    }
  }

  /// Checks the times and the UTC offset of a row, because a home can send any number.
  private static func check(_ event: Event, _ row: StudyRow) throws(EventCodingError) {
    let times: [Instant?] =
      switch event {
      case .enrolled(_, let enrolment): [enrolment.from, enrolment.to]
      case .phaseChanged(_, let phases): phases.flatMap { [$0.from, $0.to] }
      default: []
      }
    for time in [row.at] + times.compactMap(\.self)
    where !ExportTableWriter.years.contains(time.milliseconds) {
      throw EventCodingError(
        "cannot read a stored \"\(event.type)\": the time \(time.milliseconds) is not in the years 1 to 9999"
      )
    }
    guard abs(row.utcOffsetSeconds) <= ExportTableWriter.largestOffsetSeconds else {
      throw EventCodingError(
        "cannot read a stored \"\(event.type)\": the UTC offset \(row.utcOffsetSeconds) s is more than a day"
      )
    }
  }

  private static func integer(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

  /// The pseudonym of the device in the home's oldest row with a device; nil if no row contains a
  /// device.
  var device: String? { firstDevice?.device }

  /// The tables of participants and phases, in the order of the record.
  var tables: ParticipantTables {
    var tables = ParticipantTables()
    for (_, row) in rows.sorted(by: { $0.sequence < $1.sequence }) {
      switch row {
      case .event(let event, let row): tables.take(event, row)
      case .zone(let zone, let person): tables.setZone(zone, of: person)
      }
    }
    return tables
  }

  /// Returns the monitored time of the home.
  ///
  /// If a home purged rows that it had already sent, the archive still has these rows. Such a purge
  /// is not a gap. If a home purged rows before it could send them, the purge is a gap.
  ///
  /// - Parameter start: the number of the row before the home's oldest row in the archive.
  func monitored(after start: Int64) -> PhaseTime {
    let purged = purges.filter { $0.throughSequence <= start }.compactMap { purge in
      purge.firstAt.map { (from: $0.milliseconds, to: purge.throughAt.milliseconds) }
    }
    let years = ExportTableWriter.years
    func limited(_ time: Int64) -> Int64 { min(max(time, years.lowerBound), years.upperBound) }
    return PhaseTime(
      end: limited(newest?.milliseconds ?? 0),
      gaps: (gaps + purged).map { (limited($0.from), limited($0.to)) })
  }
}
