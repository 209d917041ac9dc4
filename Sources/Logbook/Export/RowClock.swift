import CivilTime
import StudyExport

/// The clock of the local times in the rows of an export.
///
/// A local time in the profiles `identified` and `limited` is the time that the clock on the wall
/// showed. In the profile `safe_harbor`, a prompt has a clock of its own: the clock that showed the
/// scheduled time when the prompt was due. So no row of a prompt shows on which day the clocks changed.
/// For the same reason, the profile leaves out the rows of two types of events.
struct RowClock {
  private let isSafe: Bool

  init(_ profile: ExportProfile) { isSafe = profile == .safeHarbor }

  /// The types of events that reveal a date.
  ///
  /// The daemon records a heartbeat every 15 minutes, so a day with 92 or 100 heartbeats is the day of
  /// a clock change. Everybody can look up on which day a release of the time zone data appeared.
  static let hidden: Set<String> = ["heartbeat", "tzdata_changed"]

  /// True if the export does not contain the events of this type.
  func isHidden(_ type: String) -> Bool { isSafe && Self.hidden.contains(type) }

  /// True if an instant is so near to the due time of a prompt that the prompt's clock applies: at
  /// most two hours before or after it.
  ///
  /// Rings and answers follow the due time. But a later event often follows the clock on the wall: for
  /// example, somebody turns the device on again at 7:00 every morning.
  static func isNear(_ latencyMilliseconds: Int64) -> Bool {
    (-7_200_000...7_200_000).contains(latencyMilliseconds)
  }

  /// The columns of the prompt of an event, at the end of the selected columns.
  var selection: String { isSafe ? ", p.nominal_key, p.due_ms, p.utc_offset_s" : "" }

  var join: String { isSafe ? "LEFT JOIN prompts p ON p.prompt_id = e.prompt_id" : "" }

  /// The UTC offset with which the export shows the time of an event, in seconds.
  func offset(of event: RawRow, type: String) -> Int64 {
    let wall = event.integer(EventColumn.offset)
    let first = EventColumn.content + 1
    // When the daemon has closed a prompt, it plans the next one.
    guard isSafe, type != "planned", !event.isNull(first) else { return wall }
    let due = Instant(milliseconds: event.integer(first + 1))
    guard Self.isNear(event.integer(EventColumn.wall) - due.milliseconds) else { return wall }
    return offset(
      nominalKey: event.integer(first), due: due, zone: event.integer(first + 2)) ?? wall
  }

  /// The UTC offset of the clock of a prompt, in seconds; nil if the export shows the wall clock.
  ///
  /// The scheduled time of a prompt can be a time that a clock change skipped. The prompt is then due
  /// when the clock on the wall shows a later time. The prompt's clock shows the scheduled time.
  ///
  /// - Parameter zone: the UTC offset of the prompt's zone at the due time.
  func offset(nominalKey: Int64, due: Instant, zone: Int64) -> Int64? {
    guard isSafe else { return nil }
    let shown = (nominalKey >> 1) - due.seconds
    // A larger difference is not from a clock change: somebody set the clock of the device.
    let isClockChange = abs(shown - zone) <= 3_600 && (shown - zone) % 900 == 0
    return isClockChange ? shown : zone
  }
}
