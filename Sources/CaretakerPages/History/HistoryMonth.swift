import CivilTime

/// A month of the calendar.
struct HistoryMonth: Sendable, Hashable {
  var first: CivilDate

  /// Creates the month that contains a day.
  init(of day: CivilDate) { first = day.adding(days: 1 - day.day) }

  /// Reads a month such as `2026-11`. The result is nil if the text has a different form.
  init?(parsing text: String) {
    guard let day = try? CivilDate(parsing: "\(text)-01") else { return nil }
    first = day
  }

  var last: CivilDate { next.first.adding(days: -1) }
  var next: HistoryMonth { HistoryMonth(of: first.adding(days: 31)) }
  var previous: HistoryMonth { HistoryMonth(of: first.adding(days: -1)) }
  var days: [CivilDate] { (0..<last.day).map { first.adding(days: $0) } }
  /// The month as text, for example `2026-11`.
  var text: String { String(first.description.prefix(7)) }
}

/// The result of a prompt, as the page "History" shows it. The cases are in the order of
/// importance. A day shows the most important result of its prompts.
enum HistoryMark: Int, Sendable, CaseIterable, Comparable {
  case missed = 0
  case declined = 1
  case waiting = 2
  case done = 3
  case silent = 4
  case calledOff = 5
  case replaced = 6
  case toCome = 7

  /// - Parameters:
  ///   - outcome: the outcome in the API; nil if the prompt is open.
  ///   - isDue: true if the due time of an open prompt is over.
  init?(outcome: String?, isDue: Bool) {
    switch outcome {
    case nil: self = isDue ? .waiting : .toCome
    case "completed", "completed_out_of_window": self = .done
    case "declined": self = .declined
    case "missed_no_response", "missed_audio_failed", "missed_device_off", "missed_suspended",
      "missed_clock_invalid", "unknown_crash":
      self = .missed
    case "suppressed_quiet_hours", "suppressed_control_phase", "suppressed_by_study",
      "suppressed_cap",
      "suppressed_paused":
      self = .silent
    case "cancelled_before_due", "cancelled_while_ringing": self = .calledOff
    case "superseded_by_edit": self = .replaced
    default: return nil
    }
  }

  static func < (one: HistoryMark, other: HistoryMark) -> Bool { one.rawValue < other.rawValue }

  /// True if the prompt counts as a task that a person could do.
  var isCounted: Bool { [.missed, .declined, .done].contains(self) }

  /// The sign in a square, so that the colour is not the only difference.
  var sign: String {
    switch self {
    case .missed, .declined: "✗"
    case .waiting: "…"
    case .done: "✓"
    case .silent: "○"
    case .calledOff, .replaced: "–"
    case .toCome: "·"
    }
  }

  var style: String {
    switch self {
    case .missed, .declined: "missed"
    case .waiting: "waits"
    case .done: "done"
    case .silent, .calledOff, .replaced: "quiet"
    case .toCome: "future"
    }
  }

  var words: CaretakerSentence {
    switch self {
    case .missed: .stateMissed
    case .declined: .markDeclined
    case .waiting: .stateWaiting
    case .done: .markDone
    case .silent: .stateSuppressed
    case .calledOff: .stateCancelled
    case .replaced: .stateReplaced
    case .toCome: .stateToCome
    }
  }
}
