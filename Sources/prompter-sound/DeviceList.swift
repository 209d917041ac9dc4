@preconcurrency import CALSA
import FoundationEssentials
@preconcurrency import Glibc
import Sandbox

/// The command `prompter-sound devices`, which prints the playback PCM names of ALSA as one JSON
/// array.
enum DeviceList {
  private struct Entry: Encodable {
    var name: String
    var description: String?
  }

  /// Returns the exit status: 0 if the names were printed, 1 if the command failed.
  static func run() -> Int32 {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    let code = snd_device_name_hint(-1, "pcm", &hints)
    guard code == 0, let hints else {
      printError("cannot list devices: \(String(cString: snd_strerror(code)))")
      return 1
    }
    defer { snd_device_name_free_hint(hints) }
    var entries: [Entry] = []
    var next = hints
    while let hint = next.pointee {
      next += 1
      if let direction = text(hint, "IOID"), direction != "Output" { continue }
      if let name = text(hint, "NAME") {
        entries.append(Entry(name: name, description: text(hint, "DESC")))
      }
    }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return writeAll(STDOUT_FILENO, [UInt8](try encoder.encode(entries)) + [10]) ? 0 : 1
    } catch {
      printError("cannot write the list: \(error)")
      return 1
    }
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
