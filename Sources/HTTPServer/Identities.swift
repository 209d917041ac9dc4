import Alarms
import Glibc

/// Maps users and groups to roles.
///
/// The roles of a peer depend only on the uid and the groups that the kernel reports for this peer.
/// They never depend on the process id of the peer. The process of the peer can end before the
/// check, and the kernel can then assign the same process id to a different process (CVE-2013-4288,
/// CVE-2018-1116, CVE-2019-6133).
public struct Identities: Sendable, Hashable {
  private let admins: Set<UInt32>
  private let users: [UInt32: Set<Role>]
  private let groups: [UInt32: Set<Role>]
  private let people: [UInt32: String]
  private let delegates: [UInt32: [String: Delegate.Account]]

  /// - Parameters:
  ///   - admins: the uids of the users with the role admin.
  ///   - users: the roles of each user, by uid.
  ///   - groups: the roles of each member of a group, by gid.
  ///   - people: the only person whose data a patient may see. The key is the uid of the patient.
  ///     Each user in this dictionary has the role patient.
  ///   - delegates: the programs that send requests for other users. The key is the uid of the
  ///     program. The value contains these users by name. A program in this dictionary has no role.
  ///   - alwaysAdmin: the uids of users who have the role admin even without an entry in the
  ///     settings. The default is root and the user of the daemon. These two users can read the
  ///     files of the record directly, so a refusal of their requests would protect nothing.
  public init(
    admins: Set<UInt32>, users: [UInt32: Set<Role>], groups: [UInt32: Set<Role>],
    people: [UInt32: String] = [:], delegates: [UInt32: [String: Delegate.Account]] = [:],
    alwaysAdmin: Set<UInt32> = [0, geteuid()]
  ) {
    self.admins = admins.union(alwaysAdmin)
    self.users = users
    self.groups = groups
    self.people = people
    self.delegates = delegates
  }

  /// All roles that a peer can have.
  ///
  /// The first role has the most rights, and the last role has the fewest rights.
  static let strongestFirst: [Role] = [
    .admin, .caretaker, .researcher, .analyst, .patient, .monitor, .courier,
  ]

  /// Returns all roles of a peer, in the order of `strongestFirst`.
  ///
  /// A user has the roles that the settings give to the user or to a group of the user. A user with
  /// several roles has the rights of all these roles. Example: the daughter of a patient has the
  /// roles caretaker and researcher. For each request, the server uses the first of her roles that
  /// the route permits. Only the daemon has the role `system`. The settings cannot give the role
  /// `system` to a peer.
  public func roles(uid: UInt32, groups peerGroups: [UInt32]) -> [Role] {
    var found = users[uid, default: []]
    for gid in peerGroups { found.formUnion(groups[gid, default: []]) }
    if people[uid] != nil { found.insert(.patient) }
    if admins.contains(uid) { found.insert(.admin) }
    // A request of a delegate has the roles of the user for whom the delegate sends the request.
    if delegates[uid] != nil { found = [] }
    return Self.strongestFirst.filter(found.contains)
  }

  /// Returns that role of a peer that has the most rights; nil if the peer has no role. A peer
  /// without a role has no rights.
  public func role(uid: UInt32, groups peerGroups: [UInt32]) -> Role? {
    roles(uid: uid, groups: peerGroups).first
  }

  /// Returns the only person whose data a user may see in the role `patient`; nil if the settings
  /// do not restrict the user to one person.
  public func person(uid: UInt32) -> String? { people[uid] }

  /// Returns the users for whom a program may send requests; nil if the program is not a delegate.
  public func delegate(uid: UInt32) -> Delegate? {
    delegates[uid].map { accounts in
      Delegate(
        people: accounts.mapValues { account in
          let roles = roles(uid: account.uid, groups: account.groups)
          return Delegate.Person(
            uid: account.uid, roles: roles.filter(Delegate.permittedRoles.contains))
        })
    }
  }

  /// All people to whose data the settings restrict a patient.
  public var configuredPeople: Set<String> { Set(people.values) }
}
