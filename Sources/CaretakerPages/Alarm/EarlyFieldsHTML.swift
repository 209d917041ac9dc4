import Alarms

// Shows the early reminders of an alarm in its form and on its page.
extension PageContext {
  /// Returns the rows with the early reminders, and an empty row for a new early reminder.
  ///
  /// - Parameter error: the HTML of a refusal, and of the value that a different caretaker saved.
  func earlyFields(_ reminders: [EarlyFields], error: String) -> String {
    let isFull = reminders.count >= AlarmRules.earlyReminders.upperBound
    let shown = reminders + (isFull ? [] : [EarlyFields()])
    let rows = shown.enumerated().map(earlyRow).joined()
    return "<fieldset><legend>\(say(.earlyReminders))</legend>\n\(error)"
      + "<p class=\"help\">\(say(.earlyHelp))</p>\n\(rows)</fieldset>\n"
  }

  private func earlyRow(_ index: Int, _ one: EarlyFields) -> String {
    let number = String(index + 1)
    if one.unit == .kept {
      let value = escape(one.count)
      return "<p><input type=\"hidden\" name=\"\(EarlyFields.countField)\" value=\"\(value)\">"
        + "<input type=\"hidden\" name=\"early-unit\" value=\"\(one.unit.rawValue)\">"
        + "<input type=\"hidden\" name=\"early-time\" value=\"\">\(english(one.count))</p>\n"
    }
    let units: [(EarlyFields.Unit, CaretakerSentence)] =
      [(.minutes, .unitMinutes), (.hours, .unitHours), (.days, .unitDays)]
      + (one.unit == .seconds ? [(.seconds, .unitSeconds)] : [])
    let options = units.map { unit, word in
      "<option value=\"\(unit.rawValue)\"\(unit == one.unit ? " selected" : "")>\(say(word))</option>"
    }.joined()
    return """
      <p class="field early"><label for="early-count-\(index)">\(say(.earlyNumber(number: number)))</label>
      <input id="early-count-\(index)" name="\(EarlyFields.countField)" type="text" inputmode="numeric" \
      value="\(escape(one.count))">
      <select id="early-unit-\(index)" name="early-unit" \
      aria-label="\(say(.earlyUnit(number: number)))">\(options)</select>
      <input id="early-time-\(index)" name="early-time" type="time" value="\(escape(one.time))" \
      aria-label="\(say(.earlyTime(number: number)))"></p>

      """
  }

  /// Returns the early reminders in words, on one line.
  func words(of reminders: [EarlyFields]) -> String {
    if reminders.isEmpty { return plain(.noEarlyReminders) }
    return reminders.map(words).joined(separator: ", ")
  }

  private func words(of one: EarlyFields) -> String {
    guard let count = Int(one.count) else { return one.words }
    switch one.unit {
    case .seconds: return plain(.earlySeconds(count: count))
    case .minutes: return plain(.earlyMinutes(count: count))
    case .hours: return plain(.earlyHours(count: count))
    case .days:
      let days = plain(.earlyDays(count: count))
      return one.time.isEmpty ? days : plain(.earlyDaysAt(days: days, time: one.time))
    case .kept: return one.words
    }
  }
}
