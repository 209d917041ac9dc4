import CivilTime
import Sentences

/// The HTML of the page "Today".
struct DayHTML: Sendable {
  var context: PageContext
  var date: CivilDate
  /// The id of the person whose tasks the page shows; nil for all people.
  var person: String?
  /// The tasks in the order of their due times.
  var rows: [DayRow]
  /// The refusal of the answer that the caretaker gave; nil if no answer was refused.
  var refusal: HomeRefusal?

  init(context: PageContext, date: CivilDate, person: String?, rows: [DayRow]) {
    (self.context, self.date, self.person, self.rows) = (context, date, person, rows)
  }

  var content: PageContent {
    PageContent(
      status: refusal.map { $0.status } ?? 200, title: "\(title), \(day)",
      html: heading + notices + problems + people + first + whole, isLive: refusal == nil)
  }

  // MARK: The head of the page

  private var isToday: Bool { date == context.household.today }

  private var day: String { DateWords.calendarDay(date, in: context.language) }

  private var title: String { context.plain(isToday ? .today : .wholeDay) }

  private var heading: String {
    let counted = rows.filter(\.isCounted)
    let progress =
      counted.isEmpty
      ? ""
      : "<p class=\"progress\">"
        + context.say(
          .dayProgress(done: counted.count { $0.state == .done }, count: counted.count)) + "</p>\n"
    return """
      <div class="head"><div><h1>\(context.escape(title))</h1>
      <p class="date">\(context.escape(day))</p></div>
      <nav aria-label="\(context.say(.daysAround))" class="days">
      \(link(to: date.adding(days: -1), .dayBefore))\(isToday ? "" : link(to: nil, .today))\
      \(link(to: date.adding(days: 1), .dayAfter))</nav></div>
      \(progress)
      """
  }

  private func link(to date: CivilDate?, _ word: CaretakerSentence) -> String {
    "<a href=\"\(context.escape(address(date: date, person: person)))\">\(context.say(word))</a>\n"
  }

  private func address(date: CivilDate?, person: String?) -> String {
    Link.to(query: [("date", date?.description), ("person", person)])
  }

  private var notices: String {
    if let refusal {
      let start = context.say(.notSaved(reason: ""))
      return context.notice(start + context.english(refusal.detail), isRefusal: true)
    }
    guard let answer = context.visit.query["saved"].flatMap(DayAnswer.init),
      let row = rows.first(where: { $0.promptID == context.visit.query["prompt"] })
    else { return "" }
    return context.notice(context.say(answer.saved(row.label)))
  }

  private var problems: String {
    guard isToday, !context.household.problems.isEmpty else { return "" }
    let list = context.household.problems.map { "<li>\(context.english($0))</li>\n" }.joined()
    return "<section class=\"problems\" aria-labelledby=\"problems\">"
      + "<h2 id=\"problems\">\(context.say(.problemsHeading))</h2>\n<ul>\n\(list)</ul></section>\n"
  }

  private var people: String {
    context.peopleLinks(selected: person) { address(date: isToday ? nil : date, person: $0) }
  }

  // MARK: The tasks

  /// The HTML of the tasks that wait for an answer. If no task waits, the value contains the next
  /// task. On the page of a past day, the value is then empty.
  private var first: String {
    guard !rows.isEmpty else { return "<p class=\"nothing\">\(context.say(.noTasks))</p>\n" }
    let waiting = rows.filter { $0.state == .waiting }
    if !waiting.isEmpty {
      return section("now", .needsAnswer, waiting.map { card($0) }.joined())
    }
    guard isToday || date > context.household.today else { return "" }
    guard let next = rows.first(where: { [.toCome, .putOff].contains($0.state) }) else {
      return "<p class=\"nothing\">\(context.say(.nothingMoreToday))</p>\n"
    }
    return section("next", .nextUp, card(next))
  }

  private func section(_ id: String, _ word: CaretakerSentence, _ html: String) -> String {
    "<section class=\"\(id)\" aria-labelledby=\"\(id)\">"
      + "<h2 id=\"\(id)\">\(context.say(word))</h2>\n\(html)</section>\n"
  }

