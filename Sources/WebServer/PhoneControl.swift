import API
import Alarms
import CaretakerPages
import JSONValue
import Pages
import Pairing
import ScreenServer

/// Answers requests about phones. The requests come from the control sockets and from the pages on
/// a phone.
struct PhoneControl: Sendable {
  var registry: PhoneRegistry
  var feed: ChangeFeed
  /// The address that phones open.
  var address: String
  /// Asks the daemon whether this program may send requests for a user. Returns the refusal of the
  /// daemon; nil if the daemon permits it.
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

  /// Answers a request from a control socket.
  func answer(
    _ method: String, _ target: String, _ body: [UInt8], for manager: PhoneManager
  ) -> Reply {
    let segments = Array(target.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
    switch (method, segments) {
    case ("POST", ["invitations"]):
      let user = (try? JSON(parsing: body))?["user"]
      return answer(.invite(user: user.map { $0.string ?? "" }), for: manager)
    case ("GET", ["devices"]): return answer(.list, for: manager)
    case ("DELETE", let path) where path.count == 2 && path[0] == "devices":
      guard let number = DelegatedActor.device(String(path[1])) else {
        return Self.unknown(String(path[1].prefix(20)))
      }
      return answer(.revoke(number: number), for: manager)
    default: return .problem(.notFound, "cannot find \(method) \(target.prefix(200))")
    }
  }

  func answer(_ request: PhoneRequest, for manager: PhoneManager) -> Reply {
    switch request {
    case .list: list(manager)
    case .invite(let user): invite(user, manager)
    case .revoke(let number): remove(number, manager)
    }
  }

  private func invite(_ asked: String?, _ manager: PhoneManager) -> Reply {
    let user: String
    do throws(PhoneManager.Refusal) {
      user = try manager.userToInvite(asked)
    } catch {
      return Self.problem(error)
    }
    if let refusal = check(user) { return refusal }
    do throws(Invitations.Refusal) {
      let invitation = try registry.invite(user)
      let link = "\(address)\(PageRequest.pairPath)#\(invitation.secret)"
      let code = QRCode(link)
      return Reply(
        status: 201,
        body: .object([
          ("user", .string(user)), ("code", .string(invitation.code)),
          ("address", .string(address)), ("link", .string(link)),
          ("expires_seconds", .integer(Invitations.openSeconds)),
          ("qr", .string(code?.terminalText ?? "")),
          (
            "qr_rows",
            .array((code?.rows ?? []).map { .string($0.map { $0 ? "1" : "0" }.joined()) })
          ),
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

  private static func problem(_ refusal: PhoneManager.Refusal) -> Reply {
    switch refusal {
    case .noUser: .problem(.invalidField, field: "user", "it must be the name of a user")
    case .otherUser:
      .problem(.forbidden, "cannot make a code for another user: only an administrator may do this")
    case .phone:
      .problem(
        .forbidden,
        "cannot add a phone from a phone: use the pages of \"prompter open\", or ask an administrator"
      )
    }
  }

  private func list(_ manager: PhoneManager) -> Reply {
    let devices = registry.devices.filter(manager.manages).map { device in
      JSON.object(
        DeviceList.publicMembers(device)
          + (manager.isThis(device) ? [("this", .bool(true))] : []))
    }
    return Reply(
      status: 200,
      body: .object([
        ("devices", .array(devices)),
        ("manages", .string(manager.managesAll ? "all" : "own")),
        ("may_add", .bool(manager.mayAdd)),
      ]))
  }

  private func remove(_ number: Int, _ manager: PhoneManager) -> Reply {
    do throws(PhoneRegistry.FileTrouble) {
      // The reply is the same for an unknown phone and for a phone of another user. Therefore
      // nobody learns the numbers of other users' phones.
      guard let device = try registry.remove(number: number, if: manager.manages) else {
        return Self.unknown(String(number))
      }
      feed.close(device: number)
      return Reply(status: 200, body: .object(DeviceList.publicMembers(device)))
    } catch {
      return .problem(.storage, "\(error)")
    }
  }

  private static func unknown(_ number: String) -> Reply {
    .problem(.notFound, "cannot find a device with the number \(number)")
  }
}
