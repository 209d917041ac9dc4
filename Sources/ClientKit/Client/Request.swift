import API
import JSONValue

/// One request of the contract, ready to be sent.
package struct Request: Sendable {
  package var method: String
  /// The path with its query, percent-encoded.
  package var target: String
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  /// How long the daemon may be silent before we give up, in seconds.
  package var silenceSeconds: Int64 = Request.usualSilenceSeconds

  /// Far beyond any answer's time: a recording of a minute is decoded in less than two seconds.
  package static let usualSilenceSeconds: Int64 = 60
  /// For answers that read the whole record first.
  package static let recordSilenceSeconds: Int64 = 600

  /// - Parameters:
  ///   - parameters: the values of the path's `{names}`; one that is missing is our own bug.
  ///   - query: left out where the value is nil.
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
    // Of two copies of a change, whatever became of the first one's answer, one takes effect.
    if route.method != .get { headers.append(("Idempotency-Key", Self.newKey())) }
  }

  /// 128 random bits in hexadecimal.
  private static func newKey() -> String {
    let digits = Array("0123456789abcdef")
    return String((0..<32).compactMap { _ in digits.randomElement() })
  }

  /// A request that was made before, kept and read again.
  package init(
    method: String, target: String, headers: [(name: String, value: String)], body: [UInt8]
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The same request with a JSON object as its body, without the members that are nil.
  package func with(_ members: [(String, JSON?)]) -> Request {
    var copy = self
    copy.headers.append(("Content-Type", "application/json"))
    let given = members.compactMap { name, value in value.map { (name, $0) } }
    copy.body = Array(JSON.object(given).description.utf8)
    return copy
  }

  /// Escapes everything but RFC 3986's unreserved characters and `@` and `:`, which a path may hold
  /// and which keep a prompt's id readable in logs.
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
