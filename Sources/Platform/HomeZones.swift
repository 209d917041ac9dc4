import Alarms
import CivilTime
import Synchronization

/// The zones that the daemon uses: the zone files of the system, and the home zone.
public final class HomeZones: Sendable {
  private let files: ZoneFiles
  private let home: Mutex<(setting: String?, zone: Zone)>

  /// - Parameter setting: the home zone; nil if the home uses the zone of the machine.
  /// - Throws: `HostError` if the system has no zone with this name.
  public init(files: ZoneFiles, setting: String?) throws(HostError) {
    self.files = files
    let name = setting ?? ZoneFiles.systemZoneName()
    guard let zone = files.zone(name) else {
      throw HostError.zone(name: name, reason: "this system has no time zone with this name")
    }
    home = Mutex((setting, zone))
  }

  /// The environment for the function `step`, with the zones but without the contacts.
  public var environment: Environment {
    let files = files
    return Environment(
      homeZone: home.withLock { $0.zone }, tzdataVersion: files.tzdataVersion,
      zone: { files.zone($0) })
  }

  /// Reads the zones again after a change of the zone files.
  ///
  /// - Returns: true if a zone changed. After a change, the engine must plan the prompts again.
  public func reload() -> Bool {
    let areFilesDifferent = files.reload()
    return move(to: home.withLock { $0.setting }) || areFilesDifferent
  }

  /// Changes the setting of the home zone. If `setting` is nil, the home uses the zone of the
  /// machine.
  ///
  /// - Returns: true if the home zone changed. After a change, the engine must plan the prompts
  ///   again.
  public func move(to setting: String?) -> Bool {
    // If the system has no zone with the new name, the home keeps its present zone.
    let zone = files.zone(setting ?? ZoneFiles.systemZoneName())
    return home.withLock { home in
      home.setting = setting
      guard let zone else { return false }
      defer { home.zone = zone }
      return home.zone.name != zone.name
    }
  }
}
