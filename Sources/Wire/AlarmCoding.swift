import Alarms
import CivilTime

/// An alarm in two parts: what the chain covers, and the words that may be erased.
public struct StoredAlarm: Hashable, Sendable {
  /// Person (a pseudonym), schedule, zone, burst, windows.
  public var payload: JSON
  /// Label, instructions, the schedule's words and the tone's name.
  public var content: JSON

  /// - Parameter pseudonym: the name under which the record knows the person.
  public init(_ alarm: Alarm, pseudonym: String) {
    var members: [(String, JSON)] = [
      ("person", .string(pseudonym)), ("schedule", alarm.schedule.json),
      ("zone", .string(alarm.zoneName)), ("rings", .integer(Int64(alarm.burst.rings))),
      ("spacing_s", .integer(alarm.burst.spacingSeconds)),
      ("gains_db", .array(alarm.burst.gainsDecibels.map { .number($0) })),
      ("late_window_s", .integer(alarm.lateWindowSeconds)),
      ("delay_s", .integer(alarm.delaySeconds)),
      ("delay_limit", .integer(Int64(alarm.delayLimit))),
    ]
    // Left out where there are none, as in every record before there were any.
    if !alarm.leads.isEmpty { members.append(("leads", .array(alarm.leads.map(\.json)))) }
    if alarm.pauses != .none { members.append(("pauses", alarm.pauses.json)) }
    payload = .object(members)
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
      delayLimit: try members.int("delay_limit"),
      leads: try (payload["leads"]?.array ?? []).map { (json) throws(FactCodingError) in
        try Lead(json: json)
      },
      pauses: try payload["pauses"].map { (json) throws(FactCodingError) in try Pauses(json: json) }
        ?? .none)
  }
}
