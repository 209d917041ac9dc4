import CivilTime

/// The words for a date and a time of day.
public enum DateWords {
  /// The hour at which the name of the day changes. The hours before 06:00 belong to the previous
  /// day, because a person who wakes at 02:00 has not yet begun a new day.
  static let firstHour = 6

  /// Returns the day to which a local time belongs for a person. Before 06:00, the result is the
  /// previous day.
  public static func day(of local: CivilDateTime) -> CivilDate {
    local.time.hour < firstHour ? local.date.adding(days: -1) : local.date
  }

  /// Returns the day and the part of the day, for example "Monday morning".
  public static func dayAndPart(_ local: CivilDateTime, in language: Language) -> String {
    let day = Sentence.weekday(day(of: local).weekday).text(in: language)
    let part = DayPart(at: local.time).sentence.text(in: language)
    return Sentence.dayAndPart(day: day, part: part).text(in: language).capitalised
  }

  /// Returns the date of the day that `dayAndPart` names, for example "26 November 2026".
  public static func date(_ local: CivilDateTime, in language: Language) -> String {
    let day = day(of: local)
    return Sentence.date(
      day: String(day.day), month: Sentence.month(day.month).text(in: language),
      year: String(day.year)
    ).text(in: language)
  }

  /// Returns a date with its weekday, for example "Thursday, 26 November 2026".
  public static func calendarDay(_ day: CivilDate, in language: Language) -> String {
    let name = Sentence.weekday(day.weekday).text(in: language).capitalised
    let date = Sentence.date(
      day: String(day.day), month: Sentence.month(day.month).text(in: language),
      year: String(day.year)
    ).text(in: language)
    return "\(name), \(date)"
  }

  /// Returns a time of day as hour and minute, for example "08:05".
  public static func time(_ time: ClockTime) -> String { String(time.description.prefix(5)) }
}

extension Sentence {
  /// Returns the name of a day of the week.
  public static func weekday(_ day: Weekday) -> Sentence {
    switch day {
    case .monday: .monday
    case .tuesday: .tuesday
    case .wednesday: .wednesday
    case .thursday: .thursday
    case .friday: .friday
    case .saturday: .saturday
    case .sunday: .sunday
    }
  }

  /// Returns the name of a month.
  ///
  /// - Parameter month: 1 to 12.
  public static func month(_ month: Int) -> Sentence {
    let all: [Sentence] = [
      .january, .february, .march, .april, .may, .june, .july, .august, .september, .october,
      .november, .december,
    ]
    return all[month - 1]
  }
}

extension String {
  /// The text with a capital letter at its start.
  package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
