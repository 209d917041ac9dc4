import Alarms
import JSONValue

extension ExportTable {
  /// The record itself.
  ///
  /// In `identified` and `limited` the columns before `hash` are exactly the columns that the hash
  /// chain covers. Anyone can therefore compute the chain again from this file, until pseudonyms
  /// are re-keyed.
  public static let events = ExportTable(
    name: "events", title: "The record: every event in order, with its hash chain",
    columns: [
      ExportColumn("seq", .integer, "Its number, from 1, without gaps", example: "1204"),
      ExportColumn(
        "event_id", .detail, "A random name", example: "4c1d3f6e-8a52-4b0f-9f0c-2a7de15b8c31"),
      ExportColumn("schema_version", .integer, "The shape of the row and its payload"),
      ExportColumn("study_id", .word, empty: "of no study", "The study", example: "trial-1"),
      ExportColumn(
        "person", .pseudonym, empty: "no person is concerned", "Pseudonym", example: "P-4k9x2m7q"),
      ExportColumn("device", .pseudonym, "Pseudonym of the device", example: "D-8w3n5t1c"),
      ExportColumn(
        "phase", .word, empty: "no phase was set", "Phase of the study", example: "prompted"),
      ExportColumn("type", .word, "What happened", example: "ring_started"),
      ExportColumn("prompt_id", .identifier("p"), empty: "about no prompt", "The prompt"),
      ExportColumn(
        "ring_no", .integer, empty: "about no ring", "The ring of the prompt, from 1", example: "2"),
      ExportColumn("alarm_id", .identifier("a"), empty: "about no alarm", "The alarm"),
      ExportColumn("alarm_version", .integer, empty: "about no alarm", "The alarm's version"),
      ExportColumn("tone_sha256", .identifier("t"), empty: "about no recording", "The recording"),
      ExportColumn(
        "actor_role", .choice(Role.allCases.map(\.rawValue)), "Who caused it", example: "patient"),
      ExportColumn("actor_id", .detail, "The user, or the daemon", example: "uid:1001"),
      ExportColumn("source", .word, "The door it came through", example: "socket"),
      ExportColumn(
        "wall_utc_ms", .detailInteger, unit: "ms", "Wall clock, from 1970", example: "1796281203120"
      ),
      ExportColumn("tz_name", .detail, "The zone of its local time", example: "Europe/Berlin"),
      ExportColumn("utc_offset_s", .detailInteger, unit: "s", "That zone's offset then"),
      ExportColumn("tzdata_version", .detail, "Release of the zone data", example: "2026c"),
      ExportColumn("boot_id", .identifier("b"), "The boot of the device"),
      ExportColumn("boottime_ns", .integer, unit: "ns", "Clock since that boot, never set"),
      ExportColumn(
        "clock_state", .choice(ClockState.allCases.map(\.rawValue)),
        "How far the wall clock could be believed"),
      ExportColumn(
        "clock_error_ms", .integer, unit: "ms", empty: "not known", "Bound on the clock's error",
        example: "3"),
      ExportColumn(
        "payload", .document, "What else there is to say, JSON", example: #"{"late_ms":12}"#),
      ExportColumn(
        "payload_digest", .detail, empty: "no free text", "Salted SHA-256 of the free text",
        example: ExportExample.sha256),
      ExportColumn("prev_hash", .detail, "Hash of the row before", example: ExportExample.sha256),
      ExportColumn(
        "hash", .detail, "SHA-256 of all columns before this one", example: ExportExample.sha256),
      ExportColumn(
        "content", .typed, empty: "no free text, or erased", "The free text, JSON",
        example: #"{"label":"Pills"}"#),
      ExportColumn("recorded", .instant, empty: "before day 1, or the clock was unset", "When"),
    ], primaryKey: ["seq"])
}
