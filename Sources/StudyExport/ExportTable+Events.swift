import Alarms
import JSONValue

extension ExportTable {
  /// The record itself: all events in order.
  ///
  /// In the profiles `identified` and `limited`, the columns before `hash` are exactly the columns
  /// that the hash chain covers. Therefore anyone can compute the hash chain again from this file.
  /// After a rekey, this computation is not possible, because the pseudonyms in the file differ
  /// from the pseudonyms in the record.
  public static let events = ExportTable(
    name: "events", title: "The record: every event in order, with the hash chain",
    columns: [
      ExportColumn(
        "seq", .integer, "Number of the event in the record, from 1; purged events are missing",
        example: "1204"),
      ExportColumn(
        "event_id", .detail, "Random id of the event",
        example: "4c1d3f6e-8a52-4b0f-9f0c-2a7de15b8c31"),
      ExportColumn("schema_version", .integer, "Version of the format of the row and its payload"),
      ExportColumn(
        "study_id", .word, empty: "the event is in no study", "Id of the study", example: "trial-1"),
      ExportColumn(
        "person", .pseudonym, empty: "the event is about no person", "Pseudonym",
        example: "P-4k9x2m7q"),
      ExportColumn("device", .pseudonym, "Pseudonym of the device", example: "D-8w3n5t1c"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study", example: "prompted"),
      ExportColumn("type", .word, "Type of the event", example: "ring_started"),
      ExportColumn(
        "prompt_id", .identifier("p"), empty: "the event is about no prompt", "Id of the prompt"),
      ExportColumn(
        "ring_no", .integer, empty: "the event is about no ring",
        "Number of the ring of the prompt, from 1", example: "2"),
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
        "actor_id", .detail, "Id of the user; daemon if the daemon itself caused the event",
        example: "uid:1001"),
      ExportColumn(
        "source", .word,
        "Source of the event: socket for a request, otherwise the part of the daemon that caused the event",
        example: "socket"),
      ExportColumn(
        "wall_utc_ms", .detailInteger, unit: "ms", "Wall clock in UTC: milliseconds since 1970",
        example: "1796281203120"
      ),
      ExportColumn("tz_name", .detail, "Time zone of the local time", example: "Europe/Berlin"),
      ExportColumn("utc_offset_s", .detailInteger, unit: "s", "Offset of the time zone from UTC"),
      ExportColumn("tzdata_version", .detail, "Release of the time zone data", example: "2026c"),
      ExportColumn("boot_id", .identifier("b"), "Boot id of the device"),
      ExportColumn(
        "boottime_ns", .integer, unit: "ns",
        "Boot time: time since the start of the device; nobody can set it"),
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
        "payload_digest", .detail, empty: "the event has no free text",
        "Salted SHA-256 of the free text",
        example: ExportExample.sha256),
      ExportColumn("prev_hash", .detail, "Hash of the previous row", example: ExportExample.sha256),
      ExportColumn(
        "hash", .detail, "SHA-256 of all columns before this column", example: ExportExample.sha256),
      ExportColumn(
        "content", .typed, empty: "the event has no free text, or the text was erased",
        "The free text, as JSON",
        example: #"{"label":"Pills"}"#),
      ExportColumn(
        "recorded", .instant,
        empty: "the clock was unset, or the time is before day 1 (both only in safe_harbor)",
        "Time at which the event was recorded"),
    ], primaryKey: ["seq"])
}
