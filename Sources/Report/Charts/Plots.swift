import StudyExport

/// The charts of a report.
struct Plots {
  let study: Study
  let summary: Summary
  /// True if the charts must not show a number of prompts from 1 to 4.
  var suppressesSmall = false

  /// A bar of a bar chart.
  private struct Bar {
    var label: String
    var row: SummaryRow
    /// The name of the group that is 100 percent, for example `asked`.
    var group: String
  }

  /// Draws a bar chart. The length of a bar shows `n` divided by `of`. The two numbers come from
  /// the row of summary.csv for this bar. The text beside the bar contains the two numbers and the
  /// name of the group. If the row contains a percentage, the text also contains this percentage.
  private func bars(_ name: String, _ title: String, _ rows: [Bar]) -> Drawing {
    var drawing = Drawing(name, title, width: 640, height: Double(rows.count) * 26 + 8)
    for (index, bar) in rows.enumerated() {
      let (row, of) = (bar.row, bar.row.of ?? 0)
      let y = Double(index) * 26 + 4
      let share = of > 0 ? Double(row.n) / Double(of) : 0
      drawing.text(146, y + 14, bar.label, anchor: .end)
      drawing.rect(152, y, 320, 18, fill: "#f2f2f2")
      if suppressesSmall, row.isSmall {
        drawing.text(480, y + 14, Summary.hidden)
        continue
      }
      drawing.rect(152, y, 320 * share, 18, fill: Drawing.blue, stroke: Drawing.ink)
      let value = row.value.map { ", \($0) %" } ?? ""
      drawing.text(480, y + 14, "\(row.n) of \(of) \(bar.group)\(value)")
    }
    return drawing
  }

  /// A bar chart of the planned, asked, delivered, answered and completed prompts. The first bars
  /// are for the whole study. If the study has several phases, separate bars for each phase follow.
  /// Reason: the daemon delivers no prompt in a control phase. Therefore the prompts of a control
  /// phase lower the share of delivered prompts in the first bars.
  ///
  /// The chart shows the shares from summary.csv. Therefore a word has the same meaning in all
  /// charts. For example, `completed` is always a share of the asked prompts.
  var funnel: Drawing {
    func difference(_ one: String, _ other: String) -> String {
      let number = (summary.row(one)?.n ?? 0) - (summary.row(other)?.n ?? 0)
      return suppressesSmall && (1..<ExportTable.smallCell).contains(number)
        ? Summary.hidden : "\(number)"
    }
    let excluded = difference("prompts", "planned")
    let notAsked = difference("planned", "asked")
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

  var phaseNames: [String] { Set(study.prompts.map(\.phase)).sorted() }

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
    // A merged bin consists of several bins. Its label is the label of the last of these bins,
    // because each label is an upper limit.
    return columns(
      "latency", "From the first ring to the first answer: \(total(of: values)) prompts",
      axis: "time since the start of the first ring",
      shown(Array(zip(labels, counts))) { $1 })
  }

  var rings: Drawing {
    let values = study.prompts.filter(\.isPlanned).compactMap(\.ringsToAnswer)
    let most = min(values.max() ?? 0, 15)
    let bins = (0...most).map { count in
      let isLast = count == most && most == 15
      return (isLast ? "15+" : "\(count)", values.count { isLast ? $0 >= count : $0 == count })
    }
    return columns(
      "rings", "Rings that sounded before the first answer: \(total(of: values)) prompts",
      axis: "rings",
      shown(bins) { one, other in
        let first = one.split(separator: "–").first ?? ""
        let last = other.split(separator: "–").last ?? ""
        return "\(first)–\(last)"
      })
  }

  /// The number of values, for the title of a chart. With `suppressesSmall`, the word `small`
  /// replaces a number from 1 to 4.
  private func total(of values: [Int]) -> String {
    suppressesSmall && (1..<ExportTable.smallCell).contains(values.count)
      ? Summary.hidden : "\(values.count)"
  }

  /// The bins that a column chart shows. With `suppressesSmall`, the function merges bins, so that
  /// no bin has 1 to 4 values.
  private func shown(
    _ bins: [(String, Int)], label: (_ first: String, _ last: String) -> String
  ) -> [(String, Int)] {
    suppressesSmall ? Self.merged(bins, label: label) : bins
  }

  /// Merges neighbouring bins until each bin has no value or at least five values.
  ///
  /// It is not enough to hide a bin with few values. Reason: from the total and the other bins, a
  /// reader can compute the number of values in the hidden bin.
  ///
  /// - Returns: the merged bins; empty if all bins together have 1 to 4 values.
  static func merged(
    _ bins: [(String, Int)], label: (_ first: String, _ last: String) -> String
  ) -> [(String, Int)] {
    let small = 1..<ExportTable.smallCell
    var found: [(String, Int)] = []
    for bin in bins {
      if let last = found.last, small.contains(last.1) {
        found[found.count - 1] = (label(last.0, bin.0), last.1 + bin.1)
      } else {
        found.append(bin)
      }
    }
    // The last bin can still have 1 to 4 values. In this case, merge the last bin with the bin
    // before, until the last bin has at least 5 values.
    while let last = found.last, small.contains(last.1) {
      found.removeLast()
      guard let before = found.popLast() else { break }
      found.append((label(before.0, last.0), before.1 + last.1))
    }
    return found
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

  var persistence: Drawing {
    let persistence = Persistence(study.prompts)
    let most = Double(max(1, persistence.people.map(\.days).max() ?? 1))
    var drawing = Drawing(
      "persistence",
      "Persistence over the days without a control phase (Kaplan–Meier): share of people who still "
        + "answer, n = \(persistence.people.count); | censored",
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
}
