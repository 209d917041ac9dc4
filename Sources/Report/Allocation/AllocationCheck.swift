/// The comparison of the enrolments in an export with the allocation list of the trial.
public struct AllocationCheck: Sendable {
  /// An enrolment from participants.csv.
  public struct Enrolment: Sendable {
    var person: String
    /// The code of the participant; nil if the export does not contain this code.
    var participant: String?
    /// The arm, or the code of the arm if the study is blinded; nil if the enrolment has no arm.
    var arm: String?
    var isBlinded: Bool
    /// The SHA-256 of the allocation list from which the arm comes; nil if the arm does not come
    /// from a list, or if the study is blinded.
    var sha256: String?

    public init(
      person: String, participant: String?, arm: String?, isBlinded: Bool, sha256: String?
    ) {
      self.person = person
      self.participant = participant
      self.arm = arm
      self.isBlinded = isBlinded
      self.sha256 = sha256
    }
  }

  /// A difference between an enrolment and the allocation list.
  public struct Finding: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
      /// The export does not contain the code of the participant.
      case noCode = "no_code"
      /// The list has no row for the participant.
      case notInList = "not_in_list"
      /// The arm of the person differs from the arm in the list.
      case otherArm = "other_arm"
      /// The arm of the person does not come from an allocation list.
      case noList = "no_list"
      /// The person has two enrolments, which use different rows of the list.
      case secondRow = "second_row"
      /// The arm of the person comes from a list whose SHA-256 differs from the SHA-256 of this
      /// list.
      case otherList = "other_list"
    }

    public var kind: Kind
    public var person: String
    public var participant: String
    /// The finding as a sentence.
    public var text: String
  }

  public private(set) var findings: [Finding] = []
  /// The number of enrolments in a blinded study. For these enrolments, the check did not compare
  /// the SHA-256 of the list.
  public let blinded: Int
  /// The number of enrolments that the check compared with the list.
  public let enrolments: Int
  /// The codes of the participants who are in the list but are not enrolled. The codes have the
  /// order of the list.
  public private(set) var unused: [String] = []
  /// The participants in `unused` whose rows come before the last used row of the list. If the
  /// trial uses the rows of its list in order, somebody skipped these rows.
  public private(set) var skipped: [String] = []

  public init(_ list: AllocationList, _ enrolments: [Enrolment]) {
    self.enrolments = enrolments.count
    blinded = enrolments.count { $0.isBlinded }
    // For each person, the participant code of the first enrolment.
    var first: [String: String] = [:]
    var used: Set<Int> = []
    for enrolment in enrolments {
      guard let participant = enrolment.participant else {
        add(
          .noCode, enrolment,
          "the export does not contain the code of this person: it was erased, the pseudonyms were "
            + "changed, or only the profile identified shows it")
        continue
      }
      guard let place = list.place(of: participant) else {
        add(.notInList, enrolment, "the list has no row for \(participant)")
        continue
      }
      used.insert(place)
      let earlier = first[enrolment.person, default: participant]
      if earlier != participant {
        add(
          .secondRow, enrolment,
          "this person was enrolled as \(earlier) before, and now as \(participant): two rows of the list"
        )
      }
      first[enrolment.person] = earlier
      compare(enrolment, participant, list.rows[place], list.sha256)
    }
    let last = used.max() ?? -1
    for (place, row) in list.rows.enumerated() where !used.contains(place) {
      unused.append(row.participant)
      if place < last { skipped.append(row.participant) }
    }
  }

  private mutating func compare(
    _ enrolment: Enrolment, _ participant: String, _ row: AllocationList.Row, _ sha256: String
  ) {
    let expected = enrolment.isBlinded ? row.armCode : row.arm
    if enrolment.arm != expected {
      add(
        .otherArm, enrolment,
        "\(participant) has the arm \(enrolment.arm ?? "-"), and the list says \(expected ?? "-")")
    }
    // While the study is blinded, no export contains the digest of the list.
    guard !enrolment.isBlinded else { return }
    if let own = enrolment.sha256 {
      if own != sha256 {
        add(
          .otherList, enrolment,
          "the arm of \(participant) comes from another list, with the SHA-256 \(own)")
      }
    } else {
      add(.noList, enrolment, "\(participant) was enrolled without an allocation list")
    }
  }

  private mutating func add(_ kind: Finding.Kind, _ enrolment: Enrolment, _ text: String) {
    findings.append(
      Finding(
        kind: kind, person: enrolment.person, participant: enrolment.participant ?? "", text: text))
  }
}