  private func card(_ row: DayRow) -> String {
    "<div class=\"card\">\(facts(row))\(answers(row))</div>\n"
  }

  private var whole: String {
    guard !rows.isEmpty else { return "" }
    let list = rows.enumerated().map { index, row in
      "<li class=\"\(row.state.rawValue)\">\(facts(row))\(more(row, index))</li>\n"
    }.joined()
    return section("day", .wholeDay, "<ol class=\"day\">\n\(list)</ol>\n")
  }

  private func facts(_ row: DayRow) -> String {
    let person =
      context.household.people.count > 1
      ? " <span class=\"person\">\(context.escape(context.household.name(of: row.person)))</span>"
      : ""
    let next = row.notifiesNext.map {
      "<p class=\"told\">\(context.say(.notifiesNextAt(time: DateWords.time($0))))</p>\n"
    }
    let told = row.notified.map {
      let sentence = CaretakerSentence.notifiedAt(
        contact: $0.contact, time: DateWords.time($0.time))
      return "<p class=\"told\">\(context.say(sentence))</p>\n"
    }
    return """
      <p class="time">\(DateWords.time(row.due.time))</p>
      <div class="what"><p><strong>\(context.escape(row.label))</strong>\(person)</p>
      <p class="state">\(state(row))\(why(row))</p>
      \(told.joined())\(next ?? "")</div>

      """
  }

  /// If the task did not end as planned, returns a link to the page that explains the reason.
  private func why(_ row: DayRow) -> String {
    guard [.missed, .declined, .suppressed, .cancelled, .replaced].contains(row.state),
      let alarm = row.promptID?.split(separator: "@").first
    else { return "" }
    let about = CaretakerSentence.whyAbout(label: row.label, time: DateWords.time(row.due.time))
    let address = Link.to("history", String(alarm), row.due.date.description)
    return " <a class=\"why\" href=\"\(address)\" aria-label=\"\(context.say(about))\">"
      + "\(context.say(.whyLink))</a>"
  }

  private func state(_ row: DayRow) -> String {
    let time = row.changed.map(DateWords.time) ?? ""
    let sentence: CaretakerSentence =
      switch row.state {
      case .toCome: .stateToCome
      case .paused: .statePaused
      case .waiting: .stateWaiting
      case .putOff: .statePutOff(time: time)
      case .done: .stateDone(time: time)
      case .declined: .stateDeclined(time: time)
      case .missed: .stateMissed
      case .suppressed: .stateSuppressed
      case .cancelled: .stateCancelled
      case .replaced: .stateReplaced
      }
    return context.say(sentence)
  }

  /// Returns the buttons of a row. If the task of the row waits for an answer, its buttons are in
  /// the card at the top of the page.
  private func more(_ row: DayRow, _ index: Int) -> String {
    if row.mayUndo || row.state == .waiting { return row.mayUndo ? answers(row) : "" }
    guard row.isOpen, row.promptID != nil else { return "" }
    return "<details id=\"answer-\(index)\"><summary>\(context.say(.changeTask))"
      + "<span class=\"unseen\"> \(context.escape(row.label))</span></summary>\n"
      + "\(answers(row))</details>\n"
  }

  private func answers(_ row: DayRow) -> String {
    guard let id = row.promptID else { return "" }
    var offered: [DayAnswer] = []
    if row.isOpen { offered.append(.done) }
    if row.mayDelay { offered.append(.later) }
    if row.isOpen { offered.append(.callOff) }
    if row.mayUndo { offered.append(.undo) }
    if offered.isEmpty { return "" }
    let time = DateWords.time(row.due.time)
    let buttons = offered.map { answer in
      let about = CaretakerSentence.buttonFor(
        what: context.plain(answer.word), label: row.label, time: time)
      return context.button(
        answer.rawValue, answer.word, about: about, isMain: answer == .done)
    }.joined()
    let action = address(date: isToday ? nil : date, person: person)
    return context.form(
      action, hidden: [("prompt", id)], "<div class=\"buttons\">\n\(buttons)</div>")
  }
}
