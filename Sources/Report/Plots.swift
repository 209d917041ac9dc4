import CivilTime

/// The charts of a report.
struct Plots {
  let study: Study
  let summary: Summary

  /// A bar of a bar chart.
  private struct Bar {
    var label: String
    var row: SummaryRow
    /// The name of the group that is 100 percent, for example `asked`.
    var group: String
  }

  /// A bar chart. The length of a bar shows the share of `n` in `of` of its row. The text beside the
  /// bar contains both numbers, the group, and the percentage if it is not nil.
  private func bars(_ name: String, _ title: String, _ rows: [Bar]) -> Drawing {
    var drawing = Drawing(name, title, width: 640, height: Double(rows.count) * 26 + 8)
    for (index, bar) in rows.enumerated() {
      let (row, of) = (bar.row, bar.row.of ?? 0)
      let y = Double(index) * 26 + 4
      let share = of > 0 ? Double(row.n) / Double(of) : 0
      drawing.text(146, y + 14, bar.label, anchor: .end)
      drawing.rect(152, y, 320, 18, fill: "#f2f2f2")
      drawing.rect(152, y, 320 * share, 18, fill: Drawing.blue, stroke: Drawing.ink)
      let value = row.value.map { ", \($0) %" } ?? ""
      drawing.text(480, y + 14, "\(row.n) of \(of) \(bar.group)\(value)")
    }
    return drawing
  }

  /// A bar chart of the planned, asked, delivered, answered and completed prompts: first for the whole
  /// study, and then for each phase if there are several phases. In a control phase, the daemon
  /// delivers no prompt. Therefore the chart has separate bars for each phase.
  ///
  /// Each share is the share in summary.csv, so a word has the same meaning in all charts: for
  /// example, `completed` is always a share of the asked prompts.
  var funnel: Drawing {
    let excluded = (summary.row("prompts")?.n ?? 0) - (summary.row("planned")?.n ?? 0)
    let notAsked = (summary.row("planned")?.n ?? 0) - (summary.row("asked")?.n ?? 0)
    let parts = phaseNames.count > 1 ? [Summary.all] + phaseNames : [Summary.all]
    let rows = parts.flatMap { (phase) -> [Bar] in
      [
        ("planned", "prompts"), ("asked", "planned"), ("delivered", "planned"),
        ("answered", "asked"), ("completed", "asked"),
      ].compactMap { measure, group in
        summary.row(measure, phase: phase).map {
          Bar(label: parts.count > 1 ? "\(phase): \(measure)" : measure, row: $0, group: group)
        }
      }
    }
    return bars(
      "funnel",
      "From planned to completed: each share is a share of the group beside its bar (\(excluded) prompts were "
        + "excluded; for \(notAsked) of the planned prompts the device could not ask)", rows)
  }

  private var phaseNames: [String] { Set(study.prompts.map(\.phase)).sorted() }

  var completion: Drawing {
    bars(
      "completion", "Completed within n minutes of the due time: share of the asked prompts",
      [15, 30, 60].compactMap { minutes in
        summary.row("completed_within_\(minutes)_min").map {
          Bar(label: "±\(minutes) min", row: $0, group: "asked")
        }
      }
        + (summary.row("completed").map {
          [Bar(label: "at any time", row: $0, group: "asked")]
        } ?? []))
  }

  var phases: Drawing {
    bars(
      "phases", "Completed, by phase: share of the asked prompts",
      phaseNames.flatMap { phase in
        [("completed", "at any time"), ("completed_within_30_min", "±30 min")].compactMap {
          measure, words in
          summary.row(measure, phase: phase).map {
            Bar(label: "\(phase), \(words)", row: $0, group: "asked")
          }
        }
      })
  }

