import API
import Alarms

/// Admits or refuses a request. The decision depends only on the head of the request.
///
/// The first check refuses a sender without a role. Therefore, the response to this sender does not
/// show whether the path exists.
struct Admission: Sendable {
  /// The method, the target, the HTTP version and the header fields of a request, as the parser
  /// read them.
  struct Head: Sendable {
    var method: String
    /// The request target, such as `/v1/log?after=5` or `http://host/v1/log?after=5`.
    var target: String
    var isHTTP11: Bool
    /// The header fields in the order of the request.
    var fields: [(name: String, value: String)]
  }

  enum Verdict: Sendable {
    /// - Parameter bodyLimit: the maximum size of the body, in bytes.
    case admitted(APIRequest, bodyLimit: Int)
    case refused(APIResponse)
    /// The request is refused. Either the sender has no role, or the route permits none of the
    /// sender's roles. The daemon records the refusal.
    ///
    /// - Parameter path: the path pattern of the route. The pattern contains the names of the
    ///   parameters, not their values.
    case denied(APIResponse, path: String)
  }

  var peer: Peer
  /// The roles of the peer; the role with the most rights is first.
  var roles: [Role]
  /// The only person whose data the user may see in the role `patient`; nil if the settings do not
  /// restrict the user to one person.
  var person: String?
  /// The users for whom the peer may send requests; nil if the peer is not a delegate.
  var delegate: Delegate?

  /// The key with which the limiter counts the connections of this client.
  var client: ClientKey { ClientKey(uid: peer.uid, roles: delegate?.allRoles ?? roles) }

  /// Checks the head of a request and returns the verdict.
  func verdict(on head: Head) -> Verdict {
    let (path, query) = Self.split(head.target)
    let asker: Asker
    do throws(Refusal) {
      asker = try self.asker(head)
    } catch {
      return .denied(.problem(error), path: Self.pattern(method: head.method, path: path))
    }
    guard let strongest = asker.roles.first else {
      return .denied(
        .problem(Refusal(.forbidden, "cannot serve uid \(peer.uid): it has no role here")),
        path: Self.pattern(method: head.method, path: path))
    }
    guard head.isHTTP11 else {
      return .refused(
        .problem(
          Refusal(.malformed, "cannot read the request: it is not HTTP/1.1; use HTTP/1.1")))
    }
    switch Route.match(method: head.method, path: path) {
    case .notFound:
      return .refused(.problem(Refusal(.notFound, "cannot find \(Self.shortened(path))")))
    case .methodNotAllowed(let methods):
      let allowed = methods.flatMap(\.accepted).joined(separator: ", ")
      let refusal = Refusal(
        .methodNotAllowed,
        "cannot \(head.method) \(Self.shortened(path)): this path accepts only \(allowed)")
      return .refused(.problem(refusal, headers: ["allow": allowed]))
    case .found(let route, let parameters):
      guard let role = asker.roles.first(where: route.roles.contains) else {
        return .denied(forbidden(route, strongest), path: route.path)
      }
      do throws(Refusal) {
        let headers = Self.fields(head.fields)
        let source = try APIRequest.source(headers)
        var request = APIRequest(
          operation: route.operation,
          actor: Actor(role: role, id: asker.id, source: source),
          parameters: try Self.checked(parameters),
          query: try Self.query(query, of: route), headers: headers)
        request.roles = asker.roles
        request.isHeadOnly = head.method == Route.headMethod
        if role == .patient { request.only = person.map { PersonID($0) } }
        try Self.checkExpectation(request)
        try Self.checkContentType(request, of: route)
        return .admitted(request, bodyLimit: route.bodyLimit)
      } catch {
        return .refused(.problem(error))
      }
    }
  }

  /// Refuses an expectation that the server does not know (RFC 9110, section 10.1.1).
  ///
  /// The server knows only `100-continue`, in upper or lower case.
  private static func checkExpectation(_ request: APIRequest) throws(Refusal) {
    for expectation in request.listed("expect") where expectation.lowercased() != "100-continue" {
      throw Refusal(
        .expectationFailed,
        "cannot meet the expectation \"\(shortened(printable(expectation)))\": the server knows "
          + "only 100-continue")
    }
  }

  /// Refuses the body of an HTML form.
  ///
  /// The option `-F` of curl sends a file as a part of a form (RFC 7578). If the server accepted
  /// the form, the stored file would begin with the text of the form, and no decoder could read it.
  private static func checkContentType(
    _ request: APIRequest, of route: Route
  ) throws(Refusal) {
    let type = request.headers["content-type"]?.lowercased() ?? ""
    guard type.hasPrefix("multipart/") else { return }
    let advice =
      switch route.takes {
      case .bytes: "send the file itself as the body; with curl, use --data-binary @FILE, not -F"
      case nil: "this request has no body"
      default: "send the JSON itself as the body; with curl, use --data-binary, not -F"
      }
    throw Refusal(.malformed, "cannot read a multipart form: \(advice)")
  }

