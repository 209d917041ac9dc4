/// A part of the day in everyday words, for example "in the morning".
enum EverydayPart: String, CaseIterable {
  case morning, afternoon, evening, night
  case breakfast, lunchtime, dinner, bedtime

  /// Creates the part of the day that a word names, for example `evening` or `evenings`. The result
  /// is nil for any other word.
  init?(word: String) {
    let names = ["lunch": Self.lunchtime, "supper": .dinner, "dinnertime": .dinner]
    let single = word.hasSuffix("s") ? String(word.dropLast()) : word
    guard let part = Self(rawValue: single) ?? names[word] else { return nil }
    self = part
  }

  /// A usual time of day in this part, in minutes after midnight. The program only proposes this
  /// time: a person must confirm the time before an alarm uses this time.
  var usual: Int {
    switch self {
    case .morning, .breakfast: 480
    case .lunchtime: 720
    case .afternoon: 900
    case .dinner: 1_080
    case .evening: 1_200
    case .night, .bedtime: 1_320
    }
  }

  /// Returns the times of day that a time of the 12-hour clock can mean in this part of the day, in
  /// minutes after midnight.
  ///
  /// If the result contains only one option, the time is certain. If the result contains two
  /// options, the person must choose.
  func times(_ minutes: Int) -> [Int] {
    let hour = minutes / 60
    let (early, late) = (minutes % 720, minutes % 720 + 720)
    switch self {
    case .morning, .breakfast:
      return hour == 12 ? [late, early] : hour < 12 ? [minutes] : [early, minutes]
    case .lunchtime:
      return (11...14).contains(hour) ? [minutes] : hour < 3 ? [late] : [minutes, late]
    case .afternoon:
      if (12...18).contains(hour) { return [minutes] }
      return (1...6).contains(hour) ? [late] : [minutes, late]
    case .evening, .dinner:
      if (16...23).contains(hour) { return [minutes] }
      return (4...11).contains(hour) ? [late] : hour == 12 ? [late, early] : [minutes, late]
    case .night, .bedtime:
      if hour == 12 { return [early] }
      if hour >= 18 || hour < 5 { return [minutes] }
      return (8...11).contains(hour) ? [late] : [minutes, late]
    }
  }

  /// Reads a part of the day, for example `every evening`, at the beginning of `words`.
  ///
  /// - Returns: the part of the day, the number of words that name this part, and words for the
  ///   days on which the alarm is due, for example `every day`.
  static func read(
    _ words: ArraySlice<String>, after last: String?
  ) -> (part: Self, taken: Int, days: [String])? {
    func word(_ place: Int) -> String? { words.dropFirst(place).first }
    func part(_ place: Int) -> Self? {
      guard let part = word(place).flatMap(Self.init(word:)) else { return nil }
      // In "the evening before", the word "evening" belongs to an early reminder. The word does not
      // say in which part of the day the alarm is due.
      return ["before", "beforehand", "earlier", "is"].contains(word(place + 1)) ? nil : part
    }
    guard let first = words.first else { return nil }
    switch first {
    case "tonight": return (.night, 1, ["today"])
    case "nightly": return (.night, 1, ["every", "day"])
    case "this": if let part = part(1) { return (part, 2, ["today"]) }
    case "every", "each":
      if let part = part(1) { return (part, 2, ["every", "day"]) }
    case "in", "during":
      if word(1) == "the", let part = part(2) { return (part, 3, []) }
    case "at": if let part = part(1) { return (part, 2, []) }
    case "and":
      if let last, Self(word: last) != nil || ["noon", "midday"].contains(last), let part = part(1)
      {
        return (part, 2, [])
      }
    default:
      guard let part = part(0) else { return nil }
      let isAfterDay = last.map { EverydayDays.weekday($0) != nil || groups.contains($0) } ?? false
      if isAfterDay || last == nil || last == "the" {
        if !first.hasSuffix("s") || isAfterDay { return (part, 1, []) }
      }
      return first.hasSuffix("s") && first != "breakfasts" ? (part, 1, ["every", "day"]) : nil
    }
    return nil
  }

  private static let groups: Set<String> = [
    "tomorrow", "today", "weekday", "weekdays", "weekend", "weekends", "day",
  ]
}
