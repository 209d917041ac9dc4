import Alarms

/// A request that the HTTP server admitted: its route exists and its sender may use it.
public struct APIRequest: Sendable {
  public var operation: Route.Operation
  /// The sender, from the kernel's credentials.
  public var actor: Actor
  /// All roles of the sender, strongest first. `actor` has the first role that the request permits.
  public var roles: [Role]
  /// The only person whose data the sender may see and answer; nil for all people.
  public var only: PersonID?
  /// The parameters of the path, percent-decoded.
  public var parameters: [String: String]
  /// The query, percent-decoded. It has only names that the route knows.
  public var query: [String: String]
  /// Header fields by lower-case name: `if-match`, `idempotency-key`, `content-type`.
  public var headers: [String: String]
  public var body: [UInt8]

  /// Whether the request may change something.
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
}
