import Alarms
import CivilTime
import EventCoding
import JSONValue
import StudyExport

/// A prompt out of the record, with the words of the alarm version it belongs to.
public struct ArchivedPrompt: Sendable, Hashable {
  public var prompt: Prompt
  public var label: String
  public var person: String
  /// The picture that its alarm shows.
  public var image: String?
  /// Whether it was merely said, and asked for nothing.
  public var isAnnouncement: Bool

  public init(
    prompt: Prompt, label: String, person: String, image: String? = nil,
    isAnnouncement: Bool = false
  ) {
    self.prompt = prompt
    self.label = label
    self.person = person
    self.image = image
    self.isAnnouncement = isAnnouncement
  }
}

/// Which prompts somebody looks for.
public struct PromptFilter: Sendable, Hashable {
  /// Which prompts, by their state.
  public enum State: String, Sendable, CaseIterable {
    /// Planned, or under way.
    case open = "open"
    /// Past their due time and not over: what waits for an answer.
    case current = "current"
    /// Not due yet; `planned` is an older word for it.
    case upcoming = "upcoming"
    case planned = "planned"
    /// Over, however; `closed` is an older word for it.
    case past = "past"
    case closed = "closed"
    /// Completed, in the window or after it; `completed` is an older word for it.
    case complete = "complete"
    case completed = "completed"
    /// Due, and not completed: still open, declined or missed. Not what was cancelled, replaced or
    /// never to sound.
    case incomplete = "incomplete"
    case missed = "missed"
  }

  public var state: State?
  /// Only prompts due in this time.
  public var due: Range<Instant>?
  public var person: String?
  /// A part of the label, whatever its case.
  public var label: String?
  public var alarm: AlarmID?
  /// At most this many, newest due time first.
  public var limit: Int
  /// Only prompts that come after this one in that order.
  public var before: PromptID?

  public init(
    state: State? = nil, due: Range<Instant>? = nil, person: String? = nil, limit: Int,
    before: PromptID? = nil
  ) {
    self.state = state
    self.due = due
    self.person = person
    self.limit = limit
    self.before = before
  }
}

/// The study package on its way out.
public struct ExportStream: Sendable {
  /// A tar archive, in chunks.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>
  public var throughSequence: Int64
  /// SHA-256 of the package's manifest, in hex.
  public var sha256: String
  /// The length of the whole archive.
  public var bytes: Int
  /// The first event that is missing or does not follow; nil where none was seen.
  public var firstBadSequence: Int64?

  public init(
    chunks: AsyncThrowingStream<[UInt8], any Error>, throughSequence: Int64, sha256: String,
    bytes: Int, firstBadSequence: Int64?
  ) {
    self.chunks = chunks
    self.throughSequence = throughSequence
    self.sha256 = sha256
    self.bytes = bytes
    self.firstBadSequence = firstBadSequence
  }
}

/// The store of pictures: filled in by the room at the edge.
public struct ImageActions: Sendable {
  /// Checks a picture, writes it anew, asks whether it is taken, and stores it; or a refusal with a
  /// sentence. Nothing deletes its files before `settle`.
  public var store:
    @Sendable (_ upload: [UInt8], _ admit: @Sendable (Picture) async throws(Refusal) -> Void)
      async throws(Refusal) -> Picture
  /// From now on the home says whether its files are needed.
  public var settle: @Sendable (Picture) -> Void
  /// The bytes of a stored picture, or of its thumbnail; nil where it is gone.
  public var bytes: @Sendable (Picture, _ isThumbnail: Bool) -> [UInt8]?
  /// Takes a picture and its thumbnail from the disk.
  public var erase: @Sendable (Picture) throws -> Void

  public init(
    store:
      @escaping @Sendable (
        _ upload: [UInt8], _ admit: @Sendable (Picture) async throws(Refusal) -> Void
      ) async throws(Refusal) -> Picture,
    settle: @escaping @Sendable (Picture) -> Void,
    bytes: @escaping @Sendable (Picture, _ isThumbnail: Bool) -> [UInt8]?,
    erase: @escaping @Sendable (Picture) throws -> Void
  ) {
    self.store = store
    self.settle = settle
    self.bytes = bytes
    self.erase = erase
  }
}

/// The store of recordings: filled in by the room at the edge.
public struct RecordingActions: Sendable {
  /// Checks and normalises a recording, asks whether it is taken, and stores it; what it becomes, or a
  /// refusal with a sentence. Nothing deletes its file before `settle`.
  public var store:
    @Sendable (
      _ name: String, _ upload: [UInt8], _ admit: @Sendable (Tone) async throws(Refusal) -> Void
    ) async throws(Refusal) -> Tone
  /// From now on the home says whether the file of this digest is needed.
  public var settle: @Sendable (_ sha256: String) -> Void
  /// Deletes a recording, unless it is being stored.
  public var drop: @Sendable (_ sha256: String) throws -> Void

  public init(
    store:
      @escaping @Sendable (
        _ name: String, _ upload: [UInt8], _ admit: @Sendable (Tone) async throws(Refusal) -> Void
      ) async throws(Refusal) -> Tone,
    settle: @escaping @Sendable (_ sha256: String) -> Void,
    drop: @escaping @Sendable (_ sha256: String) throws -> Void
  ) {
    self.store = store
    self.settle = settle
    self.drop = drop
  }
}

