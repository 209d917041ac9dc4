import Alarms
import JSONValue

/// The OpenAPI 3.1 document, generated from the table of routes.
public enum OpenAPI {
  /// The version of the API. The paths contain this version (`/v1/…`).
  public static let contractVersion = "1"

  /// The OpenAPI document. The route `/v1/openapi.json` returns this document, and the file
  /// docs/reference/openapi.json contains a copy.
  public static let document: JSON = .object([
    ("openapi", .string("3.1.0")),
    (
      "info",
      .object([
        ("title", .string("Prompter")), ("version", .string(contractVersion)),
        (
          "description",
          .string(
            "The HTTP API of one home, on a Unix socket. The kernel identifies the user. Each "
              + "operation lists the roles that may use it.")
        ),
        ("license", .object([("name", .string("See LICENSE"))])),
      ])
    ),
    ("servers", .array([.object([("url", .string("http://localhost"))])])),
    ("paths", paths), ("components", .object([("schemas", schemas)])),
  ])

  private static var paths: JSON {
    var paths: [(String, [(String, JSON)])] = []
    for route in Route.all {
      var entries = [(route.method.rawValue.lowercased(), operation(route))]
      if route.method == .get { entries.append(("head", headOperation(route))) }
      if let index = paths.firstIndex(where: { $0.0 == route.path }) {
        paths[index].1 += entries
      } else {
        paths.append((route.path, entries))
      }
    }
    return .object(paths.map { ($0.0, .object($0.1)) })
  }

  private static var schemas: JSON {
    var found: [String: JSON] = [problem.name: problem.shape.schema(isClosed: false)]
    for route in Route.all {
      for (content, isClosed) in [(route.takes, true), (route.answers, false)] {
        for (name, shape) in content?.shape?.names ?? [] {
          found[name] = shape.schema(isClosed: isClosed)
        }
      }
    }
    return .object(found.sorted { $0.key < $1.key })
  }

  private static func operation(_ route: Route) -> JSON {
    let roles = Route.ordered(route.roles).map(\.rawValue)
    var operation = JSON.object([
      ("operationId", .string(route.operation.rawValue)), ("summary", .string(route.summary)),
      ("description", .string("Roles that may use it: \(roles.joined(separator: ", ")).")),
      ("x-roles", .array(roles.map(JSON.string))),
      ("x-body-limit-bytes", .integer(Int64(route.takes == nil ? 0 : route.bodyLimit))),
    ])
    let parameters = parameters(of: route)
    if !parameters.isEmpty { operation.set("parameters", .array(parameters)) }
    if let takes = route.takes {
      operation.set("requestBody", .object([("content", content(takes, isClosed: true))]))
    }
    operation.set("responses", responses(of: route))
    return operation
  }

  /// The description of the HEAD method for a GET route. The response has no body, but is otherwise
  /// the same as the response to GET.
  private static func headOperation(_ route: Route) -> JSON {
    let roles = Route.ordered(route.roles).map(\.rawValue)
    var operation = JSON.object([
      ("operationId", .string("\(route.operation.rawValue)Head")),
      ("summary", .string("The head of the response to GET, without the body.")),
      ("description", .string("Roles that may use it: \(roles.joined(separator: ", ")).")),
      ("x-roles", .array(roles.map(JSON.string))), ("x-body-limit-bytes", .integer(0)),
    ])
    let parameters = parameters(of: route)
    if !parameters.isEmpty { operation.set("parameters", .array(parameters)) }
    let refusals = route.refusals.map {
      (String($0), JSON.object([("description", .string(title(of: $0)))]))
    }
    let success = JSON.object([("description", .string("The head of the response."))])
    operation.set("responses", .object([(String(route.status), success)] + refusals))
    return operation
  }

  private static func parameters(of route: Route) -> [JSON] {
    let inPath = route.named.map { parameter("path", $0.name, $0.shape, $0.summary) }
    let inQuery = route.query.map { parameter("query", $0.name, $0.shape, $0.summary) }
    let inHeader = route.headers.map { parameter("header", $0.name, $0.shape, $0.summary) }
    return inPath + inQuery + inHeader
  }

