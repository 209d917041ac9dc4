import CivilTime

/// A pause of a person: all alarms of the person are silent until the pause ends.
///
/// The daemon stores the pause with the person and not with the alarms. If a caretaker adds an
/// alarm during the pause, the pause also silences this alarm. When the pause ends, the pauses of
/// single alarms do not change.
public struct PersonPause: Hashable, Sendable {
  /// The first instant after the pause; nil for a pause that a caretaker must end.
  public var until: Instant?

  public init(until: Instant? = nil) {
    self.until = until
  }

  /// Returns true if the pause silences a prompt that is due at this instant.
  ///
  /// The function compares the instant only with the end of the pause. When a pause starts, the
  /// daemon closes all due prompts. Therefore every open prompt is due after the start.
  public func holds(at instant: Instant) -> Bool {
    until.map { instant < $0 } ?? true
  }
}

extension PersonState {
  /// Returns the pause that silences the person's alarms at an instant; nil if the person is not
  /// paused.
  public func pause(at instant: Instant) -> PersonPause? {
    pause.flatMap { $0.holds(at: instant) ? $0 : nil }
  }
}

/// The people whom a caretaker pauses or resumes.
public enum PausedPeople: Hashable, Sendable {
  case one(PersonID)
  case everybody
}

extension CivilDateTime {
  /// The end of a pause in words: `the end of 2026-12-27` or `2026-12-27 12:00`.
  ///
  /// The value `self` is the first local time after the pause. If this time is a midnight, the text
  /// names the previous day.
  public var pauseEndWords: String {
    time == .midnight ? "the end of \(date.adding(days: -1))" : "\(date) \(time)"
  }
}
