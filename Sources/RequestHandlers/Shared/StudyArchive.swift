import Alarms
import CivilTime

/// The rows that a purge would remove.
public struct PlannedPurge: Sendable, Hashable {
  /// The last row that it could remove; 0 if there is none.
  public var throughSequence: Int64
  public var throughAt: Instant?
  public var going: Int64
  public var kept: Int64
  public var harvestedSequence: Int64

  public init(
    throughSequence: Int64, throughAt: Instant?, going: Int64, kept: Int64,
    harvestedSequence: Int64
  ) {
    self.throughSequence = throughSequence
    self.throughAt = throughAt
    self.going = going
    self.kept = kept
    self.harvestedSequence = harvestedSequence
  }
}

/// The operations of a purge. The daemon's wiring supplies the closures.
public struct PurgeActions: Sendable {
  public var plan: @Sendable (_ before: Instant) throws -> PlannedPurge
  /// The archive file, in pieces: the rows that would be removed, and those between them that stay.
  public var archive: @Sendable (_ through: Int64) throws -> AsyncThrowingStream<[UInt8], any Error>
  /// The digest of the archive file.
  ///
  /// It throws if the present state does not follow from the rows that stay, or if the replica does
  /// not hold all rows.
  public var prepare: @Sendable (_ through: Int64) throws -> String
  /// The next piece of the purge in the present record; nil if the purge is complete.
  public var next: @Sendable (_ through: Int64, _ archive: String) throws -> Purge?
  /// Returns free space of the record's file to the disk.
  public var reclaimSpace: @Sendable () throws -> Void
  /// The completed purges, the newest first.
  public var done: @Sendable () throws -> [Purge]

  public init(
    plan: @escaping @Sendable (_ before: Instant) throws -> PlannedPurge,
    archive:
      @escaping @Sendable (_ through: Int64) throws -> AsyncThrowingStream<[UInt8], any Error>,
    prepare: @escaping @Sendable (_ through: Int64) throws -> String,
    next: @escaping @Sendable (_ through: Int64, _ archive: String) throws -> Purge?,
    reclaimSpace: @escaping @Sendable () throws -> Void,
    done: @escaping @Sendable () throws -> [Purge]
  ) {
    self.plan = plan
    self.archive = archive
    self.prepare = prepare
    self.next = next
    self.reclaimSpace = reclaimSpace
    self.done = done
  }
}

/// The queries of the record for a study. The daemon's wiring supplies the closures.
public struct StudyArchive: Sendable {
  /// Responses in the order in which they were given, including corrected ones.
  public var responses: @Sendable (ResponseQuery) throws -> [GivenResponse]

  /// The current diary entries, one for each day or prompt.
  public var diary: @Sendable () throws -> [DiaryEntry]
  /// The digests of the pictures that an erasure covers.
  public var pictures: @Sendable (Erasure) throws -> Set<String>
  /// Deletes the recordings of removed tones, and all synthesised words except these.
  public var sweep: @Sendable (_ words: Set<SpokenWords>) throws -> Void

  public var purge: PurgeActions

  /// The code of a person in the record; nil if the record does not know the person.
  public var code: @Sendable (PersonID) throws -> String?

  public init(
    responses: @escaping @Sendable (ResponseQuery) throws -> [GivenResponse],
    diary: @escaping @Sendable () throws -> [DiaryEntry],
    pictures: @escaping @Sendable (Erasure) throws -> Set<String>,
    sweep: @escaping @Sendable (_ words: Set<SpokenWords>) throws -> Void,
    purge: PurgeActions, code: @escaping @Sendable (PersonID) throws -> String?
  ) {
    self.responses = responses
    self.diary = diary
    self.pictures = pictures
    self.sweep = sweep
    self.purge = purge
    self.code = code
  }
}
