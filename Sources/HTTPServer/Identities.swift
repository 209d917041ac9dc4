import Alarms
import Glibc

/// Maps users and groups to roles.
///
/// The decision uses the uid and groups that the kernel reports for a peer, never its pid. A pid
/// can belong to another process by the time it is looked up (CVE-2013-4288, CVE-2018-1116,
/// CVE-2019-6133).
public struct Identities: Sendable, Hashable {
  private let admins: Set<UInt32>
  private let users: [UInt32: Set<Role>]
  private let groups: [UInt32: Set<Role>]
  private let people: [UInt32: String]

  /// - Parameters:
  ///   - admins: uids that may do everything.
  ///   - users: the roles of a uid.
  ///   - groups: the roles of each member of a group, by gid.
  ///   - people: the only person whose data a uid sees as a patient. An entry makes the uid a
  ///     patient.
  ///   - alwaysAdmin: uids that are admins even if the settings do not say so. Root and the user of
  ///     the daemon can read the files of the record anyway; to refuse them would only hide a wrong
  ///     setting.
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

  /// All roles, the most powerful first.
  ///
  /// A role that can do more harm is trusted more.
  static let strongestFirst: [Role] = [.admin, .caretaker, .researcher, .patient, .monitor]

  /// All roles of a peer, strongest first: admin, caretaker, researcher, patient, monitor.
  ///
  /// A user with several roles, from their own entries or from their groups, has the rights of all.
  /// A daughter who is caretaker and researcher acts in the first of her roles that a route allows.
  /// The role `system` is the daemon itself. No peer gets it here, even if the settings say so.
  public func roles(uid: UInt32, groups peerGroups: [UInt32]) -> [Role] {
    var found = users[uid, default: []]
    for gid in peerGroups { found.formUnion(groups[gid, default: []]) }
    if people[uid] != nil { found.insert(.patient) }
    if admins.contains(uid) { found.insert(.admin) }
    return Self.strongestFirst.filter(found.contains)
  }

  /// The strongest role of a peer; nil if it has none, and then it gets nothing.
  public func role(uid: UInt32, groups peerGroups: [UInt32]) -> Role? {
    roles(uid: uid, groups: peerGroups).first
  }

  /// The only person whose data a uid sees as a patient; nil for all people.
  public func person(uid: UInt32) -> String? { people[uid] }

  /// All people to whom a uid is tied.
  public var configuredPeople: Set<String> { Set(people.values) }
}
