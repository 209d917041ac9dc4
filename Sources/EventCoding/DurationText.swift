import Alarms

/// Converts a number of seconds to a short text, and a short text to a number of seconds. Examples
/// of short texts: `90s`, `10m`, `1h30m`, `2d`.
public enum DurationText {
  private static let units: [(name: Character, seconds: Int64)] = [
    ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// Reads a duration and returns its length in seconds.
  ///
  /// The text consists of one or more parts. Each part is a whole number and then one of the units
  /// d, h, m, s. The units must be in this order, and each unit can occur only once.
  ///
  /// - Returns: nil if the text is not a duration, or if the duration is longer than 100,000,000
  ///   seconds.
  public static func seconds(_ text: String) -> Int64? {
    var rest = Substring(text)
    var total: Int64 = 0
    var remaining = units[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard let count = Int64(digits), count <= 100_000_000 else { return nil }
      rest = rest.dropFirst(digits.count)
      guard let unit = rest.popFirst(),
        let index = remaining.firstIndex(where: { $0.name == unit })
      else { return nil }
      total += count * remaining[index].seconds
      remaining = remaining[(index + 1)...]
      guard total <= 100_000_000 else { return nil }
    }
    return text.isEmpty ? nil : total
  }

  /// Writes a duration as a text that `seconds` can read. For example, 5400 becomes `1h30m`.
  public static func text(_ seconds: Int64) -> String {
    var rest = seconds
    var text = ""
    for unit in units where rest >= unit.seconds {
      text += "\(rest / unit.seconds)\(unit.name)"
      rest %= unit.seconds
    }
    return text.isEmpty ? "0s" : text
  }
}
