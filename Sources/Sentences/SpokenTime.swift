import CivilTime

/// A time of day as text for the speech program. The text does not contain the seconds.
///
/// If a time has the form that the screen shows, the speech program reads the time incorrectly. For
/// example, espeak-ng reads "8:00" as "eight zero zero", and "10:30 Uhr" as "zehn Uhr dreißig Uhr".
/// Therefore each language has a separate text for the speech program.
public enum SpokenTime {
  public static func of(_ time: ClockTime, in language: Language) -> String {
    sentence(time, language).text(in: language)
  }

  private static func sentence(_ time: ClockTime, _ language: Language) -> Sentence {
    let (hour, minute) = (time.hour, time.minute)
    guard minute == 0 else {
      let isPadded = language == .english && minute < 10
      return .spokenTime(hour: "\(hour)", minute: isPadded ? "0\(minute)" : "\(minute)")
    }
    switch hour {
    case 0: return .spokenMidnight
    case 12: return .spokenNoon
    case ..<12: return .spokenHourBeforeNoon(hour: "\(hour)")
    default:
      return .spokenHourAfterNoon(hour: "\(language == .english ? hour - 12 : hour)")
    }
  }
}
