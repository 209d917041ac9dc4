import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The place where a page server accepts connections.
package enum PageSocket: Sendable {
  case loopback(LoopbackAddress)
  /// The path of a Unix socket that the page server creates.
  case path(String)
  /// The descriptor of a listening socket that systemd opened.
  case inherited(CInt)
}

/// The HTTP server for browsers. It never listens on a network interface. If browsers on other
/// machines need access, another program on this machine must accept and encrypt their connections.
package struct PageServer {
  /// The port on which the server listens; 0 if the server does not listen on the loopback
  /// interface.
  package let port: Int
  private let host: String

  /// The maximum number of connections at the same time. A browser uses six connections for one
  /// page.
  private static let connections = 32
  /// The time after which a connection without a request ends, in seconds.
  private static let idleSeconds: Int64 = 30

  /// - Parameter makeHandler: a function that makes the handler of one connection. Its argument
  ///   contains the values of the header field `Host` that name this server.
  init(
    at address: LoopbackAddress, loop: any EventLoop, browser: OneBrowser?,
    makeHandler: @escaping @Sendable (_ hosts: [String]) -> any ChannelHandler
  ) throws {
    let shared = Shared()
    let channel = try Self.bind(.loopback(address), loop: loop, shared) {
      makeHandler(shared.hosts)
    }
    port = channel.localAddress?.port ?? address.port
    host = address.host
    let names = browser.map { [$0.name] } ?? ["127.0.0.1", "localhost"]
    shared.hosts = names.map { [port] in "\($0):\(port)" }
  }

  /// Makes a server whose handlers do not need the values of the field `Host` from the server.
  package init(
    at socket: PageSocket, loop: any EventLoop,
    makeHandler: @escaping @Sendable () -> any ChannelHandler
  ) throws {
    let channel = try Self.bind(socket, loop: loop, Shared(), makeHandler)
    port = channel.localAddress?.port ?? 0
    host = ""
  }

  private static func bind(
    _ socket: PageSocket, loop: any EventLoop, _ shared: Shared,
    _ makeHandler: @escaping @Sendable () -> any ChannelHandler
  ) throws -> any Channel {
    let bootstrap = ServerBootstrap(group: loop).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        guard shared.enter(atMost: Self.connections) else {
          throw ChannelError.operationUnsupported
        }
        channel.closeFuture.whenComplete { _ in shared.leave() }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
        try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(Self.idleSeconds)))
        try pipeline.addHandler(makeHandler())
      }
    }
    switch socket {
    case .loopback(let address):
      return try bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: address.host, port: address.port).wait()
    case .path(let path):
      return try bootstrap.bind(
        unixDomainSocketPath: path, cleanupExistingSocketFile: true
      ).wait()
    case .inherited(let descriptor):
      return try bootstrap.withBoundSocket(descriptor).wait()
    }
  }

  /// Returns the address that a person opens in the browser.
  func firstAddress(for browser: OneBrowser?) -> String {
    let host = browser.map { "\($0.name):\(port)" } ?? "\(host):\(port)"
    return "http://\(host)\(browser?.path ?? "/")"
  }

  /// The data that all connections share.
  private final class Shared: Sendable {
    private let state = Mutex((connections: 0, hosts: [String]()))

    /// The values of the header field `Host` that name this server.
    var hosts: [String] {
      get { state.withLock { $0.hosts } }
      set { state.withLock { $0.hosts = newValue } }
    }

    /// Counts a new connection. Returns false if there are already too many connections.
    func enter(atMost limit: Int) -> Bool {
      state.withLock { state in
        guard state.connections < limit else { return false }
        state.connections += 1
        return true
      }
    }

    func leave() { state.withLock { $0.connections -= 1 } }
  }
}
