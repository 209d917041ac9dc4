import Alarms
import CivilTime
import Wire

/// A prompt out of the record, with the words of the alarm version it belongs to.
public struct ArchivedPrompt: Sendable, Hashable {
  public var prompt: Prompt
  public var label: String
  public var person: String

  public init(prompt: Prompt, label: String, person: String) {
    self.prompt = prompt
    self.label = label
    self.person = person
  }
}

/// Which prompts somebody looks for.
public struct PromptFilter: Sendable, Hashable {
  /// Which prompts, by their state.
  public enum State: String, Sendable, CaseIterable {
    /// Planned, or under way.
    case open
    /// Past their due time and not over.
    case current
    case planned, closed, completed, missed
  }

  public var state: State?
  /// At most this many, newest due time first.
  public var limit: Int
  /// Only prompts that come after this one in that order.
  public var before: PromptID?

  public init(state: State? = nil, limit: Int, before: PromptID? = nil) {
    self.state = state
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

  public init(
    chunks: AsyncThrowingStream<[UInt8], any Error>, throughSequence: Int64, sha256: String
  ) {
    self.chunks = chunks
    self.throughSequence = throughSequence
    self.sha256 = sha256
  }
}

/// What can be read of the record, and the store of recordings: filled in by the rooms at the edge.
///
/// Reading does not go through the hallway: it sees the last commit and delays nobody's ring.
public struct Archive: Sendable {
  public var prompts: @Sendable (PromptFilter) throws -> [ArchivedPrompt]
  public var prompt: @Sendable (PromptID) throws -> ArchivedPrompt?
  /// Events after a sequence number, oldest first, at most `limit`.
  public var events: @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON]
  public var verify: @Sendable () throws -> JSON
  public var export: @Sendable (_ profile: String) async throws -> ExportStream
  public var head: @Sendable () -> (sequence: Int64, hash: String)
  /// Checks, normalises and stores a recording; what it becomes, or a refusal with a sentence.
  public var storeTone: @Sendable (_ name: String, _ upload: [UInt8]) async throws(Refusal) -> Tone

  public init(
    prompts: @escaping @Sendable (PromptFilter) throws -> [ArchivedPrompt],
    prompt: @escaping @Sendable (PromptID) throws -> ArchivedPrompt?,
    events: @escaping @Sendable (_ after: Int64, _ limit: Int) throws -> [JSON],
    verify: @escaping @Sendable () throws -> JSON,
    export: @escaping @Sendable (_ profile: String) async throws -> ExportStream,
    head: @escaping @Sendable () -> (sequence: Int64, hash: String),
    storeTone:
      @escaping @Sendable (_ name: String, _ upload: [UInt8]) async throws(Refusal) ->
      Tone
  ) {
    self.prompts = prompts
    self.prompt = prompt
    self.events = events
    self.verify = verify
    self.export = export
    self.head = head
    self.storeTone = storeTone
  }
}
