import CivilTime

/// Finds the zone of tzdata for each TZID in a calendar file.
///
/// The import uses only the name of a zone, and never the rules of a VTIMEZONE. The rules in a
/// VTIMEZONE are a copy that is often old or wrong, but the tzdata of the machine is kept up to
/// date.
struct ICalendarZones {
  private let zone: (String) -> Zone?
  /// For each TZID, the value of the property `X-LIC-LOCATION`, such as `Europe/Berlin`.
  private var locations: [String: String] = [:]

  init(_ calendar: ICalendarComponent, zone: @escaping (String) -> Zone?) {
    self.zone = zone
    for component in calendar.components where component.name == "VTIMEZONE" {
      guard let id = component.line("TZID")?.text else { continue }
      if let location = component.line("X-LIC-LOCATION")?.text { locations[id] = location }
    }
  }

  /// Finds the zone that a TZID names; nil if the machine has no zone for the TZID.
  ///
  /// The function tries the TZID and the X-LIC-LOCATION first. The TZID can be a path, for example
  /// `/freeassociation.sourceforge.net/Europe/Berlin`. Therefore, the function then tries the last
  /// three parts, the last two parts and the last part of the TZID. The TZID can also be the name
  /// of a zone in Windows. Therefore, the function last tries the tzdata zone for this name.
  func zone(_ id: String) -> Zone? {
    var candidates = [id, locations[id] ?? ""]
    let parts = id.split(separator: "/").map(String.init)
    for count in [3, 2, 1] where parts.count > count {
      candidates.append(parts.suffix(count).joined(separator: "/"))
    }
    candidates.append(Self.windows[id] ?? "")
    for name in candidates where !name.isEmpty {
      if let found = zone(name) { return found }
    }
    return nil
  }

  /// The tzdata zones for the common zone names that Outlook writes. The source is the table
  /// windowsZones of CLDR (territory 001).
  private static let windows = [
    "UTC": "Etc/UTC", "GMT Standard Time": "Europe/London",
    "Greenwich Standard Time": "Atlantic/Reykjavik", "W. Europe Standard Time": "Europe/Berlin",
    "Central Europe Standard Time": "Europe/Budapest", "Romance Standard Time": "Europe/Paris",
    "Central European Standard Time": "Europe/Warsaw", "GTB Standard Time": "Europe/Bucharest",
    "E. Europe Standard Time": "Europe/Chisinau", "FLE Standard Time": "Europe/Kiev",
    "Turkey Standard Time": "Europe/Istanbul", "Israel Standard Time": "Asia/Jerusalem",
    "Russian Standard Time": "Europe/Moscow", "Arabian Standard Time": "Asia/Dubai",
    "India Standard Time": "Asia/Calcutta", "China Standard Time": "Asia/Shanghai",
    "Singapore Standard Time": "Asia/Singapore", "Tokyo Standard Time": "Asia/Tokyo",
    "Korea Standard Time": "Asia/Seoul", "AUS Eastern Standard Time": "Australia/Sydney",
    "W. Australia Standard Time": "Australia/Perth",
    "New Zealand Standard Time": "Pacific/Auckland",
    "South Africa Standard Time": "Africa/Johannesburg", "Egypt Standard Time": "Africa/Cairo",
    "E. South America Standard Time": "America/Sao_Paulo",
    "Argentina Standard Time": "America/Buenos_Aires",
    "Newfoundland Standard Time": "America/St_Johns",
    "Atlantic Standard Time": "America/Halifax", "Eastern Standard Time": "America/New_York",
    "Central Standard Time": "America/Chicago", "Mountain Standard Time": "America/Denver",
    "US Mountain Standard Time": "America/Phoenix", "Pacific Standard Time": "America/Los_Angeles",
    "Alaskan Standard Time": "America/Anchorage", "Hawaiian Standard Time": "Pacific/Honolulu",
  ]
}
