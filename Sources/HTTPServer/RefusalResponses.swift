import API
import Alarms
import JSONValue
import NIOCore
import NIOHTTP1

/// The responses that the HTTP server creates without the request handler.
extension APIResponse {
  /// Returns the response to a body that is larger than the limit of the route.
  static func tooLarge(_ limit: Int) -> APIResponse {
    .problem(Refusal(.tooLarge, "cannot accept the body: it is larger than \(limit) bytes"))
  }

  /// Returns the response to a request for which the server has no free resources. The client
  /// should wait at least 1 second before it tries again.
  static func busy(_ detail: String) -> APIResponse {
    .problem(Refusal(.limit, detail), status: 503, headers: ["retry-after": "1"])
  }

  /// The response to an upload that is refused because the running uploads of all users together
  /// have reached the limit `ServerLimits.uploadBytes`.
  static var uploadsFull: APIResponse {
    .busy("cannot accept the upload now: other users are uploading; try again when they have ended")
  }

  /// Returns the response to an upload that is refused because all uploads of this user together
  /// would exceed `limit` bytes.
  static func userUploadsFull(_ limit: Int) -> APIResponse {
    .problem(
      Refusal(
        .limit,
        "cannot accept the upload now: this user can upload \(limit >> 20) MiB at a time; "
          + "try again when the other uploads have ended"),
      headers: ["retry-after": "1"])
  }

  /// Returns the response to a new connection that is refused because one user, or all users
  /// together, have too many open connections.
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

  /// Returns a problem document with the HTTP status `status`. Every kind of refusal has a usual
  /// HTTP status. A caller uses this function if a different status is more exact.
  ///
  /// The status says that the client should try again later (503, 429), or it says which part of
  /// the request was wrong (400, 431).
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

  /// The whole response as bytes, for a connection without an HTTP encoder.
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
  /// Returns the status line and the header fields of a response. If the header fields contain no
  /// content length, the HTTP encoder sends the body in chunks.
  static func head(of response: APIResponse, isLast: Bool) -> HTTPResponseHead {
    let status = HTTPResponseStatus(statusCode: response.status)
    var fields = HTTPHeaders(response.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    if status.mayHaveResponseBody {
      fields.replaceOrAdd(name: "content-type", value: response.contentType)
      if case .bytes(let bytes) = response.body {
        fields.replaceOrAdd(name: "content-length", value: "\(bytes.count)")
      }
    }
    // The response can contain health data. Therefore a cache between the server and the client
    // must not store the response.
    if !fields.contains(name: "cache-control") {
      fields.add(name: "cache-control", value: "no-store")
    }
    if isLast { fields.replaceOrAdd(name: "connection", value: "close") }
    return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
  }

  /// Returns the response to a request that the HTTP parser cannot read.
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
  /// Converts seconds to a `TimeAmount`. The conversion cannot overflow, because all limits are far
  /// shorter than the maximum of `TimeAmount`, 292 years.
  static func seconds(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }

  /// This amount of time in seconds, with fractions of a second.
  var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension ByteBuffer {
  /// Removes the next piece from the buffer and returns it; nil if no bytes are left.
  ///
  /// A piece contains at most 8 KiB. The writer detects progress only when the peer has read a
  /// whole piece. With larger pieces, a slow peer could seem to read nothing for a minute.
  mutating func nextSlice() -> ByteBuffer? {
    readableBytes == 0 ? nil : readSlice(length: min(readableBytes, 8 * 1024))
  }
}
