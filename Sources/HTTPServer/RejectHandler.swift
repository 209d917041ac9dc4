import API
import NIOCore

/// Refuses a connection without a parser or other costly parts.
///
/// Bytes from the peer are discarded until it closes or its time is over. Closing with unread bytes
/// would break the pipe of a peer that has not read the refusal yet.
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

/// Reports that bytes have arrived, before the parser reads them.
///
/// A head that has begun has a deadline; an idle connection has a longer deadline.
final class ByteWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireUserInboundEventTriggered(Connection.BytesCame())
    context.fireChannelRead(data)
  }
}
