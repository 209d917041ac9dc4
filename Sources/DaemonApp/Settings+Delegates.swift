import Glibc
import HTTPServer
import TOMLKit

extension Settings {
  /// Reads the delegates. A delegate is a program that sends requests for the listed users.
  /// Example:
  ///
  /// ```toml
  /// [delegates.prompter-web]
  /// people = ["sofia", "ben"]
  /// ```
  ///
  /// The section `roles` contains the roles of these users.
  ///
  /// - Parameter admins: the uids of users who have the role admin. These users cannot be
  ///   delegates, because a delegate must not have a role.
  mutating func readDelegates(
    _ table: TOMLTable, admins: Set<UInt32>, _ path: String
  ) throws(SettingsError) -> [UInt32: [String: Delegate.Account]] {
    var found: [UInt32: [String: Delegate.Account]] = [:]
    for delegate in table.keys {
      guard let section = table[delegate]?.table else {
        throw SettingsError(
          path, "\"delegates.\(delegate)\" must be a table", key: delegate, in: "delegates")
      }
      for key in section.keys where key != "people" {
        throw SettingsError(
          path, "\"delegates.\(delegate).\(key)\" is not a key; the only key is: people",
          key: key, in: "delegates.\(delegate)")
      }
      guard let uid = Self.uid(delegate) else {
        unknownNames.append("there is no user \"\(delegate)\" on this machine")
        continue
      }
      guard uid != 0, uid != geteuid(), !admins.contains(uid) else {
        throw SettingsError(
          path,
          "\"delegates.\(delegate)\": this user is an admin; use a user who has no role of its own",
          key: delegate, in: "delegates")
      }
      found[uid] = try accounts(section, delegate, path)
    }
    return found
  }

  private mutating func accounts(
    _ section: TOMLTable, _ delegate: String, _ path: String
  ) throws(SettingsError) -> [String: Delegate.Account] {
    var accounts: [String: Delegate.Account] = [:]
    for name in try Self.strings(section, "people", path) ?? [] {
      if name.hasPrefix("@") {
        throw SettingsError(
          path, "\"delegates.\(delegate).people\": \"\(name)\" is a group; list users here",
          key: "people", in: "delegates.\(delegate)")
      }
      guard let entry = getpwnam(name) else {
        unknownNames.append("there is no user \"\(name)\" on this machine")
        continue
      }
      let (uid, gid) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
      accounts[name] = Delegate.Account(uid: uid, groups: Self.groups(of: name, primary: gid))
    }
    return accounts
  }

  /// Returns the groups that a new session of a user would have.
  private static func groups(of name: String, primary: gid_t) -> [UInt32] {
    var count: CInt = 64
    while true {
      var list = [gid_t](repeating: 0, count: Int(count))
      // If the list is too short, the function writes the required size into `count`.
      if getgrouplist(name, primary, &list, &count) >= 0 { return Array(list.prefix(Int(count))) }
    }
  }
}
