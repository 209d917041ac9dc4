import API
import Alarms
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP/1.1 server on a Unix socket.
///
/// The kernel names the user of each peer, and the settings give that user roles. The server uses
/// swift-nio's HTTP handlers directly. We rejected hummingbird on top of them: its channel (2.28.1)
/// reads a refused body to the end, has one idle timer for everything, does not support
/// `Expect: 100-continue`, and needs many more packages.
public struct Server: Service {
  private let socket: ListeningSocket
  private let identities: @Sendable () -> Identities
  private let shared: Connection.SharedParts

  /// - Parameters:
  ///   - socket: the server owns it from now on and closes it when it stops.
  ///   - identities: the roles of users; read again for each connection, so that they can change.
  ///   - limits: the resources that one peer may use.
  ///   - logger: gets a line for each connection that was cut, but never its content. It gets only
  ///     a few lines for each user in a quarter of an hour.
  ///   - handle: handles an admitted request. It is never cancelled: a peer that disconnects does
  ///     not undo its request.
  ///   - onDenied: called for each request that was refused because the sender lacks a role, so
  ///     that it is recorded. The path is the path of the route (`Route.path`), without the values
  ///     of parameters. So a name or any other text of the caller is never passed on. It must not
  ///     block.
  public init(
    socket: ListeningSocket, identities: @escaping @Sendable () -> Identities, limits: ServerLimits,
    logger: Logger,
    handle: @escaping @Sendable (APIRequest) async -> APIResponse,
    onDenied: @escaping @Sendable (_ uid: UInt32, _ method: String, _ path: String) -> Void
  ) {
    self.socket = socket
    self.identities = identities
    shared = Connection.SharedParts(
      limits: limits, limiter: ConnectionLimiter(limits: limits), logger: ConnectionLog(logger),
      handle: handle, onDenied: onDenied)
  }

  /// Makes a server with roles that do not change.
  public init(
    socket: ListeningSocket, identities: Identities, limits: ServerLimits, logger: Logger,
    handle: @escaping @Sendable (APIRequest) async -> APIResponse,
    onDenied: @escaping @Sendable (_ uid: UInt32, _ method: String, _ path: String) -> Void
  ) {
    self.init(
      socket: socket, identities: { identities }, limits: limits, logger: logger, handle: handle,
      onDenied: onDenied)
  }

  /// The connection limiter, for tests.
  var limiter: ConnectionLimiter { shared.limiter }

  /// Serves until a graceful shutdown or until the task is cancelled.
  ///
  /// A graceful shutdown finishes requests in progress. A cancellation closes all connections at
  /// once.
  ///
  /// - Throws: `ServerError` if the socket cannot be served.
  public func run() async throws {
    let (identities, shared) = (identities, shared)
    // One event loop serves all connections: the limits restrict what peers may use, and this is
    // one limit. The loop is one of those that live as long as the process. A loop owned by the
    // server would stop with the server, and a response that is ready after that would find no
    // loop.
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.receive(channel, identities(), shared)
        }
      }
      // A peer that has closed its sending side still gets its response.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .withBoundSocket(socket.descriptor).get()
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        try await server.closeFuture.get()
        try await shared.limiter.whenEmpty()
      } onGracefulShutdown: {
        shared.limiter.quiesce()
        server.close(promise: nil)
      }
    } onCancel: {
      shared.limiter.clear()
      server.close(promise: nil)
    }
  }

  /// Gives a new connection its handlers, a refusal, or nothing.
  private static func receive(
    _ channel: any Channel, _ identities: Identities, _ shared: Connection.SharedParts
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    guard
      let peer = try pipeline.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self, { try Peer(descriptor: $0) })
    else { throw ServerError.system(what: "read a peer's credentials", why: "no descriptor") }
    let roles = identities.roles(uid: peer.uid, groups: peer.groups)
    let entry = shared.limiter.enter(channel, uid: peer.uid, roles: roles)
    var fullness: ConnectionLimiter.Fullness?
    switch entry {
    case .admitted: break
    case .forOneAnswer(let why), .refused(let why):
      fullness = why
      shared.logger.note(
        ClientKey(uid: peer.uid, roles: roles),
        "no free connection for uid \(peer.uid): "
          + (why == .user ? "the user has too many" : "all are in use"))
    case .turnedAway: throw ChannelError.operationUnsupported
    }
    if case .refused(let why) = entry {
      try pipeline.addHandler(
        RejectHandler(
          .full(why, shared.limits), seconds: shared.limits.lingerSeconds, loop: channel.eventLoop))
      return
    }
    try pipeline.addHandler(ByteWatch())
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = shared.limits.headerBytes
    limits.maxHeaderListSize = shared.limits.headerBytes
    limits.maxHeaderFieldCount = 64
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: true, withErrorHandling: false,
      withOutboundHeaderValidation: true, withEncoderConfiguration: .init(),
      withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(
      Connection(
        shared: shared,
        admission: Admission(peer: peer, roles: roles, person: identities.person(uid: peer.uid)),
        fullness: fullness, loop: channel.eventLoop))
  }
}
