import Glibc

extension Plots {
  /// The chart of the time from the due time to the answer, as 1 − Kaplan–Meier. The chart has one
  /// curve for each phase.
  ///
  /// A prompt without an answer is censored at its end. Reason: after the end of a prompt, the
  /// person cannot answer the prompt.
  var timeToAnswer: Drawing {
    let curves = phaseNames.map { phase in
      (phase: phase, curve: AnswerCurve(study.prompts.filter { $0.phase == phase }))
    }.filter { $0.curve.count > 0 }
    let longest = curves.map(\.curve.longest).max() ?? 0
    let most = min(max(longest, 5), Self.longestMinutes)
    var drawing = Drawing(
      "time-to-answer",
      "Time from the due time to the answer (1 − Kaplan–Meier), by phase: share of the asked prompts that are "
        + "answered; a prompt without an answer is censored at its end",
      width: 640, height: 206 + 15 * Double(max(0, curves.count - 1)))
    func x(_ minutes: Double) -> Double { 84 + 456 * min(minutes, most) / most }
    func y(_ share: Double) -> Double { 160 - 145 * share }
    for share in [0, 0.25, 0.5, 0.75, 1.0] {
      drawing.line(84, y(share), 540, y(share), stroke: "#dddddd")
      drawing.text(78, y(share) + 4, "\(Int(share * 100)) %", anchor: .end, size: 10)
    }
    for (index, (phase, curve)) in curves.enumerated() {
      var points = [(x: x(0), y: y(0))]
      var level = 0.0
      for (minutes, share) in curve.steps where minutes <= most {
        points += [(x(minutes), y(level)), (x(minutes), y(share))]
        level = share
      }
      points.append((x(min(curve.longest, most)), y(level)))
      drawing.path(
        points, stroke: index == 0 ? Drawing.ink : Drawing.blue, width: 2,
        dashes: Self.dashes[index % Self.dashes.count])
      drawing.text(x(min(curve.longest, most)) + 6, y(level) + 4, phase, size: 10)
      drawing.text(62, 191 + 15 * Double(index), phase, anchor: .end, size: 9)
    }
    for part in 0...4 {
      let minutes = most * Double(part) / 4
      drawing.text(x(minutes), 176, Drawing.number(minutes), anchor: .middle, size: 10)
      for (index, (_, curve)) in curves.enumerated() {
        drawing.text(
          x(minutes), 191 + 15 * Double(index), "\(curve.atRisk(at: minutes))", anchor: .middle,
          size: 10)
      }
    }
    drawing.text(62, 176, "minutes", anchor: .end, size: 9)
    drawing.text(638, 191, "prompts at risk", anchor: .end, size: 9)
    return drawing
  }

  /// The longest time on the axis of `timeToAnswer`.
  private static let longestMinutes = 180.0
  /// The dashes of the curves. With the dashes, a reader can distinguish the curves without
  /// colours.
  private static let dashes = ["", "6 3", "2 3", "8 3 2 3"]

  /// The chart of the change between the phases. One line for each person goes from the completed
  /// share in the control phases to the completed share in the prompted phases.
  var change: Drawing {
    let people = Estimates.people(study, .main).map(\.value).filter { $0.both != nil }
    let pairs = people.compactMap { person in
      person.both.map {
        (
          from: $0.control.count.percent, to: $0.prompted.count.percent,
          isDashed: person.sequence == .controlFirst
        )
      }
    }
    var drawing = Drawing(
      "change",
      "Completed share of each person, from control to prompted: n = \(pairs.count) enrolled people with both "
        + "phases; solid: prompted first, dashed: control first; thick: mean",
      width: 640, height: 236)
    func y(_ percent: Double) -> Double { 204 - 1.9 * percent }
    for percent in [0, 25, 50, 75, 100] {
      drawing.line(110, y(Double(percent)), 530, y(Double(percent)), stroke: "#dddddd")
      drawing.text(102, y(Double(percent)) + 4, "\(percent) %", anchor: .end, size: 10)
    }
    for pair in pairs {
      drawing.path(
        [(200, y(pair.from)), (440, y(pair.to))],
        stroke: pair.to < pair.from ? Drawing.orange : Drawing.blue,
        width: 1, dashes: pair.isDashed ? "5 3" : "")
      drawing.dot(200, y(pair.from), radius: 2)
      drawing.dot(440, y(pair.to), radius: 2)
    }
    if !pairs.isEmpty {
      let count = Double(pairs.count)
      let (from, to) = (
        pairs.map(\.from).reduce(0, +) / count, pairs.map(\.to).reduce(0, +) / count
      )
      drawing.path([(200, y(from)), (440, y(to))], stroke: Drawing.ink, width: 3.5)
      drawing.text(194, y(from) - 5, "\(Summary.decimal(from)) %", anchor: .end, size: 11)
      drawing.text(446, y(to) - 5, "\(Summary.decimal(to)) %", size: 11)
    }
    drawing.text(200, 226, "control", anchor: .middle)
    drawing.text(440, 226, "prompted", anchor: .middle)
    return drawing
  }

