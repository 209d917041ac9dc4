import Alarms
import StudyExport

/// The study record.
extension Route {
  static let recordRoutes: [Route] = [
    Route(
      .log, .get, "/v1/log", [.researcher],
      query: [
        Parameter("after", .count, "Only events after this sequence number."), .limit(10_000),
      ],
      answers: .lines(.event),
      "The study record, one event a line, in order; the header field `X-Prompter-Next-After` says "
        + "where the next page begins, where there is one."),
    Route(
      .export, .get, "/v1/export", [.researcher],
      query: [
        Parameter(
          "profile", .word(["safe_harbor", "limited", "identified"]),
          "How much of the persons the package shows; safe_harbor unless it is said."),
        Parameter(
          "layout", .word(ExportLayout.allCases.map(\.rawValue)),
          "For which programs the tables are laid out; frictionless unless it is said."),
      ],
      answers: .bytes(["application/x-tar"]),
      "The study package as a tar stream. The header field `X-Prompter-Bytes` says how long it is; "
        + "`X-Prompter-First-Bad-Seq`, where it is there, which event is missing or does not follow."
    ),
    Route(
      .verify, .get, "/v1/verify", [.researcher],
      query: [
        Parameter(
          "head", .text,
          "The code of a head that was kept away from the device: the record must hold that event.")
      ],
      answers: .json(.verification), "Whether the record is whole and true."),
    Route(
      .planPurge, .get, "/v1/log/purge", [.researcher],
      query: [
        Parameter(
          "before", .date, "Only what was written before this day of the home's zone."),
        Parameter("keep", .count, "Instead: all but the last so many days."),
      ],
      answers: .json(.purgePlan),
      "What a purge would take: what was written before a day, an export of the default layout has "
        + "handed out, and nothing that is there is made of."),
    Route(
      .archive, .get, "/v1/log/archive", [],
      query: [Parameter("through", .count, "The last event, as the plan of a purge says it.")],
      answers: .lines(.archivedEvent),
      "All events up to that one, with their words, one a line: the hash chain can be checked from "
        + "the file alone. See LOG.md."),
    Route(
      .purge, .post, "/v1/log/purge", [], takes: .json(.purgeForm), answers: .json(.purged),
      "Takes the beginning out of the record, for good; refused while a study is open, and to whom "
        + "has not got the archive."),
    Route(
      .backup, .get, "/v1/backup", [], answers: .bytes(["application/x-tar"]),
      "The record, the recordings and the pictures as one tar stream, proven before it is sent."),
    Route(
      .retire, .post, "/v1/backup/retire", [], takes: .json(.retirement),
      answers: .json(.retirement),
      "Ends this device's ringing for good, once a backup that ends with this head is safe."),
  ]
}
