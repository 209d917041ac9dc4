/// One permission that the consent of a person to a study can include.
///
/// The list of codes is fixed, because the record contains the raw values.
public enum ConsentScope: String, Sendable, CaseIterable {
  /// The study may use the data of the person for its own analysis.
  case thisStudy = "this_study"
  /// Later research with other aims may use the data.
  case futureResearch = "future_research"
  /// Other research groups may get a copy of the data without names.
  case dataSharing = "data_sharing"
  /// The study may use the photos of finished tasks.
  case photos = "photos"
  /// The study team may ask the person to take part in another study.
  case contactAgain = "contact_again"

  /// Reads codes that are separated by commas. The result is in the order of `allCases`.
  static func list(_ text: String) throws(Refusal) -> [ConsentScope] {
    var found: Set<ConsentScope> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      var word = word
      while word.first == " " { word.removeFirst() }
      while word.last == " " { word.removeLast() }
      guard let scope = ConsentScope(rawValue: String(word)) else {
        throw Refusal(
          .invalidField, field: "consent_scope",
          "\"\(word)\" is not a scope of consent; write one or more of "
            + "\(allCases.map(\.rawValue).joined(separator: ", ")), with a comma between two")
      }
      found.insert(scope)
    }
    return allCases.filter(found.contains)
  }
}

/// The reason why a participant left a study, as a code.
///
/// The codes follow the CDISC list of reasons why a person did not complete a study (NCOMPLT). The
/// list of codes is fixed, because the record contains the raw values.
public enum WithdrawalCode: String, Sendable, CaseIterable {
  case adverseEvent = "adverse_event"
  case death = "death"
  case lostToFollowUp = "lost_to_follow_up"
  case physicianDecision = "physician_decision"
  case protocolDeviation = "protocol_deviation"
  case technicalProblems = "technical_problems"
  case byCaregiver = "withdrawal_by_caregiver"
  case bySubject = "withdrawal_by_subject"
  case other = "other"
}

/// The data of a person that a study may still use after the withdrawal of this person.
public enum DataUse: String, Sendable, CaseIterable {
  /// The data from before the withdrawal.
  case untilWithdrawal = "until_withdrawal"
  /// No data. Study reports and analysis scripts leave out this person.
  case none = "none"
}

/// A withdrawal: its reason as a typed text and as a code, and the data that the study may still
/// use.
public struct Withdrawal: Hashable, Sendable {
  /// The typed reason; empty if nobody typed a reason, or if the reason was erased.
  public var reason: String
  public var code: WithdrawalCode?
  /// The data that the study may still use; nil if the request for the withdrawal did not contain
  /// this choice.
  public var dataUse: DataUse?

  public init(reason: String = "", code: WithdrawalCode? = nil, dataUse: DataUse? = nil) {
    self.reason = reason
    self.code = code
    self.dataUse = dataUse
  }
}
