import Alarms
import FileSystem
import Glibc
import Platform

/// The sources of the settings: a file and the environment. The environment overrides the file.
package struct SettingsSource {
  /// The path of the configuration file; nil if the daemon uses no configuration file.
  var file: String?
  /// The path of a copy of the last configuration file that the daemon could use; nil if the daemon
  /// keeps no copy.
  ///
  /// If the configuration file is unusable, for example after a power failure, the daemon uses this
  /// copy, so that the alarms still ring.
  var lastUsableFile: String?
  /// The names of the sound devices from the command line. These names have priority over the names
  /// in the settings file and in the environment.
  var devices: [String] = []

  package init(file: String?, lastUsableFile: String?, devices: [String] = []) {
    self.file = file
    self.lastUsableFile = lastUsableFile
    self.devices = devices
  }

  /// The settings that were read, and the messages about these settings.
  package struct Found {
    var settings: Settings
    package var warnings: [String] = []
    /// The warnings that the status shows until a person corrects the file.
    var problems: [String] = []
    /// The result of the check of the file permissions; nil if there is no file.
    package var access: SettingsAccess?

    /// The reason why the file is not trusted; nil if the file is trusted.
    fileprivate var distrust: String? {
      access.flatMap { $0.dangers.isEmpty ? nil : $0.dangers.joined(separator: "; ") }
    }
  }

  /// Reads the configuration file. The function also reads a file that is not trusted. The caller
  /// must check the member `access` of the result, which contains the reasons why the file is not
  /// trusted.
  func read() throws(SettingsError) -> Found {
    guard let file else { return try withOverrides(Settings()) }
    let (text, access) = try Self.contents(of: file)
    var found = try withOverrides(try Settings(text: text, path: file))
    found.access = access
    if found.distrust == nil { keep(text) }
    return found
  }

  /// Reads the settings file if the file is trusted.
  ///
  /// - Throws: `SettingsError` if the file is not usable or not trusted. If a user other than root
  ///   and the user of the daemon can change the file, the file is not trusted.
  package func readTrusted() throws(SettingsError) -> Found {
    let found = try read()
    if let distrust = found.distrust { throw SettingsError(file ?? "environment", distrust) }
    return found
  }

  /// Reads the settings file when the daemon starts.
  ///
  /// If the settings file is unusable or not trusted, the daemon starts with the copy of the last
  /// usable file. If there is no copy, the daemon uses the settings file even if this file is not
  /// trusted. Reason: a home without alarms is more dangerous than such a file.
  func readOrRecall() throws(SettingsError) -> Found {
    do throws(SettingsError) {
      return try readTrusted()
    } catch {
      guard let lastUsableFile, access(lastUsableFile, R_OK) == 0 else {
        var found = try read()
        found.note("\(error); the daemon uses it anyway, because there is no earlier one")
        return found
      }
      let text = try Self.contents(of: lastUsableFile).text
      var found = try withOverrides(try Settings(text: text, path: lastUsableFile))
      found.note("\(error); the daemon uses the last configuration that was correct")
      return found
    }
  }

  /// Replaces settings from the file by the values of environment variables, and then by the values
  /// of the command line.
  private func withOverrides(_ settings: Settings) throws(SettingsError) -> Found {
    var settings = settings
    try settings.override { name in getenv(name).map { String(cString: $0) } }
    if !devices.isEmpty { settings.devices = devices }
    if let zone = settings.zone, ZoneFiles.system.zone(zone) == nil {
      throw SettingsError(
        file ?? "environment",
        "this system has no time zone \"\(zone)\"; write it like Europe/Berlin")
    }
    return Found(settings: settings, warnings: settings.unknownNames)
  }

  private func keep(_ text: String) {
    guard let lastUsableFile else { return }
    // Ignore an error: if the disk cannot store the new copy, the older copy is still usable.
    try? DurableFile.write(Array(text.utf8), to: lastUsableFile, temporary: "\(lastUsableFile).new")
  }

  /// Reads a whole text file, and checks its permissions.
  private static func contents(
    of path: String
  ) throws(SettingsError) -> (text: String, access: SettingsAccess) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw SettingsError(path, String(cString: strerror(errno))) }
    defer { close(file) }
    let (bytes, failure) = readToEnd(of: file, limit: 1 << 20)
    if let failure { throw SettingsError(path, failure.description) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingsError(path, "it is not UTF-8 text")
    }
    return (text, SettingsAccess(descriptor: file, path: path))
  }
}

extension SettingsSource.Found {
  /// Adds a problem with the configuration file to the warnings and to the status.
  fileprivate mutating func note(_ problem: String) {
    warnings.insert(problem, at: 0)
    problems.append(problem)
  }
}

extension Settings {
  /// If an environment variable is set, its value replaces the setting of the file.
  ///
  /// The variables are PROMPTER_ZONE, PROMPTER_DEVICES (names separated by blanks), PROMPTER_LEVEL,
  /// PROMPTER_ALARMS, PROMPTER_TONES and PROMPTER_RINGS_PER_HOUR.
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
