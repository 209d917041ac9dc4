import EventCoding
import GRDB
import JSONValue
import MessageDigest
import StudyExport
import Synchronization

/// The names by which people and devices go outside of the record.
///
/// A row of the chain says a pseudonym for ever. Once they were re-keyed, what leaves the device says
/// HMAC-SHA-256 of it instead, under a key that lies in the settings, is replaced by the next one and
/// overwritten then: who has an export from before and one from after cannot turn the one name into the
/// other, nor can the device itself once the key is gone.
final class Pseudonyms: PseudonymKey, Sendable {
  private static let setting = "pseudonym_key"
  private let key: [UInt8]?
  private let known = Mutex<[String: String]>([:])

  init(_ db: Database) throws {
    key = try Logbook.setting(Self.setting, in: db).flatMap(bytes(hexadecimal:))
  }

  var isSet: Bool { key != nil }

  func name(_ stored: String) -> String {
    guard let key, Self.isPseudonym(stored) else { return stored }
    return known.withLock { known in
      if let name = known[stored] { return name }
      let code = SHA256Digest.authenticationCode(key: key, Array(stored.utf8))
      let name = pseudonym(
        stored.first ?? "P", bits: code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
      known[stored] = name
      return name
    }
  }

  /// Payloads are written by this program alone: a person in one is a member `person`, at any depth.
  func document(_ stored: String) -> String {
    guard isSet, stored.contains(#""person":""#), let json = try? JSON(stored: stored) else {
      return stored
    }
    return json.mapping("person") { $0.string.map { .string(name($0)) } ?? $0 }.description
  }

  /// A row as it is listed.
  func row(_ event: EventRow) -> EventRow {
    guard isSet else { return event }
    var event = event
    event.person = event.person.map(name)
    event.device = name(event.device)
    event.payload = document(event.payload)
    return event
  }

  /// Puts new keys in place of those in force, in the transaction that records it.
  static func rekey(
    in db: Database, _ random: inout any RandomNumberGenerator & Sendable
  ) throws {
    for setting in [setting, "export_secret"] {
      try db.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
        arguments: [setting, hexadecimal(randomBytes(32, &random))])
    }
  }

  /// What stands for nobody, as where an alarm's person is not known, is left as it is.
  private static func isPseudonym(_ text: String) -> Bool {
    text.utf8.count == 10 && text.dropFirst().first == "-"
  }
}
