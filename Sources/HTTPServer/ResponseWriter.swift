import API
import NIOCore
import NIOHTTP1

/// Writes the responses of one connection, only as fast as the peer reads.
///
/// The writer runs on the event loop of the channel. It writes the head and the body of a response
/// in pieces. It writes a piece only after the kernel has accepted all bytes of the previous piece.
/// If the kernel does not accept a piece within `stallSeconds` because the peer does not read, the
/// writer closes the connection. Therefore, a peer that sends requests and never reads cannot fill
/// the memory of the daemon: only the socket buffer of this peer becomes full. After the last
/// piece, the writer calls `finished`, and the connection writes the end of the response.
final class ResponseWriter {
  var context: ChannelHandlerContext?
  private let loop: any EventLoop
  private let stallSeconds: Double
  private let logger: ConnectionLog
  private let onStall: () -> Void
  private let deadline: Deadline
  private var streaming: Task<Void, Never>?

  /// - Parameter onStall: a closure for a peer that does not read. The writer calls this closure
  ///   before it closes the connection of this peer.
  init(
    _ loop: any EventLoop, stallSeconds: Double, logger: ConnectionLog,
    onStall: @escaping () -> Void
  ) {
    self.loop = loop
    self.stallSeconds = stallSeconds
    self.logger = logger
    self.onStall = onStall
    deadline = Deadline(loop)
  }

  /// Stops the response in progress, because the channel has closed.
  func close() {
    context = nil
    deadline.disarm()
    streaming?.cancel()
  }

  /// Writes the head and body of a response.
  func send(
    _ response: APIResponse, isLast: Bool, isHeadOnly: Bool, finished: @escaping () -> Void
  ) {
    let head = Connection.head(of: response, isLast: isLast)
    let hasBody = head.status.mayHaveResponseBody && !isHeadOnly
    switch response.body {
    case .bytes(let bytes) where hasBody && !bytes.isEmpty:
      context?.write(Connection.wrapOutboundOut(.head(head)), promise: nil)
      write(all: ByteBuffer(bytes: bytes), finished)
    case .stream(let stream) where hasBody:
      write(head, stream, finished)
    case .bytes, .stream:
      write(.head(head)).assumeIsolated().whenSuccess(finished)
    }
  }

  private func write(all body: ByteBuffer, _ finished: @escaping () -> Void) {
    var rest = body
    guard let slice = rest.nextSlice() else { return finished() }
    write(.body(.byteBuffer(slice))).assumeIsolated().whenSuccess { [rest] in
      self.write(all: rest, finished)
    }
  }

  private func write(
    _ head: HTTPResponseHead, _ stream: AsyncThrowingStream<[UInt8], any Error>,
    _ finished: @escaping () -> Void
  ) {
    let me = NIOLoopBound(self, eventLoop: loop)
    let finished = NIOLoopBound(finished, eventLoop: loop)
    streaming = Task { [loop, logger] in
      do {
        try await loop.flatSubmit { me.value.write(.head(head)) }.get()
        for try await chunk in stream {
          var rest = ByteBuffer(bytes: chunk)
          while let slice = rest.nextSlice() {
            try await loop.flatSubmit { me.value.write(.body(.byteBuffer(slice))) }.get()
          }
        }
        // The loop above ends in two cases: the stream is complete, or the task is cancelled. If
        // the stream is not complete, the daemon must not send the end of the response.
        try Task.checkCancellation()
        try await loop.submit { finished.value() }.get()
      } catch {
        logger.debug("a streamed response was cut off: \(error)")
        loop.execute { me.value.context?.close(promise: nil) }
      }
    }
  }

  /// Writes one part of a response. The future succeeds when the kernel has accepted all bytes of
  /// the part.
  private func write(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void> {
    guard let context else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
    deadline.arm(stallSeconds) { [onStall] in
      onStall()
      context.close(promise: nil)
    }
    let promise = loop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenComplete { _ in self.deadline.disarm() }
    context.writeAndFlush(Connection.wrapOutboundOut(part), promise: promise)
    return promise.futureResult
  }
}

/// A timer that runs one action, unless the timer is cancelled. The timer uses the event loop of
/// its connection.
final class Deadline {
  private let loop: any EventLoop
  private var scheduled: Scheduled<Void>?

  init(_ loop: any EventLoop) { self.loop = loop }

  /// Starts the timer for an action, and cancels the timer of the previous action.
  func arm(_ seconds: Double, _ action: @escaping () -> Void) {
    disarm()
    scheduled = loop.assumeIsolated().scheduleTask(in: .seconds(seconds), action)
  }

  func disarm() {
    scheduled?.cancel()
    scheduled = nil
  }
}
