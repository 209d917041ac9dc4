/// The share of answered prompts as a function of the time since the due time: 1 − Kaplan–Meier.
///
/// The event is the first answer. An answer before the due time is an event at 0 minutes. A prompt
/// without an answer is censored at its end.
struct AnswerCurve {
  private let times: [(minutes: Double, isAnswer: Bool)]
  /// The times of the answers in order. For each time, `share` is the estimated share of the
  /// prompts that are answered until this time (0 to 1).
  let steps: [(minutes: Double, share: Double)]

  init(_ prompts: [StudyPrompt]) {
    times = prompts.filter(\.isAsked).compactMap { prompt in
      if prompt.isAnswered {
        return prompt.answerMilliseconds.map { (max(0, Double($0) / 60_000), true) }
      }
      return prompt.openMinutes.map { (max(0, $0), false) }
    }.sorted { ($0.minutes, $0.isAnswer ? 0 : 1) < ($1.minutes, $1.isAnswer ? 0 : 1) }
    var (survival, place) = (1.0, 0)
    var found: [(Double, Double)] = []
    while place < times.count {
      let atRisk = times.count - place
      let minutes = times[place].minutes
      var answers = 0
      while place < times.count, times[place].minutes == minutes {
        answers += times[place].isAnswer ? 1 : 0
        place += 1
      }
      guard answers > 0 else { continue }
      survival *= 1 - Double(answers) / Double(atRisk)
      found.append((minutes, 1 - survival))
    }
    steps = found
  }

  var count: Int { times.count }

  /// The longest time of all prompts, including censored prompts.
  var longest: Double { times.last?.minutes ?? 0 }

  /// The number of prompts that are neither answered nor ended before this time.
  func atRisk(at minutes: Double) -> Int { times.count { $0.minutes >= minutes } }
}
