import EventCoding
import GRDB
import JSONValue

/// The arms of blinded studies in all data that leave the device.
///
/// A row of the hash chain contains the arm of an enrolment and the code of the arm. Until an
/// administrator unblinds the study, all data that leave the device contain the code in place of the
/// arm. These data do not contain the hash chain either, and not the random id of the row: a study has
/// few arms, so a reader could try each arm until the hash of the row, or the head of the record, fits.
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
    // Only the rows of people can say this, but most records have no code of an arm at all.
    let states =
      payloads.isEmpty
      ? []
      : try String.fetchAll(
        db, sql: "SELECT state FROM persons WHERE instr(state, '\"unblinded\":true') > 0")
    var unblinded: Set<String> = []
    for state in states {
      // A state that cannot be read unblinds nothing. `verify` reports such a state.
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

  /// Replaces the arm in a payload by the code of the arm, if the study is blinded.
  ///
  /// The function also removes the digest of the allocation list: a reader could try each possible
  /// list, and so each arm, until the digest fits.
  ///
  /// The function also removes the digest of the allocation list: a reader could try each possible
  /// list, and so each arm, until the digest fits.
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
