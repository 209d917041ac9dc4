import CivilTime
import EventCoding
import JSONValue

/// By which names people and devices go outside of the record.
public protocol PseudonymKey {
  /// False until they were re-keyed: they are shown as they are stored.
  var isSet: Bool { get }
  /// What a stored pseudonym is shown as.
  func name(_ stored: String) -> String
  /// A stored document with the pseudonyms in it replaced.
  func document(_ stored: String) -> String
}

/// What safe harbor lets through of a payload and of a rule: only what is named here.
public enum SafePayload {
  /// Numbers, flags and words of closed lists. None is a date, a place, a name or a hash.
  private static let members: Set<String> = [
    "late_ms", "index", "gain_db", "frames", "xruns", "stopped", "pending", "sounding", "sounded",
    "outcome", "reason", "cause", "step_ms", "rings", "spacing_s", "gains_db", "late_window_s",
    "delay_s", "delay_limit", "duration_ms", "loudness_lufs", "rings_intended", "rings_sounded",
    "rings_failed", "delays", "why", "ring", "rings_per_hour", "inactivity_h", "silence_h",
    "quiet_policy",
  ]

  /// The harmless members of a payload, in their order; `{}` where it cannot be read.
  static func text(_ payload: String) -> String {
    guard let json = try? JSON(stored: payload), case .members(let all) = json else { return "{}" }
    let safe = all.filter { member in
      guard members.contains(member.name) else { return false }
      if member.name.hasSuffix("_ms"), let value = member.value.integer { return isShort(value) }
      return true
    }
    return JSON.members(safe).description
  }

  /// Whether a length of time is at most 31 days.
  ///
  /// Longer ones stay empty in safe harbor: where a clock starts in 1970 and is then set, the length
  /// of that step or gap is today's date.
  static func isShort(_ milliseconds: Int64) -> Bool {
    (-2_678_400_000...2_678_400_000).contains(milliseconds)
  }

  /// The parts of a recurrence rule that say how often and at what time of day, and not on which
  /// dates or days of the week: study days could be pinned to the calendar with those.
  public static func rule(_ rule: RecurrenceRule) -> String {
    let kept: Set<Substring> = ["FREQ", "INTERVAL", "COUNT", "BYHOUR", "BYMINUTE", "BYSECOND"]
    return rule.description.split(separator: ";").filter { part in
      kept.contains(part.prefix { $0 != "=" })
    }.joined(separator: ";")
  }
}
