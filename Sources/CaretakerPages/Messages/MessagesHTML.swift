import CivilTime

/// The HTML of the page "Messages": the form of a new message, and the list.
struct MessagesHTML: Sendable {
  let context: PageContext
  let form: MessageForm
  /// The names of the recordings.
  let tones: [String]
  /// The messages and calls, the newest first.
  let messages: [MessageReading]
  let hasMore: Bool
  /// The refusal of the change that the caretaker made; nil if no change was refused.
  var refusal: HomeRefusal?

  private static let fields = ["text", "person", "tone", "answer", "expires", "repeat"]

  init(
    context: PageContext, form: MessageForm, tones: [String], messages: [MessageReading],
    hasMore: Bool
  ) {
    (self.context, self.form, self.tones) = (context, form, tones)
    (self.messages, self.hasMore) = (messages, hasMore)
  }

  var content: PageContent {
    PageContent(
      status: refusal?.status ?? 200, title: context.plain(.messages),
      html: "<h1>\(context.say(.messages))</h1>\n\(notices)\(saying)\(list)", isLive: true)
  }

  private var notices: String {
    if let refusal { return context.notice(of: refusal, fields: Self.fields) }
    let query = context.visit.query
    let chime = query["chime"].map { " \(context.say(.onlyChime)) \(context.english($0))" } ?? ""
    switch query["saved"] {
    case "said": return context.notice(context.say(.messageSaid) + chime)
    case "silent": return context.notice(context.say(.messageStaysSilent), isRefusal: true)
    case "waits":
      guard let at = query["at"].flatMap({ try? CivilDateTime(parsing: $0) }) else { return "" }
      return context.notice(context.say(.messageWaits(time: context.moment(at))) + chime)
    case "cancel": return context.notice(context.say(.messageCalledOff))
    default: return ""
    }
  }

  // MARK: The form

  private var saying: String {
    let words = context.field(
      "text", .messageWords, help: .messageWordsHelp, refusal: refusal
    ) { context.input("text", "text", form.text, " required maxlength=\"200\"" + $0) }
    let voices =
      [(value: "", words: context.plain(.spokenWords))] + tones.map { (value: $0, words: $0) }
    let voice =
      tones.isEmpty
      ? ""
      : context.field("tone", .messageVoice, refusal: refusal) {
        context.select("tone", voices, form.tone, $0)
      }
    let answers: [(value: String, words: String)] = [
      ("heard", context.plain(.answerHeard)), ("yes_no", context.plain(.answerYesNo)),
      ("", context.plain(.answerNone)),
    ]
    let answer = context.field("answer", .answerWanted, help: .answerHelp, refusal: refusal) {
      context.select("answer", answers, form.answer, $0)
    }
    let button = "<div class=\"buttons\">\(context.button("say", .sayNow, isMain: true))</div>\n"
    let person = context.person(.messageFor, form.person, refusal: refusal)
    return context.section(
      "say", .saySomething,
      "<div class=\"sheet\">\n"
        + context.form("/messages", words + person + answer + voice + more + button) + "</div>\n")
  }

  private var more: String {
    let isOpen = ["expires", "repeat"].contains { refusal?.isAbout($0) ?? false }
    let expires = context.field("expires", .expiresAfter, refusal: refusal) {
      context.input("expires", "number", form.expires, " min=\"1\" max=\"1440\"" + $0)
    }
    let repetitions = context.field("repeat", .repeatAtMost, refusal: refusal) {
      context.input("repeat", "number", form.repetitions, " min=\"1\" max=\"10\"" + $0)
    }
    return "<details id=\"more\"\(isOpen ? " open" : "")><summary>\(context.say(.messageMore))"
      + "</summary>\n\(expires)\(repetitions)<p class=\"help\">\(context.say(.onlyWithAnswer))</p>\n"
      + context.checkbox("in_quiet_hours", .alsoInQuietHours, form.isForQuietHours)
      + "</details>\n"
  }

  // MARK: The list

  private var list: String {
    if messages.isEmpty {
      return context.section(
        "list", .messagesSoFar, isPart: true,
        "<p class=\"nothing\">\(context.say(.noMessages))</p>\n")
    }
    let rows = messages.map(row).joined()
    let more =
      hasMore
      ? "<p><a class=\"button\" href=\"/messages?all\">\(context.say(.showMore))</a></p>\n" : ""
    return context.section(
      "list", .messagesSoFar, isPart: true, "<ul class=\"rows\">\n\(rows)</ul>\n\(more)")
  }

  private func row(_ message: MessageReading) -> String {
    let person = context.household.name(of: message.person)
    let people =
      message.isCall
      ? context.escape(person) : context.say(.fromTo(from: message.from, to: person))
    let text =
      message.isCall
      ? context.say(.callAsked)
      : message.text.isEmpty ? context.say(.wordsErased) : context.escape(message.text)
    let style = message.needsAttention ? "bad" : message.state.rawValue
    return """
      <li class="\(style)\(message.isCall ? " call" : "")"><div><p class="told">\(context.escape(context.moment(message.sent))) · \(people)</p>
      <p><strong>\(text)</strong></p>
      <p class="state">\(context.say(message.stateWords))</p></div>
      \(callOff(message))</li>

      """
  }

  private func callOff(_ message: MessageReading) -> String {
    guard !message.isCall, message.isOpen else { return "" }
    let about = CaretakerSentence.buttonFor(
      what: context.plain(.callOffButton), label: message.text,
      time: context.moment(message.sent))
    return context.form(
      "/messages", hidden: [("prompt", message.id)],
      context.button("cancel", .callOffButton, about: about))
  }
}
