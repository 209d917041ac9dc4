import CivilTime

/// A person's part in a study. While it lasts, the person's rows carry the study's id.
public struct Enrolment: Hashable, Sendable {
  /// Id of the study: 1 to 64 letters, digits, dots, dashes and underscores.
  public var study: String
  /// The participant's code in the researchers' lists, with the same characters.
  ///
  /// It is stored outside the hash chain. Empty if it was erased.
  public var pseudonym: String
  /// Study arm of the participant, with the same characters; nil for none.
  public var arm: String?
  /// First instant of the enrolment.
  public var from: Instant
  /// First instant after the enrolment; nil while it has no end.
  public var to: Instant?
  /// Whether a withdrawal ended it.
  public var isWithdrawn: Bool

  public init(
    study: String, pseudonym: String, arm: String? = nil, from: Instant, to: Instant? = nil,
    isWithdrawn: Bool = false
  ) {
    self.study = study
    self.pseudonym = pseudonym
    self.arm = arm
    self.from = from
    self.to = to
    self.isWithdrawn = isWithdrawn
  }

  public func contains(_ instant: Instant) -> Bool {
    from <= instant && to.map { instant < $0 } ?? true
  }

  /// Whether the enrolment has not ended yet. It may begin later than `instant`.
  public func isOpen(at instant: Instant) -> Bool { to.map { instant < $0 } ?? true }
}

extension PersonState {
  /// Enrolment at an instant; nil outside all enrolments.
  public func enrolment(at instant: Instant) -> Enrolment? {
    enrolments.last { $0.contains(instant) }
  }

  /// Ends the last enrolment. If it has not begun yet, its length becomes zero.
  mutating func withdraw(at instant: Instant) {
    guard var last = enrolments.popLast() else { return }
    last.to = max(last.from, min(last.to ?? instant, instant))
    last.isWithdrawn = true
    enrolments.append(last)
  }
}

/// Enrolment as a researcher wrote it, before checks.
public struct EnrolmentForm: Hashable, Sendable {
  public var study: String?
  public var pseudonym: String
  public var arm: String?
  /// Start of the enrolment; nil for now.
  public var from: String?
  /// End of the enrolment; nil for no end.
  public var to: String?

  public init(
    study: String? = nil, pseudonym: String, arm: String? = nil, from: String? = nil,
    to: String? = nil
  ) {
    self.study = study
    self.pseudonym = pseudonym
    self.arm = arm
    self.from = from
    self.to = to
  }
}

/// A crossover as a researcher wrote it, before checks.
public struct CrossoverForm: Hashable, Sendable {
  /// Start date; nil for now.
  public var start: String?
  /// Length of each phase in days: 1 to 366.
  public var days: Int
  /// Order of the phases: `A` for prompted, `B` for control. Examples: `AB`, `BA`, `ABBA`.
  public var order: String

  public init(start: String? = nil, days: Int, order: String) {
    self.start = start
    self.days = days
    self.order = order
  }
}
