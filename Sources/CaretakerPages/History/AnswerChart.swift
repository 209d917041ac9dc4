import CivilTime

/// A chart of answers as SVG. Its colours come from the style sheet, so that the chart is readable
/// on a light and on a dark page.
///
/// The charts of the module Report have fixed colours for printed pages. Therefore, this chart does
/// not use the drawing code of the module Report.
struct AnswerChart: Sendable {
  var points: [AnswerPoint]
  /// The first and the last day of the horizontal axis.
  var from: CivilDate
  var to: CivilDate
  /// The lowest and highest value of the vertical axis.
  let range: ClosedRange<Double>

  private static let (width, height) = (360.0, 190.0)
  private static let (left, right, top, bottom) = (34.0, 350.0, 10.0, 164.0)

  init(_ points: [AnswerPoint], from: CivilDate, to: CivilDate, limits: ClosedRange<Double>?) {
    (self.points, self.from, self.to) = (points, from, to)
    let (least, most) = (points.map(\.least).min() ?? 0, points.map(\.most).max() ?? 1)
    if let limits {
      range = min(limits.lowerBound, least)...max(limits.upperBound, most)
    } else {
      let margin = most > least ? (most - least) * 0.1 : max(1, abs(most) * 0.1)
      range = (least - margin)...(most + margin)
    }
  }

  /// The values at which the chart has a horizontal line. There are at most five values, and they
  /// are round numbers.
  var ticks: [Double] {
    let span = range.upperBound - range.lowerBound
    let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
    let step = steps.first { span / $0 <= 4.000_1 } ?? span / 4
    let first = (range.lowerBound / step).rounded(.up)
    let count = Int((range.upperBound / step).rounded(.down) - first)
    return (0...max(0, count)).map { (first + Double($0)) * step }
  }

  /// - Parameters:
  ///   - label: the description for a screen reader, as HTML.
  ///   - name: a function that returns the text for a value of the vertical axis, as HTML.
  ///   - day: a function that returns the text for a day of the horizontal axis, as HTML.
  func svg(
    label: String, name: (Double) -> String, day: (CivilDate) -> String
  ) -> String {
    var body = ""
    for tick in ticks {
      let y = y(tick)
      body +=
        "<line class=\"grid\" x1=\"\(Self.left)\" y1=\"\(Self.text(y))\" x2=\"\(Self.right)\" "
        + "y2=\"\(Self.text(y))\"/>"
        + "<text x=\"\(Self.left - 5)\" y=\"\(Self.text(y + 4))\" text-anchor=\"end\">\(name(tick))</text>"
    }
    let middle = from.adding(days: (to.dayNumber - from.dayNumber) / 2)
    for (date, anchor) in [(from, "start"), (middle, "middle"), (to, "end")] {
      body +=
        "<text x=\"\(Self.text(x(CivilDateTime(date: date, time: .midnight))))\" "
        + "y=\"\(Self.bottom + 18)\" text-anchor=\"\(anchor)\">\(day(date))</text>"
    }
    let line = points.map { "\(Self.text(x($0.at))),\(Self.text(y($0.value)))" }
    if line.count > 1 { body += "<polyline points=\"\(line.joined(separator: " "))\"/>" }
    for point in points {
      let x = Self.text(x(point.at))
      if point.most > point.least {
        body +=
          "<line class=\"spread\" x1=\"\(x)\" y1=\"\(Self.text(y(point.least)))\" x2=\"\(x)\" "
          + "y2=\"\(Self.text(y(point.most)))\"/>"
      }
      body += "<circle cx=\"\(x)\" cy=\"\(Self.text(y(point.value)))\" r=\"3\"/>"
    }
    return "<svg class=\"chart\" viewBox=\"0 0 \(Self.width) \(Self.height)\" role=\"img\" "
      + "aria-label=\"\(label)\">\(body)</svg>\n"
  }

  private func x(_ at: CivilDateTime) -> Double {
    let start = CivilDateTime(date: from, time: .midnight).localSeconds
    let length = Double((to.dayNumber - from.dayNumber + 1) * 86_400)
    let share = Double(at.localSeconds - start) / length
    return Self.left + min(1, max(0, share)) * (Self.right - Self.left)
  }

  private func y(_ value: Double) -> Double {
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return Self.bottom - share * (Self.bottom - Self.top)
  }

  /// Returns a number with at most one decimal place.
  static func text(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0
      ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
