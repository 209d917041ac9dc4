import Alarms
import CivilTime

extension Schedule {
  /// The schedule as the record and the API write it: `kind` and what that kind needs.
  ///
  /// - `at`: `at`, an RFC 3339 instant with milliseconds.
  /// - `once`: `date_time`, civil.
  /// - `recurring`: `rule`, RFC 5545, and `start`, civil.
  /// - `every`: `every_seconds`, and `from`, an instant.
  public var json: JSON {
    switch self {
    case .at(let instant):
      .object([("kind", .string(kind)), ("at", .string(instant.description))])
    case .once(let dateTime):
      .object([("kind", .string(kind)), ("date_time", .string(dateTime.description))])
    case .recurring(let rule, let start):
      .object([
        ("kind", .string(kind)), ("rule", .string(rule.description)),
        ("start", .string(start.description)),
      ])
    case .every(let seconds, let from):
      .object([
        ("kind", .string(kind)), ("every_seconds", .integer(seconds)),
        ("from", .string(from.description)),
      ])
    }
  }

  /// Reads what `json` wrote.
  public init(json: JSON) throws(FactCodingError) {
    let members = StoredMembers(json)
    let kind = try members.string("kind")
    do throws(CivilTimeError) {
      switch kind {
      case "at": self = .at(try Instant(parsing: json.text("at")))
      case "once": self = .once(try CivilDateTime(parsing: json.text("date_time")))
      case "recurring":
        self = .recurring(
          try RecurrenceRule(parsing: json.text("rule")),
          start: try CivilDateTime(parsing: json.text("start")))
      case "every":
        guard let seconds = json["every_seconds"]?.integer else {
          throw .malformed(.rule, text: json.description, position: 1, expected: "every_seconds")
        }
        self = .every(seconds: seconds, from: try Instant(parsing: json.text("from")))
      default:
        throw .malformed(.rule, text: kind, position: 1, expected: "a kind of schedule")
      }
    } catch {
      throw FactCodingError("cannot read the stored schedule: \(error)")
    }
  }
}

extension JSON {
  /// The text of a member; empty where there is none, which no civil time reads as.
  fileprivate func text(_ name: String) -> String { self[name]?.string ?? "" }
}

/// An alarm in two parts: what the chain covers, and the words that may be erased.
public struct StoredAlarm: Hashable, Sendable {
  /// Person (a pseudonym), schedule, zone, burst, windows.
  public var payload: JSON
  /// Label, instructions, the schedule's words and the tone's name.
  public var content: JSON

  /// - Parameter pseudonym: the name under which the record knows the person.
  public init(_ alarm: Alarm, pseudonym: String) {
    payload = .object([
      ("person", .string(pseudonym)), ("schedule", alarm.schedule.json),
      ("zone", .string(alarm.zoneName)), ("rings", .integer(Int64(alarm.burst.rings))),
      ("spacing_s", .integer(alarm.burst.spacingSeconds)),
      ("gains_db", .array(alarm.burst.gainsDecibels.map { .number($0) })),
      ("late_window_s", .integer(alarm.lateWindowSeconds)),
      ("delay_s", .integer(alarm.delaySeconds)),
      ("delay_limit", .integer(Int64(alarm.delayLimit))),
    ])
    content = .object([
      ("label", .string(alarm.label)), ("instructions", .string(alarm.instructions)),
      ("phrase", .string(alarm.phrase)), ("tone", .optional(alarm.tone)),
    ])
  }
}

extension Alarm {
  /// Puts an alarm together again.
  ///
  /// - Parameter content: nil where the words were erased; they come back empty.
  /// - Parameter person: whom a pseudonym stands for.
  public init(
    id: AlarmID, version: Int, payload: JSON, content: JSON?,
    person: (String) -> PersonID
  ) throws(FactCodingError) {
    let members = StoredMembers(payload)
    var gains: [Double] = []
    for gain in try members.array("gains_db") {
      guard let decibels = gain.double else {
        throw FactCodingError("cannot read the stored alarm \"\(id)\": a gain is no number")
      }
      gains.append(decibels)
    }
    guard let schedule = payload["schedule"] else {
      throw FactCodingError("cannot read the stored alarm \"\(id)\": it has no schedule")
    }
    self.init(
      id: id, version: version, person: person(try members.string("person")),
      label: content?["label"]?.string ?? "",
      instructions: content?["instructions"]?.string ?? "",
      schedule: try Schedule(json: schedule), phrase: content?["phrase"]?.string ?? "",
      zoneName: try members.string("zone"), tone: content?["tone"]?.string,
      burst: Burst(
        rings: try members.int("rings"), spacingSeconds: try members.integer("spacing_s"),
        gainsDecibels: gains),
      lateWindowSeconds: try members.integer("late_window_s"),
      delaySeconds: try members.integer("delay_s"),
      delayLimit: try members.int("delay_limit"))
  }
}
