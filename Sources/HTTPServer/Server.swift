import API
import Alarms
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The HTTP/1.1 server on a Unix socket.
///
/// The kernel reports the user of each peer, and the settings contain the roles of this user. The
/// server uses swift-nio's HTTP handlers directly. The server does not use the package hummingbird
/// (2.28.1), for four reasons. The HTTP channel of hummingbird reads a refused body to its end, has
/// only one idle timer for all states, and does not support `Expect: 100-continue`. Hummingbird
/// also depends on many packages.
public struct Server: Service {
  private let socket: ListeningSocket
  private let identities: @Sendable () -> Identities
  private let shared: Connection.SharedParts

  /// - Parameters:
  ///   - socket: the listening socket. After this call, the server owns the socket. When the server
  ///     stops, it closes the socket.
  ///   - identities: returns the roles of users. The server calls this closure for each new
  ///     connection. Therefore a change of the roles applies to new connections at once.
  ///   - limits: the limits on the resources that one peer may use.
  ///   - logger: receives a line for each connection that the server refused or closed early. The
  ///     server writes at most five lines for each user in 15 minutes (`ConnectionLog`). A line
  ///     contains no text that the peer sent.
  ///   - handle: handles an admitted request. The server never cancels this closure. Therefore, the
  ///     request takes effect even if the peer disconnects.
  ///   - onDenied: records a request that was refused because the sender does not have a permitted
  ///     role. The server calls this closure for each such request. `path` is the path pattern of
  ///     the route (`Route.path`), without the values of parameters. Therefore the closure never
  ///     gets a name or any other text from the sender. The closure must not block.
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

  /// Creates a server with roles that do not change.
  public init(
    socket: ListeningSocket, identities: Identities, limits: ServerLimits, logger: Logger,
    handle: @escaping @Sendable (APIRequest) async -> APIResponse,
    onDenied: @escaping @Sendable (_ uid: UInt32, _ method: String, _ path: String) -> Void
  ) {
    self.init(
      socket: socket, identities: { identities }, limits: limits, logger: logger, handle: handle,
      onDenied: onDenied)
  }

  /// The connection limiter of this server, for tests.
  var limiter: ConnectionLimiter { shared.limiter }

  /// Handles connections until a graceful shutdown, or until the Swift task is cancelled.
  ///
  /// A graceful shutdown finishes requests in progress. A cancellation closes all connections at
  /// once.
  ///
  /// - Throws: `ServerError` if the socket cannot be served.
  public func run() async throws {
    let (identities, shared) = (identities, shared)
    // All connections share one event loop, so that all connections together use only one thread.
    // The event loop is global and exists until the process ends. If the server had its own event
    // loop, this loop would end when the server stops, and the last responses could not be sent.
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.receive(channel, identities(), shared)
        }
      }
      // With this option, a peer that closes its sending side after the request still receives the
      // response.
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

  /// Prepares a new connection to serve requests or to send a refusal. If the server has no free
  /// resources even for a refusal, it closes the connection without a response.
  private static func receive(
    _ channel: any Channel, _ identities: Identities, _ shared: Connection.SharedParts
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    guard
      let peer = try pipeline.withUnsafeTransportIfAvailable(
        of: NIOBSDSocket.Handle.self, { try Peer(descriptor: $0) })
    else { throw ServerError.system(what: "read a peer's credentials", why: "no descriptor") }
    let roles = identities.roles(uid: peer.uid, groups: peer.groups)
    let admission = Admission(
      peer: peer, roles: roles, person: identities.person(uid: peer.uid),
      delegate: identities.delegate(uid: peer.uid))
    let entry = shared.limiter.enter(
      channel, uid: peer.uid, roles: admission.delegate?.allRoles ?? roles)
    var fullness: ConnectionLimiter.Fullness?
    switch entry {
    case .admitted: break
    case .forOneAnswer(let why), .refused(let why):
      fullness = why
      shared.logger.note(
        admission.client,
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
        shared: shared, admission: admission, fullness: fullness, loop: channel.eventLoop))
  }
}