  /// The maximum number of people and the maximum number of days in the overview.
  private static let overviewPeople = 200
  private static let overviewDays = 120

  /// The chart with one row for each person and one column for each day. The rows are sorted by the
  /// completed share.
  var overview: Drawing {
    let people = Dictionary(grouping: study.prompts.filter(\.isPlanned), by: \.person).map {
      OverviewRow(person: $0.key, prompts: $0.value)
    }.sorted {
      $0.share == $1.share
        ? $0.person.utf8.lexicographicallyPrecedes($1.person.utf8) : $0.share > $1.share
    }
    let shown = people.prefix(Self.overviewPeople)
    let rest = people.count - shown.count
    let days = min(shown.map(\.length).max() ?? 1, Self.overviewDays)
    let height = shown.count > 60 ? 8.0 : 13.0
    let width = min(24, 500 / Double(days))
    var drawing = Drawing(
      "overview",
      "All people, one row each, sorted by the completed share\(rest > 0 ? " (\(rest) more people are not drawn)" : ""): "
        + "a darker cell has a larger completed share of the day; a line below a cell: control phase; "
        + "×: the device could not ask; day 1 is the first day of the person",
      width: 640, height: Double(shown.count) * height + 20)
    for day in 1...max(1, days) where day == 1 || day % 7 == 0 {
      drawing.text(100 + (Double(day) - 0.5) * width, 11, "\(day)", anchor: .middle, size: 8)
    }
    for (index, row) in shown.enumerated() {
      let y = 16 + Double(index) * height
      drawing.text(94, y + height - 4, row.person, anchor: .end, size: height > 10 ? 8 : 6)
      drawing.text(
        106 + Double(days) * width, y + height - 4, "\(Int((100 * row.share).rounded())) %", size: 8
      )
      for (day, cell) in row.days.sorted(by: { $0.key < $1.key }) where day <= days {
        let x = 100 + Double(day - 1) * width
        let share = cell.asked > 0 ? Double(cell.done) / Double(cell.asked) : 0
        drawing.rect(
          x, y, width - 1, height - 3, fill: cell.asked > 0 ? Drawing.shade(share) : "#ffffff",
          stroke: "#bbbbbb", tip: "\(row.person), day \(day): \(cell.done) of \(cell.asked)")
        if cell.asked == 0 { drawing.cross(x + (width - 1) / 2, y + (height - 3) / 2, radius: 2) }
        if cell.isControl {
          drawing.line(x, y + height - 1.5, x + width - 1, y + height - 1.5, width: 1.5)
        }
      }
    }
    return drawing
  }
}

/// The days of one person in the overview.
private struct OverviewRow {
  struct Day {
    var asked = 0
    var done = 0
    var isControl = false
  }

  let person: String
  /// The values of each day. The key is the number of the day: the first day with a prompt has the
  /// number 1.
  private(set) var days: [Int: Day] = [:]

  init(person: String, prompts: [StudyPrompt]) {
    self.person = person
    let first = prompts.compactMap { $0.due?.day }.min() ?? 0
    for prompt in prompts {
      guard let due = prompt.due else { continue }
      var day = days[due.day - first + 1] ?? Day()
      if prompt.isAsked { day.asked += 1 }
      if prompt.isAsked, prompt.isCompleted { day.done += 1 }
      if prompt.phase == AnalysisSet.control { day.isControl = true }
      days[due.day - first + 1] = day
    }
  }

  var length: Int { days.keys.max() ?? 1 }

  /// The completed share of the asked prompts; 0 if the person has no asked prompt.
  var share: Double {
    let asked = days.values.reduce(0) { $0 + $1.asked }
    return asked > 0 ? Double(days.values.reduce(0) { $0 + $1.done }) / Double(asked) : 0
  }
}
