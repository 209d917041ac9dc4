import CivilTime
import JSONValue

/// Texts about pauses of alarms and of people.
package enum PauseText {
  /// Returns the pause of a person in words, for example `until the end of Sun 27 Dec 2026`.
  ///
  /// - Parameter pause: the value of the member `pause` in the JSON document of a person.
  package static func words(_ pause: JSON) -> String {
    pause["until_local"]?.string.map { "until \(TextFormat.pauseEnd($0))" }
      ?? "until somebody ends the pause"
  }

  /// Returns true if a person is paused without an end.
  package static func isWithoutEnd(_ pause: JSON) -> Bool {
    pause != .null && pause["until_local"]?.string == nil
  }

  /// Returns the text lines about each pause that makes the alarm silent.
  ///
  /// - Parameter personPause: the pause of the person of the alarm, or null.
  package static func lines(_ alarm: JSON, _ personPause: JSON) -> [(String, String)] {
    var lines: [(String, String)] = []
    if personPause != .null {
      let person = TextFormat.oneLine(alarm.text("person"))
      lines.append(
        (
          "paused",
          "\(person) is paused \(words(personPause)); to end it: prompter resume --person \(person)"
        ))
    }
    if let until = ownEnd(alarm) {
      lines.append(
        (
          "paused",
          "until \(TextFormat.pauseEnd(until)); to end it: prompter resume \(alarm.text("id"))"
        ))
    }
    let skipped = alarm.list("skipped").compactMap(\.string).map(TextFormat.local)
    if !skipped.isEmpty { lines.append(("skipped", skipped.joined(separator: ", "))) }
    let excluded = alarm.list("exclude").compactMap(\.string)
    if !excluded.isEmpty { lines.append(("silent on", excluded.joined(separator: ", "))) }
    return lines
  }

  /// Returns the text in the table of alarms that says that the alarm, or the person of the alarm,
  /// is paused. If neither is paused, the text is empty.
  package static func note(_ alarm: JSON) -> String {
    let pause = alarm["person_pause"] ?? .null
    if pause != .null {
      return "\(TextFormat.oneLine(alarm.text("person"))) is paused \(words(pause))"
    }
    return ownEnd(alarm).map { "paused until \(TextFormat.pauseEnd($0))" } ?? ""
  }

  /// Returns one text for each person and each alarm that the status lists as paused.
  package static func paused(_ status: JSON) -> [String] {
    status.list("paused").map { pause in
      let whom = pause["label"]?.string.map { "\"\($0)\" of \(pause.text("person"))" }
      return "\(whom ?? pause.text("person")) \(words(pause))"
    }
  }

  /// Returns the text that a command prints after it paused or resumed people.
  package static func reply(_ document: JSON) -> String {
    var lines: [String] = []
    for person in document.list("people") {
      let id = TextFormat.oneLine(person.text("id"))
      let pause = person["pause"] ?? .null
      lines.append(
        pause == .null
          ? "\(id) is not paused any more."
          : "\(id) is paused \(words(pause)). To end the pause: prompter resume --person \(id)")
      for ring in document.list("first_rings") where ring.text("person") == person.text("id") {
        lines.append(
          "  \(pause == .null ? "Next ring" : "First ring after the pause"): "
            + "\(TextFormat.local(ring.text("local"))), \"\(TextFormat.oneLine(ring.text("label")))\""
        )
      }
      for alarm in document.list("paused_alarms") where alarm.text("person") == person.text("id") {
        lines.append(
          "  \"\(TextFormat.oneLine(alarm.text("label")))\" has a pause of its own until "
            + "\(TextFormat.pauseEnd(alarm.text("until_local"))). To end it: prompter resume "
            + alarm.text("alarm_id"))
      }
    }
    for prompt in document.list("prompts") {
      lines.append(
        "Ended: \"\(TextFormat.oneLine(prompt.text("label")))\" of "
          + "\(TextFormat.local(prompt.text("scheduled_local"))). \(PromptText.rings(prompt))")
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the end of the pause of the alarm. The result is nil if only the person is paused, if
  /// nothing is paused, or if this end has passed.
  private static func ownEnd(_ alarm: JSON) -> String? {
    guard let text = alarm["paused_until"]?.string, let end = try? CivilDateTime(parsing: text)
    else { return nil }
    let zone = SystemZones.zone(alarm.text("zone")) ?? SystemZones.home()
    return zone.civil(at: TextFormat.now()).dateTime < end ? text : nil
  }
}
