import NIOCore
import NIOHTTP1

/// The reason why a reply is incomplete.
package enum ReplyCut: Error, Equatable {
  case silent
  case closed(receivedBytes: Int)
  case malformed(String)

  package func reason(after timeoutSeconds: Int64) -> String {
    switch self {
    case .silent: "it did not answer within \(timeoutSeconds) s"
    case .closed(0): "it closed the connection without an answer"
    case .closed(let bytes): "the answer broke off after \(bytes) bytes"
    case .malformed(let what): "it does not speak HTTP (\(what))"
    }
  }
}

/// Sends one HTTP request and collects the reply.
///
/// If a body ends too early, the handler reports a failure and does not return the incomplete body.
package final class ReplyHandler: ChannelInboundHandler {
  package typealias InboundIn = HTTPClientResponsePart
  package typealias OutboundOut = HTTPClientRequestPart

  private let request: Request
  private let promise: EventLoopPromise<HTTPReply>
  private let begin: (@Sendable (HTTPReply) -> Void)?
  private let consume: (@Sendable ([UInt8]) throws -> Void)?
  private var reply = HTTPReply(status: 0, body: [])
  private var receivedBytes = 0
  private var isSettled = false

  package init(
    _ request: Request, promise: EventLoopPromise<HTTPReply>,
    begin: (@Sendable (HTTPReply) -> Void)?,
    consume: (@Sendable ([UInt8]) throws -> Void)?
  ) {
    self.request = request
    self.promise = promise
    self.begin = begin
    self.consume = consume
  }

  /// Sends the request before the handler reads any bytes.
  ///
  /// If the handler read an early reply before it sent the request, the HTTP parser would reject
  /// the reply.
  package func channelActive(context: ChannelHandlerContext) {
    var headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    headers.add(name: "Host", value: "prompter")
    headers.add(name: "Connection", value: "close")
    if request.method != "GET" {
      headers.add(name: "Content-Length", value: String(request.body.count))
    }
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: request.target,
      headers: headers)
    // Ignore a failed write. A write fails if the daemon refuses a recording before it has read the
    // whole recording. In this case, the reply of the daemon contains the reason. If no reply
    // arrives, `self.promise` fails at the end of the connection.
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !request.body.isEmpty {
      let body = context.channel.allocator.buffer(bytes: request.body)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      reply.status = Int(head.status.code)
      reply.recordHead = head.headers.first(name: "x-prompter-head")
      reply.archiveBytes = head.headers.first(name: "x-prompter-bytes").flatMap { Int($0) }
      reply.firstBadSequence = head.headers.first(name: "x-prompter-first-bad-seq")
      begin?(reply)
    case .body(let buffer):
      receivedBytes += buffer.readableBytes
      guard let consume, (200..<300).contains(reply.status) else {
        reply.body += buffer.readableBytesView
        return
      }
      do {
        // While `consume` blocks this thread, the client reads no data, and the daemon waits.
        // Without this wait, unread data would fill the memory of the client.
        try consume(Array(buffer.readableBytesView))
      } catch {
        settle(.failure(error), context)
      }
    case .end:
      settle(.success(reply), context)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    settle(.failure(ReplyCut.closed(receivedBytes: receivedBytes)), context)
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { settle(.failure(ReplyCut.silent), context) }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Ignore an error of a read or write. After this error, the handler still receives all bytes
    // that have arrived. Then the connection ends, and `channelInactive` reports an incomplete
    // reply.
    guard let parserError = error as? HTTPParserError else { return }
    let cut: ReplyCut =
      parserError == .invalidEOFState
      ? .closed(receivedBytes: receivedBytes) : .malformed("\(parserError)")
    settle(.failure(cut), context)
  }

  private func settle(_ result: Result<HTTPReply, any Error>, _ context: ChannelHandlerContext) {
    guard !isSettled else { return }
    isSettled = true
    promise.completeWith(result)
    context.close(promise: nil)
  }
}
