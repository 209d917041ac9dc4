import Alarms

// Reads and writes the typed fields of alarms, people and phases in the notation of a scenario.
// Example: `label=Pills; schedule=every day 08:00; rings=3`.
extension Action {
  static func text(_ form: AlarmForm) -> String {
    var fields = Fields()
    fields.add("label", form.label)
    fields.add("schedule", form.schedule)
    fields.add("zone", form.zone)
    fields.add("rings", form.rings)
    fields.add("spacing", form.spacingSeconds)
    fields.add("late_window", form.lateWindowSeconds)
    fields.add("delay", form.delaySeconds)
    fields.add("delay_limit", form.delayLimit)
    fields.add("person", form.person)
    fields.add("leads", form.earlyReminders?.joined(separator: "|"))
    fields.add("paused_until", form.pausedUntil)
    fields.add("skip_next", form.skipNext)
    fields.add("exclude", form.exclude?.joined(separator: "|"))
    fields.add("quiet", form.quietHours)
    fields.add("complete_by", form.completeBySeconds)
    fields.add("steps", form.steps?.map(text).joined(separator: "|"))
    fields.add("completion", form.completion?.map(text).joined(separator: "|"))
    fields.add("tell", form.notifySteps.map(text))
    fields.add("asks", form.questions?.map(text).joined(separator: "|"))
    fields.add("answers_required", form.answersRequired)
    fields.add("uses", form.uses.map(text))
    fields.add("uid", form.calendarUID)
    fields.add("uid_revision", form.calendarRevision)
    fields.add("ends_prompt", form.endsPrompt)
    if form.allowsDuplicate { fields.add("duplicate", true) }
    return fields.text
  }

  static func alarmForm(_ text: some StringProtocol) -> AlarmForm? {
    var form = AlarmForm()
    guard let fields = Fields(text) else { return nil }
    for (name, value) in fields.all {
      switch name {
      case "label": form.label = value
      case "schedule": form.schedule = value
      case "zone": form.zone = value
      case "rings": form.rings = Int(value)
      case "spacing": form.spacingSeconds = Int64(value)
      case "late_window": form.lateWindowSeconds = Int64(value)
      case "delay": form.delaySeconds = Int64(value)
      case "delay_limit": form.delayLimit = Int(value)
      case "person": form.person = value
      case "leads": form.earlyReminders = value.split(separator: "|").map(String.init)
      case "paused_until": form.pausedUntil = value
      case "skip_next": form.skipNext = Int(value)
      case "exclude": form.exclude = value.split(separator: "|").map(String.init)
      case "quiet": form.quietHours = value
      case "complete_by": form.completeBySeconds = Int64(value)
      case "steps": form.steps = value.split(separator: "|").compactMap { step(String($0)) }
      case "completion":
        form.completion = value.split(separator: "|").compactMap { step(String($0)) }
      case "tell": form.notifySteps = value.split(separator: "|").compactMap { notify($0) }
      case "asks": form.questions = value.split(separator: "|").map { question($0) }
      case "answers_required": form.answersRequired = Bool(value)
      case "uses": form.uses = uses(value)
      case "uid": form.calendarUID = value
      case "uid_revision": form.calendarRevision = value
      case "ends_prompt": form.endsPrompt = Bool(value)
      case "duplicate": form.allowsDuplicate = value == "true"
      default: return nil
      }
    }
    return form
  }

  static func text(_ form: PersonForm) -> String {
    var fields = Fields()
    fields.add("name", form.name)
    fields.add("zone", form.zone)
    fields.add("tone", form.tone)
    fields.add("quiet", form.quietHours)
    fields.add("policy", form.quietPolicy?.rawValue)
    fields.add("rings_per_hour", form.ringsPerHour)
    fields.add("inactivity", form.inactivityHours)
    fields.add("inactivity_tell", form.inactivityNotifySteps.map(text))
    return fields.text
  }