  var latency: Drawing {
    let limits = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600]
    let values = study.prompts.filter(\.isPlanned).compactMap(\.answerAfterRingMilliseconds)
    let labels = limits.map { $0 < 60 ? "≤\($0)s" : "≤\($0 / 60)min" } + ["more"]
    let counts = labels.indices.map { index in
      values.count { value in
        let isAbove = index == 0 || value > limits[index - 1] * 1_000
        return isAbove && (index == limits.count || value <= limits[index] * 1_000)
      }
    }
    return columns(
      "latency", "From the first ring to the first answer: \(values.count) prompts",
      axis: "time since the start of the first ring", Array(zip(labels, counts)))
  }

  var rings: Drawing {
    let values = study.prompts.filter(\.isPlanned).compactMap(\.ringsToAnswer)
    let most = min(values.max() ?? 0, 15)
    return columns(
      "rings", "Rings that sounded before the first answer: \(values.count) prompts", axis: "rings",
      (0...most).map { count in
        let isLast = count == most && most == 15
        return (isLast ? "15+" : "\(count)", values.count { isLast ? $0 >= count : $0 == count })
      })
  }

  private func columns(
    _ name: String, _ title: String, axis: String, _ bins: [(String, Int)]
  ) -> Drawing {
    var drawing = Drawing(name, title, width: 640, height: 176)
    drawing.text(0, 12, "prompts", size: 10)
    drawing.text(620, 172, axis, anchor: .end, size: 10)
    let most = max(1, bins.map(\.1).max() ?? 1)
    let step = 600 / Double(max(1, bins.count))
    for (index, (label, count)) in bins.enumerated() {
      let height = 110 * Double(count) / Double(most)
      let x = 20 + Double(index) * step
      drawing.rect(x + 2, 140 - height, step - 4, height, fill: Drawing.blue, stroke: Drawing.ink)
      if count > 0 {
        drawing.text(x + step / 2, 134 - height, "\(count)", anchor: .middle, size: 10)
      }
      drawing.text(x + step / 2, 154, label, anchor: .middle, size: 9)
    }
    drawing.line(20, 140, 620, 140)
    return drawing
  }

  /// A table with one row for each hour and one column for each day of the week. An export with the
  /// profile `safe_harbor` contains no weekdays. For such an export, the seven columns are day 1 to
  /// day 7 of a study week. The first study week begins on study day 1.
  var heatMap: Drawing {
    var cells: [Int: (done: Int, asked: Int)] = [:]
    for prompt in study.prompts where prompt.isAsked {
      guard let due = prompt.due else { continue }
      let column = study.countsDays ? (due.day - 1) % 7 : (due.day + 3) % 7
      let key = Int(due.minute / 60) * 7 + column
      cells[key, default: (0, 0)].asked += 1
      if prompt.isCompleted { cells[key, default: (0, 0)].done += 1 }
    }
    let names =
      study.countsDays
      ? (1...7).map { "day \($0)" } : ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    var drawing = Drawing(
      "heat",
      "Completed share of the asked prompts, by hour and \(study.countsDays ? "day of seven" : "weekday")",
      width: 640, height: 24 * 18 + 24)
    for (column, name) in names.enumerated() {
      drawing.text(60 + (Double(column) + 0.5) * 80, 14, name, anchor: .middle)
    }
    for hour in 0..<24 {
      let y = 20 + Double(hour) * 18
      drawing.text(54, y + 13, "\(hour < 10 ? "0" : "")\(hour):00", anchor: .end)
      for column in 0..<7 {
        let x = 60 + Double(column) * 80
        guard let cell = cells[hour * 7 + column] else {
          drawing.rect(x, y, 78, 16, fill: "#f7f7f7")
          continue
        }
        let share = Double(cell.done) / Double(cell.asked)
        let light = Int(255 - 110 * share)
        drawing.rect(x, y, 78, 16, fill: "rgb(\(light),\(light),255)", stroke: Drawing.grey)
        drawing.text(
          x + 39, y + 12, "\(Int((100 * share).rounded())) % of \(cell.asked)", anchor: .middle,
          size: 10)
      }
    }
    return drawing
  }

  /// The maximum number of days in a raster chart.
  static let rasterDays = 400

  /// The maximum number of raster charts in a report. If a study has more people, the report sorts
  /// the ids of the people and draws charts only for the first 24 ids.
  static let rasterPeople = 24

  /// One raster chart for each person. If one chart showed several people, their simultaneous
  /// prompts would hide each other.
  var rasters: [Drawing] {
    let people = Set(study.prompts.filter(\.isPlanned).map(\.person)).sorted()
    if people.count <= 1 { return [raster(study.prompts, "raster", "")] }
    let rest = people.count - Self.rasterPeople
    return people.prefix(Self.rasterPeople).enumerated().map { index, person in
      let isFirst = index == 0
      return raster(
        study.prompts.filter { $0.person == person }, isFirst ? "raster" : "raster-\(index + 1)",
        " of \(person)" + (isFirst && rest > 0 ? " (\(rest) more people are not drawn)" : ""))
    }
  }

  /// A raster chart: one row for each day, with marks at the due times of the prompts.
  ///
  /// A hatched rectangle shows a gap. The background of a day with a control phase is grey.
  private func raster(_ prompts: [StudyPrompt], _ figure: String, _ whose: String) -> Drawing {
    let days = prompts.compactMap { $0.due?.day }
    let last = days.max() ?? 0
    let first = max(days.min() ?? 0, last - Self.rasterDays + 1)
    let count = days.isEmpty ? 0 : last - first + 1
    let step = count > 120 ? 5.0 : 10.0
    var drawing = Drawing(
      figure,
      "Day by day\(whose)\(count == Self.rasterDays ? ", the last \(count) days" : ""): ● completed, ○ asked and "
        + "not completed, × the device could not ask; hatched: not monitored; grey: control phase",
      width: 640, height: Double(count) * step + 30)
    drawing.defineHatching()
    func x(_ minute: Double) -> Double { 80 + minute * 550 / 1_440 }
    func y(_ day: Int) -> Double { 20 + Double(day - first) * step }
    for hour in stride(from: 0, through: 24, by: 3) {
      drawing.text(
        x(Double(hour) * 60), 12, "\(hour):00", anchor: hour == 24 ? .end : .middle, size: 9)
      drawing.line(x(Double(hour) * 60), 16, x(Double(hour) * 60), y(last + 1), stroke: "#dddddd")
    }
    for day in stride(from: first, to: first + count, by: count > 30 ? 7 : 1) {
      drawing.text(74, y(day) + step - 1, name(day), anchor: .end, size: 8)
    }
    for day in Set(prompts.filter { $0.phase == "control" }.compactMap { $0.due?.day })
    where day >= first {
      drawing.rect(x(0), y(day), 550, step, fill: "#ececec")
    }
    for gap in study.gaps where gap.to.day >= first && gap.from.day <= last && gap.from < gap.to {
      for day in max(gap.from.day, first)...min(gap.to.day, last) {
        let from = day == gap.from.day ? gap.from.minute : 0
        let to = day == gap.to.day ? gap.to.minute : 1_440
        drawing.rect(
          x(from), y(day), max(0.5, x(to) - x(from)), step, fill: drawing.hatching,
          tip: "\(gap.cause), \(Int(to - from)) min")
      }
    }
    for prompt in prompts where prompt.isPlanned {
      guard let due = prompt.due, due.day >= first else { continue }
      let (px, py) = (x(due.minute), y(due.day) + step / 2)
      if !prompt.isAsked {
        drawing.cross(px, py, radius: step / 4)
      } else {
        drawing.dot(px, py, radius: step / 4, fill: prompt.isCompleted ? Drawing.blue : "#ffffff")
      }
    }
    return drawing
  }

  private func name(_ day: Int) -> String {
    study.countsDays ? "day \(day)" : CivilDate(dayNumber: day).description
  }

  var persistence: Drawing {
    let persistence = Persistence(study.prompts)
    let most = Double(max(1, persistence.people.map(\.days).max() ?? 1))
    var drawing = Drawing(
      "persistence",
      "Persistence (Kaplan–Meier): share of people who still answer, n = \(persistence.people.count); | censored",
      width: 640, height: 188)
    func x(_ days: Int) -> Double { 50 + 570 * Double(days) / most }
    func y(_ share: Double) -> Double { 150 - 130 * share }
    for share in [0, 0.5, 1.0] {
      drawing.line(50, y(share), 620, y(share), stroke: "#dddddd")
      drawing.text(44, y(share) + 4, "\(Int(share * 100)) %", anchor: .end, size: 10)
    }
    var points = [(x: x(0), y: y(1))]
    var level = 1.0
    for (days, share) in persistence.steps {
      points += [(x(days), y(level)), (x(days), y(share))]
      level = share
    }
    points.append((x(Int(most)), y(level)))
    drawing.path(points)
    for person in persistence.people where !person.isEvent {
      let share = persistence.survival(before: person.days + 1)
      drawing.line(x(person.days), y(share) - 5, x(person.days), y(share) + 5)
    }
    for days in Set([0, Int(most) / 4, Int(most) / 2, Int(most) * 3 / 4, Int(most)]).sorted() {
      let atRisk = persistence.people.count { $0.days >= days }
      drawing.text(x(days), 166, "\(days)", anchor: .middle, size: 10)
      drawing.text(x(days), 181, "\(atRisk)", anchor: .middle, size: 10)
    }
    drawing.text(40, 166, "days", anchor: .end, size: 9)
    drawing.text(40, 181, "at risk", anchor: .end, size: 9)
    return drawing
  }

  /// One line chart for each question that people answer with a number.
  var series: [Drawing] {
    study.responses.keys.sorted().map { question in
      let answers = (study.responses[question] ?? [:]).values.sorted { $0.at < $1.at }
      let values = answers.map(\.value)
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      let (first, last) = (answers.first?.at.day ?? 0, answers.last?.at.day ?? 0)
      let unit = answers.first?.unit ?? ""
      let people = Dictionary(grouping: answers, by: \.person)
      var drawing = Drawing(
        "series-\(question)",
        "Answers to \(question)\(unit.isEmpty ? "" : ", in \(unit)"): n = \(values.count); one line for "
          + "each of \(people.count) people",
        width: 640, height: 150)
      func x(_ time: StudyTime) -> Double {
        50 + 570 * (Double(time.day - first) + time.minute / 1_440) / Double(last - first + 1)
      }
      func y(_ value: Double) -> Double {
        high > low ? 120 - 100 * (value - low) / (high - low) : 70
      }
      drawing.line(50, 120, 620, 120)
      for value in Set([low, high]).sorted() {
        drawing.text(44, y(value) + 4, Drawing.number(value), anchor: .end, size: 10)
      }
      for person in people.keys.sorted() {
        drawing.path((people[person] ?? []).map { (x($0.at), y($0.value)) })
      }
      for answer in answers { drawing.dot(x(answer.at), y(answer.value)) }
      drawing.text(50, 136, name(first), size: 10)
      drawing.text(620, 136, name(last), anchor: .end, size: 10)
      return drawing
    }
  }
}
