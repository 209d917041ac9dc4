@preconcurrency import CALSA
import FoundationEssentials
@preconcurrency import Glibc
import Sandbox

/// The command `prompter-sound devices`. It prints the ALSA names (PCM names) of the sound devices
/// that can play sound. The output is a table or one JSON array.
enum DeviceList {
  private struct Entry: Encodable {
    var name: String
    var description: String?
  }

  /// Returns the exit status: 0 if the names were printed, 1 if the command failed.
  static func run(json: Bool) -> Int32 {
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
    guard json else { return writeAll(STDOUT_FILENO, Array(table(entries).utf8)) ? 0 : 1 }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return writeAll(STDOUT_FILENO, [UInt8](try encoder.encode(entries)) + [10]) ? 0 : 1
    } catch {
      printError("cannot write the list: \(error)")
      return 1
    }
  }

  /// Returns the sound devices as a table. The ALSA description of a sound device can have several
  /// lines.
  private static func table(_ entries: [Entry]) -> String {
    let rows =
      [("DEVICE", "DESCRIPTION")]
      + entries.map { entry in
        let lines = (entry.description ?? "").split(separator: "\n")
        return (entry.name, lines.joined(separator: ", "))
      }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { name, description in
      description.isEmpty
        ? name : name + String(repeating: " ", count: width - name.count + 2) + description
    }
    let hint =
      entries.isEmpty
      ? "ALSA lists no device." : "Use a name in the configuration: devices = [\"NAME\"]"
    return (lines + ["", hint]).joined(separator: "\n") + "\n"
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let value = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(value) }
    return String(cString: value)
  }
}
