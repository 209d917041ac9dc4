import CivilTime
import Glibc

/// The zones that the pretend world lives in, read from the system's tzdata once.
public enum SystemZone {
  /// - Returns: nil where the system has no such zone.
  public static func read(_ name: String) -> Zone? {
    guard let file = fopen("/usr/share/zoneinfo/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
      bytes += chunk[..<count]
    }
    return try? Zone(name: name, tzif: bytes)
  }
}
