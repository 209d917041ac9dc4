import API
import Alarms
import JSONValue
import NIOCore
import NIOHTTP1

/// Responses that the HTTP server itself makes.
extension APIResponse {
  /// The body is larger than the route's limit, in bytes.
  static func tooLarge(_ limit: Int) -> APIResponse {
    .problem(Refusal(.tooLarge, "cannot accept the body: it is larger than \(limit) bytes"))
  }

  /// There is no room now; the client may try again after 1 second.
  static func busy(_ detail: String) -> APIResponse {
    .problem(Refusal(.limit, detail), status: 503, headers: ["retry-after": "1"])
  }

  /// All running uploads together are too large.
  static var uploadsFull: APIResponse {
    .busy("cannot accept the upload now: other users are uploading; try again when they have ended")
  }

  /// The running uploads of one user together are too large.
  static func userUploadsFull(_ limit: Int) -> APIResponse {
    .problem(
      Refusal(
        .limit,
        "cannot accept the upload now: this user can upload \(limit >> 20) MiB at a time; "
          + "try again when the other uploads have ended"),
      headers: ["retry-after": "1"])
  }

  /// There is no ordinary slot for another connection.
  static func full(_ why: ConnectionLimiter.Fullness, _ limits: ServerLimits) -> APIResponse {
    switch why {
    case .server: .busy("cannot accept another connection: \(limits.connections) are open")
    case .user:
      .problem(
        Refusal(
          .limit,
          "cannot accept another connection of this user: \(limits.connectionsPerUser) are open"),
        headers: ["retry-after": "1"])
    }
  }

  /// A problem with a status that says more than its kind.
  ///
  /// The status tells the client to try again later (503, 429), or which part of a request was
  /// wrong (400, 431).
  static func problem(
    _ refusal: Refusal, status: Int, headers: [String: String] = [:]
  ) -> APIResponse {
    var response = APIResponse.problem(refusal, headers: headers)
    let document = JSON.object([
      ("type", .string("about:blank")), ("status", .integer(Int64(status))),
      ("kind", .string(refusal.kind.rawValue)), ("title", .string(refusal.kind.title)),
      ("detail", .string(refusal.description)),
    ])
    response.status = status
    response.body = .bytes(Array((document.description + "\n").utf8))
    return response
  }

  /// The whole response as bytes, for a connection that has no encoder.
  var plainBytes: ByteBuffer {
    guard case .bytes(let bytes) = body else { return ByteBuffer() }
    let head = Connection.head(of: self, isLast: true)
    var buffer = ByteBuffer(string: "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n")
    for field in head.headers { buffer.writeString("\(field.name): \(field.value)\r\n") }
    buffer.writeString("\r\n")
    buffer.writeBytes(bytes)
    return buffer
  }
}

extension Connection {
  /// The head of a response. Without a length, the encoder sends the body in chunks.
  static func head(of response: APIResponse, isLast: Bool) -> HTTPResponseHead {
    let status = HTTPResponseStatus(statusCode: response.status)
    var fields = HTTPHeaders(response.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    if status.mayHaveResponseBody {
      fields.replaceOrAdd(name: "content-type", value: response.contentType)
      if case .bytes(let bytes) = response.body {
        fields.replaceOrAdd(name: "content-length", value: "\(bytes.count)")
      }
    }
    // The data is health data: no cache on the way may store it.
    if !fields.contains(name: "cache-control") {
      fields.add(name: "cache-control", value: "no-store")
    }
    if isLast { fields.replaceOrAdd(name: "connection", value: "close") }
    return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
  }

  /// The response to bytes that are not HTTP.
  static func refusal(of error: HTTPParserError) -> APIResponse {
    switch error {
    case .headerOverflow:
      .problem(Refusal(.tooLarge, "cannot read the request: its header is too large"), status: 431)
    default:
      .problem(Refusal(.malformed, "cannot read the request: it is not valid HTTP/1.1"))
    }
  }
}

extension TimeAmount {
  /// From seconds with a fraction; all limits are far below the maximum of 292 years.
  static func seconds(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }

  /// Seconds with a fraction.
  var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension ByteBuffer {
  /// Takes the next piece to write; nil if nothing is left.
  ///
  /// A piece has at most 64 KiB. One write may take `writeStallSeconds`, so a reader that takes
  /// this amount in that time is the slowest reader that is accepted.
  mutating func nextSlice() -> ByteBuffer? {
    readableBytes == 0 ? nil : readSlice(length: min(readableBytes, 64 * 1024))
  }
}
