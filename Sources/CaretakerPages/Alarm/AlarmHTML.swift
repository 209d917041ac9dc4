import CivilTime
import JSONValue

/// The HTML of the page of one alarm: its next rings, its escalation and its pauses.
struct AlarmHTML: Sendable {
  private let context: PageContext
  private let alarm: AlarmReading
  /// The refusal of the change that the caretaker made; nil if no change was refused.
  var refusal: HomeRefusal?
  /// True if the caretaker wanted to store a picture, but chose no file.
  var isPictureMissing = false

  init(_ context: PageContext, _ alarm: AlarmReading) {
    (self.context, self.alarm) = (context, alarm)
  }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? (isPictureMissing ? 422 : 200), title: alarm.label,
      html: heading + notices + facts + next + escalation + questions + picture + pauses
        + removalLink)
  }

  /// The page that asks the caretaker to confirm the removal of the alarm.
  var removal: PageContent {
    let buttons =
      "<div class=\"buttons\">\n" + context.button("remove", .removeAlarm, isMain: true)
      + "<a class=\"button\" href=\"\(Link.to("alarms", alarm.id))\">\(context.say(.keepAlarm))</a>\n"
      + "</div>\n"
    return PageContent(
      title: context.plain(.removeAlarm),
      html: """
        <h1>\(context.say(.removeQuestion(label: alarm.label)))</h1>
        <p>\(context.say(.removeHelp))</p>
        \(context.form(Link.to("alarms", alarm.id, "remove"), buttons))
        """)
  }

  /// The address to which the browser sends the forms of this page.
  private var action: String { Link.to("alarms", alarm.id) }

  private var heading: String {
    """
    <p><a href="/alarms">← \(context.say(.alarms))</a></p>
    <div class="head"><div><h1>\(context.escape(alarm.label))</h1>
    <p class="date">\(context.escape(context.household.name(of: alarm.person)))</p></div>
    <a class="button main" href="\(Link.to("alarms", alarm.id, "edit"))">\(context.say(.editAlarm))</a></div>

    """
  }

  private var notices: String {
    if let refusal {
      return context.notice(of: refusal, fields: [AlarmPicture.field])
    }
    if isPictureMissing { return context.notice(context.say(.pictureMissing), isRefusal: true) }
    let sentence: CaretakerSentence? =
      switch context.visit.query["saved"] {
      case "set": .alarmSet
      case "edit": .alarmSaved
      case "pause": .alarmPaused
      case "resume": .alarmResumed
      case "skip": .alarmSkipped
      case "exclude": .alarmSaved
      case "play": .voicePlayed
      case "rehearse": .rehearsed
      case "unspoken": .rehearsedWithoutWords
      case "stopped": .ringStopped
      case "picture": .pictureSaved
      case "no_picture": .pictureRemoved
      default: nil
      }
    return sentence.map { context.notice(context.say($0)) } ?? ""
  }

  private var facts: String {
    let picture =
      alarm.image == nil
      ? ""
      : "<img class=\"hint\" src=\"\(Link.to("alarms", alarm.id, "picture"))\" "
        + "alt=\"\(context.say(.hintPicture))\">\n"
    let instructions =
      alarm.instructions.isEmpty
      ? "" : "<p class=\"instructions\">\(context.escape(alarm.instructions))</p>\n"
    let voice = alarm.voice.tone.map { context.escape($0) } ?? context.say(.voiceOfAlarm)
    return """
      \(picture)\(instructions)<dl>
      <dt>\(context.say(.schedule))</dt><dd>\(context.english(alarm.phrase))</dd>
      \(early)\
      <dt>\(context.say(.voice))</dt><dd>\(voice)</dd>
      \(supplies)</dl>
      \(rehearsal)
      """
  }

  /// The buttons that play the first ring and the recording of the alarm.
  private var rehearsal: String {
    let play = alarm.voice.tone == nil ? "" : context.button("play", .playVoice)
    return context.form(
      action,
      "<p class=\"help\">\(context.say(.rehearseHelp))</p>\n<div class=\"buttons\">"
        + "\(context.button("rehearse", .rehearse))\(play)</div>\n")
  }

  private var early: String {
    let reminders = alarm.earlyReminders.map(EarlyFields.init(words:))
    if reminders.isEmpty { return "" }
    let words = context.escape(context.words(of: reminders))
    return "<dt>\(context.say(.earlyReminders))</dt><dd>\(words)</dd>\n"
  }

  private var supplies: String {
    if alarm.uses.isEmpty { return "" }
    let list = alarm.uses.map { context.escape("\($0.name): \($0.amount)") }
    return "<dt>\(context.say(.supplies))</dt><dd>\(list.joined(separator: ", "))</dd>\n"
  }

  private var next: String {
    let rings = alarm.next.map { "<li>\(context.escape(context.moment($0)))</li>\n" }.joined()
    let list = rings.isEmpty ? "" : "<ul class=\"rings\">\n\(rings)</ul>\n"
    let state =
      rings.isEmpty || alarm.isPersonPaused || alarm.pausedUntil != nil
      ? "<p class=\"state\">\(context.state(of: alarm))</p>\n" : ""
    return section("rings", .nextRings, state + list)
  }

  private var escalation: String {
    section("escalation", .ifNobodyAnswers, context.timeline(alarm))
  }

  private var questions: String {
    if alarm.questions.isEmpty { return "" }
    let list = alarm.questions.map { question in
      let kind = QuestionFields(question).map { context.words(of: $0) } ?? ""
      return "<li>\(context.escape(question["text"]?.string ?? "")) "
        + "<span class=\"told\">\(context.escape(kind))</span></li>\n"
    }.joined()
    let waits = alarm.answersRequired ? "<p>\(context.say(.doneNeedsAnswers))</p>\n" : ""
    return section("questions", .questions, "<ol class=\"questions\">\n\(list)</ol>\n\(waits)")
  }

  private func section(_ id: String, _ word: CaretakerSentence, _ html: String) -> String {
    "<section aria-labelledby=\"\(id)\"><h2 id=\"\(id)\">\(context.say(word))</h2>\n\(html)</section>\n"
  }

  /// The form that stores or removes the picture.
  private var picture: String {
    let (action, version) = (
      Link.to("alarms", alarm.id, "picture"), [("version", String(alarm.version))]
    )
    let file = context.field(
      AlarmPicture.field, .newPicture, help: .newPictureHelp, refusal: refusal
    ) {
      "<input id=\"\(AlarmPicture.field)\" name=\"\(AlarmPicture.field)\" type=\"file\" "
        + "accept=\"image/*,.heic,.heif,.avif\" required\($0)>"
    }
    let store = context.form(
      action, hidden: version, isUpload: true, file + context.button("picture", .savePicture))
    let remove =
      alarm.image == nil
      ? "" : context.form(action, hidden: version, context.button("no_picture", .removePicture))
    return section("picture-title", .hintPicture, store + remove)
  }

  // MARK: Pauses

  private var pauses: String {
    let isPaused = alarm.pausedUntil.map { $0 > context.household.local } ?? false
    let today = context.household.today
    let pause =
      isPaused
      ? context.form(action, context.button("resume", .endPause))
      : context.form(
        action,
        """
        <p class="field"><label for="until">\(context.say(.pauseUntil))</label>
        <input type="date" id="until" name="until" required min="\(today)" value="\(today)"></p>
        \(context.button("pause", .pauseAlarm))
        """)
    let skip =
      alarm.next.isEmpty || isPaused
      ? "" : context.form(action, context.button("skip", .skipNext))
    let exclude = context.form(
      action,
      """
      <p class="field"><label for="days">\(context.say(.excludedDays))</label>
      <textarea id="days" name="days" rows="2" aria-describedby="days-help">\
      \(context.escape(alarm.exclude.joined(separator: "\n")))</textarea>
      <span class="help" id="days-help">\(context.say(.excludedDaysHelp))</span></p>
      \(context.button("exclude", .saveDays))
      """)
    return section("pauses", .pauses, skip + pause + exclude)
  }

  private var removalLink: String {
    "<p class=\"last\"><a href=\"\(Link.to("alarms", alarm.id, "remove"))\">"
      + "\(context.say(.removeAlarm))</a></p>\n"
  }
}
