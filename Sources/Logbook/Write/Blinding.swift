import EventCoding
import GRDB
import JSONValue

/// The arms of blinded studies in all data that leave the device.
///
/// In the hash chain, the row of an enrolment contains the arm and the code of the arm. Until an
/// administrator unblinds the study, all data that leave the device contain the code in place of
/// the arm. These data also do not contain the hash chain or the random id of the row. A study has
/// few arms, so a reader with these values could try each arm until the hash of the row or the head
/// of the record fits.
struct Blinding {
  /// The member of a payload that contains the code of the arm.
  static let code = "arm_code"
  /// The member of a payload that contains the digest of the allocation list.
  private static let allocation = "allocation_sha256"

  /// The studies that an administrator has unblinded.
  private let unblinded: Set<String>
  /// True if the record contains the arm of a study that is still blinded.
  let isInForce: Bool

  init(_ db: Database) throws {
    let payloads = try String.fetchAll(
      db,
      sql: """
        SELECT payload FROM events
        WHERE type = 'enrolled' AND instr(payload, '"\(Self.code)"') > 0
        """)
    // Only the states of people show which studies are unblinded. The function reads these states
    // only if the record contains the code of an arm, because most records contain no such code.
    let states =
      payloads.isEmpty
      ? []
      : try String.fetchAll(
        db, sql: "SELECT state FROM persons WHERE instr(state, '\"unblinded\":true') > 0")
    var unblinded: Set<String> = []
    for state in states {
      // If the state of a person cannot be read, treat no study in this state as unblinded.
      // `verify` reports such a state.
      let enrolments = (try? JSON(stored: state))?["enrolments"]?.array ?? []
      for enrolment in enrolments where enrolment["unblinded"]?.bool == true {
        if let study = enrolment["study"]?.string { unblinded.insert(study) }
      }
    }
    self.unblinded = unblinded
    isInForce = payloads.contains { payload in
      Self.study(ofBlinded: payload).map { !unblinded.contains($0) } ?? true
    }
  }

  /// If the study is blinded, replaces the arm in a payload by the code of the arm.
  ///
  /// The function also removes the digest of the allocation list. With this digest, a reader could
  /// try each possible list until the digest fits, and would then know each arm.
  func document(_ stored: String) -> String {
    guard isInForce, stored.contains("\"\(Self.code)\":") else { return stored }
    guard var json = try? JSON(stored: stored), let study = json["study"]?.string else {
      return "{}"
    }
    if unblinded.contains(study) { return stored }
    json.set("arm", json[Self.code] ?? .null)
    guard case .members(let members) = json else { return "{}" }
    return JSON.members(members.filter { $0.name != Self.allocation }).description
  }

  private static func study(ofBlinded payload: String) -> String? {
    (try? JSON(stored: payload))?["study"]?.string
  }
}
