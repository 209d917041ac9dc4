import CivilTime

/// The participation of a person in a study. During the enrolment, the events of the person contain
/// the id of the study.
public struct Enrolment: Hashable, Sendable {
  /// The id of the study: 1 to 64 letters, digits, dots, dashes and underscores.
  public var study: String
  /// The code of the participant in the lists of the researchers: 1 to 64 letters, digits, dots,
  /// dashes and underscores.
  ///
  /// The code is stored outside the hash chain. The field is empty if the code was erased.
  public var pseudonym: String
  /// The study arm of the participant (the group in the study): 1 to 64 letters, digits, dots,
  /// dashes and underscores. The value is nil if the participant has no arm.
  public var arm: String?
  /// The code that lists and exports contain instead of the arm; nil if the study is not blinded.
  public var armCode: String?
  /// True after an administrator unblinded the study.
  public var isUnblinded: Bool
  /// The SHA-256 of the allocation list from which the arm comes, in lower-case hex; nil if the
  /// arm comes from no list.
  public var allocationSHA256: String?
  /// The version of the consent form; nil if nobody entered the version.
  public var consent: String?
  /// The permissions that the consent of the person includes; empty if nobody entered the
  /// permissions.
  public var consentScope: [ConsentScope]
  /// True if patients and caretakers do not see the names of the phases until the enrolment ends.
  public var hidesPhases: Bool
  /// The first instant of the enrolment.
  public var from: Instant
  /// The first instant after the enrolment; nil if the enrolment has no end.
  public var to: Instant?
  /// True if a withdrawal ended the enrolment.
  public var isWithdrawn: Bool

  public init(
    study: String, pseudonym: String, arm: String? = nil, armCode: String? = nil,
    allocationSHA256: String? = nil, consent: String? = nil, consentScope: [ConsentScope] = [],
    hidesPhases: Bool = false, from: Instant, to: Instant? = nil,
    isWithdrawn: Bool = false, isUnblinded: Bool = false
  ) {
    self.study = study
    self.pseudonym = pseudonym
    self.arm = arm
    self.armCode = armCode
    self.allocationSHA256 = allocationSHA256
    self.consent = consent
    self.consentScope = consentScope
    self.hidesPhases = hidesPhases
    self.isUnblinded = isUnblinded
    self.from = from
    self.to = to
    self.isWithdrawn = isWithdrawn
  }

  public func contains(_ instant: Instant) -> Bool {
    from <= instant && to.map { instant < $0 } ?? true
  }

  /// True if lists and exports contain the code of the arm instead of the arm.
  public var isBlinded: Bool { armCode != nil && !isUnblinded }

  /// The code of the arm if the study is blinded; otherwise the arm.
  public var shownArm: String? { isBlinded ? armCode : arm }

  /// The order of phases that the arm names, for example `AB`; nil if the arm names no order.
  public var order: String? { Self.order(ofArm: arm) }

  /// Returns the order of phases that an arm names. An order has two or more letters. Each letter
  /// is A or B. The name of an arm of a parallel trial, for example `A`, is not an order.
  static func order(ofArm arm: String?) -> String? {
    guard let arm, arm.utf8.count > 1, arm.utf8.allSatisfy("AB".utf8.contains) else { return nil }
    return arm
  }

  /// Returns true if the enrolment ends after `instant` or has no end. The function does not check
  /// if the enrolment has already begun at `instant`. After a withdrawal, the result is false, even
  /// if the person withdrew before the enrolment began.
  public func isOpen(at instant: Instant) -> Bool {
    !isWithdrawn && (to.map { instant < $0 } ?? true)
  }
}

extension PersonState {
  /// Returns the enrolment that contains an instant; nil if no enrolment contains the instant.
  public func enrolment(at instant: Instant) -> Enrolment? {
    enrolments.last { $0.contains(instant) }
  }

  /// Returns true if a study hides the names of this person's phases from patients and caretakers.
  public func hidesPhases(at instant: Instant) -> Bool {
    enrolments.contains { $0.hidesPhases && $0.isOpen(at: instant) }
  }

  /// Returns true if a pause or a control phase keeps the person's reminders silent.
  public func isSilenced(at instant: Instant) -> Bool {
    pause(at: instant) != nil || phase(at: instant)?.kind == .control
  }

  /// Unblinds all enrolments of this person in a study.
  public mutating func unblind(_ study: String) {
    for index in enrolments.indices where enrolments[index].study == study {
      enrolments[index].isUnblinded = true
    }
  }

  /// Ends the last enrolment. If the last enrolment starts in the future, this enrolment ends at
  /// its start instant. If the last enrolment has ended already, nothing changes.
  public mutating func withdraw(at instant: Instant) {
    guard var last = enrolments.last, last.isOpen(at: instant) else { return }
    last.to = max(last.from, min(last.to ?? instant, instant))
    last.isWithdrawn = true
    enrolments[enrolments.count - 1] = last
  }
}

/// An enrolment as a researcher typed it. The daemon has not checked the values yet.
public struct EnrolmentForm: Hashable, Sendable {
  public var study: String?
  public var pseudonym: String
  public var arm: String?
  /// The code that lists and exports contain instead of the arm in a blinded study.
  public var armCode: String?
  /// The SHA-256 of the allocation list from which the arm comes, in hex.
  public var allocationSHA256: String?
  /// The version of the consent form.
  public var consent: String?
  /// The permissions that the consent of the person includes: the codes of `ConsentScope`,
  /// separated by commas.
  public var consentScope: String?
  /// True to hide the names of the phases from patients and caretakers.
  public var hidesPhases: Bool
  /// The start of the enrolment; nil if the enrolment starts now.
  public var from: String?
  /// The end of the enrolment; nil if the enrolment has no end.
  public var to: String?

  public init(
    study: String? = nil, pseudonym: String, arm: String? = nil, armCode: String? = nil,
    allocationSHA256: String? = nil, consent: String? = nil, consentScope: String? = nil,
    hidesPhases: Bool = false, from: String? = nil, to: String? = nil
  ) {
    self.study = study
    self.pseudonym = pseudonym
    self.arm = arm
    self.armCode = armCode
    self.allocationSHA256 = allocationSHA256
    self.consent = consent
    self.consentScope = consentScope
    self.hidesPhases = hidesPhases
    self.from = from
    self.to = to
  }
}

/// The plan of a crossover study as a researcher typed it. The daemon has not checked the values
/// yet. In a crossover study, each participant has prompted phases and control phases.
public struct CrossoverForm: Hashable, Sendable {
  /// The start date; nil if the study starts now.
  public var start: String?
  /// The length of each phase in days: 1 to 366.
  public var days: Int
  /// The phases in order. `A` is a prompted phase, and `B` is a control phase. Examples: `AB`,
  /// `BA`, `ABBA`.
  public var order: String
  /// The length of the run-in in days: 1 to 366; nil for no run-in. In the same way, `washoutDays`
  /// is the length of each wash-out between two phases, and `followUpDays` is the length of the
  /// follow-up.
  public var runInDays: Int?
  public var washoutDays: Int?
  public var followUpDays: Int?

  public init(
    start: String? = nil, days: Int, order: String, runInDays: Int? = nil, washoutDays: Int? = nil,
    followUpDays: Int? = nil
  ) {
    self.start = start
    self.days = days
    self.order = order
    self.runInDays = runInDays
    self.washoutDays = washoutDays
    self.followUpDays = followUpDays
  }
}
