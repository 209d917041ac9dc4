import Alarms
import CivilTime
import JSONValue

// The stored form of the fields that are empty in most prompts, for example the acknowledgement,
// the notifications, the responses, and the answer that a person can still undo.
extension Prompt {
  /// The progress of the prompt as JSON. The JSON contains the acknowledgement, the notifications,
  /// the sequence numbers of the newest responses, the newest answer, whether the prompt was
  /// delivered, and the time at which a screen first showed the prompt. If the prompt is an early
  /// reminder, the JSON also contains the due time of the main prompt.
  ///
  /// The value is nil if the prompt has no progress.
  public var course: JSON? {
    if acknowledgedAt == nil && notifyProgress == .none && answers.isEmpty && lastAnswer == nil
      && !isDelivered && leadsToAt == nil && presentedAt == nil
    {
      return nil
    }
    var members = JSON.course(acknowledgedAt, notifyProgress)
    if let leadsToAt { members.append(("leads_to_ms", .integer(leadsToAt.milliseconds))) }
    if let presentedAt { members.append(("presented_ms", .integer(presentedAt.milliseconds))) }
    if isDelivered { members.append(("delivered", .bool(true))) }
    if !answers.isEmpty {
      let counts = answers.sorted { $0.key < $1.key }.map {
        ($0.key, JSON.integer(Int64($0.value)))
      }
      members.append(("answers", .object(counts)))
    }
    if let lastAnswer {
      var answer: [(String, JSON)] = [("at_ms", .integer(lastAnswer.at.milliseconds))]
      if let before = lastAnswer.before {
        answer += [("phase", before.state.json), ("delays", .integer(Int64(before.delays)))]
        if before.acknowledgedAt != nil || before.notifyProgress != .none {
          answer.append(
            ("course", .object(JSON.course(before.acknowledgedAt, before.notifyProgress))))
        }
      }
      members.append(("answer", .object(answer)))
    }
    return .object(members)
  }

  /// Reads the JSON that `course` creates.
  public mutating func setCourse(_ json: JSON) throws(EventCodingError) {
    (acknowledgedAt, notifyProgress) = try json.course()
    presentedAt = json["presented_ms"]?.integer.map(Instant.init(milliseconds:))
    isDelivered = json["delivered"]?.bool ?? false
    leadsToAt = json["leads_to_ms"]?.integer.map(Instant.init(milliseconds:))
    answers = [:]
    if case .members(let counts) = json["answers"] {
      for count in counts { answers[count.name] = count.value.integer.map { Int($0) } }
    }
    guard let answer = json["answer"] else { return }
    let members = StoredMembers(answer)
    lastAnswer = LastAnswer(at: Instant(milliseconds: try members.integer("at_ms")), before: nil)
    guard let phase = answer["phase"] else { return }
    let before = try answer["course"]?.course() ?? (nil, .none)
    lastAnswer?.before = .init(
      state: try PromptState(json: phase), delays: try members.int("delays"),
      acknowledgedAt: before.0, notifyProgress: before.1)
  }
}

extension JSON {
  fileprivate static func course(
    _ acknowledgedAt: Instant?, _ notifyProgress: NotifyProgress
  ) -> [(String, JSON)] {
    let acknowledged = acknowledgedAt.map { JSON.integer($0.milliseconds) } ?? .null
    return [("acknowledged_ms", acknowledged)] + notifyProgress.members
  }

  fileprivate func course() throws(EventCodingError) -> (Instant?, NotifyProgress) {
    (
      self["acknowledged_ms"]?.integer.map(Instant.init(milliseconds:)),
      try NotifyProgress(stored: self)
    )
  }
}
