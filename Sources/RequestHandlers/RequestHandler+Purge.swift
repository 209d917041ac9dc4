import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers of `/v1/log/purge` and `/v1/log/archive`. A purge writes the oldest events into an
// archive file and then removes them from the record.
extension RequestHandler {
  func purging(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .planPurge: try await planPurge(request)
    case .archive: try archived(request)
    case .purge: try await purge(request)
    default: preconditionFailure("\(request.operation) is not an operation of a purge")
    }
  }

  private func planPurge(_ request: APIRequest) async throws -> APIResponse {
    let now = ports.now().wall
    let plan = try archive.study.purge.plan(try instant(request, now))
    let study = await engine.read { home, _ in home.openStudy(at: now) }
    var refusal = study.map { "\($0); wait for the end of the study, or end it first" }
    if refusal == nil { refusal = archiveRefusal(through: plan.throughSequence)?.description }
    if plan.going == 0, refusal == nil {
      refusal =
        plan.harvestedSequence == 0
        ? "the whole record was not exported in the default layout yet; export it first"
        : "no event can be removed: those before that day were purged already, are still needed, "
          + "or were not exported yet"
    }
    return .json(
      .object([
        ("through_seq", .integer(plan.throughSequence)),
        ("through_utc", .optional(plan.throughAt.map { "\($0)" })),
        ("events", .integer(plan.going)), ("kept", .integer(plan.kept)),
        ("harvested_seq", .integer(plan.harvestedSequence)), ("refusal", .optional(refusal)),
      ]))
  }

  /// Returns a refusal if the archive of a study still needs events from this home. The result is
  /// nil if a backup of this archive contains all events up to `sequence`, or if there is no
  /// archive. If the archive loses its newest rows, the home must be able to send these rows again.
  private func archiveRefusal(through sequence: Int64) -> Refusal? {
    guard let link = machine([]).archiveLink, link.safeSequence < sequence else { return nil }
    return Refusal(
      .conflict, field: "through_seq",
      "the archive of the study \"\(link.study)\" has a backup only up to event \(link.safeSequence); wait "
        + "for its next backup, or purge fewer events")
  }

  /// Returns the instant at which the period of the purge ends. The purge covers only events before
  /// this instant.
  private func instant(_ request: APIRequest, _ now: Instant) throws(Refusal) -> Instant {
    let zone = ports.environment().homeZone
    let (before, keep) = (try request.date("before"), try request.integer("keep", in: 0...36_500))
    guard (before == nil) != (keep == nil) else {
      throw Refusal(.invalidField, field: "before", "use either \"before\" or \"keep\"")
    }
    let today = zone.civil(at: now).dateTime.date
    let day = before ?? today.adding(days: 1 - (keep ?? 0))
    // The period must not end after the present instant, because a purge cannot cover the future.
    return min(zone.day(day).lowerBound, now)
  }

  private func archived(_ request: APIRequest) throws -> APIResponse {
    guard let through = try request.integer("through", in: 1...Int.max) else {
      throw Refusal(
        .invalidField, field: "through", "it is missing; give the number of the last event")
    }
    return APIResponse(
      status: 200, contentType: "application/x-ndjson", headers: [:],
      body: .stream(try archive.study.purge.archive(Int64(through))))
  }

  /// Purges the record piece by piece.
  ///
  /// Between two pieces, the engine can handle other inputs, for example a ring or an answer.
  private func purge(_ request: APIRequest) async throws -> APIResponse {
    let (through, digest) = try request.purge()
    let handler = archive.study.purge
    let now = ports.now().wall
    try await engine.read { home, _ in
      Result { () throws(Refusal) in try home.requireNoOpenStudy(at: now) }
    }.get()
    if let refusal = archiveRefusal(through: through) { throw refusal }
    let before = try handler.done().first
    guard try handler.prepare(through) == digest else {
      throw Refusal(
        .conflict, field: "archive_sha256",
        "the digest is not the digest of the present archive up to event \(through); "
          + "make the archive again")
    }
    while (try handler.done().first?.throughSequence ?? 0) < through {
      try await purgePiece(through, digest, by: request.actor)
    }
    try handler.reclaimSpace()
    guard let last = try handler.done().first else {
      throw Refusal(.storage, "cannot purge: the purge is not in the record")
    }
    let gone = last.gone - (before?.gone ?? 0)
    return .json(
      .object([
        ("through_seq", .integer(last.throughSequence)), ("events", .integer(gone)),
        ("kept", .integer(Int64(last.kept))),
      ]))
  }

  private func purgePiece(
    _ through: Int64, _ digest: String, by actor: Actor
  ) async throws(Refusal) {
    let handler = archive.study.purge
    let decide: @Sendable (HomeState) throws(Refusal) -> Command = { _ throws(Refusal) in
      let piece: Purge?
      do {
        piece = try handler.next(through, digest)
      } catch {
        throw Refusal(.storage, "cannot purge: \(error)")
      }
      guard let piece else {
        throw Refusal(
          .conflict, "cannot purge: another request has already purged up to event \(through)")
      }
      return .purge(piece)
    }
    try await engine.execute(decide, by: actor, answering: { _, _ in }, keeping: { _ in nil })
  }
}
