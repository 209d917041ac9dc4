import Sentences

/// The keys on the screen with which a person types a text in the person's language.
struct Keyboard: Sendable {
  /// The letters of the keyboard: three rows of ten letters or signs.
  var letters: [String]
  /// True if the keyboard has keys for the five tones of Vietnamese.
  var hasTones = false

  /// The digits and signs of every keyboard, in three rows.
  static let signs = ["1234567890", ".,?!:;'\"()", "-+/=%&@€°#"]
  static let columns = 10

  /// For each vowel of Vietnamese, the vowel without a tone and with each of the five tones.
  private static let vowels = [
    "aăâeêioôơuưy", "áắấéếíóốớúứý", "àằầèềìòồờùừỳ", "ảẳẩẻểỉỏổởủửỷ", "ãẵẫẽễĩõỗỡũữỹ", "ạặậẹệịọộợụựỵ",
  ].map(Array.init)

  /// - Parameters:
  ///   - page: an even number for the letters, an odd number for the digits and signs.
  ///   - isFull: true if the text has reached its maximum length.
  func keys(page: Int, draft: String, isFull: Bool) -> [QuestionKey] {
    let isLetters = page.isMultiple(of: 2)
    var keys = (isLetters ? letters : Self.signs).joined().map {
      QuestionKey(.type(String($0)), .sign(String($0)), isOffered: !isFull)
    }
    let other = QuestionKey(
      .more, .sign(isLetters ? "123" : "abc"), width: hasTones && isLetters ? 1 : 2)
    let delete = QuestionKey(
      .delete, .sentence(.questionDelete), width: hasTones ? 2 : 3, isOffered: !draft.isEmpty)
    let tones: [QuestionKey] =
      hasTones && isLetters
      ? (1..<Self.vowels.count).map {
        QuestionKey(
          .tone($0), .sign(String(Self.vowels[$0][0])),
          isOffered: adding(tone: $0, to: draft) != draft)
      } : []
    keys.append(other)
    keys += tones
    keys.append(
      QuestionKey(
        .type(" "), .sentence(.questionSpace),
        width: Self.columns - other.width - tones.count - delete.width, isOffered: !isFull))
    return keys + [delete]
  }

  /// Returns the draft with a tone on the last vowel of the last word.
  ///
  /// If this vowel already has the tone, the function removes the tone. If the last word has no
  /// vowel, the function returns the draft unchanged.
  func adding(tone: Int, to draft: String) -> String {
    let word = draft.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    for index in word.indices.reversed() {
      for (row, vowels) in Self.vowels.enumerated() {
        guard let vowel = vowels.firstIndex(of: draft[index]) else { continue }
        let changed = Self.vowels[row == tone ? 0 : tone][vowel]
        return draft[..<index] + String(changed) + draft[draft.index(after: index)...]
      }
    }
    return draft
  }
}

extension Language {
  var keyboard: Keyboard {
    switch self {
    case .english: Keyboard(letters: ["qwertyuiop", "asdfghjkl'", "zxcvbnm,.?"])
    case .german: Keyboard(letters: ["qwertzuiop", "asdfghjklß", "yxcvbnmäöü"])
    case .vietnamese:
      Keyboard(
        letters: ["aăâbcdđeêg", "hiklmnoôơp", "qrstuưvxy."],
        hasTones: true)
    }
  }

  /// The sign between the whole part and the fraction of a number.
  var decimalSign: String { self == .english ? "." : "," }
}
