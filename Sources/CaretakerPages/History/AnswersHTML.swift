import CivilTime
import Sentences

/// The HTML of the answers to one question over time.
struct AnswersHTML: Sendable {
  let context: PageContext
  let question: AskedQuestion
  /// The number of days of the chart, which ends today.
  let days: Int
  let from: CivilDate
  /// The points of the chart, the oldest first.
  let points: [AnswerPoint]
  /// The number of answers in all points.
  let count: Int

  var content: PageContent {
    PageContent(
      title: question.text,
      html: """
        <p><a href="/history">← \(context.say(.history))</a></p>
        <h1>\(context.escape(question.text))</h1>
        <p class="date">\(context.escape(context.household.name(of: question.person)))</p>
        <nav class="days" aria-label="\(context.say(.lengthOfChart))">\(spans)</nav>
        \(points.isEmpty ? nothing : chart + table)
        """, isLive: true)
  }

  private var spans: String {
    HistoryPage.spans.map { span in
      let mark = span == days ? " aria-current=\"true\"" : ""
      return "<a href=\"\(context.escape(question.address(days: span)))\"\(mark)>"
        + "\(context.say(.lastDays(count: span)))</a>\n"
    }.joined()
  }

  private var nothing: String { "<p class=\"nothing\">\(context.say(.noAnswers))</p>\n" }

  private var chart: String {
    let newest = points.last.map { name($0.value) } ?? ""
    let label = context.say(
      .chartOf(question: question.text, count: count, newest: newest))
    let unit = question.unit.map { "<p class=\"told\">\(context.escape($0))</p>\n" } ?? ""
    let chart = AnswerChart(
      points, from: from, to: context.household.today, limits: question.limits)
    return unit
      + chart.svg(label: label) {
        context.escape(question.isYesNo && $0 != $0.rounded() ? "" : name($0))
      } day: { day in
        context.escape("\(day.day). \(day.month).")
      }
  }

  /// Returns the text for the value of an answer: "yes", "no" or a number.
  private func name(_ value: Double) -> String {
    if question.isYesNo, value == 0 || value == 1 {
      return context.plain(value == 1 ? .yes : .no)
    }
    return AnswerChart.text(value)
  }

  /// The maximum number of rows in the table of answers.
  private static let rows = 100

  private var table: String {
    let rows = points.suffix(Self.rows).reversed().map { point in
      "<tr><td>\(context.escape(context.moment(point.at)))</td>"
        + "<td class=\"number\">\(context.escape(name(point.value)))</td></tr>\n"
    }.joined()
    return """
      <details id="values"><summary>\(context.say(.asTable))</summary>
      <table><thead><tr><th scope="col">\(context.say(.when))</th>\
      <th scope="col" class="number">\(context.say(.answerWanted))</th></tr></thead>
      <tbody>\(rows)</tbody></table></details>

      """
  }
}