  private func forbidden(_ route: Route, _ role: Role) -> APIResponse {
    let needed = Identities.strongestFirst.filter(route.roles.contains).map(\.rawValue)
    return .problem(
      Refusal(
        .forbidden,
        "cannot \(route.method.rawValue) \(route.path) as \(role.rawValue): "
          + "it needs the role \(needed.joined(separator: " or "))"))
  }

  /// Returns a path without parameter values, for the record and the journal.
  ///
  /// The value of a parameter can be the name of a person. A name must be erasable, but the daemon
  /// cannot erase a path from the record or from the journal.
  private static func pattern(method: String, path: String) -> String {
    if case .found(let route, _) = Route.match(method: method, path: path) { return route.path }
    return Self.unknownPath
  }

  /// The text that replaces the path in the record and in the journal if a request matches no
  /// route.
  static let unknownPath = "(not in the API)"

  /// Splits a request target into its path and its query. The two parts are still percent-encoded.
  ///
  /// The query is nil if the target contains no `?`.
  private static func split(_ target: String) -> (path: String, query: Substring?) {
    var rest = target[...]
    // The target can also be a whole URL, which a server must accept (RFC 9112, section 3.2.2).
    for scheme in ["http://", "https://"] where rest.lowercased().hasPrefix(scheme) {
      let authority = rest.dropFirst(scheme.count)
      rest = authority.firstIndex(where: { $0 == "/" || $0 == "?" }).map { authority[$0...] } ?? "/"
      break
    }
    guard let mark = rest.unicodeScalars.firstIndex(of: "?") else { return (String(rest), nil) }
    return (String(rest[..<mark]), rest[rest.unicodeScalars.index(after: mark)...])
  }

  /// Reads a query. The route must permit each parameter. A parameter must not occur twice.
  ///
  /// The function reads `+` as a plus sign (RFC 3986), not as a space. `+` means a space only in
  /// HTML forms.
  private static func query(
    _ text: Substring?, of route: Route
  ) throws(Refusal) -> [String: String] {
    guard let text, !text.isEmpty else { return [:] }
    var values: [String: String] = [:]
    // Split the query as Unicode scalars, not as `Character` values. If a combining mark follows
    // the separator `&`, Swift joins the two into one `Character`. A split by characters would not
    // find this separator.
    let pairs = text.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false)
    for pair in pairs.map({ Substring($0) }) {
      let sides = pair.unicodeScalars.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false
      ).map { Substring($0) }
      guard let name = sides.first.flatMap({ percentDecoded($0) }),
        let value = percentDecoded(sides.count > 1 ? sides[1] : "")
      else {
        throw Refusal(.malformed, "cannot read the query: \"\(pair)\" is not percent-encoded UTF-8")
      }
      guard route.query.contains(where: { $0.name == name }) else {
        let known =
          route.query.isEmpty
          ? "it has none" : "it has \(route.query.map(\.name).joined(separator: ", "))"
        throw Refusal(
          .unknownField, field: printable(name),
          "cannot \(route.method.rawValue) \(route.path) with this query parameter: \(known)")
      }
      guard values[name] == nil else {
        throw Refusal(.invalidField, field: name, "a query parameter can be given only once")
      }
      guard isPrintable(value) else {
        throw Refusal(.invalidField, field: name, "a control character is not allowed")
      }
      values[name] = value
    }
    return values
  }

  /// Refuses control characters in path parameters.
  ///
  /// No valid name contains a control character. In a log, a control character could change the
  /// display. In a C library, it could end a text early.
  private static func checked(
    _ parameters: [String: String]
  ) throws(Refusal) -> [String: String] {
    for (name, value) in parameters where !isPrintable(value) {
      throw Refusal(.invalidField, field: name, "a control character is not allowed")
    }
    return parameters
  }

  /// Returns the values of the header fields. The key is the name of the header field in lower
  /// case.
  ///
  /// If a header field occurs several times, the function joins its values into one list (RFC 9110,
  /// section 5.3).
  private static func fields(_ fields: [(name: String, value: String)]) -> [String: String] {
    var values: [String: String] = [:]
    for (name, value) in fields {
      let name = name.lowercased()
      values[name] = values[name].map { "\($0), \(value)" } ?? value
    }
    return values
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
  }

  private static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { isPrintable(String($0)) }))
  }

  /// Shortens a path to 200 characters for a message, because a path can have a length of 16 KiB.
  private static func shortened(_ path: String) -> String {
    path.count > 200 ? "\(path.prefix(200))…" : path
  }
}
