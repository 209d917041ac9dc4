/// Converts a recurrence rule of vCalendar 1.0, such as `W2 MO FR #10`, to rules of RFC 5545.
struct VCalendar1Rule {
  /// The rules of RFC 5545, at least one. If a rule of vCalendar 1.0 has several times of day, the
  /// conversion can need several rules.
  private(set) var rules: [String] = []
  /// True if `rules` lack some times of the rule of vCalendar 1.0.
  private(set) var isPartial = false

  /// True if the rule of vCalendar 1.0 states no end. According to vCalendar 1.0, such a rule has
  /// two occurrences.
  private(set) var hasNoEnd = false

  /// The words of the rule that the initializer has not read yet.
  private var words: ArraySlice<Substring>

  private static let days: Set<Substring> = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
  private static let minutesOfDay = 1_440

  /// Reads a rule.
  ///
  /// - Parameter start: the value of DTSTART.
  /// - Returns: nil if the text is not a rule of vCalendar 1.0.
  init?(_ value: String, start: String) {
    let text = value.uppercased().filter { $0 != "$" }
    words = text.split { $0 == " " || $0 == "\t" }[...]
    guard let first = next(if: { _ in true }),
      let kind = ["MP", "MD", "YM", "YD", "D", "W", "M"].first(where: { first.hasPrefix($0) }),
      let interval = Int(first.dropFirst(kind.count)), interval > 0
    else { return nil }
    var (rule, times) = (parts(kind), readTimes())
    if interval > 1 { rule += ";INTERVAL=\(interval)" }
    hasNoEnd = !words.contains { $0.hasPrefix("#") || $0.first?.isNumber == true }
    guard let end = readEnd() else { return nil }
    if kind != "M", let inner = readMinutes() {
      if times.isEmpty { times = Self.time(of: start).map { [$0] } ?? [] }
      times = times.flatMap { time in
        (0..<inner.count(from: time)).map { time + $0 * inner.interval }
      }
    }
    if !words.isEmpty { isPartial = true }
    let isDaily = kind == "D" && interval == 1
    if !isDaily, times.contains(where: { $0 >= Self.minutesOfDay }) {
      // The times continue on the next day, but the next day is not a day of the rule.
      isPartial = true
      times.removeAll { $0 >= Self.minutesOfDay }
    }
    add(rule, Set(times.map { $0 % Self.minutesOfDay }), end)
  }

  /// Adds the rules for the times of day. In one rule, each BYHOUR combines with each BYMINUTE.
  /// Therefore the function adds a separate rule for each minute.
  private mutating func add(_ rule: String, _ times: Set<Int>, _ end: End) {
    if times.isEmpty {
      rules = [rule + end.text(times: 1)]
      return
    }
    for (minute, same) in Dictionary(grouping: times, by: { $0 % 60 }).sorted(by: {
      $0.key < $1.key
    }) {
      let hours = same.map { $0 / 60 }.sorted().map { String($0) }.joined(separator: ",")
      rules.append("\(rule);BYHOUR=\(hours);BYMINUTE=\(minute)" + end.text(times: same.count))
    }
  }

  private mutating func next(if isWanted: (Substring) -> Bool) -> Substring? {
    guard let word = words.first, isWanted(word) else { return nil }
    words.removeFirst()
    return word
  }

  /// The end of a rule.
  private enum End {
    case never
    case count(Int)
    case until(Substring)

    /// Returns the end as a part of a rule of RFC 5545.
    ///
    /// - Parameter times: the number of occurrences of the rule on each of its days.
    func text(times: Int) -> String {
      switch self {
      case .never: ""
      case .count(let count): ";COUNT=\(count.multipliedReportingOverflow(by: times).partialValue)"
      case .until(let time): ";UNTIL=\(time)"
      }
    }
  }

