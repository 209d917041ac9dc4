import JSONValue

/// One thing that `prompter doctor` looked at.
package struct Finding: Sendable, Hashable {
  /// How bad it is; the later, the worse.
  package enum Grade: String, Sendable, CaseIterable, Comparable {
    case well = "well"
    /// Worth knowing; nothing need be done.
    case note = "note"
    /// Rings, but not as it should, or not for ever.
    case warning = "warning"
    /// An alarm would not be heard, or nobody can say whether it would.
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
      case .silent: .bad
      }
    }
  }

  /// What was looked at, in a word.
  package var kind: String
  package var grade: Grade
  package var text: String
  /// What to do about it.
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
