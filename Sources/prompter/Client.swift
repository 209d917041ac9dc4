import Alarms
import NIOCore
import NIOHTTP1
import NIOPosix
import Wire

/// Sends one request over the daemon's Unix socket and waits for the whole answer.
struct Client: Sendable {
  /// The path of the socket.
  var socket: String

  /// A Unix socket answers at once or not at all; a daemon whose queue is full gets this long.
  static let connectSeconds: Int64 = 5

  /// - Parameter consume: takes a good answer's body piece by piece, on another thread; without it the
  ///   body is collected. A refusal never goes there.
  /// - Throws: `Failure`, or what `consume` throws.
  func send(
    _ request: Request, consume: (@Sendable ([UInt8]) throws -> Void)? = nil
  ) throws -> Reply {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer {
      // The process ends right after; a loop that does not stop in order changes nothing.
      try? group.syncShutdownGracefully()
    }
    let promise = group.next().makePromise(of: Reply.self)
    let bootstrap = ClientBootstrap(group: group)
      .connectTimeout(.seconds(Self.connectSeconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(
            IdleStateHandler(readTimeout: .seconds(request.silenceSeconds)))
          try pipeline.addHandler(ReplyHandler(request, promise: promise, consume: consume))
        }
      }
    do {
      _ = try bootstrap.connect(unixDomainSocketPath: socket).wait()
    } catch {
      promise.fail(error)
      throw Failure.unreachable("cannot reach the daemon at \(socket): \(Self.reason(error))")
    }
    do {
      return try promise.futureResult.wait().accepted()
    } catch let cut as ReplyCut {
      throw Failure.unreachable(
        "cannot reach the daemon at \(socket): \(cut.reason(after: request.silenceSeconds))")
    }
  }

  /// The system's words for the commonest ways not to reach a daemon, and what they mean here.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError where error.errnoCode == ENOENT:
      "there is no such socket; is prompterd running?"
    case let error as IOError where error.errnoCode == ECONNREFUSED:
      "nobody listens there; is prompterd running?"
    case let error as IOError where error.errnoCode == EACCES:
      "this user may not connect to it"
    case let error as IOError: String(cString: strerror(error.errnoCode))
    case ChannelError.connectTimeout: "it did not accept within \(connectSeconds) s"
    case SocketAddressError.unixDomainSocketPathTooLong: "the path is longer than a socket's may be"
    default: "\(error)"
    }
  }
}
