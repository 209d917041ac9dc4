/// The number of columns that a terminal needs for a text (UAX 11).
package enum DisplayWidth {
  /// Returns the number of columns of a single line without control characters.
  package static func columns(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + columns($1) }
  }

  /// Returns the number of columns of one character with its marks.
  ///
  /// An emoji needs two columns, even if it consists of several joined emoji. For a character that
  /// is not an emoji, the terminal adds the columns of the parts. Example: a Devanagari letter and
  /// its vowel sign can need two columns.
  private static func columns(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    return isPicture(scalars) ? 2 : scalars.reduce(0) { $0 + columns($1) }
  }

  private static func isPicture(_ scalars: Character.UnicodeScalarView) -> Bool {
    guard let first = scalars.first, first.properties.isEmoji else { return false }
    return first.properties.isEmojiPresentation && scalars.count > 1
      || scalars.contains { $0.value == 0xFE0F || $0.properties.isEmojiModifier }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    // Terminals show the soft hyphen and the Arabic number signs in one column. Terminals do not
    // show the remaining format characters.
    case .format: return scalar.value == 0xAD || (0x600...0x605).contains(scalar.value) ? 1 : 0
    default: break
    }
    // A terminal draws a Korean syllable in the cells of its first consonant. The vowels and the
    // final consonants of the syllable need no additional cells.
    if (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FF).contains(scalar.value) {
      return 0
    }
    return isWide(scalar.value) ? 2 : 1
  }

  private static func isWide(_ value: UInt32) -> Bool {
    let ranges = WideCharacters.ranges
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(value)
  }
}
