import Alarms
import CivilTime
import FileSystem

/// The zones of the simulated home, in two releases of tzdata.
///
/// Each thread should read its own zones from the zone files. All copies of a zone share one
/// reference count. If several threads change the same reference count, each of these threads
/// becomes slower.
public struct ZoneFixtures: Sendable {
  /// The zones of the simulated homes.
  public static let names = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]
  /// Release `1` is the tzdata of the system. In release `2`, Berlin and New York have no summer
  /// time. A change from one release to the other is realistic, because governments sometimes
  /// change the rules of a zone only a short time in advance.
  public static let releases = [1, 2]
  private static let successors = [
    "Europe/Berlin": "Africa/Algiers", "America/New_York": "America/Panama",
  ]

  private let zones: [[String: Zone]]

  /// Reads the tzdata of the system.
  ///
  /// - Returns: nil if one of the zones is missing.
  public static func read() -> ZoneFixtures? {
    var zones: [[String: Zone]] = []
    for release in releases {
      var found: [String: Zone] = [:]
      for name in names {
        let file = release == 1 ? name : successors[name] ?? name
        let bytes = try? readFile(atPath: "/usr/share/zoneinfo/\(file)", limit: 1 << 20)
        guard let bytes, let zone = try? Zone(name: name, tzif: bytes) else { return nil }
        found[name] = zone
      }
      zones.append(found)
    }
    return ZoneFixtures(zones: zones)
  }

  /// Returns the environment of a home in the zone `home`, with the release `release` of tzdata.
  ///
  /// - Precondition: `names` contains `home`, and `releases` contains `release`.
  public func environment(home: String, release: Int) -> Environment {
    let zones = zones[release - 1]
    guard let homeZone = zones[home] else { preconditionFailure("no zone \(home)") }
    var found = Environment(homeZone: homeZone, tzdataVersion: "release \(release)") { zones[$0] }
    found.contacts = SimulatedNotifier.contacts
    found.callContacts = SimulatedNotifier.contacts
    found.summaries = SimulatedNotifier.summaries
    return found
  }
}
