import Alarms
import CivilTime
import EventCoding

extension AlarmForm {
  /// Reads the body of a request that creates, changes or previews an alarm.
  ///
  /// - Parameters:
  ///   - isNew: true if the request creates an alarm.
  ///   - isEdit: true if the request changes an alarm.
  public init(body: [UInt8], isNew: Bool = false, isEdit: Bool = false) throws(Refusal) {
    self.init()
    var fields = try FieldReader(body: body)
    try read(&fields)
    if isEdit { endsPrompt = try fields.flag("ends_prompt") }
    if isNew || isEdit { allowsDuplicate = try fields.flag("duplicate") ?? false }
    try fields.finish()
  }

  /// Reads the body of a request for a preview. The body contains an alarm, and the range of times
  /// that the preview shows.
  ///
  /// - Parameter now: the present instant. If the body contains no start of the range, the preview
  ///   shows the times after this instant.
  public static func readPreview(
    body: [UInt8], now: Instant
  ) throws(Refusal) -> (form: AlarmForm, range: PreviewRange) {
    var fields = try FieldReader(body: body)
    var form = AlarmForm()
    try form.read(&fields)
    let after = try fields.instant("after")
    let to = try fields.instant("to")
    let count = try fields.integer("count") ?? 10
    let hours = try fields.string("warn_hours")
    try fields.finish()
    guard (1...PreviewRange.most).contains(count) else {
      throw Refusal(
        .invalidField, field: "count",
        "\(count) is out of range; it must be from 1 to \(PreviewRange.most)")
    }
    let quiet = try hours.map { (hours) throws(Refusal) in
      try QuietHours(parsing: hours, field: "warn_hours")
    }
    return (form, PreviewRange(after: after ?? now, to: to, count: count, quietHours: quiet))
  }

  private mutating func read(_ fields: inout FieldReader) throws(Refusal) {
    label = try fields.string("label")
    instructions = try fields.string("instructions")
    schedule = try fields.string("schedule")
    zone = try fields.string("zone")
    person = try fields.string("person")
    tone = try fields.string("tone")
    rings = try fields.integer("rings")
    spacingSeconds = try fields.seconds("spacing")
    gainsDecibels = try fields.numbers("gains")
    steps = try fields.steps("steps")
    notifySteps = try fields.notifySteps("tell")
    completeBySeconds = try fields.seconds("complete_by")
    completion = try fields.steps("complete_step")
    lateWindowSeconds = try fields.seconds("late_window")
    delaySeconds = try fields.seconds("delay")
    delayLimit = try fields.integer("delay_limit")
    earlyReminders = try fields.strings("leads")
    pausedUntil = try fields.string("paused_until")
    skipNext = try fields.integer("skip_next")
    exclude = try fields.strings("exclude")
    quietHours = try fields.string("quiet_hours")
    image = try fields.string("image")
    calendarUID = try fields.string("uid")
    calendarRevision = try fields.string("uid_revision")
    questions = try fields.questions("questions")
    answersRequired = try fields.flag("answers_required")
    uses = try fields.uses("uses")
  }
}

extension Answer {
  /// Reads the body of a request that answers a prompt.
  ///
  /// - Parameter operation: an operation that answers a prompt. The caller must not pass any other
  ///   operation.
  public init(_ operation: Route.Operation, body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    switch operation {
    case .acknowledge: self = .acknowledge
    case .complete: self = .complete
    case .delay: self = .delay(seconds: try fields.seconds("for"))
    case .decline: self = .decline(try fields.choice("reason", of: ReasonCode.self) ?? .none)
    case .cancel:
      self = .cancel(try fields.choice("reason", of: ReasonCode.self) ?? .caretakerOverride)
    default: preconditionFailure("\(operation) is not an answer")
    }
    try fields.finish()
  }
}

extension APIRequest {
  /// Reads the body of a request that retires this device.
  ///
  /// The body contains one hash: the hash of the newest event in the backup of this device.
  public func retirementHead() throws(Refusal) -> String {
    var fields = try FieldReader(body: body)
    let head = try fields.string("head")
    try fields.finish()
    guard let head else { throw Refusal(.invalidField, field: "head", "it is missing") }
    return head
  }

  /// Refuses a request body that contains any field.
  public func requireNoFields() throws(Refusal) {
    let fields = try FieldReader(body: body)
    try fields.finish()
  }

  /// The prompt whose id is in the path; nil if the path contains `current`.
  ///
  /// If the path contains `current`, most operations use the calling prompt. An undo uses the
  /// prompt that was answered last.
  public func promptID() throws(Refusal) -> PromptID? {
    let text = parameters["id"] ?? ""
    if text == "current" { return nil }
    guard let id = PromptID(text) else {
      throw Refusal(
        .notFound,
        "\"\(text)\" is not the id of a prompt; ids look like k3v9t2m8q4wz@2026-12-01T08:00:00")
    }
    return id
  }

  /// Reads a query parameter that is a whole number.
  public func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(Refusal) -> Int? {
    guard let text = query[name] else { return nil }
    guard let value = Int(text), range.contains(value) else {
      throw Refusal(
        .invalidField, field: name,
        "\"\(text)\" is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}
