import Alarms

// Each name occurs only once in these lists. If several types of events contain a member with the
// same name, the member has the same meaning in all of them.
extension PayloadMember {
  /// The settings of an alarm.
  static let ofAlarms: [PayloadMember] = [
    .init("announcement", .boolean, "True for words that are spoken once; absent for a task"),
    .init("check_in", .object, "The questions of the alarm, without their texts"),
    .init(
      "complete_by_s", .integer, unit: "s", "Time from \"on my way\" until the prompt rings again"),
    .init("delay_limit", .integer, "Number of times that a person can delay a prompt"),
    .init("delay_s", .integer, unit: "s", "Time by which an answer \"later\" delays a prompt"),
    .init("gains_db", .array, unit: "dB", "Gain of each ring of the first burst"),
    .init(
      "late_window_s", .integer, unit: "s",
      "Time after the due time in which a late prompt still rings"),
    .init("later_steps", .array, "The bursts after the first one"),
    .init("leads", .array, "The early reminders"),
    .init(
      "message", .string, words: MessageKind.allCases.map(\.rawValue),
      "The kind of message that the alarm sends; absent for a task"),
    .init("pauses", .object, "The dates on which the alarm does not ring"),
    .init("rings", .integer, "Number of rings of the first burst"),
    .init("schedule", .object, "The schedule"),
    .init("spacing_s", .integer, unit: "s", "Time between two rings of the first burst"),
    .init("tell_after_s", .array, unit: "s", "Time after which each contact is notified"),
    .init("urgent", .boolean, "True if the first burst is urgent"),
    .init("uses", .array, "The supplies that a completed prompt uses"),
  ]

  /// The state of a prompt, and the answers.
  static let ofPrompts: [PayloadMember] = [
    .init(
      "also_nominal", .string, "Local times of other occurrences that are due at the same instant"),
    .init("answered_ms", .integer, unit: "ms", "Time of the answer that was undone"),
    .init("attempt", .integer, "Number of the attempt to notify the contact, from 1"),
    .init(
      "course", .object,
      "The notifications and answers of the prompt, and the main due time of an early reminder"),
    .init(
      "defect", .string, words: Defect.allCases.map(\.rawValue),
      "The defect that the daemon repaired"),
    .init("delays", .integer, "Number of delays of the prompt"),
    .init("last", .boolean, "True if no further attempt follows"),
    .init("late_ms", .integer, unit: "ms", "Time between the due time and the event"),
    .init("outcome", .string, words: Outcome.allCases.map(\.rawValue), "How the prompt ended"),
    .init("pending", .integer, "Number of rings that the answer prevented"),
    .init(
      "phase", .object,
      "The state of the prompt after the event, with the name of the state in `name`"),
    .init("position", .integer, "Position of the contact in the list of contacts, from 0"),
    .init(
      "reason", .string, words: reasons,
      "The reason for the outcome, or for the notification of a contact"),
    .init("sounded", .integer, "Number of rings that had sounded before the answer"),
    .init("sounding", .boolean, "True if the answer stopped a ring"),
    .init(
      "undone", .string, words: Correction.Undone.allCases.map(\.rawValue),
      "The type of the answer that was undone"),
    .init(
      "until_ms", .integer, unit: "ms", null: "the pause has no end",
      "End of the delay, of \"on my way\", of the pause or of the suppression"),
    .init(
      "why", .string, words: whys,
      "The reason why a ring was suppressed, or a message was not sent, or a call failed"),
  ]

  /// The rings of a prompt.
  static let ofRings: [PayloadMember] = [
    .init("alert", .boolean, "True if a chime sounds before the words or the recording"),
    .init("deadline_ms", .integer, unit: "ms", "Time by which the ring must have ended"),
    .init("due_ms", .integer, unit: "ms", "Time at which the prompt or the ring is due"),
    .init("frames", .integer, "Number of frames of sound that the speaker played"),
    .init("gain_db", .number, unit: "dB", "Gain of the ring"),
    .init("index", .integer, "Index of the ring in all bursts of the prompt, from 0"),
    .init("intended_ms", .integer, unit: "ms", "Time for which the ring was planned"),
    .init(
      "last_sounded_ms", .integer, unit: "ms", null: "no ring sounded",
      "Time of the last ring that sounded"),
    .init(
      "leading_prompt", .string,
      "The leading prompt of a merged ring; absent if the ring is for one prompt"),
    .init(
      "level_found", .integer, unit: "%", null: "the device has no level",
      "Level of the device before the ring"),
    .init(
      "level_set", .integer, unit: "%", null: "the level was not set",
      "Level of the device during the ring"),
    .init("muted", .boolean, null: "the device has no level", "True if the device was muted"),
    .init("repetition", .boolean, "True if the ring repeats an earlier ring of the prompt"),
    .init("ring", .integer, "Index of the next ring in all bursts, from 0"),
    .init("rings_failed", .integer, "Number of rings that failed"),
    .init("rings_intended", .integer, "Number of rings that were intended"),
    .init("rings_sounded", .integer, "Number of rings that sounded"),
    .init(
      "started_ms", .integer, unit: "ms", null: "the ring has not started",
      "Time at which the ring started"),
    .init("step", .integer, "Index of the burst, from 0"),
    .init("stopped", .boolean, "True if an answer stopped the ring"),
    .init("xruns", .integer, "Number of interruptions of the sound"),
  ]

  /// The words that the member `reason` can contain: the reason codes of prompts.csv, and the
  /// reasons for the notification of a contact.
  private static let reasons = union([
    ReasonCode.allCases.map(\.rawValue), NotifyReason.allCases.map(\.rawValue),
  ])

  private static let whys = union([
    Suppression.Reason.allCases.map(\.rawValue), NoticeDrop.allCases.map(\.rawValue),
    CallFailure.allCases.map(\.rawValue),
  ])

  /// The words of several lists without duplicates.
  static func union(_ lists: [[String]]) -> [String] {
    lists.joined().reduce(into: []) { words, word in
      if !words.contains(word) { words.append(word) }
    }
  }
}
