import API
import CaretakerPages
import ClientKit
import JSONValue

/// The sockets of prompter-web, as `prompter open` uses them.
package struct PhoneSockets: Sendable {
  /// The socket for administrators, and the one for the phones of a user.
  private var sockets: [String]
  private var address: @Sendable (_ socket: String) -> HomeAddress

  /// The time without data after which a request fails, in seconds. prompter-web asks the daemon
  /// before it makes a code.
  private static let timeoutSeconds: Int64 = 20

  /// - Parameters:
  ///   - control: the path of the socket for administrators. The other socket is in the same
  ///     directory.
  ///   - address: returns the address of a socket.
  package init(
    control: String, address: @escaping @Sendable (_ socket: String) -> HomeAddress
  ) {
    let folder = control.lastIndex(of: "/").map { String(control[...$0]) } ?? ""
    sockets = [control, folder + "own.sock"]
    self.address = address
  }

  /// Sends a request as an administrator. If this user may not do this, it sends the request for
  /// the user's own phones.
  ///
  /// - Throws: `HomeTrouble.unreachable` if neither socket can be reached.
  package func send(_ asked: PhoneRequest) throws(HomeTrouble) -> HomeReply {
    var why = ""
    for socket in sockets {
      let place = address(socket)
      do {
        // A reply, also a refusal, ends the search: the request was carried out or refused.
        let reply = try Client(address: place).exchange(Self.request(asked))
        return HomeReply(status: reply.status, body: reply.body)
      } catch let failure as Failure {
        why = Self.sentence(place, failure.sentence)
      } catch {
        why = Self.sentence(place, "\(error)")
      }
    }
    throw .unreachable(why)
  }

  /// The reason in words. The one for a socket of this machine would name the daemon, which is
  /// another program.
  private static func sentence(_ address: HomeAddress, _ why: String) -> String {
    guard case .here(let socket) = address else { return why }
    return "cannot reach prompter-web at \(socket): it is not installed, or it does not run"
  }

  private static func request(_ asked: PhoneRequest) -> Request {
    var request: Request
    switch asked {
    case .list: request = Request(method: "GET", target: "/devices", headers: [], body: [])
    case .invite(let user):
      let body = JSON.object(user.map { [("user", .string($0))] } ?? [])
      request = Request(
        method: "POST", target: "/invitations", headers: [("Content-Type", "application/json")],
        body: Array(body.description.utf8))
    case .revoke(let number):
      request = Request(
        method: "DELETE", target: "/devices/\(number)", headers: [], body: [])
    }
    request.timeoutSeconds = timeoutSeconds
    return request
  }
}
