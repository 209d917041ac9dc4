import NIOCore
import NIOHTTP1
import NIOPosix

/// A server that replies to each request with one line. Like the daemon, the server uses one event
/// loop.
enum Hello {
  static func serve(_ path: String) throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(Answer())
        }
      }
      .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).wait()
    try server.closeFuture.wait()
  }

  private final class Answer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .end = unwrapInboundIn(data) else { return }
      let body = ByteBuffer(string: "hello\n")
      let head = HTTPResponseHead(
        version: .http1_1, status: .ok,
        headers: ["content-type": "text/plain", "content-length": "\(body.readableBytes)"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
}
