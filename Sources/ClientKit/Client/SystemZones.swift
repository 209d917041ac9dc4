import CivilTime
import Glibc

/// The zones of this machine, for what is worked out here without asking the daemon.
package enum SystemZones {
  /// Where the TZif files are, on Debian and nearly everywhere else.
  private static let directory = "/usr/share/zoneinfo"

  /// A zone by its tzdata name; nil where this machine has none by that name.
  package static func zone(_ name: String) -> Zone? {
    // Letters, digits and a few signs, in parts that cannot climb out of the directory.
    let isName = name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.hasPrefix(".")
        && part.utf8.allSatisfy { isalnum(Int32($0)) != 0 || "_+-".utf8.contains($0) }
    }
    guard isName, let bytes = try? Files.read("\(directory)/\(name)", atMost: 1 << 20) else {
      return nil
    }
    return try? Zone(name: name, tzif: bytes)
  }

  /// The zone this machine is set to; UTC where that cannot be found out.
  package static func home() -> Zone {
    guard let path = realpath("/etc/localtime", nil) else { return .utc }
    defer { free(path) }
    let target = String(cString: path)
    guard target.hasPrefix(directory + "/") else { return .utc }
    return zone(String(target.dropFirst(directory.count + 1))) ?? .utc
  }
}
