import Alarms
import CivilTime

/// Which answers to questions somebody looks for. All that is said must fit.
public struct ResponseFilter: Sendable, Hashable {
  public var prompt: PromptID?
  public var person: PersonID?
  public var question: String?
  public var given: Range<Instant>?

  public init(
    prompt: PromptID? = nil, person: PersonID? = nil, question: String? = nil,
    given: Range<Instant>? = nil
  ) {
    self.prompt = prompt
    self.person = person
    self.question = question
    self.given = given
  }
}

/// An answer out of the record.
public struct ArchivedResponse: Sendable, Hashable {
  public var sequence: Int64
  public var prompt: PromptID
  public var response: Response
  public var role: Role
  public var at: Instant

  public init(
    sequence: Int64, prompt: PromptID, response: Response, role: Role, at: Instant
  ) {
    self.sequence = sequence
    self.prompt = prompt
    self.response = response
    self.role = role
    self.at = at
  }
}

/// What a study asks of the record: filled in by the rooms at the edge.
public struct StudyArchive: Sendable {
  /// Answers in the order in which they were given, corrections included.
  public var responses: @Sendable (ResponseFilter) throws -> [ArchivedResponse]

  /// The diary entries that count, one about each day and prompt.
  public var diary: @Sendable () throws -> [DiaryEntry]
  /// Digests of the pictures that the words of an erasure are about.
  public var pictures: @Sendable (Erasure) throws -> Set<String>
  /// Deletes the recordings of tones that were removed, and everything spoken but these words.
  public var sweep: @Sendable (_ words: Set<SpokenWords>) throws -> Void

  /// By which code the record calls a person; nil for somebody it does not know.
  public var code: @Sendable (PersonID) throws -> String?

  public init(
    responses: @escaping @Sendable (ResponseFilter) throws -> [ArchivedResponse],
    diary: @escaping @Sendable () throws -> [DiaryEntry],
    pictures: @escaping @Sendable (Erasure) throws -> Set<String>,
    sweep: @escaping @Sendable (_ words: Set<SpokenWords>) throws -> Void,
    code: @escaping @Sendable (PersonID) throws -> String?
  ) {
    self.responses = responses
    self.diary = diary
    self.pictures = pictures
    self.sweep = sweep
    self.code = code
  }
}