  static func personForm(_ text: some StringProtocol) -> PersonForm? {
    var form = PersonForm()
    guard let fields = Fields(text) else { return nil }
    for (name, value) in fields.all {
      switch name {
      case "name": form.name = value
      case "zone": form.zone = value
      case "tone": form.tone = value
      case "quiet": form.quietHours = value
      case "policy":
        guard let policy = QuietPolicy(rawValue: value) else { return nil }
        form.quietPolicy = policy
      case "rings_per_hour": form.ringsPerHour = Int(value)
      case "inactivity": form.inactivityHours = Int(value)
      case "inactivity_tell":
        form.inactivityNotifySteps = value.split(separator: "|").compactMap { notify($0) }
      default: return nil
      }
    }
    return form
  }

  static func text(_ form: PhaseForm) -> String {
    var fields = Fields()
    fields.add("kind", form.kind.rawValue)
    fields.add("from", form.from)
    fields.add("to", form.to)
    return fields.text
  }

  static func phaseForm(_ text: some StringProtocol) -> PhaseForm? {
    guard let fields = Fields(text) else { return nil }
    let all = Dictionary(fields.all) { $1 }
    guard let kind = all["kind"].flatMap({ StudyPhase.Kind(rawValue: $0) }) else { return nil }
    return PhaseForm(kind: kind, from: all["from"], to: all["to"])
  }

  /// Returns the text of a burst, for example `3x60` for 3 rings with a spacing of 60 s. `!` means
  /// that the burst is urgent. `+90` means that the burst begins 90 s after the start of the last
  /// ring of the previous burst.
  private static func text(_ step: StepForm) -> String {
    "\(step.rings ?? 0)x\(step.spacingSeconds ?? 0)\(step.isUrgent ? "!" : "")"
      + (step.pauseSeconds.map { "+\($0)" } ?? "")
  }

  private static func step(_ text: String) -> StepForm? {
    let parts = text.split(separator: "+")
    guard let head = parts.first else { return nil }
    let numbers = head.filter { $0 != "!" }.split(separator: "x")
    guard numbers.count == 2, let rings = Int(numbers[0]), let spacing = Int64(numbers[1]) else {
      return nil
    }
    return StepForm(
      rings: rings, spacingSeconds: spacing, isUrgent: head.contains("!"),
      pauseSeconds: parts.count == 2 ? Int64(parts[1]) : nil)
  }

  /// Returns the text of a question of a check-in, for example `mood` or `scale?`. The word `mood`
  /// or `scale` is both the type and the name of the question. `?` means that the response is
  /// optional.
  private static func text(_ question: QuestionForm) -> String {
    (question.kind ?? "") + (question.isRequired == false ? "?" : "")
  }

  static func question(_ text: some StringProtocol) -> QuestionForm {
    var form = QuestionForm()
    let kind = String(text.filter { $0 != "?" })
    (form.name, form.text, form.kind) = (kind, kind, kind)
    if text.hasSuffix("?") { form.isRequired = false }
    if kind == "scale" { (form.min, form.max) = (0, 10) }
    return form
  }

  /// Returns the text of a list of contacts, for example `neighbour@60|nurse@300`. Each number is
  /// the value of `afterSeconds`.
  private static func text(_ notifySteps: [NotifyStep]) -> String {
    notifySteps.map { "\($0.contact)@\($0.afterSeconds)" }.joined(separator: "|")
  }

  private static func notify(_ text: some StringProtocol) -> NotifyStep? {
    let parts = text.split(separator: "@")
    guard parts.count == 2, let seconds = Int64(parts[1]) else { return nil }
    return NotifyStep(contact: String(parts[0]), afterSeconds: seconds)
  }
}

/// The fields of a form, in the notation `name=value; name=value`. The separator is a semicolon and
/// a space, because a recurrence rule contains semicolons without a space.
private struct Fields {
  private(set) var all: [(String, String)] = []

  init() {}

  /// - Returns: nil if a field contains no `=`.
  init?(_ text: some StringProtocol) {
    for field in text.split(separator: "; ") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      all.append((String(parts[0]), String(parts[1])))
    }
  }

  mutating func add(_ name: String, _ value: (some CustomStringConvertible)?) {
    if let value { all.append((name, value.description)) }
  }

  var text: String { all.map { "\($0.0)=\($0.1)" }.joined(separator: "; ") }
}
