import CivilTime

/// The values that the tables about participants need from a row of the record.
public struct StudyRow: Hashable, Sendable {
  public var sequence: Int64
  /// The pseudonym of the person; nil if the row is not about a person.
  public var person: String?
  /// The id of the study in the row; empty if the row contains no study.
  public var study: String
  /// The time of the row.
  public var at: Instant
  /// The name of the zone of the row. If the person of the row has a separate zone, the value is
  /// the name of this separate zone (see `ParticipantTables.setZone`).
  public var zoneName: String
  /// The UTC offset in the row, in seconds.
  public var utcOffsetSeconds: Int64

  public init(
    sequence: Int64, person: String?, study: String, at: Instant, zoneName: String,
    utcOffsetSeconds: Int64
  ) {
    self.sequence = sequence
    self.person = person
    self.study = study
    self.at = at
    self.zoneName = zoneName
    self.utcOffsetSeconds = utcOffsetSeconds
  }

  /// The local time of an instant in the zone of the row, in seconds since 1970-01-01T00:00:00.
  public func localSeconds(_ instant: Instant, _ zones: ExportZones) -> Int64 {
    instant.seconds + offset(at: instant.milliseconds, zones)
  }

  /// The UTC offset of the zone of the row at an instant, in seconds.
  public func offset(at milliseconds: Int64, _ zones: ExportZones) -> Int64 {
    zones.offset(at: milliseconds, in: zoneName, recorded: utcOffsetSeconds)
  }
}

extension ExportEncoder {
  /// Prints an instant from the payload of a row. The local time uses the offset of the row's zone
  /// at this instant.
  public mutating func instant(_ instant: Instant?, in row: StudyRow, _ zones: ExportZones) {
    guard let milliseconds = instant?.milliseconds else { return null() }
    self.instant(milliseconds, offsetSeconds: row.offset(at: milliseconds, zones))
  }
}