/// Answers that are kept for whoever sends a request again.
public struct IdempotencyStore: Sendable {
  public var find: @Sendable (_ actor: String, _ key: String) throws -> IdempotencyRecord?
  public var keep: @Sendable (IdempotencyRecord) throws -> Void
  /// SHA-256 in hex.
  public var digest: @Sendable ([UInt8]) -> String

  public init(
    find: @escaping @Sendable (_ actor: String, _ key: String) throws -> IdempotencyRecord?,
    keep: @escaping @Sendable (IdempotencyRecord) throws -> Void,
    digest: @escaping @Sendable ([UInt8]) -> String
  ) {
    self.find = find
    self.keep = keep
    self.digest = digest
  }
}

/// How many prompts ended in one way.
public typealias OutcomeCount = (outcome: Outcome, count: Int)

/// A version of an alarm, with who made it and when.
public typealias ArchivedVersion = SetAlarm

/// A backup on its way out.
public struct BackupStream: Sendable {
  /// A tar archive, in chunks.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>
  /// The head of the record that it ends with.
  public var head: String
  /// The length of the whole archive.
  public var bytes: Int

  public init(chunks: AsyncThrowingStream<[UInt8], any Error>, head: String, bytes: Int) {
    self.chunks = chunks
    self.head = head
    self.bytes = bytes
  }
}

/// What can be read of the record, and the store of recordings: filled in by the rooms at the edge.
///
/// Reading does not go through the engine: it sees the last commit and delays nobody's ring.
public struct Archive: Sendable {
  public var prompts: @Sendable (PromptFilter) throws -> [ArchivedPrompt]
  public var prompt: @Sendable (PromptID) throws -> ArchivedPrompt?
  /// Events after a sequence number, oldest first, at most `limit`.
  public var events: @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON]
  /// - Parameter head: an event that must be in the record.
  public var verify: @Sendable (_ head: HeadCode?) throws -> JSON
  public var export:
    @Sendable (_ profile: ExportProfile, _ layout: ExportLayout) async throws -> ExportStream
  /// All that is recorded of one person, with these pictures.
  public var ownData:
    @Sendable (_ person: PersonID, _ pictures: [Picture]) async throws -> ExportStream
  /// A proven copy of everything.
  public var backup: @Sendable () async throws -> BackupStream
  /// Marks this home as one that has moved to another device.
  public var retire: @Sendable () throws -> Void
  public var head: @Sendable () -> (sequence: Int64, hash: String)
  public var idempotencyRecords: IdempotencyStore
  /// All versions of an alarm, oldest first; empty where there never was one by that name.
  public var versions: @Sendable (AlarmID) throws -> [ArchivedVersion]
  /// Every event about a prompt, in order.
  public var story: @Sendable (PromptID) throws -> [ToldEvent]
  /// What happened to the device while a prompt was open.
  public var interruptions: @Sendable (PromptID) throws -> [ToldEvent]
  /// How an alarm was removed; nil where it was not.
  public var removal: @Sendable (AlarmID) throws -> ToldEvent?
  public var outcomes: @Sendable () throws -> [OutcomeCount]
  /// When a patient last answered a prompt.
  public var lastAnswer: @Sendable () throws -> Instant?
  /// Waits until the record has grown beyond a sequence number: true. False after 15 seconds without
  /// that; nil once the house closes, or nobody waits any more.
  public var news: @Sendable (_ after: Int64) async -> Bool?
  public var study: StudyArchive

  public init(
    prompts: @escaping @Sendable (PromptFilter) throws -> [ArchivedPrompt],
    prompt: @escaping @Sendable (PromptID) throws -> ArchivedPrompt?,
    events: @escaping @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON],
    verify: @escaping @Sendable (_ head: HeadCode?) throws -> JSON,
    export:
      @escaping @Sendable (_ profile: ExportProfile, _ layout: ExportLayout) async throws ->
      ExportStream,
    ownData:
      @escaping @Sendable (_ person: PersonID, _ pictures: [Picture]) async throws ->
      ExportStream,
    backup: @escaping @Sendable () async throws -> BackupStream,
    retire: @escaping @Sendable () throws -> Void,
    head: @escaping @Sendable () -> (sequence: Int64, hash: String),
    idempotencyRecords: IdempotencyStore,
    versions: @escaping @Sendable (AlarmID) throws -> [ArchivedVersion],
    story: @escaping @Sendable (PromptID) throws -> [ToldEvent],
    interruptions: @escaping @Sendable (PromptID) throws -> [ToldEvent],
    removal: @escaping @Sendable (AlarmID) throws -> ToldEvent?,
    outcomes: @escaping @Sendable () throws -> [OutcomeCount],
    lastAnswer: @escaping @Sendable () throws -> Instant?,
    news: @escaping @Sendable (_ after: Int64) async -> Bool?,
    study: StudyArchive
  ) {
    self.prompts = prompts
    self.prompt = prompt
    self.events = events
    self.verify = verify
    self.export = export
    self.ownData = ownData
    self.backup = backup
    self.retire = retire
    self.head = head
    self.idempotencyRecords = idempotencyRecords
    self.versions = versions
    self.story = story
    self.interruptions = interruptions
    self.removal = removal
    self.outcomes = outcomes
    self.lastAnswer = lastAnswer
    self.news = news
    self.study = study
  }
}
