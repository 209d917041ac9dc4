import Alarms
import Glibc
import Platform

/// Where the settings come from: a file, and above it the environment.
struct SettingsSource {
  /// The configuration file; nil for none.
  var file: String?
  /// Where the last file that could be used is kept, so that a slip of the pen does not silence a
  /// home at the next power cut; nil to keep none.
  var spare: String?
  /// ALSA devices from the command line, which are above everything.
  var devices: [String] = []

  /// What was read, and what is to be said of it.
  struct Found {
    var settings: Settings
    var warnings: [String] = []
    /// Of the warnings those that hold until the file is changed, for the status.
    var problems: [String] = []
    /// Who can change the file and who can read it; nil without a file.
    var access: SettingsAccess?

    /// Why the file is not believed; nil if it is.
    fileprivate var distrust: String? {
      access.flatMap { $0.dangers.isEmpty ? nil : $0.dangers.joined(separator: "; ") }
    }
  }

  /// Reads the file as it is now, whoever can change it.
  func read() throws(SettingsError) -> Found {
    guard let file else { return try adorned(Settings()) }
    let (text, access) = try Self.contents(of: file)
    var found = try adorned(try Settings(text: text, path: file))
    found.access = access
    if found.distrust == nil { keep(text) }
    return found
  }

  /// Reads the file as it is now.
  ///
  /// - Throws: also if others than root and our own user can change it.
  func readTrusted() throws(SettingsError) -> Found {
    let found = try read()
    if let distrust = found.distrust { throw SettingsError(file ?? "environment", distrust) }
    return found
  }

  /// Reads the file for a start, which nothing about it may prevent while there is anything to go on with.
  ///
  /// Where it cannot be used or is not believed, the last one that was takes its place. Without that one, a
  /// file that is not believed is used all the same: a home that does not ring is worse.
  func readOrRecall() throws(SettingsError) -> Found {
    do throws(SettingsError) {
      return try readTrusted()
    } catch {
      guard let spare, access(spare, R_OK) == 0 else {
        var found = try read()
        found.note("\(error); it is used all the same, because there is no other")
        return found
      }
      var found = try adorned(try Settings(text: try Self.contents(of: spare).text, path: spare))
      found.note("\(error); going on with the last configuration that could be used")
      return found
    }
  }

  /// The settings with what the environment and the command line put above them.
  private func adorned(_ settings: Settings) throws(SettingsError) -> Found {
    var settings = settings
    try settings.override { name in getenv(name).map { String(cString: $0) } }
    if !devices.isEmpty { settings.devices = devices }
    if let zone = settings.zone, ZoneFiles.system.zone(zone) == nil {
      throw SettingsError(
        file ?? "environment",
        "this system has no zone \"\(zone)\"; zones are named like Europe/Berlin")
    }
    return Found(settings: settings, warnings: settings.strangers)
  }

  private func keep(_ text: String) {
    guard let spare else { return }
    let new = spare + ".new"
    let descriptor = open(
      new, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
    close(descriptor)
    // Where the disk takes no copy, the older one stays and is better than none.
    if isWritten { rename(new, spare) } else { unlink(new) }
  }

  /// The whole of a text file, and who can change it.
  private static func contents(
    of path: String
  ) throws(SettingsError) -> (text: String, access: SettingsAccess) {
    guard let file = fopen(path, "re") else {
      throw SettingsError(path, String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    if ferror(file) != 0 { throw SettingsError(path, String(cString: strerror(errno))) }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw SettingsError(path, "it is no UTF-8 text")
    }
    return (text, SettingsAccess(descriptor: fileno(file), path: path))
  }
}

extension SettingsSource.Found {
  /// Says first in the journal, and in the status, what is wrong with the file.
  fileprivate mutating func note(_ problem: String) {
    warnings.insert(problem, at: 0)
    problems.append(problem)
  }
}

extension Settings {
  /// Puts the environment above the file: PROMPTER_ZONE, PROMPTER_DEVICES (names with blanks between
  /// them), PROMPTER_LEVEL, PROMPTER_ALARMS, PROMPTER_TONES and PROMPTER_RINGS_PER_HOUR.
  mutating func override(by variable: (String) -> String?) throws(SettingsError) {
    func number(_ name: String, _ range: ClosedRange<Int>) throws(SettingsError) -> Int? {
      guard let text = variable(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw SettingsError(
          "environment",
          "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return number
    }
    if let zone = variable("PROMPTER_ZONE") { self.zone = zone }
    if let names = variable("PROMPTER_DEVICES")?.split(separator: " "), !names.isEmpty {
      devices = names.map(String.init)
    }
    level = try number("PROMPTER_LEVEL", 1...100) ?? level
    limits.alarms = try number("PROMPTER_ALARMS", 1...1_000_000) ?? limits.alarms
    limits.tones = try number("PROMPTER_TONES", 1...1_000_000) ?? limits.tones
    limits.ringsPerHour =
      try number("PROMPTER_RINGS_PER_HOUR", 1...1_000_000) ?? limits.ringsPerHour
  }
}
