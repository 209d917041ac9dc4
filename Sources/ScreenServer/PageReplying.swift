import NIOCore
import NIOHTTP1

/// A handler that writes replies to one connection of a browser.
package protocol PageReplying: ChannelInboundHandler where OutboundOut == HTTPServerResponsePart {}

extension PageReplying {
  /// Sends a whole reply.
  package func reply(
    _ context: ChannelHandlerContext, _ status: Int, _ fields: [(name: String, value: String)],
    _ type: String, _ bytes: [UInt8]
  ) {
    var headers = HTTPHeaders(fields.map { ($0.name, $0.value) })
    if status != 204 {
      headers.add(name: "content-type", value: type)
      headers.add(name: "content-length", value: String(bytes.count))
    }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !bytes.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }

  /// Sends the header of a stream. Each line of the stream is a JSON document.
  package func beginStream(
    _ context: ChannelHandlerContext, _ fields: [(name: String, value: String)]
  ) {
    var headers = HTTPHeaders(fields.map { ($0.name, $0.value) })
    headers.add(name: "content-type", value: "application/x-ndjson")
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
  }

  /// Returns a function that sends a line of the stream. Any thread can call the returned function.
  ///
  /// If the browser does not read the lines, the returned function ends the connection. The page
  /// detects the end and connects again.
  package func lineWriter(_ context: ChannelHandlerContext) -> @Sendable (_ line: String) -> Void {
    let (loop, channel) = (context.eventLoop, context.channel)
    return { line in
      loop.execute {
        guard channel.isActive else { return }
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(
          HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: line))), promise: nil)
      }
    }
  }
}
