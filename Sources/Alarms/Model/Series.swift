import CivilTime

/// The points of a chart of the answers to one question. The number of points is limited.
public struct Series: Hashable, Sendable {
  /// A point of the chart: one answer, or a summary of all answers in one interval.
  public struct Point: Hashable, Sendable {
    /// The mean time of the answers.
    public var at: Instant
    public var mean: Double
    public var least: Double
    public var most: Double
    public var count: Int
  }

  public var points: [Point]
  /// The number of answers in all points together.
  public var count: Int

  /// Computes the points of a chart.
  ///
  /// If there are at most `limit` answers, each answer is a point. Otherwise the time from the
  /// first to the last answer is divided into `limit` equal intervals. An interval without an
  /// answer gets no point, so the line of the chart is interrupted there. Each point contains the
  /// smallest and the largest value of its interval, so that the chart shows every peak.
  ///
  /// - Parameters:
  ///   - answers: the answers, oldest first.
  ///   - limit: the maximum number of points; at least 1.
  public init(_ answers: [(at: Instant, value: Double)], limit: Int) {
    count = answers.count
    points = []
    guard let first = answers.first, let last = answers.last else { return }
    if answers.count <= limit {
      points = answers.map { Point([$0]) }
      return
    }
    let length = last.at.milliseconds - first.at.milliseconds
    var stretch: [(at: Instant, value: Double)] = []
    var place = 0
    for answer in answers {
      let since = Double(answer.at.milliseconds - first.at.milliseconds)
      let here = length == 0 ? 0 : min(limit - 1, Int(since / Double(length) * Double(limit)))
      if here != place, !stretch.isEmpty {
        points.append(Point(stretch))
        stretch = []
      }
      place = here
      stretch.append(answer)
    }
    points.append(Point(stretch))
  }
}

extension Series.Point {
  /// - Parameter answers: the answers that the point combines; at least one answer.
  fileprivate init(_ answers: [(at: Instant, value: Double)]) {
    let base = answers[0].at
    let offsets = answers.map { Double($0.at.milliseconds - base.milliseconds) }
    let values = answers.map(\.value)
    self.init(
      at: base.adding(
        milliseconds: Int64((offsets.reduce(0, +) / Double(answers.count)).rounded())),
      mean: values.reduce(0, +) / Double(values.count), least: values.min() ?? 0,
      most: values.max() ?? 0, count: values.count)
  }
}

extension Response.Value {
  /// The value on the vertical axis of a chart; nil for a text.
  ///
  /// A number is its own value. The value of a mood is 0, 1 or 2. The value of "yes" is 1, and the
  /// value of "no" is 0. The value of a selection is the number of chosen options.
  public var level: Double? {
    switch self {
    case .number(let value): value
    case .mood(let mood): Double(mood.level)
    case .flag(let flag): flag ? 1 : 0
    case .choices(let names): Double(names.count)
    case .text: nil
    }
  }
}
