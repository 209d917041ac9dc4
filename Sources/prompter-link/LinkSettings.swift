import ArgumentParser
import Glibc
import TOMLKit

/// The configuration file of the link. Without a file, each setting has its default.
struct LinkSettings {
  /// True if the link contacts the archive soon after each new event. If the value is false, the
  /// link contacts the archive only every 15 minutes.
  private(set) var isAtOnce = false

  init(path: String) throws {
    guard access(path, F_OK) == 0 else { return }
    guard let text = Self.text(path) else {
      throw refused(path, "cannot read it: \(String(cString: strerror(errno)))")
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      throw refused(path, "it is not valid TOML: \(error)")
    }
    for key in table.keys where key != "at_once" {
      throw refused(path, "\"\(key)\" is not a setting; the only setting is at_once")
    }
    if let value = table["at_once"] {
      guard let flag = value.bool else { throw refused(path, "at_once must be true or false") }
      isAtOnce = flag
    }
  }

  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  private func refused(_ path: String, _ why: String) -> ExitCode {
    report("cannot use \(path): \(why)")
    return ExitCode(2)
  }
}
