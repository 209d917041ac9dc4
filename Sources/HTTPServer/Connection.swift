import API
import Alarms
import Logging
import NIOCore
import NIOHTTP1

/// One connection, from its first byte to its last byte.
///
/// ```
///  idle ──byte──▶ readingHead ──head──▶ readingBody ──end──▶ answering ──▶ idle, or leaving
///                      │    refused: answering without the body ▲
///                      └────────────────────────────────────────┘
/// ```
/// Each state except `answering` has a deadline. In the state `answering`, each write to the socket
/// has its own deadline. Therefore, no peer can keep a connection open forever. The work of the
/// request handler has no deadline. All code of this class runs on the event loop of the channel.
/// Two channel handlers run before this handler. The first one parses the bytes. The second one
/// passes pipelined requests to this handler one by one.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// An event that tells the connection that bytes have arrived. The connection receives this event
  /// before the parser reads the bytes.
  struct BytesCame {}

  private enum State {
    /// No byte of the next request has arrived.
    case idle
    /// A part of the head of a request has arrived.
    case readingHead
    /// The head of the request was admitted, and the body is arriving.
    case readingBody(APIRequest, limit: Int, since: NIODeadline)
    /// The daemon is making or writing the response. The connection discards further bytes of the
    /// request.
    case answering
    /// The server has written the last response. The connection discards all bytes that the peer
    /// still sends.
    ///
    /// In this state, the peer has time to read the response before the server closes the
    /// connection. If the server closed the connection at once, a peer that still sends its request
    /// would get the error "broken pipe".
    case leaving
    case closed
  }

  /// Values and closures that all connections share.
  struct SharedParts: Sendable {
    var limits: ServerLimits
    var limiter: ConnectionLimiter
    var logger: ConnectionLog
    var handle: @Sendable (APIRequest) async -> APIResponse
    var onDenied: @Sendable (_ uid: UInt32, _ method: String, _ path: String) -> Void
  }

  private let shared: SharedParts
  private let admission: Admission
  private let loop: any EventLoop
  private var state = State.idle
  private var context: ChannelHandlerContext?
  private let deadline: Deadline
  private let writer: ResponseWriter
  /// The reason why this connection occupies a slot that is reserved for one answer. The value is
  /// nil if the connection occupies a normal slot.
  ///
  /// A connection in a reserved slot accepts a request only if `isForAnswering` is true for the
  /// operation. If any other request arrives, its refusal contains the reason `fullness`.
  private let fullness: ConnectionLimiter.Fullness?
  /// The part of the body that has arrived so far.
  ///
  /// The first `freeBodyBytes` bytes of the body do not count towards the upload limits. Until the
  /// response is written, all other bytes of the body count towards the upload limits.
  private var body: [UInt8] = []
  private var uploadRoom = 0
  /// The time at which the newest byte of the body arrived.
  private var bodyCame = NIODeadline.now()
  /// True if the connection ends after the response, because the peer asked the server to close the
  /// connection, or because it sent an invalid request.
  private var isLast = false
  private var inputClosed = false
  /// True if the response has no body, because the method of the request is HEAD (RFC 9110, section
  /// 9.3.2).
  private var isHeadOnly = false
  /// True if the request is a HEAD request and the response would consist of chunks. In this case,
  /// the connection ends after the head of the response. If the connection stayed open, the HTTP
  /// encoder would write the last chunk, and the client would read this chunk as the next response.
  private var endsAfterHead = false

  init(
    shared: SharedParts, admission: Admission, fullness: ConnectionLimiter.Fullness?,
    loop: any EventLoop
  ) {
    self.shared = shared
    self.fullness = fullness
    self.admission = admission
    self.loop = loop
    deadline = Deadline(loop)
    writer = ResponseWriter(
      loop, stallSeconds: shared.limits.writeStallSeconds, logger: shared.logger,
      onStall: {
        shared.logger.note(
          admission.client, "closed a connection: uid \(admission.peer.uid) does not read")
      })
  }

  // MARK: Opening and closing

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    writer.context = context
  }

  func channelActive(context: ChannelHandlerContext) {
    // The time limit for the head of the first request starts now, because a peer opens a
    // connection only to send a request.
    state = .readingHead
    arm(shared.limits.headerSeconds, "did not send a whole header in time")
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    state = .closed
    deadline.disarm()
    writer.close()
    dropBody()
    self.context = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is BytesCame:
      if case .idle = state {
        state = .readingHead
        arm(shared.limits.headerSeconds, "did not send a whole header in time")
      }
    case ChannelEvent.inputClosed:
      inputClosed = true
      switch state {
      case .idle, .readingHead, .readingBody, .leaving: context.close(promise: nil)
      case .answering: isLast = true  // The peer stopped sending, but it still reads.
      case .closed: break
      }
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      shared.logger.debug("connection of uid \(admission.peer.uid) failed: \(error)")
      context.close(promise: nil)
      return
    }
    isLast = true
    switch state {
    case .idle, .readingHead, .readingBody:
      answer(with: Self.refusal(of: error))
    case .answering, .closed:
      break
    case .leaving:
      context.close(promise: nil)
    }
  }

  // MARK: Reading

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .idle), (.head(let head), .readingHead): read(head, context)
    case (.body(let part), .readingBody(_, let limit, _)): read(part, limit)
    case (.end, .readingBody(let request, _, _)): ask(request)
    default: break  // These bytes are the rest of a request that got an early response.
    }
  }

  private func read(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    deadline.disarm()
    isLast = !head.isKeepAlive || inputClosed || fullness != nil
    isHeadOnly = head.method == .HEAD
    let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    let hasBody = length > 0 || head.headers.contains(name: "transfer-encoding")
    let asked = Admission.Head(
      method: head.method.rawValue, target: head.uri, isHTTP11: head.version == .http1_1,
      fields: head.headers.map { ($0.name, $0.value) })
    switch admission.verdict(on: asked) {
    case .admitted(let request, _) where fullness != nil && !request.operation.isForAnswering:
      answer(with: .full(fullness ?? .server, shared.limits))
    case .admitted(_, let limit) where length > limit:
      isLast = true
      answer(with: .tooLarge(limit))
    case .admitted(let request, let limit):
      state = .readingBody(request, limit: limit, since: .now())
      bodyCame = .now()
      // A large Content-Length does not fill the memory, because the kernel provides the reserved
      // memory only when the server writes received bytes to it.
      body.reserveCapacity(length)
      arm(
        min(shared.limits.bodySeconds, shared.limits.bodyIdleSeconds),
        "did not send a whole body in time")
      // `Admission` permits only the expectation `100-continue`. A peer with this expectation waits
      // for the status 100 before it sends the body.
      if hasBody, !request.listed("expect").isEmpty {
        let go = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(go)), promise: nil)
      }
    case .refused(let response):
      isLast = isLast || hasBody
      answer(with: response)
    case .denied(let response, let path):
      shared.onDenied(admission.peer.uid, asked.method, path)
      isLast = isLast || hasBody
      answer(with: response)
    }
  }

  private func read(_ part: ByteBuffer, _ limit: Int) {
    guard body.count + part.readableBytes <= limit else {
      isLast = true
      return answer(with: .tooLarge(limit))
    }
    let whole = body.count + part.readableBytes
    let room = max(0, whole - shared.limits.freeBodyBytes) - uploadRoom
    switch shared.limiter.takeUploadRoom(room, uid: admission.peer.uid) {
    case .taken: break
    case .serverFull:
      isLast = true
      return answer(with: .uploadsFull)
    case .userFull:
      isLast = true
      return answer(with: .userUploadsFull(shared.limits.uploadBytesPerUser))
    }
    uploadRoom += room
    bodyCame = .now()
    body.append(contentsOf: part.readableBytesView)
  }

  private func dropBody() {
    body = []
    shared.limiter.giveUploadRoom(uploadRoom, uid: admission.peer.uid)
    uploadRoom = 0
  }

  // MARK: Answering

  /// Passes a request to the request handler. The request takes effect even if the peer disconnects
  /// before it receives the response.
  private func ask(_ request: APIRequest) {
    deadline.disarm()
    state = .answering
    var request = request
    request.body = body
    body = []
    let (handle, loop, me) = (shared.handle, loop, NIOLoopBound(self, eventLoop: loop))
    Task { [request] in
      let response = await handle(request)
      loop.execute { me.value.answer(with: response) }
    }
  }

  private func answer(with response: APIResponse) {
    guard context != nil else { return }
    deadline.disarm()
    state = .answering
    if isHeadOnly, case .stream = response.body {
      endsAfterHead = true
      isLast = true
    }
    writer.send(response, isLast: isLast, isHeadOnly: isHeadOnly) { self.finish() }
  }

  /// Writes the end of the response. After this call, the connection can read the next request,
  /// even if the last bytes of the response are not written yet.
  private func finish() {
    guard let context, case .answering = state else { return }
    dropBody()
    let promise = context.eventLoop.makePromise(of: Void.self)
    if isLast {
      state = .leaving
      arm(shared.limits.lingerSeconds, nil)
      let mayStay = fullness == nil || shared.limiter.endAnswer(context.channel)
      promise.futureResult.assumeIsolated().whenSuccess {
        context.close(mode: self.inputClosed || !mayStay ? .all : .output, promise: nil)
      }
    } else {
      state = .idle
      arm(shared.limits.idleSeconds, nil)
    }
    if endsAfterHead {
      promise.succeed()
    } else {
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: promise)
    }
  }

  // MARK: The deadline

  /// - Parameter fault: words about the peer, for example "did not send a whole header in time". If
  ///   the deadline passes, the log contains these words. The value is nil if a missed deadline is
  ///   not a fault of the peer.
  private func arm(_ seconds: Double, _ fault: String?) {
    deadline.arm(seconds) { self.deadlineCame(fault) }
  }

  private func deadlineCame(_ fault: String?) {
    if case .readingBody(_, _, let since) = state {
      let allowed =
        shared.limits.bodySeconds + Double(body.count) / shared.limits.bodyBytesPerSecond
      let now = NIODeadline.now()
      let left = min(
        allowed - (now - since).seconds,
        shared.limits.bodyIdleSeconds - (now - bodyCame).seconds)
      if left > 0 { return arm(left, fault) }
    }
    if let fault {
      shared.logger.note(
        admission.client, "closed a connection: uid \(admission.peer.uid) \(fault)")
    }
    context?.close(promise: nil)
  }
}
