import API
import Alarms
import CivilTime
import JSONValue

/// The form of an alarm, with a preview.
struct AlarmFormHTML: Sendable {
  /// A change that a different caretaker saved while this form was open.
  struct Conflict: Sendable {
    var who: String
    var at: CivilDateTime?
    /// The values that the alarm has now.
    var now: AlarmForm
  }

  let context: PageContext
  /// The alarm that the form changes; nil for a new alarm.
  let alarm: AlarmReading?
  var form: AlarmForm
  var refusal: HomeRefusal?
  var conflict: Conflict?
  var preview: AlarmPreview?
  /// The pressed button that added or removed a part of the form; nil if no such button was
  /// pressed.
  var formButton: FormButton?
  private let tones: [String]
  private let contacts: [String]
  private let supplies: [SupplyReading]

  init(_ context: PageContext, alarm: AlarmReading?, form: AlarmForm) throws(HomeTrouble) {
    (self.context, self.alarm, self.form) = (context, alarm, form)
    tones = try context.names(.listTones, "tones")
    contacts = try context.names(.listContacts, "contacts")
    supplies = try context.supplies()
  }

  var content: PageContent {
    let title = context.plain(alarm == nil ? .newAlarm : .editAlarm)
    let action = alarm.map { Link.to("alarms", $0.id, "edit") } ?? Link.to("alarms", "new")
    let back = alarm.map { Link.to("alarms", $0.id) } ?? "/alarms"
    let hidden = [("version", String(form.version))]
    let status = refusal?.status ?? (conflict == nil ? 200 : 412)
    return PageContent(
      status: status, title: title,
      html: """
        <p><a href="\(back)">← \(context.escape(alarm?.label ?? context.plain(.alarms)))</a></p>
        <h1>\(context.escape(title))</h1>
        \(notices)<div class="editor" data-preview="/alarms/preview">
        \(context.form(action, hidden: hidden, firstButton + what + when + more + questions + buttons))
        <section class="preview" aria-labelledby="preview-title">
        <h2 id="preview-title">\(context.say(.preview))</h2>
        <div id="preview" aria-live="polite">
        \(preview?.html ?? "<p>\(context.say(.previewHelp))</p>")
        </div></section></div>
        <script type="module" src="/preview.js"></script>

        """)
  }

  // MARK: Refusals

  /// The field of the form that the daemon refused; empty if the refusal is about no field of the
  /// form.
  private var wrongField: String {
    if refusal?.isAboutQuestions == true { return "questions" }
    let parts = (refusal?.field ?? "").split(separator: ".").map { part in
      String(part.prefix { $0.isLetter || $0 == "_" })
    }
    if let whole = ["uses", "steps", "leads"].first(where: parts.contains) { return whole }
    let field = parts.last ?? ""
    // The refusal names the wrong member of a burst, but does not say which burst is wrong.
    if ["rings", "spacing", "after", "gains", "urgent"].contains(field) { return "steps" }
    return ["label", "person", "schedule", "instructions", "tone", "tell"]
      .contains(field) ? field : ""
  }

  private var notices: String {
    if let conflict {
      let time = conflict.at.map(context.moment) ?? ""
      return context.notice(
        context.say(.changedByOther(who: conflict.who, time: time)), isRefusal: true)
    }
    guard let refusal else { return "" }
    if wrongField.isEmpty {
      let start = context.say(.notSaved(reason: ""))
      return context.notice(start + context.english(refusal.detail), isRefusal: true)
    }
    return context.notice(context.say(.formRefused), isRefusal: true)
  }

  /// Returns the refusal of a field, and the value of this field that a different caretaker saved,
  /// as HTML.
  private func error(_ field: String) -> String {
    var html = ""
    // If the refusal is about one question, the page shows it beside this question.
    if wrongField == field, let refusal, refusal.question == nil {
      let own: CaretakerSentence? =
        switch field {
        case "questions": .questionsWrong
        case "uses": .usesWrong
        case "steps": .burstsWrong
        case "leads": .earlyWrong
        default: nil
        }
      let start = own.map { context.say($0) + " " } ?? ""
      html +=
        "<span class=\"error\" id=\"error-\(field)\">\(start)\(context.english(refusal.detail))</span>\n"
    }
    if let conflict,
      conflict.now.changes(from: form).contains(where: { $0.0 == field }),
      let value = conflict.now.members.first(where: { $0.0 == field })?.1
    {
      let text = words(of: value, in: field, conflict.now)
      html += "<span class=\"error\">\(context.say(.otherValue(value: text)))</span>\n"
    }
    return html
  }

