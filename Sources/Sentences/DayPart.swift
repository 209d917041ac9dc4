import CivilTime

/// A part of the day, which the screen shows in words.
///
/// If the screen showed only a time, a patient could confuse the morning with the afternoon. When
/// it is dark outside, 4 in the morning and 4 in the afternoon look alike.
public enum DayPart: CaseIterable, Sendable {
  case morning, forenoon, noon, afternoon, evening, night

  /// The first hour of the part of the day.
  public var firstHour: Int {
    switch self {
    case .morning: 6
    case .forenoon: 10
    case .noon: 12
    case .afternoon: 14
    case .evening: 18
    case .night: 22
    }
  }

  /// Finds the part of the day that contains `time`. The hours before 06:00 belong to the night.
  public init(at time: ClockTime) {
    self = Self.allCases.last { $0.firstHour <= time.hour } ?? .night
  }

  var sentence: Sentence {
    switch self {
    case .morning: .morning
    case .forenoon: .forenoon
    case .noon: .noon
    case .afternoon: .afternoon
    case .evening: .evening
    case .night: .night
    }
  }
}
