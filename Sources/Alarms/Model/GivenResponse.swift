import CivilTime

/// A filter for answers to questions. The filter selects the answers that match all fields that are
/// not nil.
public struct ResponseQuery: Sendable, Hashable {
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

/// An answer from the record, with its time and the role of the person who gave it.
public struct GivenResponse: Sendable, Hashable {
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
