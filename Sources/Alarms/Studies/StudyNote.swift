/// A protocol deviation or an adverse event of a participant.
public struct StudyNote: Hashable, Sendable {
  /// The kind of note. The record contains the raw value as the type of the event.
  public enum Kind: String, Sendable, CaseIterable {
    /// The study differed from its protocol.
    case deviation = "deviation"
    /// Something harmful happened to the participant, whatever its cause (ICH E6, adverse event).
    case adverseEvent = "adverse_event"
  }

  public var kind: Kind
  /// The description: 1 to 2,000 characters; empty if it was erased.
  public var text: String
  /// True for a serious adverse event (ICH E6): death, danger to life, hospital, or lasting harm.
  public var isSerious: Bool

  public init(kind: Kind, text: String, isSerious: Bool = false) {
    self.kind = kind
    self.text = text
    self.isSerious = isSerious
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

/// The reason for a withdrawal: a typed text and a code.
public struct Withdrawal: Hashable, Sendable {
  /// The typed text; empty if there is none, or if it was erased.
  public var reason: String
  public var code: WithdrawalCode?

  public init(reason: String = "", code: WithdrawalCode? = nil) {
    self.reason = reason
    self.code = code
  }
}
