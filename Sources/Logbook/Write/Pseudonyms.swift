import EventCoding
import GRDB
import JSONValue
import MessageDigest
import StudyExport
import Synchronization

/// The names of people and devices in all data that leave the device.
///
/// A row of the hash chain always contains the original pseudonym, even after a rekey. But all data
/// that leave the device after a rekey contain a new name instead. An export with the profile
/// `safe_harbor` contains a new name even before the first rekey. Prompter computes the new name
/// from the HMAC-SHA-256 of the original pseudonym. The table `settings` contains the key of the
/// HMAC, and the next rekey overwrites this key. A researcher can have an export from before a
/// rekey and an export from after this rekey. With these two exports, the researcher cannot find
/// the names that belong to the same person. Without the old key, even the device cannot match
/// these names.
final class Pseudonyms: PseudonymKey, Sendable {
  private static let setting = "pseudonym_key"
  private let key: [UInt8]?
  private let blinding: Blinding
  private let known = Mutex<[String: String]>([:])

  init(_ db: Database) throws {
    key = try Logbook.setting(Self.setting, in: db).flatMap(bytes(hexadecimal:))
    blinding = try Blinding(db)
  }

  /// The pseudonyms of one export.
  ///
  /// - Parameter secret: the secret of the exports with this profile. If the secret is nil, the
  ///   export contains the pseudonyms of the event stream and of `prompter log`.
  convenience init(_ db: Database, secret: [UInt8]?) throws {
    if let secret {
      self.init(key: secret, try Blinding(db))
    } else {
      try self.init(db)
    }
  }

  private init(key: [UInt8], _ blinding: Blinding) { (self.key, self.blinding) = (key, blinding) }

  var isSet: Bool { key != nil }

  var hidesChain: Bool { blinding.isInForce }

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

  /// Replaces the pseudonyms in a payload. A pseudonym is the value of a member `person`, at any
  /// depth of the payload.
  ///
  /// The function replaces only the values of these members, because no other member contains a
  /// pseudonym. Only the daemon writes payloads.
  func document(_ stored: String) -> String {
    let stored = blinding.document(stored)
    guard isSet, stored.contains(#""person":""#), let json = try? JSON(stored: stored),
      case .members(let members) = json
    else { return stored }
    // Remove the digest that binds the pseudonym to a person. A rekey does not change this digest,
    // so a reader could use the digest to join the data from before the rekey and the data from
    // after the rekey.
    let kept = JSON.members(members.filter { $0.name != IdentityProof.member })
    return kept.mapping("person") { $0.string.map { .string(name($0)) } ?? $0 }.description
  }

  /// Copies a row for data that leave the device. In the copy, the pseudonyms for such data replace
  /// the pseudonyms of the record.
  func row(_ event: EventRow) -> EventRow {
    var event = event
    if hidesChain {
      let payload = blinding.document(event.payload)
      // The hash of the head is public. A reader who knows the random id of this row could compute
      // the hash of the row for each possible arm, and compare the result with the head. Therefore,
      // remove the id.
      if payload != event.payload { event.eventID = "" }
      event.payload = payload
      (event.previousHash, event.hash) = ("", "")
    }
    guard isSet else { return event }
    event.person = event.person.map(name)
    event.device = name(event.device)
    event.payload = document(event.payload)
    return event
  }

  /// Replaces the key of the pseudonyms and the export secret by new random values. The caller must
  /// call this function in the transaction that records the event of the rekey.
  static func rekey(
    in db: Database, _ random: inout any RandomNumberGenerator & Sendable
  ) throws {
    for setting in [setting, "export_secret"] {
      try db.execute(
        sql: "INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)",
        arguments: [setting, hexadecimal(randomBytes(32, &random))])
    }
  }

  /// Returns true if a text has the form of a pseudonym. The function `name` replaces only texts of
  /// this form. For example, the function `name` does not replace the word `unknown`, which the
  /// record contains for an unknown person.
  private static func isPseudonym(_ text: String) -> Bool {
    text.utf8.count == 10 && text.dropFirst().first == "-"
  }
}
