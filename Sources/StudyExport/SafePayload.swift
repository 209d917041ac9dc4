import CivilTime
import EventCoding
import JSONValue

/// The key with which an export replaces the pseudonyms of the record by new pseudonyms.
public protocol PseudonymKey {
  /// True if new pseudonyms replace the stored pseudonyms.
  ///
  /// The value is true after the first rekey. In an export with the profile `safe_harbor`, the
  /// value is always true.
  var isSet: Bool { get }
  /// True if the export leaves out the hash chain. Reason: the hash chain would reveal the arms of
  /// a blinded study.
  var hidesChain: Bool { get }
  /// Returns the pseudonym that an export contains instead of a stored pseudonym.
  func name(_ stored: String) -> String
  /// Replaces the pseudonyms in a stored document by the pseudonyms for an export. Replaces the arm
  /// of a blinded study by the code of the arm.
  func document(_ stored: String) -> String
}

/// The parts of payloads and rules that the profile `safe_harbor` shows.
///
/// The profile shows only the members in the list `members`, and leaves out all other members.
public enum SafePayload {
  /// The members whose values are numbers, Booleans, or words from fixed lists. No member contains
  /// a date, a place, a name or a hash.
  private static let members: Set<String> = [
    "late_ms", "index", "gain_db", "frames", "xruns", "stopped", "pending", "sounding", "sounded",
    "outcome", "reason", "cause", "step_ms", "rings", "spacing_s", "gains_db", "late_window_s",
    "delay_s", "delay_limit", "duration_ms", "loudness_lufs", "rings_intended", "rings_sounded",
    "rings_failed", "delays", "why", "ring", "rings_per_hour", "inactivity_h", "silence_h",
    "quiet_policy", "amount", "taken", "left", "picture", "serious", "code",
  ]

  /// True if an export with the profile `safe_harbor` can contain a member with this name.
  static func contains(_ name: String) -> Bool { members.contains(name) }

  /// The members of a payload that the list `members` permits, in their original order. The
  /// function rounds measured values in the same way as the columns of the export. The result does
  /// not contain durations of more than 31 days. If the function cannot read the payload, the
  /// result is `{}`.
  static func text(_ payload: String) -> String {
    guard let json = try? JSON(stored: payload), case .members(let all) = json else { return "{}" }
    let safe = all.compactMap { member -> JSON.Member? in
      guard members.contains(member.name) else { return nil }
      var member = member
      switch (member.name, member.value) {
      case (let name, .integer(let value)) where name.hasSuffix("_ms"):
        guard let rounded = SafeNumber.duration(value) else { return nil }
        member.value = .integer(rounded)
      case ("frames", .integer(let value)): member.value = .integer(SafeNumber.amount(value))
      case ("loudness_lufs", let value):
        guard let level = value.double else { return nil }
        member.value = .number(SafeNumber.level(level))
      default: break
      }
      return member
    }
    return JSON.members(safe).description
  }

  /// The frequency and times of day of a recurrence rule.
  ///
  /// From a date or a day of the week, a reader could compute the dates of study days. Therefore
  /// the result contains no dates and no days of the week.
  public static func rule(_ rule: RecurrenceRule) -> String {
    let kept: Set<Substring> = ["FREQ", "INTERVAL", "COUNT", "BYHOUR", "BYMINUTE", "BYSECOND"]
    return rule.description.split(separator: ";").filter { part in
      kept.contains(part.prefix { $0 != "=" })
    }.joined(separator: ";")
  }
}
