import API
import Alarms
import CaretakerPages
import JSONValue
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages
import Pairing
import ScreenServer

/// Serves the control socket, with which an administrator adds and removes devices.
///
/// The file permissions of the socket decide who may connect.
///
/// | Request | Reply |
/// |---|---|
/// | `POST /invitations` with `{"user": "sofia"}` | the code for a new device of this user |
/// | `GET /devices` | all devices |
/// | `DELETE /devices/3` | the removed device |
final class ControlHandler: PageReplying {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let control: PhoneControl
  private let pool: NIOThreadPool
  private var head: HTTPRequestHead?
  private var body: [UInt8] = []

  private static let bodyLimit = 4_096

  init(control: PhoneControl, pool: NIOThreadPool) {
    (self.control, self.pool) = (control, pool)
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
      let (control, body) = (control, body)
      let made = pool.runIfActive(eventLoop: context.eventLoop) {
        control.answer(head.method.rawValue, head.uri, body)
      }
      made.assumeIsolated().whenComplete { result in
        guard context.channel.isActive else { return }
        let reply = (try? result.get()) ?? .problem(.storage, "the program ends")
        self.reply(context, reply.status, [], "application/json", Array("\(reply.body)\n".utf8))
      }
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

/// Answers the requests of the control socket.
struct PhoneControl: Sendable {
  var registry: PhoneRegistry
  var feed: ChangeFeed
  /// The address that phones open.
  var address: String
  /// Asks the daemon whether this program may send requests for a user. Returns the refusal of the
  /// daemon; nil if it may.
  var check: @Sendable (_ user: String) -> Reply?

  struct Reply: Sendable, Hashable {
    var status: Int
    var body: JSON

    static func problem(
      _ kind: Alarms.Refusal.Kind, field: String? = nil, _ detail: String
    ) -> Reply {
      let problem = APIResponse.problem(Alarms.Refusal(kind, field: field, detail))
      return Reply(
        status: problem.status,
        body: .object(
          [("kind", .string(kind.rawValue)), ("detail", .string(detail))]
            + (field.map { [("field", .string($0))] } ?? [])))
    }
  }

  func answer(_ method: String, _ target: String, _ body: [UInt8]) -> Reply {
    let segments = target.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (method, Array(segments)) {
    case ("POST", ["invitations"]): return invite(body)
    case ("GET", ["devices"]): return list
    case ("DELETE", let path) where path.count == 2 && path[0] == "devices":
      return remove(String(path[1]))
    default: return .problem(.notFound, "cannot find \(method) \(target.prefix(200))")
    }
  }

  private func invite(_ body: [UInt8]) -> Reply {
    guard let user = (try? JSON(parsing: body))?["user"]?.string, !user.isEmpty,
      user.utf8.count <= 64, user.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      return .problem(.invalidField, field: "user", "it must be the name of a user")
    }
    if let refusal = check(user) { return refusal }
    do throws(Invitations.Refusal) {
      let invitation = try registry.invite(user)
      let link = "\(address)\(PageRequest.pairPath)#\(invitation.secret)"
      return Reply(
        status: 201,
        body: .object([
          ("user", .string(user)), ("code", .string(invitation.code)),
          ("address", .string(address)), ("link", .string(link)),
          ("expires_seconds", .integer(Invitations.openSeconds)),
          ("qr", .string(QRCode(link)?.terminalText ?? "")),
        ]))
    } catch {
      guard case .locked(let minutes) = error else {
        return .problem(.conflict, "cannot make a code: \(error)")
      }
      return .problem(
        .limit,
        "cannot make a code: there were \(Invitations.failuresPerHour) wrong codes in one hour, so "
          + "somebody may be guessing; try again in \(minutes) minutes")
    }
  }

  private var list: Reply {
    Reply(
      status: 200,
      body: .object([
        ("devices", .array(registry.devices.map { .object(DeviceList.publicMembers($0)) }))
      ]))
  }

  private func remove(_ text: String) -> Reply {
    do throws(PhoneRegistry.FileTrouble) {
      guard let number = DelegatedActor.device(text),
        let device = try registry.remove(number: number)
      else {
        return .problem(.notFound, "cannot find a device with the number \(text.prefix(20))")
      }
      feed.close(device: number)
      return Reply(status: 200, body: .object(DeviceList.publicMembers(device)))
    } catch {
      return .problem(.storage, "\(error)")
    }
  }
}
