import Glibc

extension Plots {
  /// The maximum number of people in the chart of a question. If more people than this maximum
  /// answered the question, the chart shows the people whose pseudonyms are first in the alphabet.
  private static let mostPanels = 40

  /// One chart for each question that people answer with a number. Each chart has one panel for
  /// each person.
  ///
  /// The axes of all panels of a question show the range of the question. If the export does not
  /// contain this range, the axes show the range of all responses.
  var series: [Drawing] {
    study.responses.keys.sorted().map { question in
      let answers = (study.responses[question] ?? [:]).values.sorted { $0.at < $1.at }
      return panels(question, Dictionary(grouping: answers, by: \.person))
    }
  }

  private func panels(_ question: String, _ people: [String: [StudyResponse]]) -> Drawing {
    let answers = people.values.joined()
    let known = study.ranges[question]
    let low = known?.low ?? answers.map(\.value).min() ?? 0
    let high = max(known?.high ?? answers.map(\.value).max() ?? 0, low)
    let first = answers.map(\.at.day).min() ?? 0
    let last = answers.map(\.at.day).max() ?? 0
    let unit = answers.first?.unit ?? ""
    let shown = people.keys.sorted().prefix(Self.mostPanels)
    let rest = people.count - shown.count
    let columns = 4
    let rows = (shown.count + columns - 1) / columns
    var drawing = Drawing(
      "series-\(question)",
      "Answers to \(question)\(unit.isEmpty ? "" : ", in \(unit)"): n = \(answers.count); one panel for each of "
        + "\(shown.count) people\(rest > 0 ? " (\(rest) more people are not drawn)" : ""); "
        + "\(name(first)) to \(name(last)); range \(Drawing.number(low)) to \(Drawing.number(high))",
      width: 640, height: Double(rows) * 84 + 6)
    for (index, person) in shown.enumerated() {
      let left = 28 + Double(index % columns) * 154
      let top = 18 + Double(index / columns) * 84
      func x(_ time: StudyTime) -> Double {
        left + 124 * (Double(time.day - first) + time.minute / 1_440) / Double(last - first + 1)
      }
      func y(_ value: Double) -> Double {
        high > low ? top + 56 - 56 * (value - low) / (high - low) : top + 28
      }
      drawing.text(left, top - 4, person, size: 9)
      drawing.rect(left, top, 124, 56, fill: "none", stroke: "#cccccc")
      for value in Set([low, high]).sorted() {
        drawing.text(left - 3, y(value) + 3, Drawing.number(value), anchor: .end, size: 8)
      }
      let own = people[person] ?? []
      drawing.path(own.map { (x($0.at), y(min(max($0.value, low), high))) }, width: 1)
      for answer in own {
        drawing.dot(x(answer.at), y(min(max(answer.value, low), high)), radius: 1.4)
      }
    }
    return drawing
  }
}
