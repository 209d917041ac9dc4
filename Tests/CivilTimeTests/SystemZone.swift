import Foundation
import Testing

@testable import CivilTime

/// Reads zones from the tzdata of this machine.
enum SystemZone {
  static let directory = "/usr/share/zoneinfo"

  static func named(_ name: String) throws -> Zone {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
    return try Zone(name: name, tzif: Array(data))
  }
}

func instant(_ text: String) throws -> Instant { try Instant(parsing: text) }
func local(_ text: String) throws -> CivilDateTime { try CivilDateTime(parsing: text) }
