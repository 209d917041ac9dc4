import ArchiveProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The address at which the archive accepts connections.
package enum ArchiveSocket: Sendable, Hashable {
  /// The path of a Unix socket. Only nginx may connect to this socket.
  case path(String)
  /// An address and a port. The archive ignores the certificate field of a request that comes
  /// through a port, because any program can set this field.
  case port(host: String, port: Int)

  /// Reads `PATH`, which begins with `/`, or `HOST:PORT`. The result is nil for any other text.
  package init?(_ text: String) {
    if text.hasPrefix("/") {
      self = .path(text)
      return
    }
    guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
      let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port)
    else { return nil }
    self = .port(host: String(text[..<colon]), port: port)
  }
}

/// The HTTP server of the archive.
package struct ArchiveServer {
  /// The port on which the server listens; 0 for a Unix socket.
  package let port: Int
  private let channel: any Channel

  private static let connections = 256
  private static let idleSeconds: Int64 = 60
  /// The maximum number of requests that use the database at the same time. The value is far below
  /// the limit of PostgreSQL, which permits 100 connections by default.
  private static let threads = 8

  package init(at socket: ArchiveSocket, service: ArchiveService) throws {
    let pool = NIOThreadPool(numberOfThreads: Self.threads)
    pool.start()
    let load = Load()
    let isTrusted = if case .path = socket { true } else { false }
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard load.enter(.connections, atMost: Self.connections) else {
            throw ChannelError.operationUnsupported
          }
          channel.closeFuture.whenComplete { _ in load.leave(.connections) }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(Self.idleSeconds)))
          try pipeline.addHandler(
            ArchiveHandler(service: service, pool: pool, load: load, isTrusted: isTrusted))
        }
      }
    switch socket {
    case .path(let path):
      channel = try bootstrap.bind(
        unixDomainSocketPath: path, cleanupExistingSocketFile: true
      ).wait()
    case .port(let host, let port):
      channel = try bootstrap.bind(host: host, port: port).wait()
    }
    port = channel.localAddress?.port ?? 0
  }
}

/// The numbers of connections and requests that the server is handling at present.
final class Load: Sendable {
  enum Kind { case connections, requests }

  private let counts = Mutex((connections: 0, requests: 0))

  /// Increases the count of connections or requests by one.
  ///
  /// - Parameter limit: the maximum count.
  /// - Returns: false if the count has already reached the limit. The count then stays the same.
  func enter(_ kind: Kind, atMost limit: Int) -> Bool {
    counts.withLock { counts in
      switch kind {
      case .connections:
        guard counts.connections < limit else { return false }
        counts.connections += 1
      case .requests:
        guard counts.requests < limit else { return false }
        counts.requests += 1
      }
      return true
    }
  }

  func leave(_ kind: Kind) {
    counts.withLock { counts in
      switch kind {
      case .connections: counts.connections -= 1
      case .requests: counts.requests -= 1
      }
    }
  }
}

/// Reads the requests of one connection, and writes the replies.
final class ArchiveHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let service: ArchiveService
  private let pool: NIOThreadPool
  private let load: Load
  private let isTrusted: Bool
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []
  private var isTooLarge = false

  /// The maximum size of the body of a request, in bytes. The value is a little larger than the
  /// maximum size of a batch, because compression can make a batch a little larger.
  private static let bodyLimit = ArchiveLimits.bytes + 4_096
  /// The maximum number of requests that wait for a thread or run on a thread. If more requests
  /// waited, a home would stop waiting for the reply before the archive could send it.
  private static let waiting = 64

  init(service: ArchiveService, pool: NIOThreadPool, load: Load, isTrusted: Bool) {
    (self.service, self.pool, self.load, self.isTrusted) = (service, pool, load, isTrusted)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, body, isTooLarge) = (head, [], false)
    case .body(let part):
      isTooLarge = isTooLarge || body.count + part.readableBytes > Self.bodyLimit
      if !isTooLarge { body += part.readableBytesView }
    case .end:
      guard let head else { return }
      self.head = nil
      answer(context, head)
    }
  }

  private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
    guard !isTooLarge else {
      let detail = "cannot read the body: it has more than \(ArchiveLimits.bytes) bytes"
      return reply(context, head, .problem(413, "too_large", detail))
    }
    guard load.enter(.requests, atMost: Self.waiting) else {
      let detail = "cannot answer now: too many homes send rows"
      return reply(context, head, .problem(503, "busy", detail, retrySeconds: 10))
    }
    let request = ArchiveRequest(
      method: head.method.rawValue,
      path: String(head.uri.prefix { $0 != "?" }),
      fields: Self.fields(head.headers), body: body)
    body = []
    let (service, load, isTrusted) = (service, load, isTrusted)
    let made = pool.runIfActive(eventLoop: context.eventLoop) {
      defer { load.leave(.requests) }
      return service.answer(request, isTrusted: isTrusted)
    }
    made.assumeIsolated().whenComplete { result in
      guard context.channel.isActive else { return }
      let reply =
        (try? result.get())
        ?? .problem(503, "unavailable", "the program ends", retrySeconds: 10)
      self.reply(context, head, reply)
    }
  }

  /// Returns the header fields with their names in lower case. If a field occurs twice, its value
  /// is nil.
  private static func fields(_ headers: HTTPHeaders) -> [String: String?] {
    var fields: [String: String?] = [:]
    for (name, value) in headers {
      let name = name.lowercased()
      fields.updateValue(fields.keys.contains(name) ? nil : value, forKey: name)
    }
    return fields
  }

  private func reply(
    _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ reply: ArchiveReply
  ) {
    let bytes = Array(reply.body.utf8)
    var headers = HTTPHeaders([
      ("content-type", reply.type), ("content-length", String(bytes.count)),
      ("cache-control", "no-store"),
    ])
    if let seconds = reply.retrySeconds { headers.add(name: "retry-after", value: "\(seconds)") }
    if !head.isKeepAlive { headers.add(name: "connection", value: "close") }
    let response = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: reply.status), headers: headers)
    context.write(wrapOutboundOut(.head(response)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    let end = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    if !head.isKeepAlive {
      let channel = context.channel
      end.whenComplete { _ in channel.close(promise: nil) }
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
