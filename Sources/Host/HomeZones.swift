import Alarms
import CivilTime
import Synchronization

/// The zones of this home as they are now: what the system's files say, and the home's own.
public final class HomeZones: Sendable {
  private let files: ZoneFiles
  private let setting: String?
  private let home: Mutex<Zone>

  /// - Parameter setting: the home's zone; nil to follow the machine's.
  /// - Throws: where the system has no such zone.
  public init(files: ZoneFiles, setting: String?) throws(HostError) {
    self.files = files
    self.setting = setting
    let name = setting ?? ZoneFiles.systemZoneName()
    guard let zone = files.zone(name) else {
      throw HostError.zone(name: name, reason: "this system has no zone by that name")
    }
    home = Mutex(zone)
  }

  /// What `step` is to know of zones.
  public var surroundings: Surroundings {
    let files = files
    return Surroundings(
      homeZone: home.withLock { $0 }, tzdataVersion: files.tzdataVersion,
      zone: { files.zone($0) })
  }

  /// Looks again, after something has changed.
  ///
  /// - Returns: whether anything is different, and planned prompts may have to move.
  public func reload() -> Bool {
    let areFilesDifferent = files.reload()
    let name = setting ?? ZoneFiles.systemZoneName()
    // A home zone that has vanished stays as it was last known.
    guard let zone = files.zone(name) else { return areFilesDifferent }
    let isMoved = home.withLock { home in
      defer { home = zone }
      return home.name != zone.name
    }
    return areFilesDifferent || isMoved
  }
}
