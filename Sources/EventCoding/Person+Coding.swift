import Alarms
import CivilTime
import JSONValue

// The stored form of a person. The hash chain covers the payload. Prompter can erase the content.

extension Person {
  /// All fields of the person except the fields of `content`.
  func payload(pseudonym: String) -> JSON {
    var members: [(String, JSON)] = [
      ("person", .string(pseudonym)), ("version", .integer(Int64(version))),
      ("language", .optional(language)), ("zone", .optional(zoneName)),
      ("rings_per_hour", .optional(ringsPerHour)),
    ]
    if let quiet {
      members.append(("quiet_hours", .string(quiet.hours.text)))
      members.append(("quiet_policy", .string(quiet.policy.rawValue)))
    }
    if let inactivity { members += inactivity.payloadMembers }
    return .object(members)
  }

  /// The fields of the person that Prompter can erase: the name of the person, the name of the
  /// tone, the names of the contacts that the daemon notifies about inactivity, and the digest of
  /// the reward picture.
  var content: JSON {
    var members: [(String, JSON)] = [("name", .string(name)), ("tone", .optional(tone))]
    if let inactivity {
      members.append(
        ("inactivity_tell", .array(inactivity.notifySteps.map { .string($0.contact) })))
    }
    if let rewardImage { members.append(("reward_image", .string(rewardImage))) }
    return .object(members)
  }

  /// Reads a person from the values of `payload` and `content`. In the result, an erased text is
  /// empty.
  public init(
    payload: JSON, content: JSON?, person: (String) -> PersonID
  ) throws(EventCodingError) {
    let members = StoredMembers(payload)
    var quiet: QuietRule?
    if let text = payload["quiet_hours"]?.string {
      do {
        quiet = QuietRule(
          hours: try QuietHours(parsing: text), policy: try members.choice("quiet_policy"))
      } catch let error as Refusal {
        throw EventCodingError("cannot read a stored person: \(error)")
      } catch let error as EventCodingError {
        throw error
      } catch {
        throw EventCodingError("cannot read a stored person: \(error)")
      }
    }
    self.init(
      id: person(try members.string("person")), version: try members.int("version"),
      name: content?["name"]?.string ?? "", language: payload["language"]?.string,
      zoneName: payload["zone"]?.string, tone: content?["tone"]?.string, quiet: quiet,
      ringsPerHour: payload["rings_per_hour"]?.integer.map { Int($0) },
      inactivity: try InactivityRule.stored(payload: payload, content: content),
      rewardImage: content?["reward_image"]?.string)
  }
}

extension StudyPhase {
  /// The stored form of a study phase, as JSON.
  var stored: JSON {
    .object([
      ("kind", .string(kind.rawValue)), ("from_ms", .integer(from.milliseconds)),
      ("to_ms", to.map { .integer($0.milliseconds) } ?? .null),
    ])
  }

  init(stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    self.init(
      kind: try members.choice("kind"),
      from: Instant(milliseconds: try members.integer("from_ms")),
      to: json["to_ms"]?.integer.map(Instant.init(milliseconds:)))
  }
}

extension PersonPause {
  /// The JSON members of a pause of a person.
  var members: [(String, JSON)] {
    [("until_ms", until.map { .integer($0.milliseconds) } ?? .null)]
  }

  init(stored json: JSON) throws(EventCodingError) {
    guard let until = json["until_ms"] else {
      throw EventCodingError("cannot read a stored pause: it has no until_ms")
    }
    if until == .null {
      self.init()
    } else {
      self.init(
        until: Instant(milliseconds: try StoredMembers(json).integer("until_ms")))
    }
  }
}

extension PersonState {
  /// The stored form of a person's state: phases, pause, enrolments, reward and inactivity. It does
  /// not contain the settings of the person (`Person`).
  public var stored: JSON {
    var members: [(String, JSON)] = [("phases", .array(phases.map(\.stored)))]
    if let pause { members.append(("pause", .object(pause.members))) }
    if !enrolments.isEmpty { members.append(("enrolments", .array(enrolments.map(\.stored)))) }
    if let rewardedOn { members.append(("rewarded_on", .string(rewardedOn.description))) }
    if let inactivity { members.append(("silence", .object(inactivity.members))) }
    if let endedInactivity { members.append(("ended_silence", endedInactivity.stored)) }
    return .object(members)
  }

  /// Reads the JSON that the property `stored` returns.
  public init(id: PersonID, person: Person?, stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    var phases: [StudyPhase] = []
    for phase in try members.array("phases") { phases.append(try StudyPhase(stored: phase)) }
    self.init(
      id: id, person: person, phases: phases,
      pause: try json["pause"].map { (json) throws(EventCodingError) in
        try PersonPause(stored: json)
      },
      enrolments: try (json["enrolments"]?.array ?? []).map { (json) throws(EventCodingError) in
        try Enrolment(stored: json)
      },
      rewardedOn: json["rewarded_on"]?.string.flatMap { try? CivilDate(parsing: $0) },
      inactivity: try json["silence"].map { (json) throws(EventCodingError) in
        try Inactivity(stored: json)
      },
      endedInactivity: try json["ended_silence"].map { (json) throws(EventCodingError) in
        try EndedInactivity(stored: json)
      })
  }
}

extension Suppression {
  var members: [(String, JSON)] {
    [
      ("why", .string(reason.rawValue)), ("until_ms", .integer(until.milliseconds)),
      ("since_ms", .integer(since.milliseconds)), ("ring", .integer(Int64(ring))),
    ]
  }

  init(_ members: StoredMembers) throws(EventCodingError) {
    self.init(
      until: Instant(milliseconds: try members.integer("until_ms")),
      since: Instant(milliseconds: try members.integer("since_ms")),
      ring: try members.int("ring"), reason: try members.choice("why"))
  }
}
