import Alarms
import CivilTime

// Converts the schedule of an alarm to a series, so that a later file can change single occurrences
// of the series.
extension ICalendarSeries {
  /// Makes a series from the times of a schedule. The result is nil if the schedule does not
  /// consist only of rules, dates and exclusions.
  init?(_ schedule: Schedule, zone: Zone) {
    self.init(zone: zone)
    do {
      switch schedule {
      case .at(let instant): dates = [zone.civil(at: instant).dateTime]
      case .once(let time): dates = [time]
      case .recurring(let rule, let start): pieces = [try Piece(rule, start, zone)]
      case .several(let parts):
        if !parts.excludedDays.isEmpty || parts.holidays != nil { return nil }
        pieces = try parts.rules.map { try Piece($0.rule, $0.start, zone) }
        dates = Set(parts.dates)
        excluded = Set(parts.excluded)
      case .every, .within, .random, .after: return nil
      }
    } catch {
      return nil
    }
  }

  /// Returns the due time of the alarm for an occurrence; nil if the alarm has no due time for this
  /// occurrence.
  ///
  /// - Parameters:
  ///   - time: the start of the occurrence, in UTC or as a date.
  ///   - offset: the time from the start of the occurrence to the due time.
  func due(of time: ICalendarTime, _ offset: ImportedEvent.Offset) -> CivilDateTime? {
    candidates(of: time, offset).first { contains($0) && !excluded.contains($0) }
  }

  /// Returns the first local time that can be the due time of an occurrence. All due times from
  /// this time on belong to this occurrence or to later occurrences.
  func first(from time: ICalendarTime, _ offset: ImportedEvent.Offset) -> CivilDateTime? {
    due(of: time, offset) ?? candidates(of: time, offset).first
  }

  private func candidates(
    of time: ICalendarTime, _ offset: ImportedEvent.Offset
  ) -> [CivilDateTime] {
    func moved(_ start: CivilDateTime) -> CivilDateTime {
      CivilDateTime(localSeconds: start.localSeconds + offset.seconds)
    }
    if offset.isAllDay {
      return Self.days(time, in: .utc, at: zone).map {
        moved(CivilDateTime(date: $0, time: .midnight))
      }
    }
    switch time {
    case .date(let date):
      // The value contains only the day of the start, so the start can be at any time of this day.
      let range = (0...1).map { moved(CivilDateTime(date: date.adding(days: $0), time: .midnight)) }
      let days = (0...(range[1].date.dayNumber - range[0].date.dayNumber)).flatMap {
        times(on: range[0].date.adding(days: $0))
      }
      return days.filter { range[0] <= $0 && $0 < range[1] } + [range[0]]
    case .utc(let utc):
      let instant = Zone.utc.resolve(utc).instant
      let named = pieces.flatMap { $0.recurrence.identities(at: instant).map(\.nominal) }
      let local = zone.civil(at: instant).dateTime
      return (offset.seconds == 0 ? named : []) + [moved(local)]
    case .local(let local): return [moved(local)]
    }
  }
}
