/// The allowed length and characters of a typed text.
///
/// Lengths are counted in Unicode scalars and in bytes of UTF-8, because one `Character` can
/// contain thousands of combining marks. The rule applies only to new texts. Prompter does not
/// check the texts that the record already contains.
public struct TextRule: Hashable, Sendable {
  /// The allowed number of Unicode scalars.
  public let length: ClosedRange<Int>
  /// The maximum number of UTF-8 bytes.
  ///
  /// A Unicode scalar has at most four bytes. In most rules, `bytes` is at least four times the
  /// maximum of `length`. With such a rule, a text that is not too long for `length` is also not
  /// too long for `bytes`. The check compares the number of bytes first. Therefore the check can
  /// refuse a very large text before it counts the scalars.
  public let bytes: Int
  /// True if line feeds are allowed. All other kinds of line breaks are always forbidden.
  public let hasLines: Bool

  public init(_ length: ClosedRange<Int>, bytes: Int, hasLines: Bool = false) {
    self.length = length
    self.bytes = bytes
    self.hasLines = hasLines
  }

  /// The maximum number of consecutive combining marks.
  ///
  /// The Stream-Safe Text Format has the same limit (UAX #15, section 13).
  public static let marksInARow = 30

  /// Refuses a text that breaks the rule.
  ///
  /// - Throws: a `Refusal` that names the field. The refusal contains the limit and the length of
  ///   the text, or the character that is not allowed.
  public func check(_ text: String, field: String) throws(Refusal) -> String {
    if let fault = fault(in: text) { throw Refusal(.invalidField, field: field, fault) }
    return text
  }

  /// The reason why a text is not allowed, as a sentence; nil if the text is allowed.
  public func fault(in text: String) -> String? {
    let scalars = text.utf8.count > bytes ? [] : Array(text.unicodeScalars)
    guard text.utf8.count <= bytes, length.contains(scalars.count) else {
      return
        "it has \(text.unicodeScalars.count) characters and \(text.utf8.count) bytes; it must have "
        + "\(length.lowerBound) to \(length.upperBound) characters (Unicode scalars) and at most "
        + "\(bytes) bytes"
    }
    var marks = 0
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : nil
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      if !allows(scalar, after: before, before: after) {
        return
          "character \(index + 1) is \(scalar.codeAndName), which is not allowed here; remove it"
      }
      marks = scalar.isMark ? marks + 1 : 0
      if marks > Self.marksInARow || marks == 1 && index == 0 {
        return index == 0
          ? "it begins with \(scalar.codeAndName), which must follow a letter"
          : "there are more than \(Self.marksInARow) combining marks in a row at character \(index + 1)"
      }
    }
    let isBlank = !scalars.contains { $0.isSeen }
    if isBlank, length.lowerBound > 0 || !hasLines && !scalars.isEmpty {
      return "it is blank; write visible characters"
    }
    return nil
  }

  /// Changes a text so that the rule allows it, and returns the result.
  ///
  /// If the rule allows line feeds, every line break becomes a line feed. Otherwise, every line
  /// break becomes a space. A tab becomes a space. The function removes all other characters that
  /// are not allowed. If the text is too long, the function removes the end of the text.
  public func cleaned(_ text: String) -> String {
    var kept: [Unicode.Scalar] = []
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { last = scalar }
      if scalar.isLineBreak {
        if last != "\r" || scalar != "\n" { kept.append(hasLines ? "\n" : " ") }
      } else {
        kept.append(scalar == "\t" ? " " : scalar)
      }
    }
    // The removal of a character can make its neighbours invalid. Therefore the loop repeats the
    // check until all remaining characters are valid.
    var count: Int
    repeat {
      count = kept.count
      kept = allowed(kept)
    } while count != kept.count
    kept = Array(kept.prefix(length.upperBound))
    while kept.reduce(0, { $0 + UTF8.width($1) }) > bytes { kept.removeLast() }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: allowed(kept))
    return String(view)
  }

  private func allowed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var kept: [Unicode.Scalar] = []
    var marks = 0
    for (index, scalar) in scalars.enumerated() {
      marks = scalar.isMark ? marks + 1 : 0
      let after = index + 1 < scalars.count ? scalars[index + 1] : nil
      guard marks <= Self.marksInARow, marks == 0 || !kept.isEmpty else { continue }
      if allows(scalar, after: kept.last, before: after) { kept.append(scalar) }
    }
    return kept
  }

  /// Returns true if a character is allowed. For some characters, the result depends on the
  /// previous and the next character.
  private func allows(
    _ scalar: Unicode.Scalar, after: Unicode.Scalar?, before: Unicode.Scalar?
  ) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\n" && hasLines
    case .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    // The only format characters that the rule allows are joiners between certain characters. A
    // format character such as U+0600 can combine with the next character. Therefore it could hide
    // a separator of a file format, for example a comma.
    case .format: scalar.joins(after, before)
    default:
      !scalar.properties.isDefaultIgnorableCodePoint || scalar.selects(after)
    }
  }
}

extension Unicode.Scalar {
  /// The code and the name of the character, for example `U+202E RIGHT-TO-LEFT OVERRIDE`.
  fileprivate var codeAndName: String {
    let digits = String(value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return (properties.name ?? properties.nameAlias).map { "\(code) \($0)" } ?? code
  }

  fileprivate var isLineBreak: Bool {
    [0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029].contains(value)
  }

  fileprivate var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  fileprivate var isLetter: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  /// True if the character is visible. A space, a single combining mark and the Braille blank are
  /// not visible.
  fileprivate var isSeen: Bool {
    switch properties.generalCategory {
    case .spaceSeparator, .control, .format, .nonspacingMark, .enclosingMark, .spacingMark: false
    default: self != "\u{2800}" && !properties.isDefaultIgnorableCodePoint
    }
  }

  private var isPicture: Bool { value > 0x7F && properties.isEmoji }

  /// True if the character is possibly from a script whose letters are joined or stacked.
  ///
  /// The test is approximate: the property is true for all letters and marks from the Hebrew block
  /// (U+0590) on. Some scripts in these blocks neither join nor stack their letters.
  private var isOfJoiningScript: Bool { value >= 0x0590 && (isLetter || isMark) }

  /// Returns true if this character is a joiner between characters that need a joiner.
  ///
  /// The spelling of Persian and of the languages of India needs U+200C and U+200D. U+200D also
  /// joins two emoji into one picture, for example a family, a profession or a flag.
  fileprivate func joins(_ after: Unicode.Scalar?, _ before: Unicode.Scalar?) -> Bool {
    guard self == "\u{200C}" || self == "\u{200D}", let after else { return false }
    if self == "\u{200D}", let before, before.isPicture {
      return after.isPicture || after == "\u{FE0F}"
    }
    guard after.isOfJoiningScript else { return false }
    // After a virama (a sign that removes a vowel), a joiner may be the last character of a word.
    return after.properties.canonicalCombiningClass == .virama || before?.isOfJoiningScript == true
  }

  /// Returns true if this character is a variation selector and the character before it has
  /// variants.
  fileprivate func selects(_ after: Unicode.Scalar?) -> Bool {
    guard let after else { return false }
    return switch value {
    case 0xFE0E, 0xFE0F: after.properties.isEmoji
    case 0xFE00...0xFE0D, 0xE0100...0xE01EF: after.properties.isIdeographic
    case 0x180B...0x180D, 0x180F: (0x1820...0x18AA).contains(after.value)
    default: false
    }
  }
}
