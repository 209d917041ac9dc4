import Alarms
import JSONValue

/// Texts about alarms for caretakers.
package enum AlarmText {
  /// Returns the text that the command line prints after a command has set or changed an alarm.
  package static func saved(_ document: JSON, verb: String) -> String {
    let alarm = document["alarm"] ?? .null
    // If the alarm has no later due time, `next` returns the sentence "It does not ring again." But
    // an open prompt of the alarm can still ring. Therefore, leave out this sentence if a prompt
    // stays open.
    let isKept = document.list("warnings").contains { $0.text("kind") == "keeps_prompt" }
    let rings =
      isKept && document.list("next").isEmpty ? [] : [next(document)]
    return """
      \(verb): "\(TextFormat.oneLine(alarm.text("label")))", \(when(alarm)), as alarm \(alarm.text("id")) \
      (version \(alarm.text("version"))).
      \((rings + notes(document)).joined(separator: "\n"))
      """
  }

  package static func list(_ document: JSON) -> String {
    let alarms = document.list("alarms")
    if alarms.isEmpty { return "No alarm is set." }
    let hasUses = alarms.contains { !$0.list("uses").isEmpty }
    var table = Table(
      ["ALARM", "LABEL", "FOR", "SCHEDULE", "VOICE", "NEXT RING"] + (hasUses ? ["USES"] : []))
    for alarm in alarms.filter({ !isOver($0) }) + alarms.filter(isOver) {
      let first = alarm.list("next").first
      table.add(
        [
          .init(alarm.text("id"), .faint), .init(alarm.text("label")),
          .init(alarm.text("person")), .init(when(alarm)),
          .init(voice(alarm["voice"] ?? .null, alarm)),
          .init(
            [
              first.map(occurrence) ?? reasonNeverDue(alarm),
              isOver(alarm) ? "" : PauseText.note(alarm),
            ]
            .filter { !$0.isEmpty }.joined(separator: ", "),
            first == nil ? .faint : nil),
        ] + (hasUses ? [.init(SupplyText.uses(alarm))] : []))
    }
    return table.text
  }

  /// Returns true if a listed alarm has no open prompt and never rings again.
  package static func isOver(_ alarm: JSON) -> Bool { alarm["is_over"]?.bool ?? false }

  /// Returns a text about the sound of the first ring: a recording, speech or the built-in sound.
  private static func voice(_ voice: JSON, _ alarm: JSON) -> String {
    let name = voice.text("tone")
    return switch ExpectedVoice.Kind(rawValue: voice.text("kind")) {
    case .recording: name
    case .personRecording: "\(name) (of \(alarm.text("person")))"
    case .speech: "spoken words"
    case .builtIn: "built-in tone"
    case nil: alarm.text("tone")
    }
  }

  private static func reasonNeverDue(_ alarm: JSON) -> String {
    if alarm.count("waiting") > 0 { return "waits for an answer" }
    if isOver(alarm) { return "over" }
    return isAfterAnother(alarm) ? "after that is completed" : ""
  }

  package static func whole(_ document: JSON) -> String {
    let alarm = document["alarm"] ?? .null
    var table = Table()
    func line(_ name: String, _ value: String) {
      if !value.isEmpty { table.add(.init(name, .faint), .init(value)) }
    }
    line("alarm", "\(alarm.text("id")), version \(alarm.text("version"))")
    line("label", alarm.text("label"))
    line("instructions", alarm.text("instructions"))
    line("for", alarm.text("person"))
    line("schedule", when(alarm))
    line("voice", voice(document["voice"] ?? .null, alarm))
    line("calendar event", TextFormat.oneLine(alarm.text("uid")))
    line("picture", String(alarm.text("image").prefix(12)))
    for (name, value) in EscalationText.lines(alarm) { line(name, value) }
    line("late window", alarm.text("late_window"))
    line("uses", SupplyText.uses(alarm))
    line("delay", "\(alarm.text("delay")), at most \(alarm.text("delay_limit")) times")
    for (name, value) in PauseText.lines(alarm, document["person_pause"] ?? .null) {
      line(name, value)
    }
    return table.text + "\n" + next(document)
  }

  package static func removed(_ document: JSON) -> String {
    let alarm = document["alarm"] ?? .null
    let prompts = document.list("prompts")
    let lines = prompts.map {
      "  \(TextFormat.local($0.text("scheduled_local"))): \(PromptText.rings($0))"
    }
    return (["Removed: \"\(TextFormat.oneLine(alarm.text("label")))\"; its record stays."] + lines)
      .joined(separator: "\n")
  }

  package static func preview(_ document: JSON) -> String {
    let occurrences = document.list("occurrences")
    if occurrences.isEmpty {
      let kinds = document.list("warnings").compactMap {
        $0["kind"]?.string.flatMap(ScheduleWarning.Kind.init(rawValue:))
      }
      if kinds.contains(.waitsForAnswer) { return "It has no time until that task is completed." }
      return kinds.contains(.personPaused)
        ? "It would not ring before the pause ends." : "It would never ring."
    }
    var table = Table("LOCAL TIME", "", "ZONE", "")
    for one in occurrences {
      table.add(
        .init(TextFormat.local(one.text("local"))),
        .init(TextFormat.nearDistance(one.text("utc")), .faint),
        .init(one.text("zone")), .init(moved(one), .attention))
    }
    return table.text
  }

  /// Returns the text that explains a schedule, with its warnings.
  package static func report(_ document: JSON) -> String {
    ([TextFormat.oneLine(document.text("explanation"))] + notes(document)).joined(separator: "\n")
  }

  private static func notes(_ document: JSON) -> [String] {
    TextFormat.warnings(document)
  }

  private static func when(_ alarm: JSON) -> String {
    "\(alarm.text("schedule")) (\(alarm.text("zone")))"
  }

  private static func isAfterAnother(_ alarm: JSON) -> Bool {
    alarm["schedule_detail"]?["kind"]?.string == "after"
  }

  private static func next(_ document: JSON) -> String {
    let (alarm, occurrences) = (document["alarm"] ?? .null, document.list("next"))
    if occurrences.isEmpty, PauseText.isWithoutEnd(document["person_pause"] ?? .null) {
      return "It does not ring until the pause of \(TextFormat.oneLine(alarm.text("person"))) ends."
    }
    if occurrences.isEmpty {
      return isAfterAnother(alarm)
        ? "It has no time until that task is completed." : "It does not ring again."
    }
    var table = Table()
    for (index, one) in occurrences.enumerated() {
      let verb = one["suppressed_by"] == nil ? "Rings" : "Due"
      table.add(.init(index == 0 ? verb : "then", .faint), .init(occurrence(one)))
    }
    return table.text
  }

  private static func occurrence(_ one: JSON) -> String {
    let notes = [
      TextFormat.nearDistance(one.text("utc")), moved(one), leadsTo(one),
      PromptText.suppressionText(one),
    ]
    .filter { !$0.isEmpty }
    let local = TextFormat.local(one.text("local"))
    return notes.isEmpty ? local : "\(local) (\(notes.joined(separator: "; ")))"
  }

  /// Returns the scheduled time of the main prompt in words, for an early reminder. For an
  /// occurrence that is not an early reminder, the text is empty.
  private static func leadsTo(_ occurrence: JSON) -> String {
    occurrence["leads_to_local"]?.string.map { "reminder for \(TextFormat.local($0))" } ?? ""
  }

  /// Returns the text about the clock change that moved an occurrence; empty if no clock change
  /// moved it.
  private static func moved(_ occurrence: JSON) -> String {
    switch occurrence["moved"]?.string {
    case "gap": "moved: the clocks go forward over it"
    case "fold": "the first of two: the clocks go back"
    default: ""
    }
  }
}
