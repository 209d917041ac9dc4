import API
import Alarms

/// A program that sends requests for other users of this machine.
///
/// An example is the server of the caretaker's pages for phones. The daemon accepts the name in the
/// header field `Prompter-For` only under two conditions: the uid of the peer is the uid of a
/// delegate, and the settings permit this delegate to send requests for the user with this name. A
/// delegate without this header field has no role.
public struct Delegate: Sendable, Hashable {
  /// A user for whom a delegate may send requests.
  public struct Account: Sendable, Hashable {
    public var uid: UInt32
    /// The primary group and the supplementary groups of the user.
    public var groups: [UInt32]

    public init(uid: UInt32, groups: [UInt32]) { (self.uid, self.groups) = (uid, groups) }
  }

  /// A user, and the roles that the user has through the delegate.
  struct Person: Sendable, Hashable {
    var uid: UInt32
    /// The roles of the user. The role with the most rights is the first.
    var roles: [Role]
  }

  /// The users for whom the delegate may send requests. The key is the name of the user.
  var people: [String: Person]

  /// The roles that a user can have through a delegate. Through a delegate, even an admin has only
  /// these roles, so that a fault in the pages cannot erase data or change roles.
  static let permittedRoles: Set<Role> = [.caretaker, .researcher]

  /// All roles that at least one of the users has. The limits of a connection depend on these
  /// roles, because the server does not know the user before the first request.
  var allRoles: [Role] {
    let all = people.values.reduce(into: Set()) { $0.formUnion($1.roles) }
    return Identities.strongestFirst.filter(all.contains)
  }
}

/// The sender of one request: a user of this machine, or a user for whom a delegate sends the
/// request.
struct Asker: Sendable, Hashable {
  /// The id of the sender, as the record stores it.
  var id: String
  /// The roles of the sender. The role with the most rights is the first. The list is empty if the
  /// sender has no role.
  var roles: [Role]
}

extension Admission {
  /// Identifies the sender of a request.
  ///
  /// - Throws: the refusal if the settings do not permit the peer to send requests for the user in
  ///   the header field.
  func asker(_ head: Head) throws(Refusal) -> Asker {
    let name = Self.only(APIRequest.forHeader, head)
    guard let delegate else {
      guard name == nil else {
        throw Refusal(
          .forbidden,
          "cannot act for another user: uid \(peer.uid) is not in the section \"delegates\" of the "
            + "configuration")
      }
      return Asker(id: "uid:\(peer.uid)", roles: roles)
    }
    guard let name else { return Asker(id: "uid:\(peer.uid)", roles: []) }
    guard let person = delegate.people[name], !person.roles.isEmpty else {
      throw Refusal(
        .forbidden,
        "cannot act for this user: the configuration does not permit the user to uid \(peer.uid), "
          + "or the user has neither the role caretaker nor the role researcher")
    }
    let text = Self.only(APIRequest.deviceHeader, head)
    let device = text.flatMap(DelegatedActor.device)
    guard text == nil || device != nil else {
      throw Refusal(
        .forbidden,
        "cannot act for a user: \(APIRequest.deviceHeader) must be a whole number from 1 to "
          + "\(DelegatedActor.deviceLimit)")
    }
    let actor = DelegatedActor(uid: person.uid, via: peer.uid, device: device)
    return Asker(id: actor.id, roles: person.roles)
  }

  /// Returns the value of a header field. If the header field occurs several times, the value is a
  /// list, which is not a valid name or number.
  private static func only(_ name: String, _ head: Head) -> String? {
    let values = head.fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
