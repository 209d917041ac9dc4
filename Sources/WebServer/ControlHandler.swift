import Alarms
import NIOCore
import NIOHTTP1
import NIOPosix
import Pairing
import Platform
import ScreenServer

/// Serves a control socket, through which people add and remove devices.
///
/// | Request | Reply |
/// |---|---|
/// | `POST /invitations` with `{"user": "sofia"}` | the code for a new device of this user |
/// | `GET /devices` | the devices that the sender manages |
/// | `DELETE /devices/3` | the removed device |
final class ControlHandler: PageReplying {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The rights of a program that connects.
  enum Rights: Sendable {
    /// All rights. The file permissions of the socket permit only administrators to connect.
    case administrator
    /// The right to manage the devices of the user who runs the program. The kernel names this
    /// user. Every user may connect.
    case ownDevices
  }

  private let control: PhoneControl
  private let rights: Rights
  private let pool: NIOThreadPool
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  private static let bodyLimit = 4_096

  init(control: PhoneControl, rights: Rights, pool: NIOThreadPool) {
    (self.control, self.rights, self.pool) = (control, rights, pool)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = []
    case .body(let part):
      guard body.count + part.readableBytes <= Self.bodyLimit else {
        return context.close(promise: nil)
      }
      body += part.readableBytesView
    case .end:
      guard let head else { return }
      let (control, rights, body) = (control, rights, body)
      let uid = PeerUser.uid(context.channel)
      let made = pool.runIfActive(eventLoop: context.eventLoop) {
        guard let manager = Self.manager(rights, uid) else {
          return PhoneControl.Reply.problem(.forbidden, "cannot find the user of this connection")
        }
        return control.answer(head.method.rawValue, head.uri, body, for: manager)
      }
      made.assumeIsolated().whenComplete { result in
        guard context.channel.isActive else { return }
        let reply = (try? result.get()) ?? .problem(.storage, "the program ends")
        self.reply(context, reply.status, [], "application/json", Array("\(reply.body)\n".utf8))
      }
    }
  }

  private static func manager(_ rights: Rights, _ uid: UInt32?) -> PhoneManager? {
    switch rights {
    case .administrator: .administrator
    case .ownDevices: uid.flatMap(Account.name).map { .user($0) }
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
