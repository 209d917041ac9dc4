import CivilTime

/// Finds the UTC offset of a zone at any instant, for the local times of an export.
///
/// A row of the record contains the offset at the time of the row. But the payload of a row can
/// contain a second instant, for example the end of a study phase. If the clocks changed between
/// the time of the row and the second instant, the second instant needs a different offset.
public final class ExportZones {
  private let find: (_ zone: String, _ milliseconds: Int64) -> Int64?

  /// - Parameter find: a function that returns the UTC offset of a zone at an instant, in seconds.
  ///   The function returns nil if it knows no zone with this tzdata name.
  public init(offset find: @escaping (_ zone: String, _ milliseconds: Int64) -> Int64?) {
    self.find = find
  }

  /// - Parameter zone: a function that finds a zone by its tzdata name; nil if the system has no
  ///   zone with this name.
  public convenience init(_ zone: @escaping (String) -> Zone?) {
    var known: [String: Zone?] = [:]
    self.init { name, milliseconds in
      if known[name] == nil { known[name] = .some(zone(name)) }
      guard let zone = known[name] ?? nil else { return nil }
      return Int64(zone.offsetSeconds(at: Instant(milliseconds: milliseconds)))
    }
  }

  /// The UTC offset of a zone at an instant, in seconds.
  ///
  /// - Parameter recorded: the offset in the row of the record. The function returns this offset if
  ///   the system has no zone with the name `zone`.
  public func offset(at milliseconds: Int64, in zone: String, recorded: Int64) -> Int64 {
    find(zone, milliseconds) ?? recorded
  }
}
