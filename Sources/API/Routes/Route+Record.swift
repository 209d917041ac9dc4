import Alarms
import StudyExport

/// The routes for the record.
extension Route {
  static let recordRoutes: [Route] = [
    Route(
      .log, .get, "/v1/log", [.researcher],
      query: [
        Parameter("after", .count, "Only events after this sequence number."), .limit(10_000),
      ],
      answers: .lines(.event),
      "The events of the record in order, one per line. If there is another page, the header field "
        + "`X-Prompter-Next-After` contains the start of the next page."),
    Route(
      .export, .get, "/v1/export", [.researcher],
      query: [
        Parameter(
          "profile", .word(["safe_harbor", "limited", "identified"]),
          "The rule for personal data in the package (default: safe_harbor)."),
        Parameter(
          "layout", .word(ExportLayout.allCases.map(\.rawValue)),
          "The format of the tables, for different programs (default: frictionless)."),
      ],
      answers: .bytes(["application/x-tar"]),
      "The study package as a tar stream. The header field `X-Prompter-Bytes` contains the length "
        + "of the stream in bytes. If an event is missing or does not continue the hash chain, "
        + "the header field `X-Prompter-First-Bad-Seq` contains the number of the first event "
        + "with this fault. Otherwise this header field is absent."
    ),
    Route(
      .verify, .get, "/v1/verify", [.researcher],
      query: [
        Parameter(
          "head", .text,
          "A head code that somebody wrote down earlier. The daemon checks that the record "
            + "contains the event of this head code."
        )
      ],
      answers: .json(.verification), "Verifies that the record is complete and unchanged."),
    Route(
      .planPurge, .get, "/v1/log/purge", [.researcher],
      query: [
        Parameter(
          "before", .date, "Only events that were recorded before this day of the home zone."),
        Parameter(
          "keep", .count,
          "Instead of `before`: the number of newest days whose events stay in the record."),
      ],
      answers: .json(.purgePlan),
      "The events that a purge would remove. These events are older than the day in the request. "
        + "They were part of an export in the default layout, and the current state does not need "
        + "them."),
    Route(
      .archive, .get, "/v1/log/archive", [],
      query: [
        Parameter(
          "through", .count,
          "The number of the last event in the archive: the `through_seq` of the purge plan.")
      ],
      answers: .lines(.archivedEvent),
      "The archive of a purge: all events up to `through`, with their texts, one JSON document on "
        + "each line. This file alone is enough to verify the hash chain. See LOG.md."),
    Route(
      .purge, .post, "/v1/log/purge", [], takes: .json(.purgeForm), answers: .json(.purged),
      "Removes the oldest events from the record permanently. The daemon refuses the purge while "
        + "the enrolment or a study phase of a person has not ended, or if `archive_sha256` is "
        + "not the digest of the archive."),
    Route(
      .backup, .get, "/v1/backup", [], answers: .bytes(["application/x-tar"]),
      "A backup: the record, the recordings and the pictures in one tar stream. The daemon checks "
        + "the backup before it sends the stream."),
    Route(
      .retire, .post, "/v1/backup/retire", [], takes: .json(.retirement),
      answers: .json(.retirement),
      "Retires this device: it never rings again. Before this request, make a backup whose newest "
        + "event is the event of `head`, and store the backup in a safe place."),
  ]
}
