import CivilTime
import StudyExport

/// The clock of the local times in the rows of an export.
///
/// In the profiles `identified` and `limited`, a local time is the time that the wall clock showed.
/// In the profile `safe_harbor`, each prompt has its own clock. This clock shows the scheduled time
/// when the prompt is due. Therefore, no row of a prompt shows the day of a clock change. The
/// profile `safe_harbor` also leaves out two types of events, because these events would reveal a
/// date.
struct RowClock {
  private let isSafe: Bool

  init(_ profile: ExportProfile) { isSafe = profile == .safeHarbor }

  /// The types of events that reveal a date.
  ///
  /// The daemon records a heartbeat every 15 minutes: 96 heartbeats on a normal day. A day with 92
  /// or 100 heartbeats is the day of a clock change. The event `tzdata_changed` shows the version
  /// of the time zone data, and everybody can look up the release date of this version.
  static let hidden: Set<String> = ["heartbeat", "tzdata_changed"]

  /// Returns true if the export does not contain the events of this type.
  func isHidden(_ type: String) -> Bool { isSafe && Self.hidden.contains(type) }

  /// Returns true if the prompt's own clock applies to an instant. The instant must be at most two
  /// hours before or after the due time of the prompt.
  ///
  /// Rings and answers occur near the due time, and their times depend on the due time. The time of
  /// an event that is not near the due time often depends on the wall clock. Example: a person
  /// turns the device on at 7:00 every morning.
  static func isNear(_ latencyMilliseconds: Int64) -> Bool {
    (-7_200_000...7_200_000).contains(latencyMilliseconds)
  }

  /// The SQL for the columns of the event's prompt. These columns come after all other selected
  /// columns.
  var selection: String { isSafe ? ", p.nominal_key, p.due_ms, p.utc_offset_s" : "" }

  var join: String { isSafe ? "LEFT JOIN prompts p ON p.prompt_id = e.prompt_id" : "" }

  /// Returns the UTC offset with which the export shows the time of an event, in seconds.
  func offset(of event: RawRow, type: String) -> Int64 {
    let wall = event.integer(EventColumn.offset)
    let first = EventColumn.content + 1
    // The daemon records the event `planned` after it closed the previous prompt. Therefore, the
    // time of `planned` does not depend on the due time of the planned prompt.
    guard isSafe, type != "planned", !event.isNull(first) else { return wall }
    let due = Instant(milliseconds: event.integer(first + 1))
    guard Self.isNear(event.integer(EventColumn.wall) - due.milliseconds) else { return wall }
    return offset(
      nominalKey: event.integer(first), due: due, zone: event.integer(first + 2)) ?? wall
  }

  /// Returns the UTC offset of the prompt's own clock, in seconds; nil if the export shows the wall
  /// clock.
  ///
  /// The scheduled time of a prompt can be a time that a clock change skipped. When the prompt is
  /// due, the wall clock shows a time after the scheduled time, but the prompt's own clock shows
  /// the scheduled time.
  ///
  /// - Parameter zone: the UTC offset of the prompt's zone at the due time.
  func offset(nominalKey: Int64, due: Instant, zone: Int64) -> Int64? {
    guard isSafe else { return nil }
    let shown = (nominalKey >> 1) - due.seconds
    // A clock change causes a difference of at most one hour between the two offsets. A difference
    // of more than one hour means that a person set the clock of the device.
    let isClockChange = abs(shown - zone) <= 3_600 && (shown - zone) % 900 == 0
    return isClockChange ? shown : zone
  }
}
