import CivilTime
import JSONValue

/// The state of the home that each page needs.
public struct Household: Sendable {
  /// A person of the home.
  public struct Resident: Sendable, Hashable {
    public var id: String
    /// The name, or the id if the person has no name.
    public var name: String
  }

  /// The time of the daemon when it sent its status.
  public var now: Instant
  /// The zone of the home.
  public var zone: Zone
  public var people: [Resident]
  /// The problems that the daemon reports, one sentence each.
  public var problems: [String]
  /// True if the user of the page may see the study.
  public var isResearcher: Bool

  /// Reads the replies of the daemon.
  ///
  /// - Parameters:
  ///   - status: the reply to `GET /v1/status`.
  ///   - people: the reply to `GET /v1/people`.
  init(status: JSON, people: JSON, zone: (String) -> Zone?) throws(HomeTrouble) {
    guard let text = status["clock"]?["utc"]?.string, let now = try? Instant(parsing: text) else {
      throw .unreadable(field: "clock")
    }
    guard let name = status["zone"]?.string, let found = zone(name) else {
      throw .unreadable(field: "zone")
    }
    (self.now, self.zone) = (now, found)
    problems = (status["problems"]?.array ?? []).compactMap { $0["detail"]?.string }
    let you = status["you"]
    let roles = (you?["roles"]?.array ?? []).compactMap(\.string) + [you?["role"]?.string ?? ""]
    isResearcher = roles.contains("researcher") || roles.contains("admin")
    self.people = (people["people"]?.array ?? []).compactMap { person in
      guard let id = person["id"]?.string else { return nil }
      let name = person["name"]?.string ?? ""
      return Resident(id: id, name: name.isEmpty ? id : name)
    }
  }

  /// The local time at home.
  public var local: CivilDateTime { zone.civil(at: now).dateTime }

  public var today: CivilDate { local.date }

  /// Returns the name of a person. If the home does not know the person, the function returns the
  /// id.
  public func name(of person: String) -> String {
    people.first { $0.id == person }?.name ?? person
  }

  /// Returns the local time of an instant in a reply of the daemon. The result is nil if the text
  /// is not an instant.
  func local(_ utc: String?) -> CivilDateTime? {
    utc.flatMap { try? Instant(parsing: $0) }.map { zone.civil(at: $0).dateTime }
  }
}
