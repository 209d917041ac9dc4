import CivilTime

/// Finds the UTC offset of a zone at any instant, for the local times of an export.
///
/// A row of the record contains the offset at the time of the row. But the payload of a row can
/// contain other instants, for example the end of a study phase. If the clocks changed between the
/// two, the offset of the row is wrong for the other instant.
final class ExportZones {
  private let find: (String) -> Zone?
  private var known: [String: Zone?] = [:]

  /// - Parameter find: looks up a zone by its tzdata name; nil if the system has no zone with this
  ///   name.
  init(_ find: @escaping (String) -> Zone?) { self.find = find }

  /// The UTC offset of a zone at an instant, in seconds.
  ///
  /// - Parameter recorded: the offset in the row of the record. The function uses it if the system
  ///   has no zone with this name.
  func offset(at milliseconds: Int64, in zone: String, recorded: Int64) -> Int64 {
    if known[zone] == nil { known[zone] = .some(find(zone)) }
    guard let zone = known[zone] ?? nil else { return recorded }
    return Int64(zone.offsetSeconds(at: Instant(milliseconds: milliseconds)))
  }
}

extension EventRow {
  /// The row with the zone of its person, if the person has another zone than the home.
  func inZone(of people: [String: String]) -> EventRow {
    guard let zone = person.flatMap({ people[$0] }) else { return self }
    var row = self
    row.zoneName = zone
    return row
  }

  /// The UTC offset of the zone of the row at another instant, in seconds.
  func offset(at milliseconds: Int64, _ zones: ExportZones) -> Int64 {
    zones.offset(at: milliseconds, in: zoneName, recorded: utcOffsetSeconds)
  }
}