  private static func parameter(
    _ place: String, _ name: String, _ shape: JSONSchema, _ summary: String
  ) -> JSON {
    var parameter = JSON.object([
      ("name", .string(name)), ("in", .string(place)), ("required", .bool(place == "path")),
      ("schema", shape.schema(isClosed: true)),
    ])
    if !summary.isEmpty { parameter.set("description", .string(summary)) }
    return parameter
  }

  private static func responses(of route: Route) -> JSON {
    var success = JSON.object([
      ("description", .string(route.summary)), ("content", content(route.answers, isClosed: false)),
    ])
    if route.isVersioned, route.method != .delete {
      success.set(
        "headers",
        .object([("ETag", .object([("schema", JSONSchema.text.schema(isClosed: false))]))]))
    }
    let refusals = route.refusals.map { status -> (String, JSON) in
      (
        String(status),
        .object([
          ("description", .string(title(of: status))),
          (
            "content",
            .object([
              (
                "application/problem+json",
                .object([
                  ("schema", JSONSchema.named(problem.name, problem.shape).schema(isClosed: false))
                ])
              )
            ])
          ),
        ])
      )
    }
    return .object([(String(route.status), success)] + refusals)
  }

  private static func title(of status: Int) -> String {
    let kinds = Refusal.Kind.allCases.filter { $0.status == status }
    return kinds.map { "\($0.title) (\($0.rawValue))" }.joined(separator: "; ")
  }

  private static func content(_ content: Content, isClosed: Bool) -> JSON {
    .object(
      content.mediaTypes.map { type in
        let isJSON = if case .json = content { true } else { false }
        let schema = isJSON ? content.shape?.schema(isClosed: isClosed) : nil
        return (type, .object(schema.map { [("schema", $0)] } ?? []))
      })
  }

  /// A problem document (RFC 9457) with three additional members: `kind`, `field`, `version`.
  static let problem = (
    name: "Problem",
    shape: JSONSchema.object([
      .always("type", .text), .always("status", .integer(400...599)),
      .always(
        "kind", .word(Refusal.Kind.allCases.map(\.rawValue)), "The meaning of a kind never changes."
      ),
      .always("title", .text), .always("detail", .text, "One sentence for a person to read."),
      .maybe("field", .text, "The field or parameter that is wrong."),
      .maybe("version", .integer(1...Int64.max), "With version_conflict: the current version."),
    ])
  )
}

extension Content {
  /// The schema of the JSON content; nil if the content is not JSON.
  var shape: JSONSchema? {
    switch self {
    case .json(let shape), .lines(let shape): shape
    case .bytes, .events: nil
    }
  }
}

extension Route {
  /// The roles in the order of their rights; the role with the most rights is first.
  static func ordered(_ roles: Set<Role>) -> [Role] {
    [.admin, .caretaker, .researcher, .analyst, .patient, .monitor, .courier].filter(
      roles.contains)
  }

  /// The header fields that a request to this route may contain.
  public var headers: [Parameter] {
    var headers: [Parameter] = []
    if isChange {
      headers.append(
        Parameter(
          "Idempotency-Key", .format("1 to 64 printable characters"),
          "If you send the request again with the same key, you get the same response, and nothing changes."
        ))
    }
    if isChange {
      headers.append(
        Parameter(
          APIRequest.clientHeader, .word(ClientKind.allCases.map(\.rawValue)),
          "The kind of program that sends the request, for the record. It gives no rights."))
    }
    // If the status is 201, the request creates an object. A new object has no earlier version.
    // Therefore the request needs no If-Match.
    if isVersioned, isChange, status != 201 {
      headers.append(
        Parameter(
          "If-Match", .text,
          "The `ETag` of the version that you read, for example \"3\". A list of versions, or *, "
            + "is also allowed. If none of them is the current version, the daemon refuses the "
            + "request."))
    }
    return headers
  }

  /// The HTTP statuses of all refusals that this route can return.
  public var refusals: [Int] {
    var statuses: Set<Int> = [400, 403, 429, 503]
    if !query.isEmpty || isChange || path.contains("{") { statuses.insert(422) }
    if isChange || segments.contains(where: { $0.hasPrefix("{") }) { statuses.insert(404) }
    if isChange { statuses.formUnion([409, 413]) }
    statuses.insert(417)
    if isChange, isVersioned { statuses.insert(412) }
    return statuses.sorted()
  }
}
