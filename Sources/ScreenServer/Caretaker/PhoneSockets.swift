import API
import CaretakerPages
import ClientKit
import JSONValue

/// The sockets of prompter-web that `prompter open` uses.
package struct PhoneSockets: Sendable {
  /// The addresses of two sockets: the socket for administrators, and the socket for a user's own
  /// phones.
  private var sockets: [String]
  private var address: @Sendable (_ socket: String) -> HomeAddress

  /// The time without data after which a request fails, in seconds. Before prompter-web makes a
  /// code, it asks the daemon for permission, which takes some time.
  private static let timeoutSeconds: Int64 = 20

  /// - Parameters:
  ///   - control: the path of the socket for administrators. The socket for a user's own phones is
  ///     in the same directory.
  ///   - address: a function that returns the address of a socket.
  package init(
    control: String, address: @escaping @Sendable (_ socket: String) -> HomeAddress
  ) {
    let folder = control.lastIndex(of: "/").map { String(control[...$0]) } ?? ""
    sockets = [control, folder + "own.sock"]
    self.address = address
  }

  /// Sends a request to the socket for administrators. If this fails, for example because the user
  /// may not use this socket, sends the request to the socket for the user's own phones.
  ///
  /// - Throws: `HomeTrouble.unreachable` if neither socket can be reached.
  package func send(_ asked: PhoneRequest) throws(HomeTrouble) -> HomeReply {
    var why = ""
    for socket in sockets {
      let place = address(socket)
      do {
        // After any reply, do not try the other socket, because prompter-web has carried out or
        // refused the request.
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

  /// Returns a sentence with the reason why a socket cannot be reached. For a socket of this
  /// machine, `why` names the daemon, but this socket belongs to prompter-web.
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
