import Alarms
import CivilTime
import JSONValue
import StudyExport

/// The part of the record that a purge would remove.
public struct PlannedPurge: Sendable, Hashable {
  /// The sequence number of the last row in the range of the purge; 0 if the purge would remove no
  /// row. The purge keeps this last row in the record.
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

/// The operations of a purge. The daemon supplies the closures when it starts.
public struct PurgeActions: Sendable {
  public var plan: @Sendable (_ before: Instant) throws -> PlannedPurge
  /// The archive file, in pieces.
  ///
  /// The file contains all rows up to the last row of the purge. The purge removes some of these
  /// rows from the record. The other rows stay in the record.
  public var archive: @Sendable (_ through: Int64) throws -> AsyncThrowingStream<[UInt8], any Error>
  /// Checks a planned purge, copies all rows to the replica, and returns the digest of the archive
  /// file.
  ///
  /// The closure throws an error in three cases: the purge cannot end at row `through`, a replay of
  /// the kept rows does not give the present state, or the rows cannot be copied to the replica.
  public var prepare: @Sendable (_ through: Int64) throws -> String
  /// The next piece of the purge, computed from the present record; nil if the purge is complete.
  public var next: @Sendable (_ through: Int64, _ archive: String) throws -> Purge?
  /// Frees the unused space in the record file, so that the file becomes shorter.
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

/// The queries of the record for a study. The daemon supplies the closures when it starts.
public struct StudyArchive: Sendable {
  /// The responses in the order in which they were given, including corrected responses.
  public var responses: @Sendable (ResponseQuery) throws -> [GivenResponse]

  /// All diary entries in the order of the record, including entries that were corrected later.
  public var diary: @Sendable () throws -> [RecordedDiaryEntry]
  /// The digests of the pictures that an erasure deletes.
  public var pictures: @Sendable (Erasure) throws -> Set<String>
  /// Deletes the recordings of removed tones, and the recordings of synthesised words that are not
  /// in `words`.
  public var sweep: @Sendable (_ words: Set<SpokenWords>) throws -> Void
  /// Removes two things from the second copy of the record: the erased data, and the old key of the
  /// pseudonyms, which a rekey has replaced.
  public var forget: @Sendable () throws -> Void

  public var purge: PurgeActions

  /// The rows of the record for the archive of a study: at most `limit` rows after a sequence
  /// number. If `study` is nil, the rows are for all studies. The result is nil if a rekey has
  /// changed the pseudonyms.
  public var rows: @Sendable (_ after: Int64, _ limit: Int, _ study: String?) throws -> [JSON]?

  /// The pseudonym of a person in the record; nil if the record does not contain the person.
  public var code: @Sendable (PersonID) throws -> String?

  public init(
    responses: @escaping @Sendable (ResponseQuery) throws -> [GivenResponse],
    diary: @escaping @Sendable () throws -> [RecordedDiaryEntry],
    pictures: @escaping @Sendable (Erasure) throws -> Set<String>,
    sweep: @escaping @Sendable (_ words: Set<SpokenWords>) throws -> Void,
    forget: @escaping @Sendable () throws -> Void,
    purge: PurgeActions,
    rows: @escaping @Sendable (_ after: Int64, _ limit: Int, _ study: String?) throws -> [JSON]?,
    code: @escaping @Sendable (PersonID) throws -> String?
  ) {
    self.responses = responses
    self.diary = diary
    self.pictures = pictures
    self.sweep = sweep
    self.forget = forget
    self.purge = purge
    self.rows = rows
    self.code = code
  }
}
