import CivilTime
import JSONValue

/// The text of one row of the record for `prompter watch`, on one line.
package enum EventText {
  /// - Parameter labels: the label of each alarm. The key is the id of the alarm.
  package static func line(_ row: JSON, _ labels: [String: String]) -> String {
    let type = row.text("type")
    let payload = row["payload"] ?? .null
    var words = TextFormat.outcome(type)
    if let ring = row["ring_no"]?.integer { words += " \(ring)" }
    let alarm = row.text("alarm_id")
    let label = labels[alarm].map { "\"\(TextFormat.oneLine($0))\"" } ?? alarm
    let details = [
      "undone", "outcome", "reason", "device", "cause", "defect", "to", "until_utc",
    ].compactMap {
      name in
      payload[name]?.string.flatMap { $0 == "none" ? nil : TextFormat.outcome($0) }
    }
    let parts = [label] + details
    let shown = emphasis(type)?(words) ?? words
    let blanks = String(repeating: " ", count: max(0, 20 - words.count))
    return "\(time(row))  \(shown)\(blanks)  "
      + parts.filter { !$0.isEmpty }.map { TextFormat.oneLine($0) }.joined(separator: ", ")
  }

  /// Returns the local time at which the daemon recorded a row.
  private static func time(_ row: JSON) -> String {
    guard let utc = row["wall_utc_ms"]?.integer else { return "--:--:--" }
    // The rows for a user in the role `patient` contain no UTC offset. For these rows, use the zone
    // of this machine.
    let instant = Instant(milliseconds: utc)
    guard let offset = row["utc_offset_s"]?.integer else {
      return text(SystemZones.home().civil(at: instant).dateTime)
    }
    return text(CivilDateTime(localSeconds: floorDivided(utc, 1_000) + offset))
  }

  private static func text(_ local: CivilDateTime) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
    let time = local.time
    return "\(two(time.hour)):\(two(time.minute)):\(two(time.second))"
  }

  private static func floorDivided(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }

  private static func emphasis(_ type: String) -> Emphasis? {
    switch type {
    case "completed", "audio_restored", "clock_sync_gained", "reward": .good
    case "missed", "ring_failed", "audio_lost", "gap", "ring_uncertain", "repaired": .bad
    case "ring_started", "delayed", "acknowledged", "declined", "escalated", "audio_fallback",
      "volume_changed":
      .attention
    case "heartbeat", "planned", "ring_intent": .faint
    default: nil
    }
  }
}
