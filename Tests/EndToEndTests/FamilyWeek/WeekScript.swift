import CivilTime

/// The script of a week.
///
/// The script says who types which command, and when. A line that starts with `==` names a day:
/// `== Mon 2027-03-22`. A line that starts with `#` is a comment. Each other line contains a time
/// of the last named day, a person and a command: `08:03 hilde $ prompter done`.
struct WeekScript {
  struct Act {
    var at: CivilDateTime
    /// The person who types the command.
    var who: String
    /// The words of the command after `prompter`.
    var words: [String]
    /// The text of the line of the script.
    var line: String
  }

  enum Line {
    case comment(String)
    case day(CivilDate)
    case act(Act)
  }

  struct Fault: Error, CustomStringConvertible {
    var line: String
    var description: String { "cannot read this line of the script: \(line)" }
  }

  var lines: [Line] = []

  init(_ text: String) throws {
    var date: CivilDate?
    for line in text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) {
      if line.hasPrefix("#") {
        lines.append(.comment(line))
      } else if line.hasPrefix("== ") {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3 else { throw Fault(line: line) }
        let day = try CivilDate(parsing: words[2])
        date = day
        lines.append(.day(day))
      } else {
        let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
        guard let date, parts.count == 5, parts[2...3] == ["$", "prompter"] else {
          throw Fault(line: line)
        }
        let at = CivilDateTime(date: date, time: try ClockTime(parsing: parts[0]))
        lines.append(
          .act(Act(at: at, who: parts[1], words: try Self.words(parts[4]), line: line)))
      }
    }
  }

  /// Splits a command at its spaces. Spaces within quotation marks do not split a word.
  private static func words(_ text: String) throws -> [String] {
    var words: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
    {
      if index.isMultiple(of: 2) {
        words += part.split(separator: " ").map(String.init)
      } else {
        words.append(String(part))
      }
    }
    guard text.count(where: { $0 == "\"" }).isMultiple(of: 2) else { throw Fault(line: text) }
    return words
  }
}
