import TOMLKit

extension Settings {
  /// Reads, for each person, the users who may see only the data of this person. Example:
  ///
  /// ```toml
  /// [patients]
  /// anna = ["anna-tablet"]
  /// ```
  ///
  /// The list must not contain groups. If a user were a member of the groups of two patients, it
  /// would be unclear which patient's data the user may see.
  mutating func readPatients(
    _ table: TOMLTable, _ path: String
  ) throws(SettingsError) -> [UInt32: String] {
    var people: [UInt32: String] = [:]
    for person in table.keys {
      for name in try Self.strings(table, person, path) ?? [] {
        if name.hasPrefix("@") {
          throw SettingsError(
            path, "\"patients.\(person)\": \"\(name)\" is a group; list users here", key: person,
            in: "patients")
        }
        guard let uid = Self.uid(name) else {
          unknownNames.append("there is no user \"\(name)\" on this machine")
          continue
        }
        if let other = people[uid], other != person {
          throw SettingsError(
            path,
            "\"patients.\(person)\": \"\(name)\" already belongs to \"\(other)\"; a user has only "
              + "one person",
            key: person, in: "patients")
        }
        people[uid] = person
      }
    }
    return people
  }
}
