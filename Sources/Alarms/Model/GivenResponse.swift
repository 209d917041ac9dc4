import CivilTime

/// A filter for responses to questions. A response must match each field of the filter. A field
/// with the value nil matches every response.
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

/// A response from the record, with the time of the response and the role of the person who
/// responded.
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