  /// Reads the end of a rule. The result is nil if the next word is not a part of a rule. If a rule
  /// of vCalendar 1.0 states no end, the rule has two occurrences.
  private mutating func readEnd() -> End? {
    guard let word = words.first else { return .count(2) }
    if word.hasPrefix("#") {
      words.removeFirst()
      return Int(word.dropFirst()).map { $0 == 0 ? .never : .count(min($0, 100_000)) }
    }
    if word.first?.isNumber == true {
      words.removeFirst()
      return .until(word)
    }
    // The next word begins a second rule. The times of the second rule are between two times of the
    // first rule.
    return "DWMY".contains(word.prefix(1)) ? .count(2) : nil
  }

  /// A rule in minutes that follows a rule in days, weeks, months or years. At each time of the
  /// rule before it, the rule in minutes begins a sequence of times.
  private struct Minutes {
    var interval: Int
    var end: End

    /// Returns the number of times of the rule on one day if its first time is `time`, in minutes
    /// after midnight.
    func count(from time: Int) -> Int {
      let left = max(1, (VCalendar1Rule.minutesOfDay - time + interval - 1) / interval)
      guard case .count(let count) = end else { return left }
      return min(count, VCalendar1Rule.minutesOfDay / interval + 1)
    }
  }

  private mutating func readMinutes() -> Minutes? {
    guard let word = words.first, word.hasPrefix("M"), let interval = Int(word.dropFirst()),
      (1...Self.minutesOfDay).contains(interval)
    else { return nil }
    words.removeFirst()
    return readEnd().map { Minutes(interval: interval, end: $0) }
  }

  /// Reads times of day such as `0600 1200`, in minutes after midnight.
  private mutating func readTimes() -> [Int] {
    var times: [Int] = []
    while let word = next(if: { $0.utf8.count == 4 && Self.minutes($0) != nil }) {
      if let time = Self.minutes(word) { times.append(time) }
    }
    return times
  }

  private static func minutes(_ text: Substring) -> Int? {
    guard text.utf8.count >= 4, let hour = Int(text.prefix(2)), (0..<24).contains(hour),
      let minute = Int(text.dropFirst(2).prefix(2)), (0..<60).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }

  private static func time(of start: String) -> Int? {
    let clock = start.uppercased().drop { $0 != "T" }.dropFirst().filter { $0 != ":" }
    return minutes(Substring(clock))
  }

  /// Reads the days or the months of a rule.
  private mutating func parts(_ kind: String) -> String {
    func list(_ name: String, _ values: [String]) -> String {
      values.isEmpty ? "" : ";\(name)=" + values.joined(separator: ",")
    }
    switch kind {
    case "M": return "FREQ=MINUTELY"
    case "D": return "FREQ=DAILY"
    case "W":
      var values: [String] = []
      while let day = next(if: Self.days.contains) { values.append(String(day)) }
      return "FREQ=WEEKLY" + list("BYDAY", values)
    case "MD": return "FREQ=MONTHLY" + list("BYMONTHDAY", numbers())
    case "YM": return "FREQ=YEARLY" + list("BYMONTH", numbers())
    case "YD": return "FREQ=YEARLY" + list("BYYEARDAY", numbers())
    default:
      var values: [String] = []
      while let place = next(if: { $0.last == "+" || $0.last == "-" }) {
        let number = (place.last == "-" ? "-" : "") + place.dropLast()
        while let day = next(if: Self.days.contains) { values.append(number + day) }
      }
      return "FREQ=MONTHLY" + list("BYDAY", values)
    }
  }

  private mutating func numbers() -> [String] {
    var values: [String] = []
    // `LD` means the last day of the month, and `2-` means the second last day.
    while let word = next(if: { word in
      word == "LD"
        || word.utf8.count < 4
          && Int(word.filter { $0 != "-" && $0 != "+" }).map { $0 < 367 } == true
    }) {
      let digits = word.filter { $0.isNumber }
      values.append(word == "LD" ? "-1" : (word.contains("-") ? "-" : "") + digits)
    }
    return values
  }
}
