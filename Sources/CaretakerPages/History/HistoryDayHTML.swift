import CivilTime
import Sentences

/// The HTML of one day of an alarm: the course of each prompt, with the reasons.
struct HistoryDayHTML: Sendable {
  /// A prompt and its explanation. If there was no prompt, the explanation contains the reason.
  struct Entry: Sendable {
    var prompt: HistoryPrompt?
    var why: Explanation
  }

  let context: PageContext
  let alarm: String
  let day: CivilDate
  let entries: [Entry]

  var content: PageContent {
    let label = entries.first?.why.label ?? ""
    let date = DateWords.calendarDay(day, in: context.language)
    let month = HistoryMonth(of: day)
    let back = Link.to("history", query: [("month", month.text)])
    return PageContent(
      title: "\(label), \(date)",
      html: """
        <p><a href="\(back)">← \(context.say(.history))</a></p>
        <div class="head"><div><h1>\(context.escape(label))</h1>
        <p class="date">\(context.escape(date))</p></div>
        <nav aria-label="\(context.say(.daysAround))" class="days">
        \(link(day.adding(days: -1), .dayBefore))\(link(day.adding(days: 1), .dayAfter))</nav></div>
        \(entries.enumerated().map(card).joined())\(rule)
        """, isLive: true)
  }

  private func link(_ day: CivilDate, _ word: CaretakerSentence) -> String {
    "<a href=\"\(Link.to("history", alarm, day.description))\">\(context.say(word))</a>\n"
  }

  private func card(_ index: Int, _ entry: Entry) -> String {
    let heading =
      entry.prompt.map { prompt in
        "<h2><span class=\"time\">\(DateWords.time(prompt.due.time))</span> "
          + "<span class=\"state\">\(context.say(state(prompt)))</span></h2>\n"
      } ?? "<h2>\(context.say(.noPromptThisDay))</h2>\n"
    let style = entry.prompt?.mark.style ?? "none"
    return """
      <section class="sheet why \(style)">\(heading)\
      <p>\(context.english(entry.why.summary))</p>
      \(reasons(entry.why, index))</section>

      """
  }

  private func state(_ prompt: HistoryPrompt) -> CaretakerSentence {
    let time = prompt.closed.map { DateWords.time($0.time) }
    switch (prompt.mark, time) {
    case (.done, let time?): return .stateDone(time: time)
    case (.declined, let time?): return .stateDeclined(time: time)
    default: return prompt.mark.words
    }
  }

  private func reasons(_ why: Explanation, _ index: Int) -> String {
    if why.reasons.isEmpty { return "" }
    let rows = why.reasons.map { reason in
      let by = reason.by.map { "<span class=\"person\">\(context.escape($0))</span>" } ?? ""
      let date = reason.at.date == day ? "" : "\(reason.at.date) "
      return "<li><span class=\"time\">\(date)\(DateWords.time(reason.at.time))</span>"
        + "<span>\(context.english(reason.text)) \(by)</span></li>\n"
    }.joined()
    return "<details id=\"why-\(index)\"><summary>\(context.say(.whatHappened))</summary>\n"
      + "<ol class=\"timeline\">\n\(rows)</ol></details>\n"
  }

  private var rule: String {
    guard let rule = entries.first?.why.rule else { return "" }
    return "<p class=\"told\">\(context.say(.schedule)): \(context.english(rule))</p>\n"
  }
}
