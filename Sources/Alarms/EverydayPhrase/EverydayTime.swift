import CivilTime

/// A time of day in everyday words, for example `8 o'clock`, `8.30` or `half past eight`.
struct EverydayTime: Equatable {
  /// The possible times of day, in minutes after midnight. The list contains at least one time.
  var options: [Int]
  /// True if the words contain an hour from 1 to 12 without "am" or "pm", for example `at 8`.
  var isTwelveHour = false
  /// True if the time can only be a time of the 24-hour clock, for example `20` or `08`.
  var isOnlyTwentyFourHour = false
  /// The word that the person typed, if this word is "midnight" or "24:00"; nil for any other time.
  /// `EverydayMidnight` finds the day of this time, because the time can be the beginning or the
  /// end of the typed day.
  var midnight: Midnight?
  /// The words that the person typed for this time.
  var typed: String

  enum Midnight { case word, endOfDay }

  /// Returns the time of day in the form that `PhraseReader` reads, for example `08:30`.
  static func text(_ minutes: Int) -> String {
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }

  static let hourWords: [String: Int] = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
  ]
  static let minuteWords: [String: Int] = [
    "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25, "5": 5, "10": 10, "20": 20, "25": 25,
  ]
  static let spokenMinutes: [String: Int] = [
    "fifteen": 15, "thirty": 30, "forty-five": 45, "fortyfive": 45,
  ]
  static let after: Set<String> = ["past", "after"]
  static let before: Set<String> = ["to", "before", "til", "till"]

  /// The parts of a time that begins with a digit.
  struct Digits {
    var hour: Int
    var minute: Int?
    /// The letters after the digits: "", "h", "am" or "pm".
    var suffix: String
    /// True if the hour has two digits and the first digit is 0.
    var hasZero: Bool
  }

  /// Reads a word such as `8`, `08`, `8.30`, `8h30`, `0830`, `8am` or `8:30pm`. The result is nil
  /// for any other word.
  static func digits(_ word: String) -> Digits? {
    let first = word.prefix { $0.isASCII && $0.isNumber }
    guard !first.isEmpty, first.count != 3, first.count <= 4 else { return nil }
    var rest = word.dropFirst(first.count)
    var minute: Int?
    if first.count == 4 {
      minute = Int(first.suffix(2))
    } else if let mark = rest.first, ":.h".contains(mark) {
      let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
      if digits.count == 2 {
        minute = Int(digits)
        rest = rest.dropFirst(3)
      } else if mark != "h" || !digits.isEmpty {
        return nil
      }
    }
    let hour = Int(first.prefix(2)) ?? 99
    var suffix = String(rest)
    if suffix == "uhr" { suffix = "h" }
    guard ["", "h", "am", "pm"].contains(suffix), hour <= 24, minute ?? 0 < 60 else { return nil }
    if hour == 24, minute ?? 0 > 0 { return nil }
    return Digits(
      hour: hour, minute: minute, suffix: suffix, hasZero: first.count > 1 && first.first == "0")
  }

  /// Reads the time of day at the beginning of `words`. The result is nil if `words` do not begin
  /// with a time of day.
  ///
  /// - Parameters:
  ///   - hasContext: true if the words before `words` announce a time of day, for example "at".
  ///     Without such words, a number alone is not a time of day.
  ///   - isRange: true after "from" or "between". After these words, "5 to 8" does not mean five
  ///     minutes to eight.
  /// - Returns: the time, and the number of words that form the time.
  static func read(
    _ words: ArraySlice<String>, hasContext: Bool, isRange: Bool
  ) -> (Self, Int)? {
    guard let first = words.first else { return nil }
    let second = words.dropFirst().first
    if first == "noon" || first == "midday" { return (Self(options: [720], typed: first), 1) }
    if first == "midnight" {
      return (Self(options: [0], midnight: .word, typed: first), 1)
    }
    if !isRange, let found = relative(words) { return marked(found.0, found.1, words) }
    if let digits = digits(first) { return written(digits, words, hasContext: hasContext) }
    guard let hour = hourWords[first] else { return nil }
    if let minute = second.flatMap({ spokenMinutes[$0] }) {
      return marked(twelve(hour, minute, "\(first) \(second ?? "")"), 2, words)
    }
    guard hasContext || isMark(second) else { return nil }
    return marked(twelve(hour, 0, first), 1, words)
  }

  private static func isMark(_ word: String?) -> Bool {
    ["o'clock", "oclock", "uhr", "am", "pm"].contains(word)
  }

  /// Returns a time of the 12-hour clock that can be before or after noon.
  private static func twelve(_ hour: Int, _ minute: Int, _ typed: String) -> Self {
    let early = hour % 12 * 60 + minute
    let options = hour == 12 ? [early + 720, early] : [early, early + 720]
    return Self(options: options, isTwelveHour: true, typed: typed)
  }

  private static func written(
    _ digits: Digits, _ words: ArraySlice<String>, hasContext: Bool
  ) -> (Self, Int)? {
    let first = words[words.startIndex]
    let second = words.dropFirst().first
    let isComplete = digits.minute != nil && first.contains { ":.h".contains($0) }
    let hasHours = digits.minute != nil && (second == "hrs" || second == "hours")
    guard
      isComplete || hasContext || hasHours || ["am", "pm"].contains(digits.suffix) || isMark(second)
    else {
      return nil
    }
    let minute = digits.minute ?? 0
    if digits.hour == 24 { return (Self(options: [0], midnight: .endOfDay, typed: first), 1) }
    var time = Self(options: [digits.hour * 60 + minute], typed: first)
    time.isTwelveHour = (1...12).contains(digits.hour) && !digits.hasZero
    if digits.minute == nil, time.isTwelveHour { time = twelve(digits.hour, 0, first) }
    time.isOnlyTwentyFourHour = !time.isTwelveHour && digits.suffix != "am" && digits.suffix != "pm"
    if digits.suffix == "am" || digits.suffix == "pm" {
      return (time.half(digits.suffix), 1)
    }
    if digits.minute != nil, second == "hrs" || second == "hours" { return (time, 2) }
    // "8 Uhr 30" contains the minutes after the word for "o'clock".
    if digits.minute == nil, second == "uhr", let minutes = words.dropFirst(2).first,
      minutes.count == 2, let minute = Int(minutes), minute < 60
    {
      time.options = [digits.hour * 60 + minute]
      return (time, 3)
    }
    return marked(time, 1, words)
  }

  /// Reads "o'clock", "am" and "pm" after a time.
  private static func marked(
    _ time: Self, _ taken: Int, _ words: ArraySlice<String>
  ) -> (Self, Int) {
    var (time, taken) = (time, taken)
    if ["o'clock", "oclock", "uhr"].contains(words.dropFirst(taken).first) { taken += 1 }
    if let half = words.dropFirst(taken).first, half == "am" || half == "pm" {
      time = time.half(half)
      taken += 1
    }
    time.typed = words.prefix(taken).joined(separator: " ")
    return (time, taken)
  }

  /// The options, with only one option for each pair of times that are 12 hours apart.
  ///
  /// For the words "at 8", the list contains one option. Only for words such as "half eight", the
  /// list contains two options: 8:30 and 7:30.
  var halfDayOptions: [Int] {
    var found: [Int] = []
    for option in options where !found.contains(where: { $0 % 720 == option % 720 }) {
      found.append(option)
    }
    return found
  }

  private func half(_ half: String) -> Self {
    var time = self
    let minutes = options[0]
    guard isTwelveHour else {
      // "20:00 pm" is 20:00, and "0830 pm" is 20:30. "13 am" can be 01:00 or 13:00, and "0:30 pm"
      // can be 00:30 or 12:30, so the person must choose.
      if half == "am", minutes >= 720 { time.options = [minutes - 720, minutes] }
      if half == "pm", minutes < 720 {
        time.options = minutes < 60 ? [minutes, minutes + 720] : [minutes + 720]
      }
      return time
    }
    time.options = halfDayOptions.map { $0 % 720 + (half == "pm" ? 720 : 0) }
    time.isTwelveHour = false
    return time
  }

  /// Reads `half past eight`, `quarter to nine`, `ten past 8` and `half eight`.
  private static func relative(_ words: ArraySlice<String>) -> (Self, Int)? {
    var words = words
    var skipped = 0
    if words.first == "a", words.dropFirst().first == "quarter" {
      words = words.dropFirst()
      skipped = 1
    }
    guard let first = words.first else { return nil }
    func hour(_ place: Int) -> Int? {
      guard let word = words.dropFirst(place).first else { return nil }
      let number = hourWords[word] ?? Int(word)
      return number.flatMap { (1...12).contains($0) ? $0 : nil }
    }
    func time(_ hour: Int, _ minute: Int, _ count: Int) -> (Self, Int) {
      let wrapped = minute < 0 ? ((hour + 10) % 12 + 1, minute + 60) : (hour, minute)
      let typed = words.prefix(count).joined(separator: " ")
      return (twelve(wrapped.0, wrapped.1, typed), count + skipped)
    }
    if first == "half", let hour = hour(1) {
      // "half eight" means 8:30 in English and 7:30 in German.
      var (found, count) = time(hour, 30, 2)
      found.options = [found.options[0], (found.options[0] + 660) % 720]
      return (found, count)
    }
    let minutes = first == "half" ? 30 : first == "quarter" ? 15 : minuteWords[first]
    guard let minutes else { return nil }
    let place = words.dropFirst().first.map { $0.hasPrefix("minute") } == true ? 2 : 1
    guard let link = words.dropFirst(place).first, let hour = hour(place + 1) else { return nil }
    if after.contains(link) { return time(hour, minutes, place + 2) }
    if before.contains(link), minutes != 30 { return time(hour, -minutes, place + 2) }
    return nil
  }
}
