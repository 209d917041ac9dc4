import CivilTime
import JSONValue
import Sentences

/// The words and the UTC offsets that the page needs to show the time without the page server.
///
/// The page adds the elapsed time to the time of the daemon. The page knows no time zone and no
/// language. Therefore `ClockFace` contains in advance each change of the words and of the UTC
/// offset during the next `hours` hours. With these changes, the clock is right even while the
/// connection is lost.
public struct ClockFace: Sendable, Hashable {
  /// A period in which the words and the UTC offset do not change.
  public struct Segment: Sendable, Hashable {
    public var from: Instant
    public var offsetSeconds: Int
    public var dayAndPart: String
    public var date: String
  }

  public var now: Instant
  public var segments: [Segment]

  /// The length of the period that a clock face covers, in hours.
  static let hours = 26

  public init(now: Instant, zone: Zone, language: Language) {
    self.now = now
    let end = now.adding(seconds: Int64(Self.hours * 3_600))
    let today = zone.civil(at: now).dateTime.date
    var starts: Set<Instant> = [now]
    for day in 0...2 {
      for part in DayPart.allCases {
        let second = (today.dayNumber + day) * 86_400 + part.firstHour * 3_600
        starts.insert(zone.resolve(CivilDateTime(localSeconds: Int64(second))).instant)
      }
    }
    if let change = zone.nextOffsetChange(after: now) { starts.insert(change) }
    segments = starts.filter { now <= $0 && $0 < end }.sorted().map { start in
      let civil = zone.civil(at: start)
      return Segment(
        from: start, offsetSeconds: civil.offsetSeconds,
        dayAndPart: DateWords.dayAndPart(civil.dateTime, in: language),
        date: DateWords.date(civil.dateTime, in: language))
    }
  }

  public var json: JSON {
    .object([
      ("now_ms", .integer(now.milliseconds)),
      (
        "segments",
        .array(
          segments.map {
            .object([
              ("from_ms", .integer($0.from.milliseconds)),
              ("offset_seconds", .integer(Int64($0.offsetSeconds))),
              ("day", .string($0.dayAndPart)), ("date", .string($0.date)),
            ])
          })
      ),
    ])
  }
}
