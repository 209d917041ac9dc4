import Alarms
import Images
import Logbook
import Platform
import RequestHandlers
import Speaker

extension ExportStream {
  init(_ export: ExportArchive) {
    self.init(
      chunks: export.chunks, throughSequence: export.summary.throughSequence,
      sha256: export.summary.manifestSHA256, bytes: export.bytes,
      firstBadSequence: export.summary.firstBadSequence)
  }
}

extension DaemonAssembly {
  /// Exports the data of one person, as a copy for this person. Pictures are separate files in the
  /// export.
  func ownData(
    of person: PersonID, _ pictures: [Picture], workDirectory: String
  ) async throws -> ExportStream {
    let files = pictures.compactMap { picture in
      self.pictures.bytes(sha256: picture.sha256, isThumbnail: false).map {
        OwnPicture(
          name:
            "picture-\(picture.sha256.prefix(16)).\(picture.mediaType == "image/png" ? "png" : "jpg")",
          bytes: $0)
      }
    }
    return ExportStream(
      try await logbook.ownArchive(
        of: person, pictures: files, workDirectory: workDirectory, zone: zones.environment.zone))
  }

  /// Returns the operations on the record that requests about a study need, for example purges and
  /// lists of responses.
  func studyArchive(state: String) -> StudyArchive {
    let (logbook, tones, speechPrefetch) = (logbook, tones, speechPrefetch)
    return StudyArchive(
      responses: { try logbook.responses($0) },
      diary: { try logbook.diary() }, pictures: { try logbook.pictures(of: $0) },
      sweep: { words in
        let removed = try logbook.removedTones()
        try tones.deleteAll { removed.contains($0) }
        try speechPrefetch.forgetAll(but: words)
      },
      forget: { if !logbook.isDetached { try logbook.updateReplica(directory: state) } },
      purge: logbook.purgeActions(state: state),
      rows: { try logbook.studyRows(after: $0, limit: $1, study: $2) },
      code: { try logbook.code(of: $0) })
  }
}

extension Logbook {
  /// - Parameter state: the state directory, which contains the replica.
  fileprivate func purgeActions(state: String) -> PurgeActions {
    PurgeActions(
      plan: { instant in
        let plan = try self.purgePlan(before: instant)
        return PlannedPurge(
          throughSequence: plan.throughAt == nil ? 0 : plan.throughSequence,
          throughAt: plan.throughAt, going: plan.going, kept: Int64(plan.kept),
          harvestedSequence: plan.harvestedSequence)
      },
      archive: { through in
        let archive = try Self.refusing("through") { () throws(LogbookError) in
          try self.rowArchive(through: through)
        }
        return AsyncThrowingStream(unfolding: { try archive.next() })
      },
      prepare: { through in
        let digest = try Self.refusing("through_seq") { () throws(LogbookError) in
          let digest = try self.rowArchive(through: through).digest()
          try self.provePurge(through: through)
          return digest
        }
        // If the record is damaged, the daemon recovers events from the replica. Therefore, copy
        // all events to the replica before the purge removes events from the record.
        try self.updateReplica(directory: state)
        return digest
      },
      next: { try self.nextPurge(through: $0, archive: $1) },
      reclaimSpace: { try self.reclaimSpace() }, done: { try self.purges() })
  }

  /// Turns an error about a wrong sequence number into a refusal. The refusal names the request
  /// field that contains this number.
  private static func refusing<Result>(
    _ field: String, _ body: () throws(LogbookError) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch .notFound(let what) {
      throw Refusal(.invalidField, field: field, "there is no \(what)")
    } catch .invalid(_, let reason) {
      throw Refusal(.invalidField, field: field, reason)
    }
  }
}
