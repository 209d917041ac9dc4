import Alarms
import CivilTime
import FileSystem
import Glibc
import Synchronization

/// The zones of the system, read from TZif files and cached.
public final class ZoneFiles: Sendable {
  private struct Read {
    var zone: Zone
    var bytes: [UInt8]
  }

  private struct State {
    var zones: [String: Read] = [:]
    var version: String
  }

  private let directory: String
  private let state: Mutex<State>

  /// The release of tzdata; `unknown` if the zone files do not contain the release.
  public var tzdataVersion: String { state.withLock { $0.version } }

  /// The zone files of Debian.
  public static var system: ZoneFiles { ZoneFiles(directory: "/usr/share/zoneinfo") }

  /// - Parameter directory: the directory of the TZif files, `/usr/share/zoneinfo` on Debian.
  public init(directory: String) {
    self.directory = directory
    state = Mutex(State(version: Self.version(in: directory)))
  }

  /// Returns a zone by its tzdata name.
  ///
  /// - Returns: nil if the system has no zone with this name.
  public func zone(_ name: String) -> Zone? {
    if let known = state.withLock({ $0.zones[name]?.zone }) { return known }
    guard let found = read(name) else { return nil }
    state.withLock { $0.zones[name] = found }
    return found.zone
  }

  /// Reads all cached zones again after the zone files of the system changed.
  ///
  /// If the file of a zone is missing or unreadable, the program continues to use the cached zone.
  /// An incomplete update of tzdata must not silence an alarm.
  ///
  /// - Returns: true if a cached zone or the release of tzdata changed.
  public func reload() -> Bool {
    let known = state.withLock { $0.zones }
    var changed: [String: Read] = [:]
    for (name, old) in known {
      if let new = read(name), new.bytes != old.bytes { changed[name] = new }
    }
    let version = Self.version(in: directory)
    return state.withLock { state in
      let isDifferent = !changed.isEmpty || version != state.version
      state.zones.merge(changed) { _, new in new }
      state.version = version
      return isDifferent
    }
  }

  private func read(_ name: String) -> Read? {
    guard Self.isName(name), let bytes = Self.content("\(directory)/\(name)"),
      // The directory also contains files that are not TZif files, for example zone.tab. If a file
      // is not a TZif file, the function returns nil.
      let zone = try? Zone(name: name, tzif: bytes)
    else { return nil }
    return Read(zone: zone, bytes: bytes)
  }

  /// Returns the zone name of this machine. The name comes from the target of the link
  /// `/etc/localtime`, or else from the file `/etc/timezone`. If neither contains a name, the
  /// result is `UTC`.
  public static func systemZoneName() -> String {
    var target = [CChar](repeating: 0, count: 1_024)
    let length = readlink("/etc/localtime", &target, target.count)
    if length > 0 {
      let path = String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let marker = path.range(ofLast: "zoneinfo/") { return String(path[marker...]) }
    }
    if let bytes = content("/etc/timezone") {
      let name = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
      if !name.isEmpty { return String(name) }
    }
    return "UTC"
  }

  /// Returns true if a name contains only permitted characters and if no part between slashes is
  /// empty or begins with a dot. Then the name cannot refer to a file outside the directory of the
  /// zone files.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".")
          && part.unicodeScalars.allSatisfy {
            ($0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil))
              || "_+-".unicodeScalars.contains($0)
          }
      }
  }

  /// Returns the content of a file; nil if the file cannot be read or is larger than 1 MiB. Every
  /// file of tzdata is smaller than 1 MiB.
  private static func content(_ path: String) -> [UInt8]? {
    try? readFile(atPath: path, limit: 1 << 20)
  }

  private static func version(in directory: String) -> String {
    if let bytes = content("\(directory)/tzdata.zi") {
      let first =
        String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "\n").first ?? ""
      if first.hasPrefix("# version ") { return String(first.dropFirst(10)) }
    }
    if let bytes = content("\(directory)/+VERSION") {
      let name = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
      if !name.isEmpty { return String(name) }
    }
    return "unknown"
  }
}

extension String {
  /// Returns the index of the first character after the last `marker` in the text; nil if the text
  /// does not contain `marker`.
  fileprivate func range(ofLast marker: String) -> String.Index? {
    var found: String.Index?
    var index = startIndex
    while index < endIndex {
      if self[index...].hasPrefix(marker) { found = self.index(index, offsetBy: marker.count) }
      index = self.index(after: index)
    }
    return found
  }
}
