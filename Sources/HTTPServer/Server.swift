import API
import Alarms
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// The front door: HTTP/1.1 on a Unix socket, for those whom the kernel names and the settings know.
///
/// It stands directly on swift-nio's HTTP handlers. hummingbird above them was weighed and left out:
/// its channel (2.28.1) reads a refused body to its end, has one idle timer for everything, does not
/// know `Expect: 100-continue`, and with it many more packages are resolved.
public struct Server: Service {
  private let socket: ListeningSocket
  private let identities: @Sendable () -> Identities
  private let shared: Connection.SharedParts

  /// - Parameters:
  ///   - socket: belongs to the Gate from now on, which closes it when it stops.
  ///   - identities: who has which role; asked anew for each connection, so that it may change.
  ///   - limits: what one peer may take.
  ///   - logger: hears of connections that were cut, never of what they held, and of no user more
  ///     than a few lines in a quarter of an hour.
  ///   - handle: answers a request that was let in. It is never cancelled: a peer that leaves does
  ///     not undo what it asked for.
  ///   - onDenied: hears of each call that was refused for want of a right, for the record. The path
  ///     is the route's (`Route.path`), without what stood in the place of its parameters: a name or
  ///     any other text of the caller goes nowhere. Must not block.
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

  /// The same, with roles that do not change.
  public init(
    socket: ListeningSocket, identities: Identities, limits: ServerLimits, logger: Logger,
    handle: @escaping @Sendable (APIRequest) async -> APIResponse,
    onDenied: @escaping @Sendable (_ uid: UInt32, _ method: String, _ path: String) -> Void
  ) {
    self.init(
      socket: socket, identities: { identities }, limits: limits, logger: logger, handle: handle,
      onDenied: onDenied)
  }

  /// Who is in the house, for tests.
  var limiter: ConnectionLimiter { shared.limiter }

  /// Serves until the service group shuts down gracefully (requests under way are finished) or the
  /// task is cancelled (everyone is put out).
  ///
  /// - Throws: `ServerError` where the socket cannot be served.
  public func run() async throws {
    let (identities, shared) = (identities, shared)
    // One loop for all connections: the limits are on what peers may take, and this is one of them.
    // It is one of those that live as long as the process. A loop of our own would have to stop with
    // us, and an answer that comes after its asker has gone, and after the stop, would meet no loop.
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try Self.receive(channel, identities(), shared)
        }
      }
      // A peer that has closed its sending side still gets its answer.
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

  /// Gives a new connection its handlers, or a refusal, or nothing.
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
        "no ordinary place for a connection of uid \(peer.uid): "
          + (why == .user ? "it has too many" : "all are taken"))
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
