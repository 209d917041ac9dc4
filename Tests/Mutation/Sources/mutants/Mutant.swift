/// A text that replaces the bytes `start..<end` of a file. If `start == end`, the text is inserted.
///
/// In the text, `§` stands for the number of the mutant.
struct Edit: Encodable {
  var start: Int
  var end: Int
  var text: String
}

/// A small change of the code that a test must notice.
///
/// After the edits, the program contains both the original code and the changed code. At run time,
/// the chosen mutant number decides whether the original code or the changed code runs.
struct Mutant: Encodable {
  /// The kind of the change.
  enum Kind: String, Encodable {
    /// A condition of `if`, `guard` or `while` is negated.
    case condition
    /// An operand of `&&` or `||` is ignored.
    case operand
    /// A comparison gets a different boundary, for example `<=` instead of `<`.
    case boundary
    /// `+` and `-`, or `min` and `max`, are exchanged.
    case arithmetic
    /// A statement with an effect is removed: a call or an assignment.
    case statement
    /// A number is increased by 1, or a Boolean is negated.
    case constant
    /// Two arguments of a call are exchanged.
    case arguments
    /// A field of a stored form gets a different name. A reader then does not find the field.
    case field
  }

  var kind: Kind
  /// The path of the file, relative to the root of the repository.
  var file: String
  /// The number of the changed line. The first line is 1.
  var line: Int
  /// The original code, at most 80 characters.
  var code: String
  var edits: [Edit]
}
