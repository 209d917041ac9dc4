/// An error of the module CivilTime, with a stable `kind` and a sentence for the user.
///
/// A position in a text is the number of a character (Unicode scalar). The first character has the
/// position 1.
public enum CivilTimeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of value that the parser expects in a text.
  public enum Subject: String, Hashable, Sendable {
    case instant = "an instant"
    case date = "a date"
    case clockTime = "a time of day"
    case dateTime = "a date and time"
    case rule = "a recurrence rule"
  }

  /// The text does not have the expected format, for example the format of a date.
  case malformed(Subject, text: String, position: Int, expected: String)
  /// The format of the text is right, but a value in the text does not exist, such as 25:00.
  case outOfRange(Subject, text: String, position: Int, reason: String)
  /// The syntax of a part of the rule is correct, but RFC 5545 or RFC 7529 forbids this part in
  /// this rule.
  case invalidRule(text: String, position: Int, reason: String)
  /// The rule is valid, but the module CivilTime does not support the rule. The module refuses the
  /// rule, because a guess of its meaning would be dangerous.
  case unsupportedRule(text: String, position: Int, reason: String)
  /// The rule has no occurrence. The initializers of `Recurrence` and `RecurrenceSet` throw this
  /// error.
  case neverOccurs(rule: String, reason: String)
  /// The start of the schedule is not an occurrence of the rule. `nearest` is the first occurrence
  /// of the rule after this start.
  case startNotInRule(rule: String, start: CivilDateTime, nearest: CivilDateTime?)
  /// The program cannot use the zone file. `offset` is the number of bytes before the fault.
  case malformedZone(name: String, offset: Int, reason: String)

  /// A name for the kind of the error. Programs use this name, so it never changes.
  public var kind: String {
    switch self {
    case .malformed(.instant, _, _, _): "malformed-instant"
    case .malformed(.date, _, _, _): "malformed-date"
    case .malformed(.clockTime, _, _, _): "malformed-time"
    case .malformed(.dateTime, _, _, _): "malformed-date-time"
    case .malformed(.rule, _, _, _): "malformed-rule"
    case .outOfRange(.instant, _, _, _): "instant-out-of-range"
    case .outOfRange(.date, _, _, _): "no-such-date"
    case .outOfRange(.clockTime, _, _, _): "no-such-time"
    case .outOfRange(.dateTime, _, _, _): "no-such-date-time"
    case .outOfRange(.rule, _, _, _): "rule-value-out-of-range"
    case .invalidRule: "invalid-rule"
    case .unsupportedRule: "unsupported-rule"
    case .neverOccurs: "rule-never-occurs"
    case .startNotInRule: "start-not-in-rule"
    case .malformedZone: "malformed-zone"
    }
  }

  /// The position of the fault in the text, in characters, counted from 1; nil if the error is not
  /// about a text.
  public var position: Int? {
    switch self {
    case .malformed(_, _, let position, _), .outOfRange(_, _, let position, _),
      .invalidRule(_, let position, _), .unsupportedRule(_, let position, _):
      position
    case .neverOccurs, .startNotInRule, .malformedZone: nil
    }
  }

  /// One sentence that contains the refused value and the reason.
  public var description: String {
    switch self {
    case .malformed(let subject, let text, let position, let expected):
      "cannot read \"\(text)\" as \(subject.rawValue): expected \(expected) at position \(position)"
    case .outOfRange(let subject, let text, let position, let reason):
      "cannot read \"\(text)\" as \(subject.rawValue): \(reason) (position \(position))"
    case .invalidRule(let text, let position, let reason):
      "cannot use the rule \"\(text)\": \(reason) (position \(position))"
    case .unsupportedRule(let text, let position, let reason):
      "the rule \"\(text)\" is not supported: \(reason) (position \(position))"
    case .neverOccurs(let rule, let reason):
      "the rule \"\(rule)\" would never ring: \(reason)"
    case .startNotInRule(let rule, let start, let nearest?):
      "the start \(start) is not a time of the rule \"\(rule)\"; the nearest is \(nearest)"
    case .startNotInRule(let rule, let start, nil):
      "the start \(start) is not a time of the rule \"\(rule)\""
    case .malformedZone(let name, let offset, let reason):
      "cannot read the zone file of \"\(name)\": \(reason) (byte \(offset))"
    }
  }
}
