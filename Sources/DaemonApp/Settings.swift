import Alarms
import Glibc
import HTTPServer
import Platform
import Speaker
import TOMLKit

/// The values of the configuration file. Every key is optional. The daemon refuses a file with an
/// unknown key.
struct Settings: Equatable {
  /// The home zone; nil for the zone of the machine.
  var zone: String?
  /// The ALSA PCM names of the sound devices, the preferred device first.
  var devices = ["default"]
  /// The level of the sound card. The value is a percentage of the range of its volume control.
  ///
  /// The level is the same for all rings. The rings of a burst become louder because each ring also
  /// has its own gain.
  var level = 80
  /// The espeak-ng name of the voice for words without a recording, for example `en`, `en-gb` or
  /// `de`.
  var language = "en"
  /// True if espeak-ng speaks the words of a prompt that has no recording. If espeak-ng is not
  /// installed, the setting has no effect.
  var speech = true
  /// True if a tone sounds after a person has completed all tasks that were planned for the day.
  ///
  /// The default is false for two reasons. A person who has just stopped an alarm expects silence.
  /// In a study, a reward could change the results.
  var reward = false
  /// The file with the state of the program that sends the record to the archive of a study.
  var linkStatus = "/var/lib/prompter-link/status.json"
  /// True if prompts of one person that are ready at the same time ring in one merged ring.
  var mergesRings = true
  var identities = Identities(admins: [], users: [:], groups: [:])
  var limits = HomeLimits.standard
  /// The contacts for unanswered prompts, and their commands.
  var contacts: [String: Contact] = [:]

  private static let keys = [
    "zone", "devices", "level", "language", "speech", "reward", "merge_rings", "roles", "patients",
    "delegates", "limits", "contacts", "link_status",
  ]

  private static let limitKeys = [
    "alarms", "tones", "tone_mib", "images", "image_mib", "rings_per_hour",
  ]

  /// The names of users and groups that have a role but do not exist on this machine.
  ///
  /// An entry with an unknown name gives rights to nobody. The daemon still uses a configuration
  /// with unknown names, so that alarms ring. The command `prompterd --check-config` refuses
  /// unknown names.
  var unknownNames: [String] = []

  /// The default values. They apply if there is no configuration file.
  init() {}

  /// - Parameter path: the path of the file that contains the text. Error messages contain this
  ///   path.
  init(text: String, path: String) throws(SettingsError) {
    do throws(SettingsError) {
      try read(text, path)
    } catch {
      throw error.located(in: text)
    }
  }

