import Alarms
import CivilTime
import Platform
import TOMLKit

extension Settings {
  /// Reads the contacts. Example:
  ///
  /// ```toml
  /// [contacts.anna]
  /// command = ["/usr/local/bin/send-sms", "+49 30 901820"]
  /// timeout = 30
  /// summary = "20:00"
  /// calls = true
  /// ```
  static func contacts(
    _ table: TOMLTable, _ path: String
  ) throws(SettingsError) -> [String: Contact] {
    var contacts: [String: Contact] = [:]
    for name in table.keys {
      let field = "contacts.\(name)"
      guard isPlain(name) else {
        throw SettingsError(
          path,
          "\"\(field)\": a contact's name has 1 to 64 characters, at most 256 bytes, and no "
            + "spaces, commas or invisible characters", key: field)
      }
      guard let contact = table[name]?.table else {
        throw SettingsError(path, "\"\(field)\" must be a table", key: name, in: "contacts")
      }
      contacts[name] = try Self.contact(contact, field, path)
    }
    return contacts
  }

  private static func contact(
    _ table: TOMLTable, _ field: String, _ path: String
  ) throws(SettingsError) -> Contact {
    for key in table.keys where !["command", "timeout", "summary", "calls"].contains(key) {
      throw SettingsError(
        path, "\"\(field).\(key)\" is not a key; the keys are: command, timeout, summary, calls",
        key: key, in: field)
    }
    guard let command = try strings(table, "command", path), let program = command.first else {
      throw SettingsError(
        path, "\"\(field)\" needs a command: a list of the program and its arguments", key: field)
    }
    guard program.hasPrefix("/") else {
      throw SettingsError(
        path, "\"\(field).command\": \"\(program)\" must be an absolute path, which starts with /",
        key: "command", in: field)
    }
    let timeout = try value(
      table, "timeout", "a whole number of seconds from 1 to 300", path
    ) { value in
      value.int.flatMap { (1...300).contains($0) ? $0 : nil }
    }
    var summary: ClockTime?
    if let value = table["summary"] {
      summary = value.string.flatMap { try? ClockTime(parsing: $0) }
      if summary == nil {
        throw SettingsError(
          path, "\"\(field).summary\" must be a time of day such as \"20:00\"", key: "summary",
          in: field)
      }
    }
    return Contact(
      command: command, timeoutSeconds: timeout ?? Contact.standardTimeoutSeconds,
      summary: summary,
      takesCalls: try value(table, "calls", "true or false", path) { $0.bool } ?? false)
  }

  /// Returns true if the name of a contact can be a part of a command line option.
  ///
  /// In an option such as `--tell "anna after 10m, then bob after 15m"`, blanks and commas separate
  /// the names from the other words. Therefore, the name of a contact must not contain blanks or
  /// commas.
  private static func isPlain(_ name: String) -> Bool {
    TextRule(1...64, bytes: 256).fault(in: name) == nil
      && !name.unicodeScalars.contains { $0.properties.isWhitespace || $0 == "," }
  }
}
