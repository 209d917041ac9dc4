import Alarms
import CivilTime
import JSONValue

extension Prompt {
  /// All fields of a prompt except the id and the alarm version.
  ///
  /// The payload of the event that plans a prompt is this JSON. The row of the event has separate
  /// columns for the id of the prompt and for the alarm version.
  public var payload: JSON {
    var members: [(String, JSON)] = [
      ("due_ms", .integer(dueAt.milliseconds)), ("zone", .string(zoneName)),
      ("utc_offset_s", .integer(Int64(utcOffsetSeconds))), ("phase", state.json),
      ("rings_intended", .integer(Int64(ringsIntended))),
      ("rings_sounded", .integer(Int64(ringsSounded))),
      ("rings_failed", .integer(Int64(ringsFailed))), ("delays", .integer(Int64(delays))),
      ("last_sounded_ms", lastSoundedAt.map { .integer($0.milliseconds) } ?? .null),
    ]
    if !alsoNominal.isEmpty { members.append(("also_nominal", .string(alsoNominalText))) }
    if let course { members.append(("course", course)) }
    return .object(members)
  }

  /// Reads the JSON that the property `payload` returns.
  public init(id: PromptID, alarmVersion: Int, payload: JSON) throws(EventCodingError) {
    let members = StoredMembers(payload)
    self.init(
      id: id, alarmVersion: alarmVersion,
      dueAt: Instant(milliseconds: try members.integer("due_ms")),
      zoneName: try members.string("zone"),
      utcOffsetSeconds: try members.int("utc_offset_s"),
      alsoNominal: try Self.nominals(payload["also_nominal"]?.string ?? ""),
      state: try PromptState(json: payload["phase"] ?? .null),
      ringsIntended: try members.int("rings_intended"),
      ringsSounded: try members.int("rings_sounded"),
      ringsFailed: try members.int("rings_failed"), delays: try members.int("delays"),
      lastSoundedAt: payload["last_sounded_ms"]?.integer.map(Instant.init(milliseconds:)))
    if let course = payload["course"] { try setCourse(course) }
  }
}

extension Prompt {
  /// The other scheduled local times of the alarm that have the same instant as the due time of
  /// this prompt, separated by spaces. The text is empty if no other local time has this instant.
  public var alsoNominalText: String {
    alsoNominal.map(\.description).joined(separator: " ")
  }

  /// Reads the text that `alsoNominalText` returns.
  public static func nominals(_ text: String) throws(EventCodingError) -> [CivilDateTime] {
    var found: [CivilDateTime] = []
    for word in text.split(separator: " ") {
      guard let nominal = try? CivilDateTime(parsing: String(word)) else {
        throw EventCodingError("cannot read the stored prompt: \"\(word)\" is not a local time")
      }
      found.append(nominal)
    }
    return found
  }
}

extension PromptState {
  /// The state as JSON. The member `name` contains the name of the state. The other members depend
  /// on the state.
  public var json: JSON {
    var members: [(String, JSON)] = [("name", .string(name))]
    switch self {
    case .planned: break
    case .waiting(let ring, let at):
      members += [("ring", .integer(Int64(ring))), ("at_ms", .integer(at.milliseconds))]
    case .expiring(let at):
      members += [("at_ms", .integer(at.milliseconds))]
    case .ringing(let ring, let deadline):
      members += [
        ("number", .integer(Int64(ring.number))), ("index", .integer(Int64(ring.index))),
        ("step", .integer(Int64(ring.step))), ("alert", .bool(ring.hasAlert)),
        ("repetition", .bool(ring.isRepetition)),
        ("gain_db", .number(ring.gainDecibels)), ("tone_sha256", .optional(ring.toneSHA256)),
        ("due_ms", .integer(ring.dueAt.milliseconds)),
        ("intended_ms", .integer(ring.intendedAt.milliseconds)),
        ("started_ms", ring.startedAt.map { .integer($0.milliseconds) } ?? .null),
        ("deadline_ms", .integer(deadline.milliseconds)),
      ]
      if let leading = ring.leadingPrompt {
        members.append(("leading_prompt", .string(leading.description)))
      }
    case .delayed(let until), .acknowledged(let until):
      members += [("until_ms", .integer(until.milliseconds))]
    case .held(let suppression): members += suppression.members
    case .closed(let outcome, let reason, let at):
      members += [
        ("outcome", .string(outcome.rawValue)), ("reason", .string(reason.rawValue)),
        ("at_ms", .integer(at.milliseconds)),
      ]
    }
    return .object(members)
  }

  /// Reads the JSON that the property `json` returns.
  public init(json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    func instant(_ name: String) throws(EventCodingError) -> Instant {
      Instant(milliseconds: try members.integer(name))
    }
    let name = try members.string("name")
    switch name {
    case "planned": self = .planned
    case "waiting": self = .waiting(ring: try members.int("ring"), at: try instant("at_ms"))
    case "expiring": self = .expiring(at: try instant("at_ms"))
    case "ringing":
      let index = try members.int("index")
      self = .ringing(
        Ring(
          number: try members.int("number"), index: index,
          step: try members.int("step"), gainDecibels: try members.double("gain_db"),
          toneSHA256: json["tone_sha256"]?.string, hasAlert: try members.bool("alert"),
          isRepetition: json["repetition"]?.bool ?? (index > 0),
          leadingPrompt: json["leading_prompt"]?.string.flatMap { PromptID($0) },
          dueAt: try instant("due_ms"), intendedAt: try instant("intended_ms"),
          startedAt: json["started_ms"]?.integer.map(Instant.init(milliseconds:))),
        deadline: try instant("deadline_ms"))
    case "delayed": self = .delayed(until: try instant("until_ms"))
    case "acknowledged": self = .acknowledged(until: try instant("until_ms"))
    case "held": self = .held(try Suppression(members))
    case "closed":
      self = .closed(
        try members.choice("outcome"), reason: try members.choice("reason"),
        at: try instant("at_ms"))
    default:
      throw EventCodingError("cannot read the stored prompt: the state \"\(name)\" is unknown")
    }
  }
}

extension PromptState {
  /// The name of the state in the API and the record.
  public var name: String {
    switch self {
    case .planned: "planned"
    case .waiting: "waiting"
    case .expiring: "expiring"
    case .ringing: "ringing"
    case .delayed: "delayed"
    case .acknowledged: "acknowledged"
    case .held: "held"
    case .closed: "closed"
    }
  }
}
