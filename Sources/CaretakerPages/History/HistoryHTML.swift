import CivilTime
import Sentences

/// The HTML of the page "History": a month of squares for each alarm.
struct HistoryHTML: Sendable {
  let context: PageContext
  let month: HistoryMonth
  /// The id of the person whose alarms the page shows; nil for all people.
  let person: String?
  let rows: [HistoryRow]
  let questions: [AskedQuestion]

  var content: PageContent {
    PageContent(
      title: "\(context.plain(.history)), \(title)", html: heading + people + list + answers,
      isLive: true)
  }

  private var title: String {
    context.plain(
      .monthAndYear(
        month: Sentence.month(month.first.month).text(in: context.language),
        year: String(month.first.year)))
  }

  private var heading: String {
    let isPresent = month == HistoryMonth(of: context.household.today)
    let next =
      isPresent ? "" : link(to: month.next, .monthAfter) + link(to: nil, .presentMonth)
    return """
      <div class="head"><div><h1>\(context.say(.history))</h1>
      <p class="date">\(context.escape(title))</p></div>
      <nav aria-label="\(context.say(.otherMonths))" class="days">
      \(link(to: month.previous, .monthBefore))\(next)</nav></div>

      """
  }

  private func link(to month: HistoryMonth?, _ word: CaretakerSentence) -> String {
    "<a href=\"\(context.escape(address(month, person)))\">\(context.say(word))</a>\n"
  }

  private func address(_ month: HistoryMonth?, _ person: String?) -> String {
    Link.to("history", query: [("month", month?.text), ("person", person)])
  }

  private var people: String {
    let isPresent = month == HistoryMonth(of: context.household.today)
    return context.peopleLinks(selected: person) { address(isPresent ? nil : month, $0) }
  }

  // MARK: Squares

  private var list: String {
    if rows.isEmpty { return "<p class=\"nothing\">\(context.say(.noHistory))</p>\n" }
    return rows.enumerated().map { index, row in
      section(row, "alarm-\(index)")
    }.joined() + legend
  }

  private func section(_ row: HistoryRow, _ id: String) -> String {
    let person =
      context.household.people.count > 1
      ? " <span class=\"person\">\(context.escape(context.household.name(of: row.person)))</span>"
      : ""
    let count =
      row.counted == 0 ? "" : context.say(.doneOf(done: row.done, count: row.counted))
    let days = month.days.map { square($0, row) }.joined()
    return """
      <section class="history" aria-labelledby="\(id)"><div class="head">
      <h2 id="\(id)">\(context.escape(row.label))\(person)</h2><p class="count">\(count)</p></div>
      <ol class="month starts-\(month.first.weekday.number)">\(days)</ol></section>

      """
  }

  private func square(_ day: CivilDate, _ row: HistoryRow) -> String {
    guard let mark = row.days[day] else {
      return "<li><span class=\"none\">\(day.day)</span></li>\n"
    }
    let address = Link.to("history", row.alarm, day.description)
    return "<li><a class=\"\(mark.style)\" href=\"\(address)\">\(day.day)"
      + "<span aria-hidden=\"true\">\(mark.sign)</span>"
      + "<span class=\"unseen\"> \(context.say(mark.words))</span></a></li>\n"
  }

  /// The signs that the page shows for this month, each with its meaning.
  private var legend: String {
    let marks = Set(rows.flatMap(\.days.values)).sorted()
    let items = marks.map {
      "<li><span class=\"\($0.style)\" aria-hidden=\"true\">\($0.sign)</span> \(context.say($0.words))</li>\n"
    }.joined()
    return "<ul class=\"legend\" aria-label=\"\(context.say(.signs))\">\n\(items)</ul>\n"
      + "<p class=\"help\">\(context.say(.historyHelp))</p>\n"
  }

  private var answers: String {
    if questions.isEmpty { return "" }
    let links = questions.map { question in
      let person =
        context.household.people.count > 1
        ? " <span class=\"person\">\(context.escape(context.household.name(of: question.person)))</span>"
        : ""
      return "<li><a href=\"\(context.escape(question.address()))\">"
        + "\(context.escape(question.text))</a>\(person)</li>\n"
    }.joined()
    return context.section("answers", .answersOverTime, "<ul class=\"rows\">\n\(links)</ul>\n")
  }
}

extension Weekday {
  /// The number of the weekday, from 1 for Monday to 7 for Sunday.
  fileprivate var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}

extension PageContext {
  /// Returns a link for each person and a link for all people. The text is empty if the home has
  /// only one person.
  func peopleLinks(
    selected: String?, label: CaretakerSentence = .peopleOfHome, _ address: (String?) -> String
  ) -> String {
    guard household.people.count > 1 else { return "" }
    func choice(_ name: String, _ id: String?) -> String {
      let mark = id == selected ? " aria-current=\"true\"" : ""
      return "<a href=\"\(escape(address(id)))\"\(mark)>\(name)</a>\n"
    }
    let each = household.people.map { choice(escape($0.name), $0.id) }.joined()
    return "<nav class=\"people\" aria-label=\"\(say(label))\">\n"
      + "\(choice(say(.everybody), nil))\(each)</nav>\n"
  }
}
