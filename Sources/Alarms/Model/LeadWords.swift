import CivilTime

/// The words that say when the main prompt of an early reminder is due. A speech program speaks
/// these words at the start of each ring of the early reminder.
///
/// Example: `In one hour:` or `Tomorrow at 10:30:`. The words are correct at the instant at which
/// the ring plays them.
struct LeadWords {
  /// The languages in which Prompter can say when the main prompt is due.
  enum Language: String, CaseIterable {
    case english = "en"
    case german = "de"
    case vietnamese = "vi"

    /// The language of a BCP 47 tag; nil if Prompter has no words in this language.
    ///
    /// The function uses only the primary language of the tag: `de-AT` is German.
    init?(tag: String) {
      self.init(rawValue: tag.split(separator: "-").first.map { $0.lowercased() } ?? "")
    }
  }

  var now: Instant
  var event: Instant
  /// The zone of the person who hears the words.
  var zone: Zone

  /// Returns the words in the first language of `tags` that is a case of `Language`. If no language
  /// of `tags` is a case of `Language`, the words are in English.
  ///
  /// - Parameter tags: the languages as BCP 47 tags, the preferred language first.
  func spoken(in tags: [String]) -> SpokenWords {
    for tag in tags {
      guard let language = Language(tag: tag) else { continue }
      return SpokenWords(text(in: language), language: tag)
    }
    return SpokenWords(text(in: .english), language: Language.english.rawValue)
  }

  func text(in language: Language) -> String {
    switch time {
    case .now: language.now
    case .minutes(let count): language.minutes(count)
    case .hours(let count): language.hours(count)
    case .today(let time): language.today(time)
    case .tomorrow(let time): language.tomorrow(time)
    case .weekday(let day, let time): language.on(day, time)
    case .date(let date, let time): language.on(date, time)
    }
  }

  // MARK: The due time in spoken form

  private enum Time {
    case now
    case minutes(Int64)
    case hours(Int64)
    case today(ClockTime)
    case tomorrow(ClockTime)
    case weekday(Weekday, ClockTime)
    case date(CivilDate, ClockTime)
  }

  /// If the remaining time is at most this number of minutes, the words give the exact number.
  /// Longer times are rounded to 5 minutes. Therefore, the rings of one burst often have the same
  /// words.
  private static let exactMinutes: Int64 = 15
  /// The maximum number of hours for words such as "In 3 hours". For longer times, the words give
  /// the time of day.
  private static let mostHours: Int64 = 3

  private var time: Time {
    let exact = (event.milliseconds(since: now) + 30_000) / 60_000
    if exact < 1 { return .now }
    if exact <= Self.exactMinutes { return .minutes(exact) }
    let minutes = (exact + 2) / 5 * 5
    if minutes < 60 { return .minutes(minutes) }
    if minutes % 60 == 0, minutes / 60 <= Self.mostHours { return .hours(minutes / 60) }
    let local = zone.civil(at: event).dateTime
    let days = local.date.dayNumber - zone.civil(at: now).dateTime.date.dayNumber
    switch days {
    case ...0: return .today(local.time)
    case 1: return .tomorrow(local.time)
    case 2...6: return .weekday(local.date.weekday, local.time)
    default: return .date(local.date, local.time)
    }
  }
}

extension LeadWords.Language {
  fileprivate var now: String {
    switch self {
    case .english: "Now:"
    case .german: "Jetzt:"
    case .vietnamese: "Bây giờ:"
    }
  }

  fileprivate func minutes(_ count: Int64) -> String {
    switch self {
    case .english: count == 1 ? "In one minute:" : "In \(count) minutes:"
    case .german: count == 1 ? "In einer Minute:" : "In \(count) Minuten:"
    case .vietnamese: "\(count == 1 ? "Một" : "\(count)") phút nữa:"
    }
  }

  /// - Parameter count: 1 to 3.
  fileprivate func hours(_ count: Int64) -> String {
    switch self {
    case .english: "In \(["one hour", "two hours", "three hours"][Int(count) - 1]):"
    case .german: "In \(["einer Stunde", "zwei Stunden", "drei Stunden"][Int(count) - 1]):"
    case .vietnamese: "\(["Một", "Hai", "Ba"][Int(count) - 1]) giờ nữa:"
    }
  }

  fileprivate func today(_ time: ClockTime) -> String {
    switch self {
    case .english: "Today at \(clock(time)):"
    case .german: "Heute um \(clock(time)):"
    case .vietnamese: "Hôm nay lúc \(clock(time)):"
    }
  }

  fileprivate func tomorrow(_ time: ClockTime) -> String {
    switch self {
    case .english: "Tomorrow at \(clock(time)):"
    case .german: "Morgen um \(clock(time)):"
    case .vietnamese: "Ngày mai lúc \(clock(time)):"
    }
  }

  fileprivate func on(_ day: Weekday, _ time: ClockTime) -> String {
    let number = day.rawValue
    return switch self {
    case .english: "On \(day.name) at \(clock(time)):"
    case .german: "Am \(Self.germanDays[number % 7]) um \(clock(time)):"
    case .vietnamese: "\(Self.vietnameseDays[number % 7]) lúc \(clock(time)):"
    }
  }

  fileprivate func on(_ date: CivilDate, _ time: ClockTime) -> String {
    let month = Int(date.month) - 1
    return switch self {
    case .english: "On \(date.day) \(Self.englishMonths[month]) at \(clock(time)):"
    case .german: "Am \(date.day). \(Self.germanMonths[month]) um \(clock(time)):"
    case .vietnamese: "Ngày \(date.day) tháng \(date.month) lúc \(clock(time)):"
    }
  }

  /// The time of day, such as `10:30`, `10:30 Uhr` or `10 giờ 30`. Seconds are left out.
  private func clock(_ time: ClockTime) -> String {
    let (hour, minute) = (time.hour, time.minute)
    let padded = minute < 10 ? "0\(minute)" : "\(minute)"
    return switch self {
    case .english: "\(hour):\(padded)"
    case .german: minute == 0 ? "\(hour) Uhr" : "\(hour):\(padded) Uhr"
    case .vietnamese: minute == 0 ? "\(hour) giờ" : "\(hour) giờ \(minute)"
    }
  }

  /// The names of the weekdays from Sunday on.
  private static let germanDays = [
    "Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag",
  ]
  private static let vietnameseDays = [
    "Chủ nhật", "Thứ hai", "Thứ ba", "Thứ tư", "Thứ năm", "Thứ sáu", "Thứ bảy",
  ]
  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  private static let germanMonths = [
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
    "November", "Dezember",
  ]
}
