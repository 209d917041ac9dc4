import API
import Glibc
import NIOCore
import NIOHTTP1

/// Writes the responses of one connection, not faster than the peer reads them.
///
/// The writer runs on the event loop of the channel. It writes the head and the body of a response
/// in pieces. It writes a piece only after the kernel has accepted all bytes of the previous piece.
/// If the peer reads nothing for `stallSeconds`, the writer closes the connection. Therefore, a
/// peer that sends requests but does not read the responses fills only its own socket buffer, not
/// the memory of the daemon. A peer that reads slowly receives the whole response. After the last
/// piece, the writer calls `finished`, and the connection writes the end of the response.
final class ResponseWriter {
  var context: ChannelHandlerContext?
  private let loop: any EventLoop
  private let stallSeconds: Double
  private let logger: ConnectionLog
  private let onStall: () -> Void
  private let deadline: Deadline
  /// The result of the last check: the number of bytes in the memory of the kernel that the peer
  /// has not read yet. The value is nil before the first check of a piece.
  private var unreadBytes: UInt32?
  /// The time at which the writer last detected that the peer had read a part of the response. At
  /// the start of each piece, the writer sets this value to the present time.
  private var lastProgress = NIODeadline.now()
  private var streaming: Task<Void, Never>?

  /// - Parameter onStall: a closure that the writer calls before it closes the connection of a peer
  ///   that does not read.
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
      write(all: ByteBuffer(bytes: bytes)).assumeIsolated().whenSuccess(finished)
    case .stream(let stream) where hasBody:
      write(head, stream, finished)
    case .bytes, .stream:
      write(.head(head)).assumeIsolated().whenSuccess(finished)
    }
  }

  /// Writes a part of a body. The future succeeds when the kernel has accepted all bytes.
  private func write(all body: ByteBuffer) -> EventLoopFuture<Void> {
    let promise = loop.makePromise(of: Void.self)
    write(rest: body, promise)
    return promise.futureResult
  }

  /// Writes piece after piece. If the kernel does not accept a piece at once, the function returns,
  /// and continues when the kernel has accepted the piece.
  ///
  /// The function uses a loop, because a large body has thousands of pieces. A recursive call for
  /// each piece would need too much stack.
  private func write(rest body: ByteBuffer, _ promise: EventLoopPromise<Void>) {
    var rest = body
    while let slice = rest.nextSlice() {
      var isAccepted = false
      var isWaiting = false
      write(.body(.byteBuffer(slice))).assumeIsolated().whenComplete { [rest] result in
        switch result {
        case .failure(let error): promise.fail(error)
        case .success where isWaiting: self.write(rest: rest, promise)
        case .success: isAccepted = true
        }
      }
      guard isAccepted else {
        isWaiting = true
        return
      }
    }
    promise.succeed()
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
          let part = ByteBuffer(bytes: chunk)
          try await loop.flatSubmit { me.value.write(all: part) }.get()
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
    lastProgress = .now()
    unreadBytes = nil
    awaitProgress(context)
    let promise = loop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenComplete { _ in self.deadline.disarm() }
    context.writeAndFlush(Connection.wrapOutboundOut(part), promise: promise)
    return promise.futureResult
  }
}

extension ResponseWriter {
  /// Checks every few seconds whether the peer reads, until the kernel accepts the current piece.
  ///
  /// The kernel accepts the next piece only when three quarters of the socket buffer are free
  /// (`unix_writable` of net/unix/af_unix.c). A peer that reads 1 KiB/s needs minutes to free so
  /// much of the buffer. Therefore, the check reads the size of the used buffer memory, which
  /// decreases when the peer has read a whole piece.
  private func awaitProgress(_ context: ChannelHandlerContext) {
    deadline.arm(stallSeconds / 12) { [self] in
      let unread = SocketMemory.unread(context.channel)
      if unread != unreadBytes { lastProgress = .now() }
      unreadBytes = unread
      guard (NIODeadline.now() - lastProgress).seconds >= stallSeconds else {
        return awaitProgress(context)
      }
      onStall()
      context.close(promise: nil)
    }
  }
}

/// The socket option `SO_MEMINFO`: the memory that the kernel uses for a socket.
private struct SocketMemory {
  var receiveAllocated: UInt32 = 0
  var receiveBuffer: UInt32 = 0
  var writeAllocated: UInt32 = 0
  var writeBuffer: UInt32 = 0
  var others: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)

  /// Returns the size of the memory with written bytes that the peer has not read; nil if the
  /// kernel does not report this size.
  static func unread(_ channel: any Channel) -> UInt32? {
    guard let socket = channel as? any SocketOptionProvider else { return nil }
    let memory: EventLoopFuture<SocketMemory> = socket.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_MEMINFO))
    var unread: UInt32?
    memory.assumeIsolated().whenSuccess { unread = $0.writeAllocated }
    return unread
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
