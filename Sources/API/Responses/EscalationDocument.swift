import Alarms
import EventCoding
import JSONValue

// Escalations in responses and requests.

extension JSON {
  /// The bursts of an alarm as JSON, in the order in which they ring.
  static func steps(_ escalation: Escalation) -> JSON {
    .array(
      escalation.steps.enumerated().map { index, step in .step(step, isFirst: index == 0) })
  }

  /// One burst of an alarm as JSON.
  static func step(_ step: EscalationStep, isFirst: Bool) -> JSON {
    .object([
      ("rings", .integer(Int64(step.burst.rings))),
      ("spacing", .string(DurationText.text(step.burst.spacingSeconds))),
      ("gains", .array(step.burst.gainsDecibels.map(JSON.number))), ("tone", .optional(step.tone)),
      ("urgent", .bool(step.isUrgent)),
      ("after", isFirst ? .null : .string(DurationText.text(step.pauseSeconds))),
      ("words", .string(step.words(isFirst: isFirst))),
    ])
  }

  /// The contacts of an escalation as JSON, in the order in which the daemon notifies them.
  static func notifySteps(_ notifySteps: [NotifyStep]) -> JSON {
    .array(
      notifySteps.map {
        .object([
          ("contact", .string($0.contact)), ("after", .string(DurationText.text($0.afterSeconds))),
        ])
      })
  }
}

extension Escalation {
  /// Reads the escalation from the output of `JSON.alarm`.
  init(document: JSON, burst: Burst) throws(EventCodingError) {
    self.init(burst)
    let steps = try (document["steps"]?.array ?? []).map { (json) throws(EventCodingError) in
      try EscalationStep(document: json)
    }
    if let first = steps.first { (self.first, later) = (first, Array(steps.dropFirst())) }
    for json in document["tell"]?.array ?? [] {
      notifySteps.append(
        NotifyStep(
          contact: try StoredMembers(json).string("contact"),
          afterSeconds: try length(json, "after")))
    }
    if document["complete_by"] != nil { completeBySeconds = try length(document, "complete_by") }
    if let json = document["complete_step"], json != .null {
      completion = try EscalationStep(document: json)
    }
  }
}

extension EscalationStep {
  fileprivate init(document: JSON) throws(EventCodingError) {
    let members = StoredMembers(document)
    let isFirst = document["after"] == nil || document["after"] == .null
    self.init(
      burst: Burst(
        rings: try members.int("rings"), spacingSeconds: try length(document, "spacing"),
        gainsDecibels: try members.array("gains").compactMap(\.double)),
      tone: document["tone"]?.string, isUrgent: try members.bool("urgent"),
      pauseSeconds: isFirst ? 0 : try length(document, "after"))
  }
}

private func length(_ document: JSON, _ name: String) throws(EventCodingError) -> Int64 {
  guard let seconds = DurationText.seconds(try StoredMembers(document).string(name)) else {
    throw EventCodingError("cannot read the alarm: \"\(name)\" is not a duration")
  }
  return seconds
}

extension FieldReader {
  /// Reads a list of bursts. Each burst is an object or a text.
  ///
  /// Instead of a list, the value can be one burst. The value `none` means an empty list.
  mutating func steps(_ name: String) throws(Refusal) -> [StepForm]? {
    guard let value = any(name) else { return nil }
    if value.string == "none" { return [] }
    var steps: [StepForm] = []
    for json in value.array ?? [value] { steps.append(try StepForm(json: json, field: name)) }
    return steps
  }

  /// Reads contacts from a text or from a list of objects.
  mutating func notifySteps(_ name: String) throws(Refusal) -> [NotifyStep]? {
    guard let value = any(name) else { return nil }
    if let text = value.string { return try NotifyStep.list(words: text, field: name) }
    var notifySteps: [NotifyStep] = []
    for json in value.array ?? [.null] {
      var fields = try FieldReader(json: json, within: name)
      guard let contact = try fields.string("contact") else {
        throw Refusal(.invalidField, field: name, "each entry must have a contact")
      }
      notifySteps.append(
        NotifyStep(contact: contact, afterSeconds: try fields.seconds("after") ?? 0))
      try fields.finish()
    }
    return notifySteps
  }
}

extension StepForm {
  fileprivate init(json: JSON, field: String) throws(Refusal) {
    if let words = json.string {
      try self.init(words: words, field: field)
      return
    }
    var fields = try FieldReader(json: json, within: field)
    self.init(
      rings: try fields.integer("rings"), spacingSeconds: try fields.seconds("spacing"),
      loudness: try fields.numbers("gains").map { .decibels($0) } ?? .asBefore,
      tone: try fields.string("tone"), isUrgent: try fields.flag("urgent") ?? false,
      pauseSeconds: try fields.seconds("after"))
    // In a response, an escalation contains the member `words`. A client can copy this object into
    // a request. Therefore the reader accepts the member `words` and ignores its value.
    _ = try fields.string("words")
    try fields.finish()
  }
}
