import CivilTime

/// A text that the daemon sends to one contact, and that is not a part of an escalation. Examples:
/// an all-clear, the summary of a day.
///
/// The daemon records a notice before it runs the command of the contact, and records each result.
/// If a notice has no final result at a restart of the daemon, the daemon sends this notice again.
public struct Notice: Hashable, Sendable {
  /// The number of the notice. No two waiting notices of a home have the same number.
  public var number: Int64
  public var kind: NoticeKind
  /// The name of a contact in the daemon's configuration.
  public var contact: String
  /// The prompt that the notice concerns; nil if the notice concerns no prompt.
  public var prompt: PromptID?
  /// The person whom the notice concerns; nil if the notice concerns no person.
  public var person: PersonID?
  /// The day of a summary; nil for other kinds.
  public var day: CivilDate?

  public init(
    number: Int64, kind: NoticeKind, contact: String, prompt: PromptID? = nil,
    person: PersonID? = nil, day: CivilDate? = nil
  ) {
    self.number = number
    self.kind = kind
    self.contact = contact
    self.prompt = prompt
    self.person = person
    self.day = day
  }
}

/// The kind of a notice. The list of kinds is fixed.
public enum NoticeKind: String, Sendable, CaseIterable {
  /// The contact was notified of a prompt or a period of inactivity. Then somebody answered the
  /// prompt or ended the inactivity.
  case allClear = "all_clear"
  /// The contact got an all-clear because of an answer. Then a person undid this answer.
  case answerUndone = "answer_undone"
  /// The summary of a day. The configuration says at which time of day the contact gets the
  /// summary.
  case summary = "summary"
  /// A supply has become low.
  case supplyLow = "supply_low"
  /// A caretaker tests if the daemon can notify the contact.
  case test = "test"
  /// A person asks that the contact calls back.
  case askedFor = "asked_for"

  /// The reason for the notice. The command of the contact gets this reason.
  public var reason: NotifyReason {
    switch self {
    case .allClear: .allClear
    case .answerUndone: .answerUndone
    case .summary: .summary
    case .supplyLow: .supplyLow
    case .test: .test
    case .askedFor: .askedFor
    }
  }

  /// The lifetime of the notice, in seconds. After this time, the notice is not useful any more,
  /// and the daemon drops the notice.
  var lifetimeSeconds: Int64 {
    switch self {
    case .allClear, .answerUndone: 12 * 3_600
    case .supplyLow: 24 * 3_600
    case .summary: 6 * 3_600
    case .test: 600
    case .askedFor: 3_600
    }
  }
}

/// The words of a notice. The words can contain names, so the daemon can erase the words.
public struct NoticeMessage: Hashable, Sendable {
  /// One plain sentence for the contact.
  public var text: String
  /// The short title of the notice, for example the label of the alarm. The title can be empty.
  public var label: String
  /// The name of the person; empty if the notice concerns no person.
  public var personName: String

  public init(text: String, label: String = "", personName: String = "") {
    self.text = text
    self.label = label
    self.personName = personName
  }
}

/// A change of a notice. The daemon records each change as an event.
public enum NoticeChange: Hashable, Sendable {
  /// The daemon is about to notify the contact.
  case due(NoticeMessage, expiresAt: Instant)
  /// The contact's command succeeded.
  case sent(attempt: Int)
  /// The contact's command failed. `isLast` is true if the daemon makes no further attempt.
  case failed(attempt: Int, isLast: Bool, reason: String)
  /// The daemon does not send the notice any more.
  case dropped(NoticeDrop)

  /// The event type that the codebook lists, for example `notice_due`.
  public var type: String {
    switch self {
    case .due: "notice_due"
    case .sent: "notice_sent"
    case .failed: "notice_failed"
    case .dropped: "notice_dropped"
    }
  }
}

/// The reason why the daemon drops a notice. The list of reasons is fixed.
public enum NoticeDrop: String, Sendable, CaseIterable {
  /// The notice waited too long, for example while the device was off.
  case expired = "expired"
  /// The notice says that a person answered, but the answer was undone. Therefore the notice is
  /// not true any more.
  case outdated = "outdated"
  /// Too many other notices are waiting.
  case tooMany = "too_many"
}
