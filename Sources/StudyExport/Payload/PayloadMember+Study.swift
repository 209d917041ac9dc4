import Alarms

extension PayloadMember {
  /// The settings of a person, supplies, messages, calls and inactivity.
  static let ofPeople: [PayloadMember] = [
    .init("amount", .integer, "Amount that was added to the supply, used or given back"),
    .init(
      "answered", .string, null: "no answer ended the inactivity",
      "The prompt whose answer ended the inactivity"),
    .init("call", .integer, "Number of the call, from 1"),
    .init("date", .string, "The day on which all tasks were done"),
    .init("expires_ms", .integer, unit: "ms", "Time after which the message is not sent"),
    .init("heard", .boolean, "True if the sound of the reward was played"),
    .init(
      "inactivity_h", .integer, unit: "h",
      "Time without an answer after which contacts are notified"),
    .init(
      "inactivity_tell_after_s", .array, unit: "s",
      "Time after which each contact is notified of the inactivity"),
    .init(
      "language", .string, null: "the language of the home applies", "The language of spoken words"),
    .init("left", .integer, "Amount of the supply after the event"),
    .init(
      "low_at", .integer, null: "the supply is never low",
      "The supply is low if this amount or less is left"),
    .init("notice", .integer, "Number of the message to a contact, from 1"),
    .init("person", .string, null: "the event is about no person", "The pseudonym of the person"),
    .init("picture", .boolean, "True if the screen showed a picture as the reward"),
    .init("quiet_hours", .string, "The quiet hours of the person, or what the alarm does in them"),
    .init(
      "quiet_policy", .string, words: QuietPolicy.allCases.map(\.rawValue),
      "What a prompt does in the quiet hours of the person"),
    .init("reply", .string, "The alarm that speaks the reply to the call"),
    .init(
      "rings_per_hour", .integer, null: "the limit of the home applies",
      "Maximum number of repeated rings in an hour"),
    .init("since_ms", .integer, unit: "ms", "Start of the suppression or of the inactivity"),
    .init("supply", .string, "The id of the supply"),
    .init("taken", .integer, "Amount that the prompt took; smaller than `amount` if less was left"),
    .init("version", .any, "Version of the settings of the person, or of the program"),
  ]

  /// Enrolments, phases, responses and the diary.
  static let ofStudies: [PayloadMember] = [
    .init(
      "allocation_sha256", .string,
      "SHA-256 of the allocation list from which the arm comes; absent if there is no list or the study "
        + "is blinded"),
    .init(
      "arm", .string, null: "there is no arm",
      "The arm of the participant; its code while the study is blinded"),
    .init("arm_code", .string, "The code of the arm; absent if the study was never blinded"),
    .init("burden", .integer, null: "the entry contains none", "The burden of the care partner"),
    .init(
      "code", .string, words: WithdrawalCode.allCases.map(\.rawValue),
      "The reason for the withdrawal; absent if nobody gave a code"),
    .init(
      "completion", .any,
      "How far the task was completed, in an entry of a diary; or the burst after `complete_by_s`, in an alarm"
    ),
    .init("consent", .string, "The version of the consent form; absent if nobody gave it"),
    .init(
      "consent_scope", .array, words: ConsentScope.allCases.map(\.rawValue),
      "What the person consented to; absent if nobody gave it"),
    .init(
      "data_use", .string, words: DataUse.allCases.map(\.rawValue),
      "What the study may still use after the withdrawal; absent if nobody said it"),
    .init("day", .string, "The day of the diary entry or of the message"),
    .init(
      "from_ms", .integer, unit: "ms",
      "Start of the enrolment, of the gap or of the time in which the device was suspended"),
    .init(
      "hides_phases", .boolean,
      "True if patients and caretakers do not see the names of the phases; absent if they see them"),
    .init(
      "kind", .string, words: kinds, "The kind of the response, or of the message to a contact"),
    .init(
      "number", .integer,
      "Number of the response or of the entry, from 1; a correction has the next number"),
    .init("phases", .array, "All phases of the person"),
    .init("question", .string, "The name of the question"),
    .init(
      "scope", .string, words: ["alarm", "words", "identity"],
      "What was erased: the texts of an alarm, the texts of a person, or the code of a person"),
    .init("serious", .boolean, "True for a serious adverse event"),
    .init("study", .string, "The id of the study"),
    .init(
      "to_ms", .integer, unit: "ms", null: "the enrolment has no end",
      "End of the enrolment or of the gap"),
    .init("unit", .string, null: "the value has no unit", "The UCUM code of the unit of the value"),
    .init("value", .any, null: "the value is a text", "The value of the response"),
  ]

  private static let kinds = union([
    ["number", "choices", "mood", "flag", "text"], NoticeKind.allCases.map(\.rawValue),
  ])

  /// The device, its clock and its record.
  static let ofDevice: [PayloadMember] = [
    .init("archive_sha256", .string, "SHA-256 of the archive with the purged events"),
    .init("asleep_ms", .integer, unit: "ms", "Time for which the device was suspended"),
    .init("bytes", .integer, unit: "bytes", "Size of the picture"),
    .init(
      "cause", .string,
      words: union([GapCause.allCases.map(\.rawValue), ["calibrated", "found"]]),
      "The cause of the gap, or of the change of the volume"),
    .init(
      "closed_before_ms", .integer, unit: "ms", null: "no ended prompt was purged",
      "The purge removed the prompts that ended before this time"),
    .init("count", .integer, "Number of refused requests"),
    .init("days", .array, "The dates of the list of holidays"),
    .init("duration_ms", .integer, unit: "ms", "Duration of the recording"),
    .init(
      "first_ms", .integer, unit: "ms", null: "every purged event has the clock state `unset`",
      "Time of the first purged event"),
    .init("first_offset_s", .integer, unit: "s", "Offset from UTC of the first purged event"),
    .init("former_muted", .boolean, "True if the device was muted before"),
    .init("former_percent", .integer, unit: "%", "Level of the device before"),
    .init("free_bytes", .integer, unit: "bytes", "Free space of the disk"),
    .init("from", .string, "The zone, or the version of tzdata, before the change"),
    .init("height", .integer, unit: "pixels", "Height of the picture"),
    .init("kept", .integer, "Number of events that the purge kept"),
    .init("kept_digest", .string, "Digest of the events that the purge kept"),
    .init(
      "layout", .string, words: ExportLayout.allCases.map(\.rawValue), "The layout of the export"),
    .init("loudness_lufs", .number, unit: "LUFS", "Loudness of the recording"),
    .init(
      "media_type", .string, words: ["image/jpeg", "image/png"], "The media type of the picture"),
    .init(
      "percent", .integer, unit: "%", null: "the level in the configuration applies again",
      "Level of the device"),
    .init("previous_boot_id", .string, "The boot id before the boot"),
    .init(
      "profile", .string, words: ExportProfile.allCases.map(\.rawValue), "The profile of the export"
    ),
    .init("sha256", .string, "SHA-256 of MANIFEST.json of the export"),
    .init("step_ms", .integer, unit: "ms", "Change of the clock; negative if the clock went back"),
    .init("through_ms", .integer, unit: "ms", "Time of the last purged event"),
    .init("through_seq", .integer, "The last event of the export or of the purge"),
    .init("to", .string, "The zone, or the version of tzdata, after the change"),
    .init("uid", .integer, "The user whose requests were refused"),
    .init("utc_offset_s", .integer, unit: "s", "Offset of the zone from UTC at the due time"),
    .init("width", .integer, unit: "pixels", "Width of the picture"),
    .init("zone", .string, null: "the zone of the home applies", "The time zone"),
  ]
}
