import Alarms
import CivilTime

/// What a purge would take.
public struct PlannedPurge: Sendable, Hashable {
  /// The last row that it could take; 0 where it could take none.
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

/// How the beginning of the record is taken away: filled in by the rooms at the edge.
public struct PurgeActions: Sendable {
  public var plan: @Sendable (_ before: Instant) throws -> PlannedPurge
  /// The rows that would go, and those between them, as a file in pieces.
  public var archive: @Sendable (_ through: Int64) throws -> AsyncThrowingStream<[UInt8], any Error>
  /// The digest of that file; throws where what is there would not follow from what is left, and where the second
  /// copy of the record does not hold all of it.
  public var prepare: @Sendable (_ through: Int64) throws -> String
  /// The next piece, as it is then; nil where all is done.
  public var next: @Sendable (_ through: Int64, _ archive: String) throws -> Purge?
  /// Gives the disk what is free.
  public var giveBack: @Sendable () throws -> Void
  /// What was purged, the newest first.
  public var done: @Sendable () throws -> [Purge]

  public init(
    plan: @escaping @Sendable (_ before: Instant) throws -> PlannedPurge,
    archive:
      @escaping @Sendable (_ through: Int64) throws -> AsyncThrowingStream<[UInt8], any Error>,
    prepare: @escaping @Sendable (_ through: Int64) throws -> String,
    next: @escaping @Sendable (_ through: Int64, _ archive: String) throws -> Purge?,
    giveBack: @escaping @Sendable () throws -> Void,
    done: @escaping @Sendable () throws -> [Purge]
  ) {
    self.plan = plan
    self.archive = archive
    self.prepare = prepare
    self.next = next
    self.giveBack = giveBack
    self.done = done
  }
}

/// What a study asks of the record: filled in by the rooms at the edge.
public struct StudyArchive: Sendable {
  /// Answers in the order in which they were given, corrections included.
  public var responses: @Sendable (ResponseQuery) throws -> [GivenResponse]

  /// The diary entries that count, one about each day and prompt.
  public var diary: @Sendable () throws -> [DiaryEntry]
  /// Digests of the pictures that the words of an erasure are about.
  public var pictures: @Sendable (Erasure) throws -> Set<String>
  /// Deletes the recordings of tones that were removed, and everything spoken but these words.
  public var sweep: @Sendable (_ words: Set<SpokenWords>) throws -> Void

  public var purge: PurgeActions

  /// By which code the record calls a person; nil for somebody it does not know.
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
