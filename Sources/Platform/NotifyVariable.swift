import Alarms
import CivilTime

/// The environment variables for the command of a contact.
public enum NotifyVariable: String, CaseIterable, Sendable {
  case contact = "PROMPTER_CONTACT"
  case label = "PROMPTER_LABEL"
  case person = "PROMPTER_PERSON"
  case personName = "PROMPTER_PERSON_NAME"
  case text = "PROMPTER_TEXT"
  case promptID = "PROMPTER_PROMPT_ID"
  case alarmID = "PROMPTER_ALARM_ID"
  case scheduled = "PROMPTER_SCHEDULED"
  case inactiveHours = "PROMPTER_INACTIVE_HOURS"
  case reason = "PROMPTER_REASON"
  case position = "PROMPTER_POSITION"
  case attempt = "PROMPTER_ATTEMPT"

  /// The maximum length of a value, in bytes of UTF-8.
  public static let mostBytes = 1_024
  /// The maximum length of a message text, in bytes of UTF-8. The limit is larger than `mostBytes`,
  /// because the summary of a day can be long.
  public static let mostTextBytes = 16_384

  /// The environment variables for the search path and the language. Each command gets these
  /// variables in addition to the variables of this enum.
  public static let environment = [
    ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"), ("LANG", "C.UTF-8"),
  ]

  /// Changes a text into one line for a mail header or a message title.
  ///
  /// One space replaces each sequence of control characters, line separators and blanks. The
  /// function removes format characters, except the joiners U+200C and U+200D, because some words
  /// and emoji contain these two characters. If a text is longer than `mostBytes`, the function
  /// cuts the text and adds `…`.
  ///
  /// - Parameter mostBytes: the maximum length, in bytes of UTF-8.
  public static func line(_ text: String, mostBytes: Int = mostBytes) -> String {
    var line = String.UnicodeScalarView()
    var bytes = 0
    var isSpaceDue = false
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        isSpaceDue = !line.isEmpty
        continue
      case .format where scalar != "\u{200c}" && scalar != "\u{200d}": continue
      default: break
      }
      if bytes + UTF8.width(scalar) + 4 > mostBytes {
        line.append("…")
        break
      }
      if isSpaceDue {
        line.append(" ")
        bytes += 1
      }
      isSpaceDue = false
      line.append(scalar)
      bytes += UTF8.width(scalar)
    }
    return String(line)
  }

  /// Converts a text to the value of this variable: one line of at most the permitted length.
  func line(_ text: String) -> String {
    Self.line(text, mostBytes: self == .text ? Self.mostTextBytes : Self.mostBytes)
  }

  /// Reads the variables that arrived through the socket of the notifier service.
  ///
  /// - Returns: each variable with its value as one line of text; nil if a name is unknown or
  ///   occurs twice. Therefore, a client of the socket can set only the variables of this enum.
  public static func read(_ request: [(name: String, value: String)]) -> [(Self, String)]? {
    var seen: Set<Self> = []
    var variables: [(Self, String)] = []
    for (name, value) in request {
      guard let variable = Self(rawValue: name), seen.insert(variable).inserted else { return nil }
      variables.append((variable, variable.line(value)))
    }
    return variables
  }
}

extension UTF8 {
  /// Returns the number of bytes of a scalar in UTF-8.
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x1_0000: 3
    default: 4
    }
  }
}

extension ContactNotification {
  /// Returns the environment variables for the command. Each value is one line of text.
  ///
  /// People typed the labels and names, so the texts can contain line breaks. Every variable is
  /// set. A variable without a value is empty. Therefore, a script does not have to check whether a
  /// variable exists.
  func variables(_ attempt: Int) -> [(name: String, value: String)] {
    let values: [(NotifyVariable, String)] = [
      (.contact, contact), (.label, label), (.person, person?.text ?? ""),
      (.personName, personName), (.text, text),
      (.promptID, prompt?.description ?? ""), (.alarmID, prompt?.alarm.text ?? ""),
      (.scheduled, prompt?.nominal.description ?? ""),
      (.inactiveHours, inactiveHours.map(String.init) ?? ""), (.reason, reason.rawValue),
      (.position, String(position + 1)), (.attempt, String(attempt)),
    ]
    return values.map { ($0.rawValue, $0.line($1)) }
  }
}
