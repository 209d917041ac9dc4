import Alarms
import JSONValue

extension ExportTable {
  /// The record: all events in order.
  ///
  /// With the profiles `identified` and `limited`, the columns before `hash` are exactly the
  /// columns that the hash chain covers. Therefore anyone can compute the hash chain again from
  /// this file. There are two exceptions:
  ///
  /// - After a rekey, the pseudonyms in the file differ from the pseudonyms in the record.
  /// - While a study is blinded, the cells of the hash chain are empty.
  public static let events = ExportTable(
    name: "events", title: "The record: every event in order, with the hash chain",
    columns: [
      ExportColumn(
        "seq", .sequence, "Number of the event in the record, from 1; purged events are missing",
        example: "1204"),
      ExportColumn(
        "event_id", .chain, "Random id of the event",
        example: "4c1d3f6e-8a52-4b0f-9f0c-2a7de15b8c31"),
      ExportColumn(
        "schema_version", .detailInteger,
        "Version of the format in which the record stores this event"),
      ExportColumn(
        "study_id", .word, empty: "the event is in no study", "Id of the study", example: "trial-1"),
      ExportColumn(
        "person", .pseudonym, empty: "the event is about no person", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn("device", .pseudonym, "Pseudonym of the device", example: "D-8w3n5t1c"),
      ExportColumn(
        "phase", .choice(phaseKinds), empty: "no phase was set",
        "Phase of the study at the due time of the prompt. If the event is about no prompt: phase "
          + "at the time of the event, or on the day of the diary entry",
        example: "prompted"),
      ExportColumn("type", .word, "Type of the event", example: "ring_started"),
      ExportColumn(
        "prompt_id", .identifier("p"), empty: "the event is about no prompt", "Id of the prompt"),
      ExportColumn(
        "ring_no", .integer, empty: "the event is about no ring",
        "Ring number: 1 for the first ring of the prompt", example: "2"),
      ExportColumn(
        "alarm_id", .identifier("a"), empty: "the event is about no alarm", "Id of the alarm"),
      ExportColumn(
        "alarm_version", .integer, empty: "the event is about no alarm", "Version of the alarm"),
      ExportColumn(
        "tone_sha256", .identifier("t"), empty: "the event is about no recording",
        "SHA-256 of the recording"),
      ExportColumn(
        "actor_role", .choice(Role.allCases.map(\.rawValue)),
        "Role of the user or program that caused the event", example: "patient"),
      ExportColumn(
        "actor_id", .detail,
        "Id of the user; the word `daemon` if the daemon itself caused the event",
        example: "uid:1001"),
      ExportColumn(
        "source", .choice(eventSources),
        "If a request caused the event: the kind of program that sent the request (`screen`, "
          + "`button`, `cli` or `web`), or `socket` if the program named no kind. Otherwise: the "
          + "part of the daemon that caused the event",
        example: "socket"),
      ExportColumn(
        "wall_utc_ms", .detailInteger, unit: "ms",
        "Time at which the event was recorded: milliseconds since 1970 in UTC",
        example: "1796281203120"
      ),
      ExportColumn(
        "tz_name", .detail, "Time zone of the alarm; the home zone if the event is about no alarm",
        example: "Europe/Berlin"),
      ExportColumn(
        "utc_offset_s", .detailInteger, unit: "s",
        "Offset of this time zone from UTC when the event was recorded"),
      ExportColumn("tzdata_version", .detail, "Release of the time zone data", example: "2026c"),
      ExportColumn("boot_id", .identifier("b"), "Boot id of the device"),
      ExportColumn(
        "boottime_ns", .detailInteger, unit: "ns",
        "Boot time: time since the device started, including sleep. Nobody can set the boot time"),
      ExportColumn(
        "clock_state", .choice(ClockState.allCases.map(\.rawValue)),
        "Reliability of the wall clock"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "the wall clock was not synchronised",
        "Maximum error of the wall clock, as the kernel reported it",
        example: "3"),
      ExportColumn(
        "payload", .document, "Data of the event that have no column of their own, as JSON",
        example: #"{"late_ms":12}"#),
      ExportColumn(
        "payload_digest", .chain, empty: "the event has no free text",
        "SHA-256 of random bytes (the salt), followed by the free text of the event",
        example: ExportExample.sha256),
      ExportColumn(
        "prev_hash", .chain, "Hash of the previous event", example: ExportExample.sha256),
      ExportColumn(
        "hash", .chain, "SHA-256 of all columns before this column", example: ExportExample.sha256),
      ExportColumn(
        "content", .typed, empty: "the event has no free text, or the text was erased",
        "The free text, as JSON",
        example: #"{"label":"Pills"}"#),
      ExportColumn(
        "recorded", .instant, emptyInSafeHarbor: "the clock state is `unset`",
        "Time at which the event was recorded"),
    ], primaryKey: ["seq"])
}