  /// Returns a value that a different caretaker saved, in words.
  private func words(of value: JSON, in field: String, _ other: AlarmForm) -> String {
    switch field {
    case "questions": context.words(of: other.questions)
    case "uses": context.words(of: other.supplies, supplies)
    case "steps": context.words(of: other.bursts)
    case "leads": context.words(of: other.earlyReminders)
    default: value.string ?? value.description
    }
  }

  private func mark(_ field: String) -> String {
    wrongField == field ? " aria-invalid=\"true\" aria-describedby=\"error-\(field)\"" : ""
  }

  // MARK: Fields

  private func field(
    _ name: String, _ word: CaretakerSentence, id: String? = nil, _ control: String
  ) -> String {
    "<p class=\"field\"><label for=\"\(id ?? name)\">\(context.say(word))</label>\n"
      + "\(control)\n\(error(name))</p>\n"
  }

  private func input(
    _ name: String, _ type: String, _ value: String, id: String? = nil, _ more: String = ""
  ) -> String {
    "<input id=\"\(id ?? name)\" name=\"\(name)\" type=\"\(type)\" value=\"\(context.escape(value))\""
      + "\(more)>"
  }

  private func select(
    _ name: String, id: String? = nil, _ choices: [(value: String, words: String)], _ chosen: String
  ) -> String {
    var choices = choices
    if !choices.contains(where: { $0.value == chosen }) { choices.append((chosen, chosen)) }
    let options = choices.map { choice in
      let mark = choice.value == chosen ? " selected" : ""
      return "<option value=\"\(context.escape(choice.value))\"\(mark)>"
        + "\(context.escape(choice.words))</option>"
    }.joined()
    return "<select id=\"\(id ?? name)\" name=\"\(name)\"\(mark(name))>\(options)</select>"
  }

  private var what: String {
    let label = field(
      "label", .taskLabel,
      input("label", "text", form.label, " required maxlength=\"200\"" + mark("label")))
    let people = context.household.people
    guard people.count > 1 else {
      return label
        + "<input type=\"hidden\" name=\"person\" value=\"\(context.escape(form.person))\">\n"
    }
    var choices = people.map { (value: $0.id, words: $0.name) }
    if form.person.isEmpty { choices.insert((value: "", words: "–"), at: 0) }
    return label + field("person", .taskPerson, select("person", choices, form.person))
  }

  private var when: String {
    """
    <fieldset class="schedule"\(wrongField == "schedule" ? " aria-describedby=\"error-schedule\"" : "")>
    <legend>\(context.say(.when))</legend>
    \(error("schedule"))<p class="ways">\(way(.guided, .wayGuided))\(way(.typed, .wayTyped))</p>
    <div class="guided">
    \(days)\(times)\(field("until", .lastDay, input("until", "date", form.until)))</div>
    <div class="typed">
    \(field("phrase", .schedulePhrase, input("phrase", "text", form.phrase, " lang=\"en\" aria-describedby=\"phrase-help\"")))\
    <p class="help" id="phrase-help">\(context.say(.phraseHelp)) \
    <span lang="en">every 8 hours · last fri of month 10:00 · weekdays 09:30 until 2026-12-31</span></p>
    </div>
    </fieldset>

    """
  }

  private func way(_ way: AlarmForm.Way, _ word: CaretakerSentence) -> String {
    "<label><input type=\"radio\" name=\"way\" id=\"way-\(way.rawValue)\" value=\"\(way.rawValue)\""
      + "\(form.way == way ? " checked" : "")> \(context.say(word))</label>\n"
  }

  private var days: String {
    let boxes = zip(AlarmForm.weekdays, Weekday.allCases).map { name, day in
      let mark = form.days.contains(name) ? " checked" : ""
      return "<label><input type=\"checkbox\" name=\"day\" value=\"\(name)\"\(mark)> "
        + "\(context.escape(context.weekday(day)))</label>\n"
    }.joined()
    return "<fieldset class=\"days-of-week\"><legend>\(context.say(.daysOfWeek))</legend>\n"
      + "\(boxes)<p class=\"help\">\(context.say(.noDayMeansEvery))</p></fieldset>\n"
  }

