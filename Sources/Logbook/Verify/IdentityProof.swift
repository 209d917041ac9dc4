import EventCoding
import GRDB
import JSONValue
import MessageDigest

/// Checks that each pseudonym still belongs to the person for whom the daemon created it.
///
/// The hash chain does not cover the table `people`, so that an identity can be erased. But among
/// the rows about a person, the first row with a type in `types` contains a digest. The digest
/// covers a salt and the id of the person. The table `people` contains the salt. Without the salt,
/// a person who guesses the id cannot confirm the guess with the digest. An erasure of the identity
/// deletes the salt.
struct IdentityProof {
  /// The member of a payload that contains the digest.
  static let member = "identity"
  /// The types of events that can contain a digest. A purge keeps the events of these types.
  static let types: Set<String> = [
    "person_added", "person_changed", "person_paused", "phase_changed", "enrolled", "response",
    "diary",
  ]

  private var digests: [String: (sequence: Int64, digest: String)] = [:]
  private var erased: Set<String> = []

  /// Returns the digest that binds a pseudonym to the id of a person.
  ///
  /// - Parameter salt: 16 random bytes, in lower-case hex.
  static func digest(salt: String, person: String) -> String {
    SHA256Digest.hex((bytes(hexadecimal: salt) ?? []) + Array(person.utf8))
  }

  /// Adds the next row. The caller must add the rows in their order.
  mutating func add(_ stored: EventRow) throws {
    guard let person = stored.person else { return }
    if stored.type == "erased", try JSON(stored: stored.payload)["scope"]?.string == "identity" {
      erased.insert(person)
    }
    guard Self.types.contains(stored.type), stored.payload.contains(#""\#(Self.member)":"#),
      let digest = try JSON(stored: stored.payload)[Self.member]?.string
    else { return }
    digests[person] = digests[person] ?? (stored.sequence, digest)
  }

  /// Compares the table `people` with the digests. Call this function after the last row.
  func finding(_ db: Database) throws -> VerificationFault? {
    var bound = digests
    for row in try Row.fetchAll(db, sql: "SELECT person, pseudonym, salt FROM people") {
      let cells = RowReader(row, of: "people")
      let (person, pseudonym) = (try cells.text(0), try cells.text(1))
      // Some pseudonyms have no digest. There are three possible reasons. The pseudonym is from a
      // version before 0.2.0. The person has only events whose types are not in `types`. A recovery
      // lost the row with the digest.
      guard let expected = bound.removeValue(forKey: pseudonym) else { continue }
      guard let salt = try cells.optionalText(2) else {
        return VerificationFault(
          expected.sequence, "the salt is missing that proves whom the pseudonym \(pseudonym) names"
        )
      }
      guard Self.digest(salt: salt, person: person) == expected.digest else {
        return VerificationFault(
          expected.sequence, "the pseudonym \(pseudonym) was given to another person")
      }
    }
    guard let lost = bound.keys.filter({ !erased.contains($0) }).min() else { return nil }
    return VerificationFault(
      bound[lost]?.sequence,
      "the identity of \(lost) is missing, and no erasure deleted it")
  }
}
