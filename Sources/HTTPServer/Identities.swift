import Alarms
import Glibc

/// Who has which role, by uid or by group.
///
/// Decided on what the kernel says of a peer's uid and groups, never on its pid: a pid can belong to
/// somebody else by the time it is looked up (CVE-2013-4288, CVE-2018-1116, CVE-2019-6133).
public struct Identities: Sendable, Hashable {
  private let admins: Set<UInt32>
  private let users: [UInt32: Set<Role>]
  private let groups: [UInt32: Set<Role>]
  private let people: [UInt32: String]

  /// - Parameters:
  ///   - admins: uids that may do everything.
  ///   - users: the roles of a uid.
  ///   - groups: the roles of each member of a group, by gid.
  ///   - people: whose things alone a uid sees as a patient, which it is by standing here.
  ///   - alwaysAdmin: uids that are admins whatever the settings say. Root and the daemon's own user
  ///     can read the record's files anyway; shutting them out would only hide a wrong setting.
  public init(
    admins: Set<UInt32>, users: [UInt32: Set<Role>], groups: [UInt32: Set<Role>],
    people: [UInt32: String] = [:],
    alwaysAdmin: Set<UInt32> = [0, geteuid()]
  ) {
    self.admins = admins.union(alwaysAdmin)
    self.users = users
    self.groups = groups
    self.people = people
  }

  /// From the one that may do most harm, and so is trusted most, to the one that may do least.
  static let strongestFirst: [Role] = [.admin, .caretaker, .researcher, .patient, .monitor]

  /// All roles of a peer, strongest first: admin, caretaker, researcher, patient, monitor.
  ///
  /// A user who has several roles, from their own entries or from those of their groups, has the rights of all.
  /// A daughter who is caretaker and researcher in one acts in the first of her roles that a route
  /// allows. `system` is the daemon itself and is nobody's role here, even if the settings say so.
  public func roles(uid: UInt32, groups peerGroups: [UInt32]) -> [Role] {
    var found = users[uid, default: []]
    for gid in peerGroups { found.formUnion(groups[gid, default: []]) }
    if people[uid] != nil { found.insert(.patient) }
    if admins.contains(uid) { found.insert(.admin) }
    return Self.strongestFirst.filter(found.contains)
  }

  /// The strongest role of a peer; nil for one that has none, who gets nothing.
  public func role(uid: UInt32, groups peerGroups: [UInt32]) -> Role? {
    roles(uid: uid, groups: peerGroups).first
  }

  /// The person whose things alone a uid sees where it acts as a patient; nil for everybody's.
  public func person(uid: UInt32) -> String? { people[uid] }

  /// Everybody to whom a uid is tied.
  public var tiedPeople: Set<String> { Set(people.values) }
}
