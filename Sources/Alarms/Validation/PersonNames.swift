// Checks the ids of new people. An earlier version of Prompter accepted ids that these checks
// refuse. A person who already has such an id keeps it.
extension Transition {
  static let idBytes = 1...64

  /// Refuses an id that contains an unsafe character.
  ///
  /// Safe characters are ASCII letters, digits, dots, dashes and underscores. People read and type
  /// the id in commands, files and the configuration. If an id could contain any letter of Unicode,
  /// two different ids could look the same. The rule does not apply to the name of a person: a name
  /// may contain any letters.
  func refuseUnsafe(_ id: PersonID) throws(Refusal) {
    let bytes = Array(id.text.utf8)
    let isPlain = bytes.allSatisfy { Self.isWord($0) || "._-".utf8.contains($0) }
    guard isPlain, Self.idBytes.contains(bytes.count), Self.isWord(bytes[0]) else {
      throw Refusal(
        .invalidField, field: "id",
        "\"\(id)\" (\(id.text.unicodeScalars.count) characters) cannot be an id; use 1 to "
          + "\(Self.idBytes.upperBound) letters a to z, digits, dots, dashes and underscores, begin with "
          + "a letter or a digit, and write other text in the name")
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Refuses a new id that looks like the id of an existing or removed person.
  ///
  /// The function compares the id with the ids of removed people too, because the events about
  /// removed people stay in the record.
  func refuseConfusable(_ id: PersonID) throws(Refusal) {
    var states = home.people
    states.merge(changes.people) { _, new in new }
    let own = (id.text.lowercased(), Self.skeleton(id.text))
    let like = states.keys.filter {
      $0 != id && ($0.text.lowercased() == own.0 || Self.skeleton($0.text) == own.1)
    }
    if let other = like.min(by: { $0.text < $1.text }) {
      throw Refusal(
        .conflict, field: "id",
        "\"\(id)\" looks like the id \"\(other)\" of another person; choose an id that looks different"
      )
    }
  }

  /// Replaces each letter of a text with an ASCII letter that looks the same.
  ///
  /// The result is in lower case. UTS #39 lists letters that look alike. From this list, the
  /// function uses ASCII letters and digits, and the Cyrillic and Greek letters that look like
  /// ASCII letters. Reason: ids from earlier versions of Prompter can contain Cyrillic and Greek
  /// letters.
  static func skeleton(_ text: String) -> String {
    var skeleton = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "0", "о", "О", "ο", "Ο": skeleton += "o"
      case "1", "I", "|", "І", "Ӏ", "Ι": skeleton += "l"
      case "а", "А", "Α", "α": skeleton += "a"
      case "В", "Β": skeleton += "b"
      case "с", "С", "ϲ": skeleton += "c"
      case "е", "Е", "Ε": skeleton += "e"
      case "һ", "Н", "Η": skeleton += "h"
      case "і", "ι": skeleton += "i"
      case "ј", "Ј": skeleton += "j"
      case "К", "Κ", "к", "κ": skeleton += "k"
      case "М", "Μ": skeleton += "m"
      case "Ν": skeleton += "n"
      case "р", "Р", "ρ", "Ρ": skeleton += "p"
      case "ѕ", "Ѕ": skeleton += "s"
      case "Т", "Τ": skeleton += "t"
      case "ν": skeleton += "v"
      case "х", "Х", "Χ", "χ": skeleton += "x"
      case "у", "У", "Υ", "γ": skeleton += "y"
      case "Ζ": skeleton += "z"
      default: skeleton += String(scalar).lowercased()
      }
    }
    // Two letters can look like one letter: "rn" looks like "m", and "vv" looks like "w".
    return skeleton.replacing("rn", with: "m").replacing("vv", with: "w")
  }
}
