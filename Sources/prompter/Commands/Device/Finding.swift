import JSONValue

/// One thing that `prompter doctor` looked at.
struct Finding: Sendable, Hashable {
  /// How bad it is; the later, the worse.
  enum Grade: String, Sendable, CaseIterable, Comparable {
    case well = "well"
    /// Worth knowing; nothing need be done.
    case note = "note"
    /// Rings, but not as it should, or not for ever.
    case warning = "warning"
    /// An alarm would not be heard, or nobody can say whether it would.
    case silent = "silent"

    static func < (one: Grade, other: Grade) -> Bool {
      let order = allCases
      return (order.firstIndex(of: one) ?? 0) < (order.firstIndex(of: other) ?? 0)
    }

    var emphasis: Emphasis? {
      switch self {
      case .well: .good
      case .note: .faint
      case .warning: .attention
      case .silent: .bad
      }
    }
  }

  /// What was looked at, in a word.
  var kind: String
  var grade: Grade
  var text: String
  /// What to do about it.
  var fix: String?

  init(_ kind: String, _ grade: Grade, _ text: String, fix: String? = nil) {
    self.kind = kind
    self.grade = grade
    self.text = text
    self.fix = fix
  }

  var json: JSON {
    .object([
      ("kind", .string(kind)), ("grade", .string(grade.rawValue)), ("text", .string(text)),
      ("fix", .optional(fix)),
    ])
  }
}
