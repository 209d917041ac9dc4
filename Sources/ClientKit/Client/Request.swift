import API
import Alarms
import JSONValue

/// One request to the daemon, ready to send.
package struct Request: Sendable {
  package var method: String
  /// The path of the request with its query, percent-encoded.
  package var target: String
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// The maximum time without data from the daemon, in seconds.
  package var timeoutSeconds: Int64 = Request.usualTimeoutSeconds

  /// The usual maximum time without data from the daemon, in seconds. Most requests take much less
  /// time. For example, the daemon decodes one minute of sound in less than two seconds.
  package static let usualTimeoutSeconds: Int64 = 60
  /// The maximum time without data, in seconds, for a request for which the daemon reads the whole
  /// record.
  package static let recordTimeoutSeconds: Int64 = 600

  /// - Parameters:
  ///   - parameters: the values for the parts of the path in braces, such as `{names}`. If a value
  ///     is missing, this program has a bug.
  ///   - query: the names and values of the query. The client does not send a name with the value
  ///     nil.
  package init(
    _ operation: Route.Operation, _ parameters: [String: String] = [:],
    query: [(String, String?)] = []
  ) {
    guard let route = Route.all.first(where: { $0.operation == operation }) else {
      preconditionFailure("\(operation) is not in the table of routes")
    }
    method = route.method.rawValue
    target = route.path.split(separator: "/").map { segment in
      guard segment.hasPrefix("{") else { return "/" + segment }
      guard let value = parameters[String(segment.dropFirst().dropLast())] else {
        preconditionFailure("\(route.path) needs \(segment)")
      }
      return "/" + Self.percentEncoded(value)
    }.joined()
    let pairs = query.compactMap { name, value in
      value.map { "\(name)=\(Self.percentEncoded($0))" }
    }
    if !pairs.isEmpty { target += "?" + pairs.joined(separator: "&") }
    // The daemon carries out a request with the same key only once, even if the client sends it
    // twice.
    if route.method != .get { headers.append(("Idempotency-Key", Self.newKey())) }
    headers.append((APIRequest.clientHeader, Self.clientKind))
  }

  /// The kind of program that sends the request. A program such as `prompter-button`, which runs
  /// `prompter` for a person, sets this kind in an environment variable. The daemon refuses an
  /// unknown kind.
  private static var clientKind: String {
    ProcessEnvironment.value("PROMPTER_CLIENT") ?? ClientKind.cli.rawValue
  }

  /// Returns 128 random bits in hexadecimal.
  private static func newKey() -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<32).compactMap { _ in digits.randomElement() })
  }

  /// Creates a request from the parts that the outbox has stored.
  package init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// Returns the request with a JSON object as its body. If the value of a member is nil, the
  /// object does not contain this member.
  package func with(_ members: [(String, JSON?)]) -> Request {
    var copy = self
    copy.headers.append(("Content-Type", "application/json"))
    let given = members.compactMap { name, value in value.map { (name, $0) } }
    copy.body = Array(JSON.object(given).description.utf8)
    return copy
  }

  /// Escapes all bytes except `@`, `:` and the unreserved characters of RFC 3986.
  ///
  /// RFC 3986 allows `@` and `:` in a path. The function does not escape `@` and `:`, so that
  /// people can read the id of a prompt in logs.
  package static func percentEncoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "@", ":":
        result.unicodeScalars.append(scalar)
      default:
        result += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
      }
    }
  }
}
