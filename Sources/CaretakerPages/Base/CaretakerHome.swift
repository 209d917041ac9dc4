import API
import CivilTime
import JSONValue

/// The operations of the home that the pages need. The tests use a home without a daemon.
public protocol CaretakerHome: Sendable {
  /// Sends a request to the daemon.
  ///
  /// - Returns: the reply of the daemon, which can be a refusal.
  /// - Throws: `HomeTrouble.unreachable` if the daemon does not answer.
  func send(_ request: HomeRequest) throws(HomeTrouble) -> HomeReply

  /// Returns a new idempotency key: 128 random bits as text.
  func newKey() -> String

  /// Returns the zone with this tzdata name; nil if this machine has no such zone.
  func zone(_ name: String) -> Zone?

  /// Returns the results of `prompter doctor` for a reply to `GET /v1/status`.
  func findings(_ status: JSON) -> [HomeFinding]

  /// Imports a calendar file. A trial only returns the changes that the import would make.
  ///
  /// - Returns: the report of `prompter import --json`, or the reason why the file cannot be read.
  func importCalendar(
    _ request: CalendarRequest
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal>

  /// Makes a report from an export of the record.
  ///
  /// - Returns: the bytes of the file, or a refusal. The refusal comes from the daemon or from the
  ///   report program.
  func report(_ request: ReportRequest) throws(HomeTrouble) -> Result<[UInt8], HomeRefusal>

  /// Sends a request about the phones that may show the pages.
  ///
  /// - Returns: the reply of prompter-web, which can be a refusal.
  /// - Throws: `HomeTrouble.unreachable` if prompter-web cannot be reached.
  func phones(_ request: PhoneRequest) throws(HomeTrouble) -> HomeReply
}

/// A request to the daemon. The server builds the path of the request from the table of routes.
public struct HomeRequest: Sendable, Hashable {
  /// The body of a request.
  public enum Body: Sendable, Hashable {
    case none
    case json(JSON)
    case bytes(contentType: String, [UInt8])
  }

  public var operation: Route.Operation
  /// The values for the parts of the route path in braces, such as `{names}`.
  public var parameters: [String: String]
  /// The names and values of the query.
  public var query: [String: String]
  public var body: Body
  /// The idempotency key of a change; nil if the request changes nothing.
  public var key: String?
  /// The version of the object from which the change was made; nil if the change applies to every
  /// version.
  public var version: Int?

  public init(
    _ operation: Route.Operation, _ parameters: [String: String] = [:],
    query: [String: String] = [:], body: Body = .none, key: String? = nil, version: Int? = nil
  ) {
    (self.operation, self.parameters, self.query) = (operation, parameters, query)
    (self.body, self.key, self.version) = (body, key, version)
  }
}

/// The reply of the daemon.
public struct HomeReply: Sendable, Hashable {
  public var status: Int
  public var body: [UInt8]

  public init(status: Int, body: [UInt8]) { (self.status, self.body) = (status, body) }

  public var isAccepted: Bool { (200..<300).contains(status) }
}

/// The refusal of a request by the daemon.
public struct HomeRefusal: Error, Sendable, Hashable {
  public var status: Int
  /// The kind of the refusal, for example `invalid_field`. This name never changes.
  public var kind: String
  /// The name of the field that the daemon refused; nil if the refusal is not about one field.
  public var field: String?
  /// The sentence with which the daemon explains the refusal, in English.
  public var detail: String

  public init(status: Int, kind: String, field: String? = nil, detail: String) {
    (self.status, self.kind, self.field, self.detail) = (status, kind, field, detail)
  }

  public init(_ reply: HomeReply) {
    let problem = try? JSON(parsing: reply.body)
    let detail = problem?["detail"]?.string ?? "the daemon refused with status \(reply.status)"
    self.init(
      status: reply.status, kind: problem?["kind"]?.string ?? "",
      field: problem?["field"]?.string, detail: detail)
  }

  /// True if somebody changed the object after the page was made.
  public var isVersionConflict: Bool { status == 412 }
}

/// The reason why a page cannot be made.
public enum HomeTrouble: Error, Sendable, Hashable {
  /// The daemon does not answer. The associated value is the reason as a sentence.
  case unreachable(String)
  case refused(HomeRefusal)
  /// The reply of the daemon has an unexpected form.
  case unreadable(field: String)
}
