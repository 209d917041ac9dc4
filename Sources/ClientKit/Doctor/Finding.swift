import JSONValue

/// One result of `prompter doctor`.
package struct Finding: Sendable, Hashable {
  /// The severity of a finding. The cases are in ascending order.
  package enum Grade: String, Sendable, CaseIterable, Comparable {
    case well = "well"
    /// Information; no action is needed.
    case note = "note"
    /// Alarms ring now, but a part of the home does not work, or there is a risk that alarms soon
    /// stop ringing.
    case warning = "warning"
    /// Alarms ring, but an important function other than the rings does not work. A person must
    /// act.
    case problem = "problem"
    /// At least one alarm would not sound, or the check cannot determine whether the alarms would
    /// sound.
    case silent = "silent"

    package static func < (one: Grade, other: Grade) -> Bool {
      let order = allCases
      return (order.firstIndex(of: one) ?? 0) < (order.firstIndex(of: other) ?? 0)
    }

    package var emphasis: Emphasis? {
      switch self {
      case .well: .good
      case .note: .faint
      case .warning: .attention
      case .problem, .silent: .bad
      }
    }
  }

  /// The name of the check, in one word.
  package var kind: String
  package var grade: Grade
  package var text: String
  /// The action that solves the problem; nil if there is no problem.
  package var fix: String?

  package init(_ kind: String, _ grade: Grade, _ text: String, fix: String? = nil) {
    self.kind = kind
    self.grade = grade
    self.text = text
    self.fix = fix
  }

  package var json: JSON {
    .object([
      ("kind", .string(kind)), ("grade", .string(grade.rawValue)), ("text", .string(text)),
      ("fix", .optional(fix)),
    ])
  }
}
