import Alarms

/// The HTML of the bursts in the form of an alarm.
struct BurstsHTML: Sendable {
  let context: PageContext
  let bursts: [BurstFields]
  /// The names of the recordings.
  let tones: [String]
  /// The pressed button that added or removed a part of the form; nil if no such button was
  /// pressed.
  let button: FormButton?
  /// The HTML of a refusal, and of the value that a different caretaker saved.
  let error: String

  var html: String {
    let rows = bursts.enumerated().map(burst).joined()
    let focus = button?.removed(.burst) == true ? " autofocus" : ""
    return """
      <fieldset class="asked"><legend>\(context.say(.bursts))</legend>
      \(error)\(rows)<button name="\(PageContext.buttonField)" value="\(FormButton.add(.burst).rawValue)" \
      id="burst-add"\(focus)>\(context.say(.addBurst))</button>
      </fieldset>

      """
  }

  // MARK: One burst

  private func burst(_ index: Int, _ burst: BurstFields) -> String {
    let number = String(index + 1)
    let isNew = button == .add(.burst) && index == bursts.count - 1
    let pause =
      index == 0
      ? "<input type=\"hidden\" name=\"burst-after\" value=\"\">\n"
      : field(.burstAfter, "burst-after-\(index)", input("burst-after", index, burst.after))
    let fields = """
      \(pause)\(field(.ringCount, "rings-\(index)", input("rings", index, burst.rings, isNew: isNew)))\
      \(field(.ringSpacing, "spacing-\(index)", input("spacing", index, burst.spacing)))\
      \(more(index, burst))
      """
    if bursts.count == 1 { return fields }
    let remove = FormButton.remove(.burst, index: index).rawValue
    let removal =
      index == 0
      ? ""
      : "<button name=\"\(PageContext.buttonField)\" value=\"\(remove)\" "
        + "aria-label=\"\(context.say(.removeBurstOf(number: number)))\">"
        + "\(context.say(.removeBurst))</button>\n"
    return
      "<fieldset class=\"question\"><legend>\(context.say(.burstNumber(number: number)))</legend>\n"
      + "\(fields)\(removal)</fieldset>\n"
  }

  /// Returns the HTML of the settings that most bursts do not need.
  private func more(_ index: Int, _ burst: BurstFields) -> String {
    let isOpen = burst.loudness != .usual || !burst.tone.isEmpty || burst.isUrgent
    let usual = context.plain(index == 0 ? .loudnessRising : .loudnessAsBefore)
    var loudness = [(BurstFields.Loudness.usual.rawValue, usual)]
    if index > 0 {
      loudness.append((BurstFields.Loudness.louder.rawValue, context.plain(.loudnessLouder)))
    }
    loudness.append((BurstFields.Loudness.full.rawValue, context.plain(.loudnessFull)))
    if !burst.gains.isEmpty {
      loudness.append(
        (BurstFields.Loudness.kept.rawValue, context.plain(.loudnessKept(gains: burst.gains))))
    }
    let voices = [("", context.plain(.burstVoice))] + tones.map { ($0, $0) }
    let help = "burst-help-\(index)"
    let urgency = [("no", context.plain(.urgentNo)), ("yes", context.plain(.urgentYes))]
    return """
      <details\(isOpen ? " open" : "")><summary>\(context.say(.burstMore))</summary>
      <input type="hidden" name="burst-gains" value="\(context.escape(burst.gains))">
      \(field(.burstLoudness, "burst-loudness-\(index)", select("burst-loudness", index, loudness, burst.loudness.rawValue)))\
      \(field(.voice, "burst-tone-\(index)", select("burst-tone", index, voices, burst.tone)))\
      \(field(.burstUrgent, "burst-urgent-\(index)", select("burst-urgent", index, urgency, burst.isUrgent ? "yes" : "no", " aria-describedby=\"\(help)\"")))\
      <p class="help" id="\(help)">\(context.say(.urgentHelp))</p>
      </details>

      """
  }

  private func field(_ word: CaretakerSentence, _ id: String, _ control: String) -> String {
    "<p class=\"field\"><label for=\"\(id)\">\(context.say(word))</label>\n\(control)</p>\n"
  }

  private func input(_ name: String, _ index: Int, _ value: String, isNew: Bool = false) -> String {
    let kind =
      name == BurstFields.ringsField
      ? " type=\"number\" min=\"1\" max=\"\(AlarmRules.rings.upperBound)\" inputmode=\"numeric\""
      : " type=\"text\" inputmode=\"decimal\""
    return
      "<input id=\"\(name)-\(index)\" name=\"\(name)\"\(kind) value=\"\(context.escape(value))\""
      + "\(isNew ? " autofocus" : "")>"
  }

  private func select(
    _ name: String, _ index: Int, _ choices: [(String, String)], _ chosen: String,
    _ attributes: String = ""
  ) -> String {
    // If the recording was removed, its name stays in the form until the caretaker chooses a
    // different recording.
    let missing = choices.contains { $0.0 == chosen } ? [] : [(chosen, chosen)]
    let options = (choices + missing).map { value, words in
      "<option value=\"\(context.escape(value))\"\(value == chosen ? " selected" : "")>"
        + "\(context.escape(words))</option>"
    }.joined()
    return "<select id=\"\(name)-\(index)\" name=\"\(name)\"\(attributes)>\(options)</select>"
  }
}

extension PageContext {
  /// Returns the bursts in words, on one line.
  func words(of bursts: [BurstFields]) -> String {
    bursts.enumerated().map { index, burst in
      let spacing = burst.spacing + " min"
      var words = [plain(.timelineRings(rings: burst.rings, spacing: spacing))]
      if index > 0 { words.insert("+ " + plain(.minutesLater(minutes: burst.after)), at: 0) }
      switch burst.loudness {
      case .usual: break
      case .louder: words.append(plain(.loudnessLouder))
      case .full: words.append(plain(.loudnessFull))
      case .kept: words.append("\(burst.gains) dB")
      }
      if !burst.tone.isEmpty { words.append(burst.tone) }
      if burst.isUrgent { words.append(plain(.urgentStep)) }
      return words.joined(separator: ", ")
    }.joined(separator: "; ")
  }
}
