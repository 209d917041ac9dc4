import Alarms
import CivilTime
import Glibc

/// The zones that the pretend world knows, in two releases of tzdata.
///
/// Each thread reads its own: zones are shared by reference, and two threads that count references to
/// the same one get in each other's way.
public struct ZoneFixtures: Sendable {
  /// What the homes of the pretend world may live in.
  public static let names = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]
  /// `1` is the system's; in `2` Berlin and New York have given up summer time, which is a change as
  /// real ones are: announced late, and in the middle of a schedule.
  public static let releases = [1, 2]
  private static let successors = [
    "Europe/Berlin": "Africa/Algiers", "America/New_York": "America/Panama",
  ]

  private let zones: [[String: Zone]]

  /// Reads the system's tzdata.
  ///
  /// - Returns: nil where one of the zones is missing.
  public static func read() -> ZoneFixtures? {
    var zones: [[String: Zone]] = []
    for release in releases {
      var found: [String: Zone] = [:]
      for name in names {
        let file = release == 1 ? name : successors[name] ?? name
        let bytes = readFile("/usr/share/zoneinfo/\(file)")
        guard let bytes, let zone = try? Zone(name: name, tzif: bytes) else { return nil }
        found[name] = zone
      }
      zones.append(found)
    }
    return ZoneFixtures(zones: zones)
  }

  /// What the daemon sees of a home in this zone with this release installed.
  ///
  /// - Precondition: a name of `names`, a number of `releases`.
  public func environment(home: String, release: Int) -> Environment {
    let zones = zones[release - 1]
    guard let homeZone = zones[home] else { preconditionFailure("no zone \(home)") }
    var found = Environment(homeZone: homeZone, tzdataVersion: "release \(release)") { zones[$0] }
    found.contacts = SimulatedNotifier.contacts
    return found
  }
}

/// Reads a whole file; nil where it cannot be opened.
public func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}
