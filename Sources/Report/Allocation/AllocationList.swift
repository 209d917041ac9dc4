/// The allocation list of a trial. A statistician drew the arm of each participant at random.
public struct AllocationList: Sendable {
  public struct Row: Sendable, Hashable {
    /// The code of the participant.
    public var participant: String
    public var arm: String
    /// The code of the arm, for a blinded study; nil if the list contains no codes of arms.
    public var armCode: String?

    public init(participant: String, arm: String, armCode: String? = nil) {
      self.participant = participant
      self.arm = arm
      self.armCode = armCode
    }
  }

  public let rows: [Row]
  /// The SHA-256 of the file, in lower-case hex. In the record, each enrolment from this list
  /// contains this SHA-256. Therefore `AllocationCheck` finds out if somebody changed the list
  /// after an enrolment.
  public let sha256: String
  private let places: [String: Int]

  /// Checks the names of the columns.
  ///
  /// If the name `arm_code` were misspelled, people would be enrolled without a code, and the study
  /// would not be blinded. Therefore the function refuses a name that differs from a known name
  /// only in upper and lower case, spaces or punctuation.
  ///
  /// - Throws: `AllocationError` if a column is missing or misspelled, or if two columns have the
  ///   same name.
  private static func check(columns: [String]) throws(AllocationError) {
    for name in ["participant", "arm", "arm_code"] {
      let like = columns.filter { plain($0) == plain(name) }
      if let other = like.first(where: { $0 != name }) {
        throw AllocationError("the column \"\(other)\" must have the name \"\(name)\"")
      }
      if like.count > 1 { throw AllocationError("it has two columns \"\(name)\"") }
      if like.isEmpty, name != "arm_code" {
        throw AllocationError(
          "it has no column \"\(name)\"; its first line is \"\(columns.joined(separator: ","))\"; save "
            + "the file as UTF-8, with commas between the cells")
      }
    }
  }

  private static func plain(_ name: String) -> String {
    String(name.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// Checks the rows of a list.
  ///
  /// - Parameter columns: the names in the first line of the file.
  /// - Throws: `AllocationError` if a column is missing or misspelled, the list is empty, a cell is
  ///   empty, a participant has two rows, or the arms and their codes contradict each other.
  public init(
    _ rows: [Row], columns: [String], sha256: String
  ) throws(AllocationError) {
    try Self.check(columns: columns)
    guard !rows.isEmpty else {
      throw AllocationError(
        "it has no rows; it needs the columns participant and arm, and one row for each participant"
      )
    }
    var places: [String: Int] = [:]
    for (index, row) in rows.enumerated() {
      if row.participant.isEmpty { throw AllocationError("row \(index + 2) has no participant") }
      if row.arm.isEmpty { throw AllocationError("row \(index + 2) has no arm") }
      if row.participant.contains(where: \.isWhitespace) {
        throw AllocationError("row \(index + 2): \"\(row.participant)\" contains a space")
      }
      // Prompter refuses two codes that differ only in upper and lower case. Therefore the keys are
      // in lower case.
      let key = row.participant.lowercased()
      if let first = places[key] {
        throw AllocationError(
          "the rows \(first + 2) and \(index + 2) are about the same participant, "
            + "\"\(row.participant)\"")
      }
      places[key] = index
    }
    if columns.contains("arm_code"), !rows.contains(where: { $0.armCode != nil }) {
      throw AllocationError(
        "its column \"arm_code\" is empty; if the study is not blinded, remove the column")
    }
    try Self.checkCodes(rows)
    (self.rows, self.sha256, self.places) = (rows, sha256, places)
  }

  private static func checkCodes(_ rows: [Row]) throws(AllocationError) {
    guard rows.contains(where: { $0.armCode != nil }) else { return }
    var (codes, arms): ([String: String], [String: String]) = ([:], [:])
    for (index, row) in rows.enumerated() {
      guard let code = row.armCode else {
        throw AllocationError("row \(index + 2) has no arm_code, but other rows have one")
      }
      if codes[row.arm, default: code] != code || arms[code, default: row.arm] != row.arm {
        throw AllocationError(
          "row \(index + 2): each arm must have one arm_code, and each arm_code must have one arm")
      }
      (codes[row.arm], arms[code]) = (code, row.arm)
    }
  }

  /// The row of a participant; nil if the list has no row for this participant.
  public func row(of participant: String) -> Row? {
    place(of: participant).map { rows[$0] }
  }

  func place(of participant: String) -> Int? {
    guard let place = places[participant.lowercased()], rows[place].participant == participant
    else { return nil }
    return place
  }
}

/// The reason why Prompter cannot use an allocation list, as a sentence.
public struct AllocationError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
