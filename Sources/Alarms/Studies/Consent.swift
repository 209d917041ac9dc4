/// A use of the data, or of the contact with a person, that the consent of the person includes.
///
/// The list of codes is fixed, because the record contains the raw values.
public enum ConsentScope: String, Sendable, CaseIterable {
  /// The analysis of this study.
  case thisStudy = "this_study"
  /// Other research later.
  case futureResearch = "future_research"
  /// A copy without names for other research groups.
  case dataSharing = "data_sharing"
  /// The photos of finished tasks.
  case photos = "photos"
  /// The study team may ask the person to take part in another study.
  case contactAgain = "contact_again"

  /// Reads codes with a comma between two codes. The result is in the order of the list of codes.
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
/// The codes follow the CDISC list of reasons for not completing a study (NCOMPLT). The list of codes
/// is fixed, because the record contains the raw values.
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

/// Which data of a person a study may still use after the withdrawal of this person.
public enum DataUse: String, Sendable, CaseIterable {
  /// The data until the withdrawal.
  case untilWithdrawal = "until_withdrawal"
  /// No data. Reports and scripts leave out the person.
  case none = "none"
}

/// The reason for a withdrawal, as a typed text and a code, and what the study may still use.
public struct Withdrawal: Hashable, Sendable {
  /// The typed text; empty if there is none, or if it was erased.
  public var reason: String
  public var code: WithdrawalCode?
  /// Which data the study may still use; nil if nobody said it.
  public var dataUse: DataUse?

  public init(reason: String = "", code: WithdrawalCode? = nil, dataUse: DataUse? = nil) {
    self.reason = reason
    self.code = code
    self.dataUse = dataUse
  }
}
