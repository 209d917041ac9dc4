import API
import NIOCore

/// Writes a refusal to a connection and closes the connection. The handler does not read the
/// request, so the connection needs no HTTP parser and no other handler.
///
/// The handler discards bytes from the peer until the peer closes the connection or the deadline
/// has passed. If the server closed a connection with unread bytes, the kernel could discard the
/// refusal before the peer reads it.
final class RejectHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let response: APIResponse
  private let seconds: Double
  private let deadline: Deadline

  init(_ response: APIResponse, seconds: Double, loop: any EventLoop) {
    self.response = response
    deadline = Deadline(loop)
    self.seconds = seconds
  }

  func channelActive(context: ChannelHandlerContext) {
    deadline.arm(seconds) { context.close(promise: nil) }
    let promise = context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.assumeIsolated().whenSuccess {
      context.close(mode: .output, promise: nil)
    }
    context.writeAndFlush(wrapOutboundOut(response.plainBytes), promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline.disarm()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed, is ChannelShouldQuiesceEvent: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// Tells the connection that bytes have arrived, before the parser reads these bytes.
///
/// The connection needs this handler, because the time limit for the head of a request starts at
/// the first byte of the head.
final class ByteWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireUserInboundEventTriggered(Connection.BytesCame())
    context.fireChannelRead(data)
  }
}