  private mutating func read(_ text: String, _ path: String) throws(SettingsError) {
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw SettingsError(
        path, "line \(error.source.begin.line): \(error.description)")
    } catch {
      throw SettingsError(path, "\(error)")
    }
    for key in table.keys where !Self.keys.contains(key) {
      throw SettingsError(
        path, "\"\(key)\" is not a key; the keys are: \(Self.keys.joined(separator: ", "))",
        key: key)
    }
    zone = try Self.value(table, "zone", "a text", path) { $0.string }
    if let list = try Self.strings(table, "devices", path) { devices = list }
    level =
      try Self.value(table, "level", "a whole number from 1 to 100", path) { value in
        value.int.flatMap { (1...100).contains($0) ? $0 : nil }
      } ?? level
    language =
      try Self.value(table, "language", "a language such as \"en\" or \"de\"", path) { value in
        value.string.flatMap { SpeechSynthesizer.isLanguage($0) ? $0 : nil }
      } ?? language
    speech = try Self.value(table, "speech", "true or false", path) { $0.bool } ?? speech
    reward = try Self.value(table, "reward", "true or false", path) { $0.bool } ?? reward
    mergesRings =
      try Self.value(table, "merge_rings", "true or false", path) { $0.bool } ?? mergesRings
    linkStatus =
      try Self.value(table, "link_status", "a path that begins with /", path) { value in
        value.string.flatMap { $0.hasPrefix("/") ? $0 : nil }
      } ?? linkStatus
    let people = try Self.value(table, "patients", "a table", path) { $0.table }
    try readRoles(
      try Self.value(table, "roles", "a table", path) { $0.table } ?? TOMLTable(),
      people: try readPatients(people ?? TOMLTable(), path),
      delegates: try Self.value(table, "delegates", "a table", path) { $0.table } ?? TOMLTable(),
      path)
    if let limits = try Self.value(table, "limits", "a table", path, { $0.table }) {
      try readLimits(limits, path)
    }
    if let table = try Self.value(table, "contacts", "a table", path, { $0.table }) {
      contacts = try Self.contacts(table, path)
    }
  }

  private mutating func readLimits(_ table: TOMLTable, _ path: String) throws(SettingsError) {
    for key in table.keys where !Self.limitKeys.contains(key) {
      throw SettingsError(
        path,
        "\"limits.\(key)\" is not a key; the keys are: \(Self.limitKeys.joined(separator: ", "))",
        key: key, in: "limits")
    }
    let number: (any TOMLValueConvertible) -> Int? = { value in
      value.int.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    }
    let what = "a whole number from 1 to 1000000"
    limits.alarms = try Self.value(table, "alarms", what, path, number) ?? limits.alarms
    limits.tones = try Self.value(table, "tones", what, path, number) ?? limits.tones
    limits.pictures = try Self.value(table, "images", what, path, number) ?? limits.pictures
    let pictureMebibytes = try Self.value(table, "image_mib", what, path, number)
    limits.pictureBytes = pictureMebibytes.map { $0 << 20 } ?? limits.pictureBytes
    let toneMebibytes = try Self.value(table, "tone_mib", what, path, number)
    limits.toneBytes = toneMebibytes.map { $0 << 20 } ?? limits.toneBytes
    limits.ringsPerHour =
      try Self.value(table, "rings_per_hour", what, path, number) ?? limits.ringsPerHour
  }

  /// Reads the roles of user names, uids and groups.
  ///
  /// The name of a group begins with an at sign. A user or group can be in the lists of several
  /// roles. In this case, the user or group has all these roles.
  private mutating func readRoles(
    _ table: TOMLTable, people: [UInt32: String], delegates: TOMLTable, _ path: String
  ) throws(SettingsError) {
    var users: [UInt32: Set<Role>] = [:]
    var groups: [UInt32: Set<Role>] = [:]
    var admins: Set<UInt32> = []
    for key in table.keys {
      guard let role = Role(rawValue: key), role != .system else {
        throw SettingsError(
          path,
          "\"roles.\(key)\" is not a role; the roles are: patient, caretaker, researcher, analyst, "
            + "monitor, courier, admin",
          key: key, in: "roles")
      }
      for name in try Self.strings(table, key, path) ?? [] {
        if name.hasPrefix("@") {
          guard let gid = Self.gid(String(name.dropFirst())) else {
            unknownNames.append("there is no group \"\(name.dropFirst())\" on this machine")
            continue
          }
          groups[gid, default: []].insert(role)
        } else {
          guard let uid = Self.uid(name) else {
            unknownNames.append("there is no user \"\(name)\" on this machine")
            continue
          }
          if role == .admin { admins.insert(uid) } else { users[uid, default: []].insert(role) }
        }
      }
    }
    identities = Identities(
      admins: admins, users: users, groups: groups, people: people,
      delegates: try readDelegates(delegates, admins: admins, path))
  }

  static func uid(_ name: String) -> UInt32? {
    UInt32(name) ?? getpwnam(name)?.pointee.pw_uid
  }

  private static func gid(_ name: String) -> UInt32? {
    UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
  }

  static func strings(
    _ table: TOMLTable, _ key: String, _ path: String
  ) throws(SettingsError) -> [String]? {
    guard let list = try value(table, key, "a list of texts", path, { $0.array }) else {
      return nil
    }
    var strings: [String] = []
    for item in list {
      guard let string = item.string else {
        throw SettingsError(path, "\"\(key)\" must be a list of texts", key: key)
      }
      strings.append(string)
    }
    return strings
  }

  static func value<Value>(
    _ table: TOMLTable, _ key: String, _ what: String, _ path: String,
    _ read: (any TOMLValueConvertible) -> Value?
  ) throws(SettingsError) -> Value? {
    guard let value = table[key] else { return nil }
    guard let read = read(value) else {
      throw SettingsError(path, "\"\(key)\" must be \(what)", key: key)
    }
    return read
  }
}
