import Alarms
import CivilTime
import Glibc
import Synchronization

/// The system's zones, read from its TZif files and kept.
public final class ZoneFiles: Sendable {
  private let directory: String
  private let cache = Mutex<[String: Zone]>([:])
  /// The release of the tzdata, or `unknown`.
  public let tzdataVersion: String

  /// - Parameter directory: where the TZif files are, `/usr/share/zoneinfo` on Debian.
  public init(directory: String) {
    self.directory = directory
    tzdataVersion = Self.version(in: directory)
  }

  /// A zone by its tzdata name.
  ///
  /// - Returns: nil where the system has none by that name.
  public func zone(_ name: String) -> Zone? {
    if let known = cache.withLock({ $0[name] }) { return known }
    guard Self.isName(name), let bytes = readWholeFile("\(directory)/\(name)"),
      // A file that is no TZif (zone.tab, a directory) is no zone.
      let zone = try? Zone(name: name, tzif: bytes)
    else { return nil }
    cache.withLock { $0[name] = zone }
    return zone
  }

  /// The zone this machine is set to: what `/etc/localtime` points at, else `/etc/timezone`, else UTC.
  public static func systemZoneName() -> String {
    var target = [CChar](repeating: 0, count: 1_024)
    let length = readlink("/etc/localtime", &target, target.count)
    if length > 0 {
      let path = String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
      if let marker = path.range(ofLast: "zoneinfo/") { return String(path[marker...]) }
    }
    if let bytes = readWholeFile("/etc/timezone") {
      let name = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
      if !name.isEmpty { return String(name) }
    }
    return "UTC"
  }

  /// Letters, digits and a few signs, in parts that cannot climb out of the directory.
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

  private static func version(in directory: String) -> String {
    if let bytes = readWholeFile("\(directory)/tzdata.zi") {
      let first = String(decoding: bytes.prefix(64), as: UTF8.self).split(separator: "\n").first ?? ""
      if first.hasPrefix("# version ") { return String(first.dropFirst(10)) }
    }
    if let bytes = readWholeFile("\(directory)/+VERSION") {
      let name = String(decoding: bytes, as: UTF8.self).prefix { !$0.isWhitespace }
      if !name.isEmpty { return String(name) }
    }
    return "unknown"
  }
}

extension String {
  /// Where the text after the last occurrence of `marker` begins.
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
