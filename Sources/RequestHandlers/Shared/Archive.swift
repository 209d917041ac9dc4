import Alarms
import CivilTime
import EventCoding
import JSONValue
import StudyExport

/// A prompt from the record, with the texts of its alarm. The texts are from the version of the
/// alarm that the prompt used.
public struct ArchivedPrompt: Sendable, Hashable {
  public var prompt: Prompt
  public var label: String
  public var instructions: String
  public var person: String
  /// The picture that the alarm of the prompt shows.
  public var image: String?
  /// True if the prompt is an announcement and not a task.
  public var isAnnouncement: Bool

  public init(
    prompt: Prompt, label: String, instructions: String, person: String, image: String? = nil,
    isAnnouncement: Bool = false
  ) {
    self.prompt = prompt
    self.label = label
    self.instructions = instructions
    self.person = person
    self.image = image
    self.isAnnouncement = isAnnouncement
  }
}

/// A query for prompts.
public struct PromptFilter: Sendable, Hashable {
  /// The states by which a query can select prompts.
  public enum State: String, Sendable, CaseIterable {
    /// The prompt has no outcome, because it is planned or in progress.
    case open = "open"
    /// The prompt is due and has no outcome, so it waits for an answer.
    case current = "current"
    /// The prompt is not due yet. The API also accepts the former name `planned`.
    case upcoming = "upcoming"
    case planned = "planned"
    /// The prompt has an outcome. The API also accepts the former name `closed`.
    case past = "past"
    case closed = "closed"
    /// A person completed the prompt, in time or too late. The API also accepts `completed`, the
    /// former name of this state.
    case complete = "complete"
    case completed = "completed"
    /// The prompt was due and was not completed. It is still open, declined or missed. A cancelled,
    /// replaced or suppressed prompt does not have this state.
    case incomplete = "incomplete"
    case missed = "missed"
  }

  public var state: State?
  /// The range of the due times; nil for all due times.
  public var due: Range<Instant>?
  public var person: String?
  /// A text that the label must contain; nil for all labels. The search ignores the case of ASCII
  /// letters.
  public var label: String?
  public var alarm: AlarmID?
  /// The maximum number of prompts in the result. The result is sorted by due time; the latest due
  /// time is first.
  public var limit: Int
  /// The last prompt of the previous page. The result begins after this prompt. The value is nil
  /// for the first page.
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

/// An export package as a stream that the daemon sends to a client.
public struct ExportStream: Sendable {
  /// The export as a tar archive, in chunks.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>
  public var throughSequence: Int64
  /// SHA-256 of the manifest of the package, in hexadecimal.
  public var sha256: String
  /// The length of the whole archive, in bytes.
  public var bytes: Int
  /// The sequence number of the first fault in the hash chain: a missing event, or an event that
  /// does not match the event before it. The value is nil if the hash chain is intact.
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

/// The operations of the picture store. The daemon supplies the closures when it starts.
public struct ImageActions: Sendable {
  /// Checks a picture, encodes the picture again, calls `admit`, and stores the picture. If the
  /// home does not accept the picture, `admit` throws a refusal.
  ///
  /// If the closure cannot store the picture, it throws a refusal with one sentence. The daemon
  /// does not delete the files of the picture before the caller calls `settle`.
  public var store:
    @Sendable (_ upload: [UInt8], _ admit: @Sendable (Picture) async throws(Refusal) -> Void)
      async throws(Refusal) -> Picture
  /// The caller calls this closure after `store`. After this call, the daemon can delete the files
  /// of the picture if the home does not use the picture.
  public var settle: @Sendable (Picture) -> Void
  /// The bytes of a stored picture or of its thumbnail; nil if the file is missing.
  public var bytes: @Sendable (Picture, _ isThumbnail: Bool) -> [UInt8]?
  /// Deletes the file of a picture and the file of its thumbnail.
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

/// The operations of the recording store. The daemon supplies the closures when it starts.
public struct RecordingActions: Sendable {
  /// Checks and normalises a recording, calls `admit`, and stores the recording.
  ///
  /// The closure `store` returns the stored tone. If the closure cannot store the recording, it
  /// throws a refusal with one sentence. The daemon does not delete the file of the recording
  /// before the caller calls `settle`.
  public var store:
    @Sendable (
      _ name: String, _ upload: [UInt8], _ admit: @Sendable (Tone) async throws(Refusal) -> Void
    ) async throws(Refusal) -> Tone
  /// The caller calls this closure after `store`. After this call, the daemon can delete the file
  /// of the recording if no alarm and no person of the home uses the recording.
  public var settle: @Sendable (_ sha256: String) -> Void
  /// Deletes a recording. If `store` is storing the same recording again at this time, the closure
  /// does not delete the recording.
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

/// The store of the responses to requests with an idempotency key.
public struct IdempotencyStore: Sendable {
  public var find: @Sendable (_ actor: String, _ key: String) throws -> IdempotencyRecord?
  public var keep: @Sendable (IdempotencyRecord) throws -> Void
  /// Computes the SHA-256 of the given bytes, in hexadecimal.
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

/// An outcome, and the number of prompts with this outcome.
public typealias OutcomeCount = (outcome: Outcome, count: Int)

/// An alarm version, with its author and the time of the change.
public typealias ArchivedVersion = SetAlarm

/// A backup as a stream that the daemon sends to a client.
public struct BackupStream: Sendable {
  /// The backup as a tar archive, in chunks.
  public var chunks: AsyncThrowingStream<[UInt8], any Error>
  /// The head of the record at the end of the backup.
  public var head: String
  /// The length of the whole archive, in bytes.
  public var bytes: Int

