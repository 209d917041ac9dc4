import Alarms

extension ExportTable {
  private static let sources = ClientKind.allCases.map(\.rawValue) + [ClientKind.unnamed]

  /// One row for each prompt, even if no ring of the prompt sounded.
  public static let prompts = ExportTable(
    name: "prompts",
    title: "All prompts, with their due times, delivery, answers and outcomes",
    columns: [
      ExportColumn("prompt_id", .identifier("p"), "The prompt"),
      ExportColumn(
        "study_id", .word, empty: "the prompt is in no study", "Id of the study", example: "trial-1"
      ),
      ExportColumn(
        "person", .pseudonym, empty: "the alarm's person is unknown", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn(
        "person_name", .typed, empty: "the name was erased", "Name of the person", example: "anna"),
      ExportColumn(
        "phase", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt", example: "prompted"),
      ExportColumn("alarm_id", .identifier("a"), "The alarm"),
      ExportColumn("alarm_version", .integer, "The alarm's version"),
      ExportColumn(
        "label", .typed, empty: "the label was erased", "Label: what to do", example: "Pills"),
      ExportColumn(
        "is_announcement", .boolean, "True for an announcement, which is not a task",
        example: "false"),
      ExportColumn(
        "scheduled", .civil,
        "The scheduled local time"),
      ExportColumn(
        "also_scheduled", .detail, empty: "the prompt has only one scheduled time",
        "Other scheduled local times that are at the same instant, because the clocks changed",
        example: "2026-12-03T08:30:00"),
      ExportColumn(
        "fold", .detailInteger,
        "1 if this local time occurred for the second time, because the clock was set back or the "
          + "time zone changed; otherwise 0", example: "0"),
      ExportColumn("tz_name", .detail, "Time zone of the scheduled time", example: "Europe/Berlin"),
      ExportColumn(
        "utc_offset_s", .detailInteger, unit: "s", "UTC offset of this time zone at the due time"),
      ExportColumn(
        "due", .instant,
        "Time at which the prompt was due"),
      ExportColumn(
        "plans", .integer,
        "Number of times that the prompt was planned; for example, 2 after an edit of the alarm"),
      ExportColumn(
        "late_ms", .integer, unit: "ms", empty: "the record contains no event `due` of the prompt",
        "Time from the due time until the daemon began to handle the prompt", example: "12"),
      ExportColumn(
        "rings_intended", .integer, "Number of rings that the daemon intended to play", example: "1"
      ),
      ExportColumn(
        "rings_sounded", .integer,
        "Number of rings that sounded: the sound device accepted the first frames of the ring",
        example: "1"),
      ExportColumn(
        "rings_failed", .integer, "Number of rings that no sound device could play", example: "0"),
      ExportColumn(
        "rings_uncertain", .integer,
        "Number of rings with an unknown end, because the daemon or player failed", example: "0"),
      ExportColumn(
        "is_delivered", .boolean,
        "True if a ring was played to its end, or if the prompt was answered while a ring sounded"),
      ExportColumn(
        "first_ring", .instant, empty: "no ring sounded",
        "Time at which the first ring began to sound"),
      ExportColumn(
        "first_ring_latency_ms", .integer, unit: "ms", empty: "no ring sounded",
        "Time from the due time to the start of the first ring, measured with the wall clock",
        example: "3120"),
      ExportColumn(
        "presented_ms", .integer, unit: "ms", empty: "no screen reported that it showed the prompt",
        "Time from the due time until a screen first showed the prompt, measured with the wall "
          + "clock", example: "3340"),
      ExportColumn(
        "first_answer", .choice(["acknowledged", "delayed", "completed", "declined"]),
        empty: "nobody answered", "The first answer that was not undone", example: "acknowledged"),
      ExportColumn(
        "first_answer_role", .choice(roles), empty: "nobody answered",
        "Role of the user who gave the first answer", example: "patient"),
      ExportColumn(
        "first_answer_source", .choice(sources), empty: "nobody answered",
        "Kind of program that sent the first answer, as the program itself named it; `socket` if "
          + "the program named no kind", example: "button"),
      ExportColumn(
        "answered", .instant, empty: "nobody answered", "Time of the first answer"),
      ExportColumn(
        "answer_latency_ms", .integer, unit: "ms", empty: "nobody answered",
        "Time from the due time to the first answer, measured with the wall clock",
        example: "65230"),
      ExportColumn(
        "answer_after_ring_ms", .integer, unit: "ms",
        empty:
          "no ring sounded, nobody answered, or the device booted between the ring and the answer",
        "Time from the start of the first ring to the first answer, measured with the boot time",
        example: "62110"),
      ExportColumn(
        "completion_latency_ms", .integer, unit: "ms", empty: "the prompt was not completed",
        "Time from the due time to the completion, measured with the wall clock; negative if the "
          + "task was done before the due time", example: "70410"),
      ExportColumn(
        "rings_to_answer", .integer, empty: "nobody answered",
        "Number of rings that sounded before the first answer"),
      ExportColumn(
        "contacts_notified", .integer, "Number of times that the daemon began to notify a contact",
        example: "0"),
      ExportColumn(
        "contacts_reached", .integer,
        "Number of times that the command of a contact ended without an error", example: "0"),
      ExportColumn("delays", .integer, "Number of times that the prompt was delayed", example: "0"),
      ExportColumn(
        "state", .choice(["open", "closed"]),
        "`open` if the prompt has no outcome yet; otherwise `closed`", example: "closed"),
      ExportColumn(
        "outcome", .choice(outcomes), empty: "the prompt is open",
        "The outcome: how the prompt ended"),
      ExportColumn(
        "reason", .choice(reasons), empty: "the prompt is open",
        "Reason for the outcome; the word `none` if no reason was given", example: "none"),
      ExportColumn(
        "closed", .instant, empty: "the prompt is open", "Time at which the prompt ended"),
      ExportColumn(
        "closed_role", .choice(roles), empty: "the prompt is open",
        "Role of the user or program that ended the prompt", example: "patient"),
      ExportColumn(
        "clock_state", .choice(clockStates), empty: "the record contains no event of the prompt",
        "The least reliable clock state among the events of the prompt"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms",
        empty: "the wall clock was not synchronised when the events of the prompt were recorded",
        "Largest `clock_error_ms` in events.csv among the events of the prompt", example: "3"),
      ExportColumn(
        "boots", .integer, "Number of different boot ids in the events of the prompt"),
      ExportColumn(
        "corrections", .integer, "Number of times that an answer to the prompt was undone",
        example: "0"),
    ], primaryKey: ["prompt_id"])
}
