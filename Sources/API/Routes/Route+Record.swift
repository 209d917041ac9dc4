import Alarms
import StudyExport

/// The routes for the record.
extension Route {
  static let recordRoutes: [Route] = [
    Route(
      .log, .get, "/v1/log", [.researcher, .courier],
      query: [
        Parameter("after", .count, "Only events after this sequence number."), .limit(10_000),
        Parameter(
          "study", .text,
          "Only for a courier: the id of the study. Events about people outside the study are sealed "
            + "(default: events about people outside all studies are sealed)."),
      ],
      answers: .lines(.event),
      "The events of the record in order, one per line. If there is another page, the header field "
        + "`X-Prompter-Next-After` contains the value of `after` for the next page. A courier gets each "
        + "event in the form of an archive file, without texts: `payload` is exactly the text that was "
        + "hashed. A sealed event has only the members `seq`, `prev_hash` and `hash`."),
    Route(
      .export, .get, "/v1/export", [.researcher, .analyst],
      query: [
        Parameter(
          "profile", .word(["safe_harbor", "limited", "identified"]),
          "The rule for personal data in the package (default: safe_harbor). The daemon refuses "
            + "`identified` to an analyst."),
        Parameter(
          "layout", .word(ExportLayout.allCases.map(\.rawValue)),
          "The files and columns of the package. Different analysis programs need different "
            + "layouts (default: frictionless)."),
      ],
      answers: .bytes(["application/x-tar"]),
      "An export: a data package with the tables of the record, as a tar stream. The header field "
        + "`X-Prompter-Bytes` contains the length of the stream in bytes. If an event is missing "
        + "or does not continue the hash chain, the header field `X-Prompter-First-Bad-Seq` "
        + "contains the sequence number of the first event with this fault. Otherwise this header "
        + "field is absent."
    ),
    Route(
      .verify, .get, "/v1/verify", [.researcher, .analyst],
      query: [
        Parameter(
          "head", .text,
          "A head code that somebody wrote down earlier. The daemon checks that the record "
            + "contains the event of this head code."
        ),
        Parameter(
          "manifest", .text,
          "The SHA-256 of the file `MANIFEST.json` of an export, in lower-case hex. The daemon "
            + "searches the record for the event `export_made` of this export."),
      ],
      answers: .json(.verification), "Verifies that the record is complete and unchanged."),
    Route(
      .planPurge, .get, "/v1/log/purge", [.researcher],
      query: [
        Parameter(
          "before", .date, "Only events that were recorded before this day of the home zone."),
        Parameter(
          "keep", .count,
          "Instead of `before`: the number of days whose events stay in the record. Today is the "
            + "last of these days."),
      ],
      answers: .json(.purgePlan),
      "The number and the range of the events that a purge would remove. A purge removes an event "
        + "if the event is older than the selected day, if an export in the default layout "
        + "contained it, and if the current state does not need it."),
    Route(
      .archive, .get, "/v1/log/archive", [],
      query: [
        Parameter(
          "through", .count,
          "The number of the last event in the archive: the `through_seq` of the purge plan.")
      ],
      answers: .lines(.archivedEvent),
      "The archive of a purge, with one JSON document on each line: all events after the range of "
        + "the previous purge, up to `through`, with their texts. To verify the hash chain "
        + "of these events, you need only this file. See LOG.md."),
    Route(
      .purge, .post, "/v1/log/purge", [], takes: .json(.purgeForm), answers: .json(.purged),
      "Removes the oldest events from the record permanently. The daemon refuses the purge if "
        + "an enrolment or a study phase of a person has not ended yet, or if `archive_sha256` is "
        + "not the SHA-256 of the archive."),
    Route(
      .backup, .get, "/v1/backup", [], answers: .bytes(["application/x-tar"]),
      "A backup: the record, the recordings and the pictures in one tar stream. The daemon checks "
        + "the backup before it sends the stream."),
    Route(
      .retire, .post, "/v1/backup/retire", [], takes: .json(.retirement),
      answers: .json(.retirement),
      "Retires this device: it never rings again. Before this request, make a backup and store it "
        + "in a safe place. Then send the head of this backup in the field `head`. If the record "
        + "has newer events than the backup, the daemon refuses the request."),
  ]
}
