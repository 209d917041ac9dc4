import Alarms
import CivilTime

/// The calendar events that earlier imports set or ended.
public struct ImportedEvents: Sendable {
  /// The result of a comparison between an event of a file and the version that an earlier import
  /// set.
  enum Verdict: Hashable, Sendable {
    case isNewer
    /// An earlier import set a newer version of the event.
    case isOlder
    /// A newer version of the file cancelled the event.
    case isCancelled
  }

  private struct Event {
    /// The newest revision of the series that earlier imports set; nil if no alarm of the series
    /// exists.
    var series: ICalendarRevision?
    var changes: [String: ImportedEvent.Change] = [:]
  }

  /// The events. The key is the UID of the series.
  private var events: [String: Event] = [:]
  /// The events and occurrences that a file cancelled. The key is the UID of their alarms. The
  /// value is the revision of the cancellation, and the alarms that the cancellation removed.
  private var cancelled: [String: (revision: ICalendarRevision, alarms: [Alarm])] = [:]

  /// The value if no earlier import set or ended an event. With this value, each event of a file is
  /// new.
  public static let none = ImportedEvents(alarms: [], cancelled: [])

  /// - Parameters:
  ///   - alarms: the present alarms.
  ///   - cancelled: the alarms that imports removed because their events were cancelled.
  public init(alarms: [Alarm], cancelled: [Alarm]) {
    for alarm in alarms {
      guard let uid = ICalendarUID(alarm), let event = ImportedEvent(of: alarm) else { continue }
      if uid.occurrence == nil {
        let old = events[uid.series]?.series
        if old.map({ event.revision.isOlder(than: $0) }) != true {
          events[uid.series, default: Event()].series = event.revision
        }
      }
      add(event.changes, of: uid.series)
    }
    for alarm in cancelled {
      guard let uid = ICalendarUID(alarm), let event = ImportedEvent(of: alarm) else { continue }
      var ended = self.cancelled[uid.text] ?? (event.revision, [])
      if ended.revision.isOlder(than: event.revision) { ended.revision = event.revision }
      ended.alarms.append(alarm)
      self.cancelled[uid.text] = ended
    }
  }

  private mutating func add(_ changes: [String: ImportedEvent.Change], of uid: String) {
    for (key, change) in changes {
      if let old = events[uid]?.changes[key], change.revision.isOlder(than: old.revision) {
        continue
      }
      events[uid, default: Event()].changes[key] = change
    }
  }

  /// Compares a series or a single event of a file with the version that earlier imports set or
  /// ended.
  ///
  /// - Parameter changes: the revisions of the changed occurrences in the file, by their keys.
  func verdict(
    series uid: ICalendarUID, _ revision: ICalendarRevision,
    changes: [String: ICalendarRevision]
  ) -> Verdict {
    guard let event = events[uid.series], let set = event.series else {
      guard let end = cancelled[uid.text]?.revision, revision.isOlder(than: end) else {
        return .isNewer
      }
      return .isCancelled
    }
    if revision.isOlder(than: set) { return .isOlder }
    // Even if the series is not older, the file can be older than a change that the schedule
    // contains.
    let isOlder =
      revision == set
      && event.changes.contains { key, change in
        change.isInSeries
          && (changes[key].map { $0.isOlder(than: change.revision) }
            ?? revision.isOlder(thanOccurrence: change.revision))
      }
    return isOlder ? .isOlder : .isNewer
  }

  /// Compares the change of one occurrence in a file with the change that earlier imports stored.
  func verdict(change uid: ICalendarUID, key: String, _ revision: ICalendarRevision) -> Verdict {
    if let event = events[uid.series] {
      if let change = event.changes[key] {
        if !revision.isOlder(than: change.revision) { return .isNewer }
        return cancelled[uid.text]?.revision == change.revision ? .isCancelled : .isOlder
      }
      if let series = event.series, revision.isOlder(thanSeries: series) { return .isOlder }
    }
    guard let end = cancelled[uid.text]?.revision, revision.isOlder(than: end) else {
      return .isNewer
    }
    return .isCancelled
  }

  /// Returns the alarms that a cancellation of this event removed.
  func cancelledAlarms(of uid: ICalendarUID) -> [Alarm] { cancelled[uid.text]?.alarms ?? [] }

  /// Returns true if the home has an alarm of the series.
  func hasSeries(_ uid: ICalendarUID) -> Bool { events[uid.series]?.series != nil }

  /// Returns true if the alarms of the series store a change of this occurrence.
  func hasChange(of uid: ICalendarUID) -> Bool {
    uid.occurrence.flatMap { events[uid.series]?.changes[$0] } != nil
  }

  /// Returns true if a change of one occurrence is newer than the series that an earlier import
  /// set.
  func isNewer(change revision: ICalendarRevision, thanSeries uid: ICalendarUID) -> Bool {
    guard let series = events[uid.series]?.series else { return true }
    return series.isOlder(thanOccurrence: revision)
  }

  /// Returns the changes of single occurrences that are newer than the file with the series.
  ///
  /// - Parameter changes: the revisions of the changed occurrences in the file, by their keys.
  func newerChanges(
    of uid: ICalendarUID, than revision: ICalendarRevision, changes: [String: ICalendarRevision]
  ) -> [String: ImportedEvent.Change] {
    (events[uid.series]?.changes ?? [:]).filter { key, change in
      !change.isInSeries
        && (changes[key].map { $0.isOlder(than: change.revision) }
          ?? revision.isOlder(thanOccurrence: change.revision))
    }
  }
}

/// The two parts of the UID of an alarm: the UID of the series, and the old time of a changed
/// occurrence.
public struct ICalendarUID: Hashable, Sendable {
  /// The text between the UID of a series and the RECURRENCE-ID of one occurrence, in the UID of an
  /// alarm for this occurrence.
  static let mark = ";RECURRENCE-ID="

  public var series: String
  /// The occurrence, in the form in which the calendar names it; nil if the UID belongs to a
  /// series.
  public var occurrence: String?

  public init(_ uid: String) {
    let uid = AlarmRules.calendarUID.cleaned(uid)
    guard let place = uid.firstRange(of: Self.mark) else {
      series = uid
      return
    }
    series = String(uid[..<place.lowerBound])
    occurrence = String(uid[place.upperBound...])
  }

  /// Reads the UID of an imported alarm. The result is nil if the alarm is not imported.
  init?(_ alarm: Alarm) {
    guard let uid = alarm.calendarUID else { return nil }
    self.init(uid)
    // Files can name the same occurrence in different zones. The stored key is always in UTC.
    if occurrence != nil, let key = ImportedEvent(of: alarm)?.changes.first?.key {
      occurrence = key
    }
  }

  var text: String { series + (occurrence.map { Self.mark + $0 } ?? "") }
}
