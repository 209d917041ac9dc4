import CivilTime

/// The SEQUENCE and the time stamp of one version of a calendar component (RFC 5546 section 2.1.5).
public struct ICalendarRevision: Hashable, Sendable {
  /// The SEQUENCE; nil if the component has no SEQUENCE.
  public var sequence: Int?
  /// The later one of DTSTAMP and LAST-MODIFIED; nil if both stamps are unknown.
  public var stamp: Instant?

  public init(sequence: Int?, stamp: Instant?) {
    self.sequence = sequence
    self.stamp = stamp
  }

  /// Reads the revision of a component.
  ///
  /// - Parameter now: the present instant. If a stamp is more than one day later than `now`, the
  ///   function ignores the stamp. Otherwise, all later files would seem older than this file.
  init(_ component: ICalendarComponent, now: Instant) {
    let text = component.line("SEQUENCE")?.value.trimmed ?? ""
    sequence = Int(text).flatMap { $0 < 0 ? nil : $0 }
    let latest = now.adding(seconds: 86_400)
    stamp = ["DTSTAMP", "LAST-MODIFIED"].compactMap { name -> Instant? in
      guard let line = component.line(name), case .utc(let time) = ICalendarTime(line.value) else {
        return nil
      }
      let instant = Zone.utc.resolve(time).instant
      return instant > latest ? nil : instant
    }.max()
  }

  /// Returns true if this version of a component is older than the version `other` of the same
  /// component.
  ///
  /// If it is not certain that this version is older, the result is false.
  public func isOlder(than other: ICalendarRevision) -> Bool {
    let (own, set) = (sequence ?? 0, other.sequence ?? 0)
    if own == set {
      guard let stamp, let latest = other.stamp else { return false }
      return stamp < latest
    }
    if own > set { return false }
    // Some programs leave out SEQUENCE.
    if sequence == nil, let stamp, let latest = other.stamp, stamp > latest { return false }
    return true
  }

  /// Returns true if this revision of a series is older than the revision `other` of one of its
  /// occurrences.
  ///
  /// A change of one occurrence does not always change the SEQUENCE of the series. Therefore, if
  /// both stamps are known and different, the function compares only the stamps.
  func isOlder(thanOccurrence other: ICalendarRevision) -> Bool {
    if let stamp, let latest = other.stamp, stamp != latest { return stamp < latest }
    return (sequence ?? 0) < (other.sequence ?? 0)
  }

  /// Returns true if this revision of an occurrence is older than the revision `other` of its
  /// series.
  func isOlder(thanSeries other: ICalendarRevision) -> Bool {
    let (own, set) = (sequence ?? 0, other.sequence ?? 0)
    if let stamp, let latest = other.stamp { return own <= set && stamp < latest }
    return own < set
  }

  /// Returns the revision as text, for example `2 20260301T000000Z`. The text contains `-` in place
  /// of a missing part.
  func text(separator: String) -> String {
    let time = stamp.map(ICalendarTime.utcText) ?? "-"
    return (sequence.map(String.init) ?? "-") + separator + time
  }

  /// Reads the two parts of a text that `text(separator:)` made. The result is nil if the parts are
  /// not a revision.
  init?(_ sequence: Substring, _ stamp: Substring) {
    guard sequence == "-" || Int(sequence) != nil else { return nil }
    let instant = ICalendarTime.utcInstant(stamp)
    guard stamp == "-" || instant != nil else { return nil }
    self.init(sequence: Int(sequence), stamp: instant)
  }
}

extension ICalendarTime {
  /// Returns an instant in the form of RFC 5545, for example `20260301T000000Z`.
  static func utcText(_ instant: Instant) -> String {
    Zone.utc.civil(at: instant).dateTime.calendarText + "Z"
  }

  /// Reads a text that `utcText` made. The result is nil if the text is not a time in UTC.
  static func utcInstant(_ text: some StringProtocol) -> Instant? {
    guard case .utc(let time) = ICalendarTime(String(text)) else { return nil }
    return Zone.utc.resolve(time).instant
  }
}