  public init(chunks: AsyncThrowingStream<[UInt8], any Error>, head: String, bytes: Int) {
    self.chunks = chunks
    self.head = head
    self.bytes = bytes
  }
}

/// The queries of the record. Each query is a closure that the daemon supplies when it starts.
///
/// A query reads the last committed state of the record. A query does not use the engine, so it
/// cannot delay a ring.
public struct Archive: Sendable {
  public var prompts: @Sendable (PromptFilter) throws -> [ArchivedPrompt]
  public var prompt: @Sendable (PromptID) throws -> ArchivedPrompt?
  /// The events after a sequence number: at most `limit` events, the oldest first.
  public var events: @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON]
  /// Verifies the record.
  ///
  /// - Parameters:
  ///   - head: the head code of an event that must be in the record; nil if the caller has no head
  ///     code.
  ///   - manifest: the SHA-256 of the file `MANIFEST.json` of an export, in lower-case hex; nil if
  ///     the caller has no export. If the value is not nil, the result says which event recorded
  ///     this export.
  public var verify: @Sendable (_ head: HeadCode?, _ manifest: String?) throws -> JSON
  public var export:
    @Sendable (_ profile: ExportProfile, _ layout: ExportLayout) async throws -> ExportStream
  /// All recorded data of one person, together with the files of `pictures`.
  public var ownData:
    @Sendable (_ person: PersonID, _ pictures: [Picture]) async throws -> ExportStream
  /// The backup of the home: a verified copy of all data.
  public var backup: @Sendable () async throws -> BackupStream
  /// Marks this device as retired, because its home moved to a different device.
  public var retire: @Sendable () throws -> Void
  public var head: @Sendable () -> (sequence: Int64, hash: String)
  public var idempotencyRecords: IdempotencyStore
  /// All versions of an alarm, the oldest first; empty if the alarm never existed.
  public var versions: @Sendable (AlarmID) throws -> [ArchivedVersion]
  /// The deleted alarms whose calendar event was cancelled: at most `limit`, the newest first.
  public var cancelled: @Sendable (_ limit: Int) throws -> [Alarm]
  /// All events about a prompt, in order.
  public var history: @Sendable (PromptID) throws -> [HistoryEvent]
  /// The events about the device, the clock and the sound that were recorded while a prompt was
  /// open.
  public var interruptions: @Sendable (PromptID) throws -> [HistoryEvent]
  /// The event that marked an alarm as deleted; nil if the alarm is not deleted.
  public var removal: @Sendable (AlarmID) throws -> HistoryEvent?
  public var outcomes: @Sendable () throws -> [OutcomeCount]
  /// The newest results of the notifications of each contact. The key of the dictionary is the name
  /// of the contact.
  public var contactResults: @Sendable () throws -> [String: ContactResult]
  /// The newest messages and calls of a person, or of all people if `person` is nil. The newest
  /// message or call is the first.
  public var messages: @Sendable (_ person: PersonID?, _ limit: Int) throws -> [ArchivedMessage]
  /// The time at which a patient last answered a prompt.
  public var lastAnswer: @Sendable () throws -> Instant?
  /// Waits until the record has events after a sequence number.
  ///
  /// - Returns: true when there are new events; false after 15 seconds without new events; nil if
  ///   the daemon stops or if the Swift task of the caller is cancelled.
  public var newEvents: @Sendable (_ after: Int64) async -> Bool?
  public var study: StudyArchive

  public init(
    prompts: @escaping @Sendable (PromptFilter) throws -> [ArchivedPrompt],
    prompt: @escaping @Sendable (PromptID) throws -> ArchivedPrompt?,
    events: @escaping @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON],
    verify: @escaping @Sendable (_ head: HeadCode?, _ manifest: String?) throws -> JSON,
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
    cancelled: @escaping @Sendable (_ limit: Int) throws -> [Alarm],
    history: @escaping @Sendable (PromptID) throws -> [HistoryEvent],
    interruptions: @escaping @Sendable (PromptID) throws -> [HistoryEvent],
    removal: @escaping @Sendable (AlarmID) throws -> HistoryEvent?,
    outcomes: @escaping @Sendable () throws -> [OutcomeCount],
    contactResults: @escaping @Sendable () throws -> [String: ContactResult],
    messages:
      @escaping @Sendable (_ person: PersonID?, _ limit: Int) throws -> [ArchivedMessage],
    lastAnswer: @escaping @Sendable () throws -> Instant?,
    newEvents: @escaping @Sendable (_ after: Int64) async -> Bool?,
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
    self.cancelled = cancelled
    self.history = history
    self.interruptions = interruptions
    self.removal = removal
    self.outcomes = outcomes
    self.contactResults = contactResults
    self.messages = messages
    self.lastAnswer = lastAnswer
    self.newEvents = newEvents
    self.study = study
  }
}
