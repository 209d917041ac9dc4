import CivilTime
import Glibc

/// The zones of this machine, for local times that the command line computes without the daemon.
package enum SystemZones {
  /// The directory of the TZif files on Debian and nearly all other systems.
  private static let directory = "/usr/share/zoneinfo"

  /// Returns the zone with this tzdata name; nil if this machine has no such zone.
  package static func zone(_ name: String) -> Zone? {
    // Each part of the name must contain only letters, digits, `_`, `+` and `-`. Therefore, the
    // name cannot contain `..`, and the path stays inside `directory`.
    let isName = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.utf8.allSatisfy { isalnum(Int32($0)) != 0 || "_+-".utf8.contains($0) }
    }
    guard isName, let bytes = try? Files.read("\(directory)/\(name)", atMost: 1 << 20) else {
      return nil
    }
    return try? Zone(name: name, tzif: bytes)
  }

  /// Returns the zone of this machine; UTC if the zone is unknown.
  package static func home() -> Zone {
    guard let path = realpath("/etc/localtime", nil) else { return .utc }
    defer { free(path) }
    let target = String(cString: path)
    guard target.hasPrefix(directory + "/") else { return .utc }
    return zone(String(target.dropFirst(directory.count + 1))) ?? .utc
  }
}
