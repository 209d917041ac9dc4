import CivilTime

/// A person's part in a study: their rows carry its id as long as it lasts.
public struct Enrolment: Hashable, Sendable {
  /// The study's id: 1 to 64 letters, digits, dots, dashes and underscores.
  public var study: String
  /// The participant's code in the researchers' lists, of the same letters. It lies outside the chain;
  /// empty where it was erased.
  public var pseudonym: String
  /// The arm they were assigned to, of the same letters.
  public var arm: String?
  /// Its first instant.
  public var from: Instant
  /// The first instant after it; nil while it is open.
  public var to: Instant?
  /// Whether it ended by a withdrawal.
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

  /// Whether it may still have rows to come.
  public func isOpen(at instant: Instant) -> Bool { to.map { instant < $0 } ?? true }
}

extension PersonState {
  /// The enrolment at an instant; nil outside of any.
  public func enrolment(at instant: Instant) -> Enrolment? {
    enrolments.last { $0.contains(instant) }
  }

  /// Ends the last enrolment; one that had not begun has no length.
  mutating func withdraw(at instant: Instant) {
    guard var last = enrolments.popLast() else { return }
    last.to = max(last.from, min(last.to ?? instant, instant))
    last.isWithdrawn = true
    enrolments.append(last)
  }
}

/// What a researcher wrote to enrol somebody, before checks.
public struct EnrolmentForm: Hashable, Sendable {
  public var study: String?
  public var pseudonym: String
  public var arm: String?
  /// Now, unless it says so.
  public var from: String?
  /// Open unless it says so.
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
  /// A date; now unless it says so.
  public var start: String?
  /// How long each phase is: 1 to 366 days.
  public var days: Int
  /// `A` for a prompted phase and `B` for a control phase: `AB`, `BA`, `ABBA`.
  public var order: String

  public init(start: String? = nil, days: Int, order: String) {
    self.start = start
    self.days = days
    self.order = order
  }
}
