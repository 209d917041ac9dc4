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
        + "`X-Prompter-Next-After` contains its start."),
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
      "The study package as a tar stream. The header field `X-Prompter-Bytes` contains its length. "
        + "`X-Prompter-First-Bad-Seq` is present only if an event is missing or does not follow its "
        + "predecessor; it contains the number of the first of these events."
    ),
    Route(
      .verify, .get, "/v1/verify", [.researcher],
      query: [
        Parameter(
          "head", .text,
          "A head code that was kept away from the device. The record must contain the event of this code."
        )
      ],
      answers: .json(.verification), "Verifies that the record is complete and unchanged."),
    Route(
      .planPurge, .get, "/v1/log/purge", [.researcher],
      query: [
        Parameter(
          "before", .date, "Only events that were recorded before this day of the home zone."),
        Parameter("keep", .count, "The number of the newest days to keep, instead of `before`."),
      ],
      answers: .json(.purgePlan),
      "The events that a purge would remove: events before a given day that an export in the default layout "
        + "contained, and that the current state does not need."),
    Route(
      .archive, .get, "/v1/log/archive", [],
      query: [Parameter("through", .count, "The last event: the `through_seq` of the purge plan.")],
      answers: .lines(.archivedEvent),
      "All events up to `through`, with their words, one per line. This file alone is enough to verify "
        + "the hash chain. See LOG.md."),
    Route(
      .purge, .post, "/v1/log/purge", [], takes: .json(.purgeForm), answers: .json(.purged),
      "Removes the oldest events from the record for good. Refused while a study is open, or if the "
        + "digest is not the digest of the archive."),
    Route(
      .backup, .get, "/v1/backup", [], answers: .bytes(["application/x-tar"]),
      "The record, the recordings and the pictures as one tar stream, verified before it is sent."),
    Route(
      .retire, .post, "/v1/backup/retire", [], takes: .json(.retirement),
      answers: .json(.retirement),
      "Retires this device: it never rings again. Before this request, make a backup "
        + "whose newest event is this head. Store the backup in a safe place."),
  ]
}
