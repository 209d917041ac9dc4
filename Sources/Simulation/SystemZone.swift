import CivilTime
import Glibc

/// The zones that the pretend world lives in, read from the system's tzdata once.
public enum SystemZone {
  /// - Returns: nil where the system has no such zone.
  public static func read(_ name: String) -> Zone? {
    readFile("/usr/share/zoneinfo/\(name)").flatMap { try? Zone(name: name, tzif: $0) }
  }
}

/// Reads a whole file; nil where it cannot be opened.
func readFile(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "r") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&chunk, 1, chunk.count, file), count > 0 {
    bytes += chunk[..<count]
  }
  return bytes
}
