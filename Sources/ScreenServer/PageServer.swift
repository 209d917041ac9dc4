import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The HTTP server for the browser. It listens on the loopback interface only.
struct PageServer {
  /// The address with the real port.
  var address: LoopbackAddress

  /// The most connections at once. A browser uses six for one page.
  private static let connections = 32
  /// The time after which a connection without a request ends, in seconds.
  private static let idleSeconds: Int64 = 30

  /// - Parameter makeHandler: a function that makes the handler of one connection from the values of
  ///   the field `Host` that name this server.
  init(
    at address: LoopbackAddress, loop: any EventLoop, browser: OneBrowser?,
    makeHandler: @escaping @Sendable (_ hosts: [String]) -> any ChannelHandler
  ) throws {
    let shared = Shared()
    let channel = try ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard shared.enter(atMost: Self.connections) else {
            throw ChannelError.operationUnsupported
          }
          channel.closeFuture.whenComplete { _ in shared.leave() }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(IdleStateHandler(allTimeout: .seconds(Self.idleSeconds)))
          try pipeline.addHandler(makeHandler(shared.hosts))
        }
      }
      .bind(host: address.host, port: address.port).wait()
    let port = channel.localAddress?.port ?? address.port
    self.address = LoopbackAddress(host: address.host, port: port)
    let names = browser.map { [$0.name] } ?? ["127.0.0.1", "localhost"]
    shared.hosts = names.map { "\($0):\(port)" }
  }

  /// The address that a person opens.
  func firstAddress(for browser: OneBrowser?) -> String {
    let host = browser.map { "\($0.name):\(address.port)" } ?? "\(address)"
    return "http://\(host)\(browser?.path ?? "/")"
  }

  /// What all connections share.
  private final class Shared: Sendable {
    private let state = Mutex((connections: 0, hosts: [String]()))

    /// The values of the field `Host` that name this server.
    var hosts: [String] {
      get { state.withLock { $0.hosts } }
      set { state.withLock { $0.hosts = newValue } }
    }

    /// Counts a connection; false if there are too many.
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
