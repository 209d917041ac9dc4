import Alarms
import JSONValue

// The stored form of an escalation. The fields of the first burst are members of the stored alarm.
// If a field has its default value, the stored form does not contain the field. Earlier versions of
// Prompter stored alarms without an escalation. If the present version encodes such an alarm again,
// the stored form stays the same. The names of tones and contacts are content.
extension Escalation {
  /// The members that the payload of the alarm contains for the escalation. The list is empty if
  /// all fields of the escalation have their default values.
  public var payloadMembers: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if first.isUrgent { members.append(("urgent", .bool(true))) }
    if !later.isEmpty { members.append(("later_steps", .array(later.map(\.payload)))) }
    if !notifySteps.isEmpty {
      members.append(("tell_after_s", .array(notifySteps.map { .integer($0.afterSeconds) })))
    }
    if completeBySeconds != Self.standardCompleteBySeconds {
      members.append(("complete_by_s", .integer(completeBySeconds)))
    }
    if let completion { members.append(("completion", completion.payload)) }
    return members
  }

  var contentMembers: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if let tone = first.tone { members.append(("first_tone", .string(tone))) }
    if later.contains(where: { $0.tone != nil }) {
      members.append(("later_tones", .array(later.map { .optional($0.tone) })))
    }
    if !notifySteps.isEmpty {
      members.append(("tell", .array(notifySteps.map { .string($0.contact) })))
    }
    if let tone = completion?.tone { members.append(("completion_tone", .string(tone))) }
    return members
  }

  /// Decodes an escalation.
  ///
  /// - Parameter content: the names of tones and contacts; nil if the names were erased.
  init(payload: JSON, content: JSON?, burst: Burst) throws(EventCodingError) {
    self.init(
      first: EscalationStep(
        burst: burst, tone: content?["first_tone"]?.string,
        isUrgent: payload["urgent"]?.bool ?? false))
    let tones = content?["later_tones"]?.array ?? []
    for (index, json) in (payload["later_steps"]?.array ?? []).enumerated() {
      let tone = index < tones.count ? tones[index].string : nil
      later.append(try EscalationStep(payload: json, tone: tone))
    }
    let names = content?["tell"]?.array ?? []
    for (index, json) in (payload["tell_after_s"]?.array ?? []).enumerated() {
      guard let seconds = json.integer else {
        throw EventCodingError(
          "cannot read the stored alarm: the delay of a contact is not a number")
      }
      let name = index < names.count ? names[index].string : nil
      notifySteps.append(NotifyStep(contact: name ?? "", afterSeconds: seconds))
    }
    completeBySeconds = payload["complete_by_s"]?.integer ?? completeBySeconds
    if let json = payload["completion"] {
      completion = try EscalationStep(payload: json, tone: content?["completion_tone"]?.string)
    }
  }
}

extension EscalationStep {
  fileprivate var payload: JSON {
    .object(
      burst.payloadMembers + [("urgent", .bool(isUrgent)), ("pause_s", .integer(pauseSeconds))])
  }

  fileprivate init(payload: JSON, tone: String?) throws(EventCodingError) {
    let members = StoredMembers(payload)
    self.init(
      burst: try Burst(payload: payload), tone: tone, isUrgent: try members.bool("urgent"),
      pauseSeconds: try members.integer("pause_s"))
  }
}

extension Burst {
  var payloadMembers: [(String, JSON)] {
    [
      ("rings", .integer(Int64(rings))), ("spacing_s", .integer(spacingSeconds)),
      ("gains_db", .array(gainsDecibels.map { .number($0) })),
    ]
  }

  init(payload: JSON) throws(EventCodingError) {
    let members = StoredMembers(payload)
    var gains: [Double] = []
    for gain in try members.array("gains_db") {
      guard let decibels = gain.double else {
        throw EventCodingError("cannot read a stored burst: a gain is not a number")
      }
      gains.append(decibels)
    }
    self.init(
      rings: try members.int("rings"), spacingSeconds: try members.integer("spacing_s"),
      gainsDecibels: gains)
  }
}
