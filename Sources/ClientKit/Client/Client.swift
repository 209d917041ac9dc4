import Alarms
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends one request to the daemon and waits for the whole reply.
package struct Client: Sendable {
  package var address: HomeAddress

  package init(address: HomeAddress) { self.address = address }

  /// The maximum time that a client waits for a connection to the daemon, in seconds.
  ///
  /// A connection to a Unix socket usually succeeds or fails at once. A client waits only if too
  /// many new connections wait for the daemon.
  package static let connectSeconds: Int64 = 5

  /// Sends a request, and returns the reply if its status is 2xx.
  ///
  /// - Parameters:
  ///   - consume: a function that receives the body of a 2xx reply piece by piece, on a separate
  ///     thread. It never receives the body of a refusal. If `consume` is nil, the reply contains
  ///     the whole body.
  ///   - begin: a function that receives the status and the headers before the body arrives, on a
  ///     separate thread.
  /// - Throws: `Failure`, or the error of `consume`.
  package func send(
    _ request: Request, consume: (@Sendable ([UInt8]) throws -> Void)? = nil,
    begin: (@Sendable (HTTPReply) -> Void)? = nil
  ) throws -> HTTPReply {
    try exchange(request, consume: consume, begin: begin).accepted()
  }

  /// Sends a request in the same way as `send`. But if the daemon refuses the request, this
  /// function throws no error and returns the refusal as a reply.
  package func exchange(
    _ request: Request, consume: (@Sendable ([UInt8]) throws -> Void)? = nil,
    begin: (@Sendable (HTTPReply) -> Void)? = nil
  ) throws -> HTTPReply {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer {
      // Ignore an error of the shutdown, because the process ends soon after this call.
      try? group.syncShutdownGracefully()
    }
    let promise = group.next().makePromise(of: HTTPReply.self)
    let bootstrap = ClientBootstrap(group: group)
      .connectTimeout(.seconds(Self.connectSeconds))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(
            IdleStateHandler(readTimeout: .seconds(request.timeoutSeconds)))
          try pipeline.addHandler(
            ReplyHandler(request, promise: promise, begin: begin, consume: consume))
        }
      }
    do {
      switch address {
      case .here(let socket):
        _ = try bootstrap.connect(unixDomainSocketPath: socket).wait()
        return try promise.futureResult.wait()
      case .ssh(let host, let socket):
        let tunnel = try Tunnel(to: host, socket: socket)
        return try answer(through: tunnel, bootstrap, promise)
      }
    } catch let failure as Failure {
      promise.fail(failure)
      throw failure
    } catch let end as StreamEnd {
      throw end
    } catch let cut as ReplyCut {
      throw unreachable(cut.reason(after: request.timeoutSeconds))
    } catch {
      promise.fail(error)
      throw unreachable(Self.reason(error))
    }
  }

  private func answer(
    through tunnel: Tunnel, _ bootstrap: ClientBootstrap, _ promise: EventLoopPromise<HTTPReply>
  ) throws -> HTTPReply {
    do {
      _ = try bootstrap.withConnectedSocket(tunnel.descriptor).wait()
      let reply = try promise.futureResult.wait()
      tunnel.end()
      return reply
    } catch ReplyCut.closed(receivedBytes: 0) {
      throw unreachable(tunnel.reason())
    } catch {
      tunnel.end()
      throw error
    }
  }

  private func unreachable(_ why: String) -> Failure {
    .unreachable("cannot reach the daemon at \(address): \(why)")
  }

  /// Returns the reason for a connection error. For the most frequent errors, the text also says
  /// what the user can do.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as IOError: reason(error.errnoCode)
    case ChannelError.connectTimeout: "it did not accept the connection within \(connectSeconds) s"
    case SocketAddressError.unixDomainSocketPathTooLong: reason(ENAMETOOLONG)
    default: "\(error)"
    }
  }

  package static func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "there is no such socket; is prompterd running?"
    case ECONNREFUSED: "no program listens there; is prompterd running?"
    case EACCES: "this user does not have permission to connect"
    case ENAMETOOLONG: "the path is too long for a socket"
    default: String(cString: strerror(code))
    }
  }
}

/// The error that a caller throws to end a stream of events after the requested number of events.
package struct StreamEnd: Error {
  package init() {}
}
