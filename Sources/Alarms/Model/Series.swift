import CivilTime

/// The points of a chart that shows the responses to one question. The caller sets the maximum
/// number of points.
public struct Series: Hashable, Sendable {
  /// A point of the chart: one response, or a summary of all responses in one interval.
  public struct Point: Hashable, Sendable {
    /// The mean of the instants of the responses that this point shows.
    public var at: Instant
    public var mean: Double
    public var least: Double
    public var most: Double
    public var count: Int
  }

  public var points: [Point]
  /// The total number of responses from which the points of the chart were computed.
  public var count: Int

  /// Computes the points of a chart.
  ///
  /// If there are at most `limit` responses, each response is a point. If there are more responses,
  /// the function divides the time from the first to the last response into `limit` equal
  /// intervals. An interval without a response gets no point, so the line of the chart is
  /// interrupted there. Each point contains the smallest and the largest value of its interval, so
  /// that the chart shows every peak.
  ///
  /// - Parameters:
  ///   - answers: the responses, oldest first.
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
      if here != place {
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
  /// - Parameter answers: the responses from which the function computes this point of the chart;
  ///   at least one response.
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
  /// If the response is a number, the result is this number. For a mood, the result is 0, 1 or 2.
  /// For "yes", the result is 1; for "no", the result is 0. For a question with choices, the result
  /// is the number of options that the person chose.
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
