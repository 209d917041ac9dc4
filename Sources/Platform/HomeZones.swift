import Alarms
import CivilTime
import Synchronization

/// The zones of this home as they are now: what the system's files say, and the home's own.
public final class HomeZones: Sendable {
  private let files: ZoneFiles
  private let home: Mutex<(setting: String?, zone: Zone)>

  /// - Parameter setting: the home's zone; nil to follow the machine's.
  /// - Throws: where the system has no such zone.
  public init(files: ZoneFiles, setting: String?) throws(HostError) {
    self.files = files
    let name = setting ?? ZoneFiles.systemZoneName()
    guard let zone = files.zone(name) else {
      throw HostError.zone(name: name, reason: "this system has no zone by that name")
    }
    home = Mutex((setting, zone))
  }

  /// What `step` is to know of zones.
  public var environment: Environment {
    let files = files
    return Environment(
      homeZone: home.withLock { $0.zone }, tzdataVersion: files.tzdataVersion,
      zone: { files.zone($0) })
  }

  /// Looks again, after something has changed.
  ///
  /// - Returns: whether anything is different, and planned prompts may have to move.
  public func reload() -> Bool {
    let areFilesDifferent = files.reload()
    return move(to: home.withLock { $0.setting }) || areFilesDifferent
  }

  /// Takes another setting of the home's zone; nil to follow the machine's.
  ///
  /// - Returns: whether the home is in another zone now, and planned prompts may have to move.
  public func move(to setting: String?) -> Bool {
    // A home zone that has vanished stays as it was last known.
    let zone = files.zone(setting ?? ZoneFiles.systemZoneName())
    return home.withLock { home in
      home.setting = setting
      guard let zone else { return false }
      defer { home.zone = zone }
      return home.zone.name != zone.name
    }
  }
}
