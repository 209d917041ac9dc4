import CivilTime

/// What a chart shows of the answers to one question: at most so many points.
public struct Series: Hashable, Sendable {
  /// One answer, or the answers of a stretch of time.
  public struct Point: Hashable, Sendable {
    /// The mean of their times.
    public var at: Instant
    public var mean: Double
    public var least: Double
    public var most: Double
    public var count: Int
  }

  public var points: [Point]
  /// How many answers they stand for.
  public var count: Int

  /// Every answer as a point of its own where there are few enough. Otherwise the time from the first to
  /// the last is cut into equal stretches; one without an answer has no point, so that gaps show, and
  /// each keeps its least and its most, so that no peak is lost.
  ///
  /// - Parameters:
  ///   - answers: in the order of their times.
  ///   - limit: most points; 1 or more.
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
  /// - Parameter answers: one at least.
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
  /// The height of its point in a chart: a number, the mood from 0 to 2, 1 for yes and 0 for no, how
  /// many were chosen; nil for words.
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
