import Alarms

/// A request that the HTTP server has accepted: the route exists, and the sender may use the route.
public struct APIRequest: Sendable {
  public var operation: Route.Operation
  /// The sender of the request: the user of the connection, as the kernel reports it.
  public var actor: Actor
  /// All roles of the sender; the role with the most rights is first.
  ///
  /// The role of `actor` is the first role of this list that the route permits.
  public var roles: [Role]
  /// The person to whom the configuration restricts the sender; nil if the sender is not
  /// restricted. A restricted sender may see only the data of this person, and may answer only the
  /// prompts of this person.
  public var only: PersonID?
  /// The parameters of the path, percent-decoded.
  public var parameters: [String: String]
  /// The query parameters, percent-decoded. The router has already checked that the route permits
  /// each of these parameters.
  public var query: [String: String]
  /// The header fields by their names in lower case, such as `if-match`, `idempotency-key` and
  /// `content-type`.
  public var headers: [String: String]
  public var body: [UInt8]
  /// True if the method of the request is HEAD. In this case, the sender wants only the head of the
  /// response, and the request must not change anything.
  public var isHeadOnly = false

  /// True if the request can change data.
  public var isChange: Bool {
    Route.all.first { $0.operation == operation }?.isChange ?? false
  }

  public init(
    operation: Route.Operation, actor: Actor, parameters: [String: String] = [:],
    query: [String: String] = [:], headers: [String: String] = [:], body: [UInt8] = []
  ) {
    self.operation = operation
    self.actor = actor
    roles = [actor.role]
    self.parameters = parameters
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// The elements of a header field whose value is a list (RFC 9110, section 5.6.1).
  public func listed(_ name: String) -> [String] {
    (headers[name] ?? "").split(separator: ",").compactMap {
      let member = $0.drop { $0 == " " || $0 == "\t" }
      let end = member.lastIndex { $0 != " " && $0 != "\t" }
      return end.map { String(member[...$0]) }
    }
  }
}
