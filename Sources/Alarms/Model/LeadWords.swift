import CivilTime
import Sentences

/// The words that say when the main prompt of an early reminder is due. A speech program speaks
/// these words at the start of each ring of the early reminder.
///
/// Example: `In one hour:` or `Tomorrow at 10:30:`. The words are correct at the instant at which
/// Prompter speaks these words.
struct LeadWords {
  var now: Instant
  var event: Instant
  /// The zone of the person who hears the words.
  var zone: Zone

  /// Returns the words in the first language of `tags` that Prompter supports. If Prompter supports
  /// none of these languages, the words are in English.
  ///
  /// - Parameter tags: the languages as BCP 47 tags, the preferred language first.
  func spoken(in tags: [String]) -> SpokenWords {
    let (language, tag) = Language.first(of: tags)
    return SpokenWords(text(in: language), language: tag)
  }

  func text(in language: Language) -> String {
    sentence(in: language).text(in: language).capitalised
  }

  private func sentence(in language: Language) -> Sentence {
    switch time {
    case .now: .leadNow
    case .minutes(let count): .leadMinutes(count: Int(count))
    case .hours(1): .leadOneHour
    case .hours(2): .leadTwoHours
    case .hours: .leadThreeHours
    case .today(let time): .leadToday(time: SpokenTime.of(time, in: language))
    case .tomorrow(let time): .leadTomorrow(time: SpokenTime.of(time, in: language))
    case .weekday(let day, let time):
      .leadWeekday(
        day: Sentence.weekday(day).text(in: language), time: SpokenTime.of(time, in: language))
    case .date(let date, let time):
      .leadDate(
        day: "\(date.day)", month: Sentence.month(date.month).text(in: language),
        time: SpokenTime.of(time, in: language))
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

  /// The maximum remaining time, in minutes, for which the words contain the exact number of
  /// minutes. The program rounds longer times to 5 minutes. Therefore, the rings of one burst often
  /// have the same words.
  private static let exactMinutes: Int64 = 15
  /// The maximum number of hours for words such as "In 3 hours". For longer times, the words
  /// contain the time of day.
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
