import Alarms
import CivilTime

/// The data about a calendar event that an import stores with each alarm of the event.
///
/// From these data, a later import finds out which file is newer, and which due time of the alarm
/// belongs to an occurrence of the event. The stored text contains these words, with spaces between
/// the words:
///
/// 1. the SEQUENCE of the event, or `-`
/// 2. the stamp of the event, or `-`
/// 3. the time from the start of an occurrence to the due time of the alarm, in seconds, for
///    example `-3600`. If the event lasts whole days, the number counts from midnight, and begins
///    with `d`. If the alarm does not follow the occurrences, the word is `-`.
/// 4. for each changed occurrence, its old time and the revision of the change, for example
///    `20270309T080000Z=2/20260401T000000Z`. The sign `=` means that the change has a separate
///    alarm or ends the occurrence. The sign `~` means that this alarm rings at the new time, and
///    the new time is a third part.
/// 5. `cancelled`, if the event was cancelled
public struct ImportedEvent: Hashable, Sendable {
  /// The time from the start of an occurrence to the due time of the alarm.
  public struct Offset: Hashable, Sendable {
    /// The local due time minus the local start of the occurrence, in seconds.
    public var seconds: Int64
    /// True if the event lasts whole days. The occurrences of such an event begin at midnight.
    public var isAllDay: Bool

    public init(seconds: Int64, isAllDay: Bool) {
      self.seconds = seconds
      self.isAllDay = isAllDay
    }
  }

  /// The change of one occurrence.
  public struct Change: Hashable, Sendable {
    public var revision: ICalendarRevision
    /// True if the schedule of the series contains the change. The value is false if the occurrence
    /// has a separate alarm, or has ended.
    public var isInSeries: Bool
    /// The new time, if the schedule of the series contains the new time; otherwise nil.
    public var movedTo: Instant?

    public init(revision: ICalendarRevision, isInSeries: Bool, movedTo: Instant? = nil) {
      self.revision = revision
      self.isInSeries = isInSeries
      self.movedTo = movedTo
    }
  }

  public var revision: ICalendarRevision
  public var offset: Offset?
  /// The changes of single occurrences. The key is the key of the occurrence: its old time in UTC,
  /// or its day.
  public var changes: [String: Change] = [:]
  public var isCancelled = false

  public init(
    revision: ICalendarRevision, offset: Offset? = nil, changes: [String: Change] = [:]
  ) {
    self.revision = revision
    self.offset = offset
    self.changes = changes
  }

  /// Reads a text that `text` made. The result is nil if the text has a different form.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    guard words.count >= 3, let revision = ICalendarRevision(words[0], words[1]) else { return nil }
    self.revision = revision
    let isAllDay = words[2].hasPrefix("d")
    offset = Int64(isAllDay ? words[2].dropFirst() : words[2]).map {
      Offset(seconds: $0, isAllDay: isAllDay)
    }
    for word in words.dropFirst(3) {
      if word == Alarm.cancelledMark {
        isCancelled = true
        continue
      }
      guard let mark = word.firstIndex(where: { $0 == "=" || $0 == "~" }) else { return nil }
      let parts = word[word.index(after: mark)...].split(separator: "/")
      guard parts.count >= 2, let revision = ICalendarRevision(parts[0], parts[1]) else {
        return nil
      }
      changes[String(word[..<mark])] = Change(
        revision: revision, isInSeries: word[mark] == "~",
        movedTo: parts.count > 2 ? ICalendarTime.utcInstant(parts[2]) : nil)
    }
  }

  /// The maximum number of changes in a text, so that an alarm can store it.
  private static let mostChanges = 30

  /// Returns the text that an alarm stores. The text leaves out the changes of occurrences that are
  /// more than two days past, and contains at most 30 changes.
  public func text(now: Instant) -> String {
    var words = [revision.text(separator: " ")]
    words.append(offset.map { ($0.isAllDay ? "d" : "") + String($0.seconds) } ?? "-")
    // A key without a time is shorter than a key with a time of the same day, so the shorter key
    // comes first.
    let past = ICalendarTime.utcText(now.adding(seconds: -2 * 86_400))
    let coming = changes.filter { $0.key >= past.prefix(8) }.sorted { $0.key < $1.key }
    for (key, change) in coming.prefix(Self.mostChanges) {
      words.append(
        key + (change.isInSeries ? "~" : "=") + change.revision.text(separator: "/")
          + (change.movedTo.map { "/" + ICalendarTime.utcText($0) } ?? ""))
    }
    if isCancelled { words.append(Alarm.cancelledMark) }
    return words.joined(separator: " ")
  }

  /// Reads the data from an alarm. The result is nil if the alarm does not come from an event, or
  /// if the import stored no data.
  public init?(of alarm: Alarm) {
    guard alarm.calendarUID != nil, let text = alarm.calendarRevision else { return nil }
    self.init(text)
  }
}