  private var times: String {
    let shown = form.times + Array(repeating: "", count: max(1, 4 - form.times.count))
    let inputs = shown.enumerated().map { index, time in
      "<input name=\"time\" type=\"time\" value=\"\(context.escape(time))\" "
        + "aria-label=\"\(context.say(.timeNumber(number: String(index + 1))))\">\n"
    }.joined()
    return
      "<fieldset class=\"times\"><legend>\(context.say(.timesOfDay))</legend>\n\(inputs)</fieldset>\n"
  }

  private var more: String {
    let text = context.escape(form.instructions)
    let voices =
      [(value: "", words: context.plain(.voiceOfPerson))] + tones.map { (value: $0, words: $0) }
    let isOpen =
      ["instructions", "tone", "steps", "leads", "tell", "uses"].contains(wrongField)
      || formButton == .add(.burst) || formButton?.removed(.burst) == true
    return """
      <details id="more"\(isOpen || alarm != nil ? " open" : "")><summary>\(context.say(.moreSettings))</summary>
      \(field("instructions", .instructions, "<textarea id=\"instructions\" name=\"instructions\" rows=\"3\" maxlength=\"2000\"\(mark("instructions"))>\n\(text)</textarea>"))\
      \(field("tone", .voice, select("tone", voices, form.tone)))\
      \(rings)\(told)\(early)\(usedSupplies)</details>

      """
  }

  private var rings: String {
    BurstsHTML(
      context: context, bursts: form.bursts, tones: tones, button: formButton,
      error: error("steps")
    ).html
  }

  private var early: String {
    context.earlyFields(form.earlyReminders, error: error("leads"))
  }

  private var told: String {
    let choices =
      [(value: "", words: context.plain(.nobody))] + contacts.map { (value: $0, words: $0) }
    // A page without a script cannot add a row. Therefore, show one empty row.
    let count = min(AlarmRules.notifySteps.upperBound, max(2, form.contacts.count + 1))
    let empty = Array(
      repeating: (name: "", minutes: ""), count: max(0, count - form.contacts.count))
    let rows = (form.contacts + empty).enumerated().map { index, one in
      let (contact, minutes) = ("contact-\(index)", "minutes-\(index)")
      return "<p class=\"field pair\"><label for=\"\(contact)\">"
        + "\(context.say(index == 0 ? .tellFirst : .tellThen))</label>\n"
        + select("contact", id: contact, choices, one.name)
        + "<label for=\"\(minutes)\">\(context.say(.afterMinutes))</label>\n"
        + input("minutes", "text", one.minutes, id: minutes, " inputmode=\"numeric\"") + "</p>\n"
    }.joined()
    return
      "<fieldset><legend>\(context.say(.ifNobodyAnswers))</legend>\n\(error("tell"))\(rows)</fieldset>\n"
  }

  private var usedSupplies: String {
    form.hasSupplies
      ? context.supplyFields(form.supplies, of: supplies, error: error("uses")) : ""
  }

  private var questions: String {
    QuestionsHTML(
      context: context, form: form, refusal: refusal, button: formButton,
      other: error("questions")
    ).html
  }

  /// The button that the key Enter presses in a field. Without this button, Enter would press the
  /// first button of the form, which removes a question.
  private var firstButton: String {
    "<button class=\"unseen\" tabindex=\"-1\" aria-hidden=\"true\">\(context.say(.save))</button>\n"
  }

  private var buttons: String {
    let asksAgain = ["duplicate", "ends_prompt"].contains(refusal?.kind ?? "")
    let save = conflict == nil ? CaretakerSentence.save : .saveMine
    let other = alarm.map {
      "<a class=\"button\" href=\"\(Link.to("alarms", $0.id, "edit"))\">\(context.say(.takeOther))</a>\n"
    }
    return "<div class=\"buttons\">\n" + context.button("save", save, isMain: true)
      + (asksAgain ? context.button("anyway", .saveAnyway) : "")
      + (conflict == nil ? "" : other ?? "") + context.button("preview", .showPreview) + "</div>\n"
  }
}
