import CivilTime

// For which prompt an answer without a name is meant.

extension Prompt {
  /// Prompts whose last rings are at most this far apart rang together: 120 s, twice the usual spacing.
  private static let togetherMilliseconds: Int64 = 120_000

  /// Whether it calls: it rings, or is between the rings of a burst that sounded.
  var isCalling: Bool {
    switch phase {
    case .ringing: true
    case .waiting(let ring, _): ring > 0 && lastSoundedAt != nil
    case .planned, .expiring, .delayed, .acknowledged, .held, .closed: false
    }
  }

  /// Whether it sounded, is silent for good, and can still be answered.
  private var hasRungOut: Bool {
    guard lastSoundedAt != nil else { return false }
    switch phase {
    case .expiring: return true
    case .held(let held): return held.why != .quietHours && held.why != .controlPhase
    case .planned, .waiting, .ringing, .delayed, .acknowledged, .closed: return false
    }
  }

  /// Of those that are due the one for which an answer without a name is meant: the one now sounding, else the
  /// task that calls and sounded last. If none calls, the task that rang out last, unless another task sounded
  /// since then: a second press must not answer a task that has been silent for long. Words that were only
  /// said, if no task waits. Never what is put off, on its way, or held back: that needs its name.
  ///
  /// - Parameters:
  ///   - lastTaskSound: when any task last sounded for the people in question, answered or not.
  static func calling(
    among due: [Prompt], sounding: PromptID?, lastTaskSound: Instant?, isTask: (Prompt) -> Bool
  ) -> Prompt? {
    if let prompt = due.first(where: { $0.id == sounding }) { return prompt }
    let tasks = due.filter(isTask)
    // Words that were only said take no answer from a task.
    if tasks.isEmpty {
      return lastSounded(due.filter(\.isCalling)) ?? lastSounded(due.filter(\.hasRungOut))
    }
    return lastSounded(tasks.filter(\.isCalling))
      ?? lastSounded(tasks.filter { $0.hasRungOut && !$0.isOvertaken(by: lastTaskSound) })
  }

  private func isOvertaken(by sound: Instant?) -> Bool {
    guard let sound, let lastSoundedAt else { return false }
    return sound.milliseconds(since: lastSoundedAt) > Self.togetherMilliseconds
  }

  private static func lastSounded(_ prompts: [Prompt]) -> Prompt? {
    prompts.max {
      ($0.lastSoundedAt ?? .distantPast, $1.dueAt) < ($1.lastSoundedAt ?? .distantPast, $0.dueAt)
    }
  }
}

extension HomeState {
  /// The prompt of a person that calls, or of anybody for nil; nil if none calls.
  public func callingPrompt(of person: PersonID?) -> Prompt? {
    Prompt.calling(
      among: activePrompts(of: person), sounding: sounding,
      lastTaskSound: recentRings.lastTaskSound(of: person)
    ) {
      alarm($0.id.alarm)?.isAnnouncement != true
    }
  }

  /// Its name.
  ///
  /// - Throws: `.notFound` if none calls, with what was answered a moment ago and what waits for an answer by
  ///   its name.
  public func calling(of person: PersonID?, at wall: Instant) throws(Refusal) -> PromptID {
    guard let prompt = callingPrompt(of: person) else {
      throw nothingCalls(for: person, at: wall)
    }
    return prompt.id
  }

  /// Says that nothing calls, what was answered a moment ago, and what waits for an answer by its name.
  func nothingCalls(for person: PersonID?, at wall: Instant) -> Refusal {
    var parts: [String] = []
    if let last = undoable(at: wall, of: person), let answer = last.lastAnswer,
      let words = last.undone?.words
    {
      let seconds = max(wall.milliseconds(since: answer.at) / 1_000, 0)
      let label = alarm(last.id.alarm).map { "\"\($0.label)\"" } ?? "the last task"
      parts.append("\(label) \(words) \(Schedule.words(seconds: max(seconds, 1))) ago")
    }
    let waiting = activePrompts(of: person)
      .filter { alarm($0.id.alarm)?.isAnnouncement != true }
      .sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
    let names = waiting.prefix(Self.namedWaiting).map { prompt in
      (alarm(prompt.id.alarm).map { "\"\($0.label)\" " } ?? "") + "(\(prompt.id))"
    }
    if !names.isEmpty {
      let others = waiting.count - names.count
      parts.append(
        "these wait for an answer by name: \(names.joined(separator: ", "))"
          + (others > 0 ? " and \(others) more" : ""))
    }
    guard !parts.isEmpty else { return Refusal(.notFound, "nothing is waiting for an answer") }
    return Refusal(
      .notFound, "cannot answer: nothing calls now; \(parts.joined(separator: "; "))")
  }

  /// How many prompts that wait for an answer a refusal names.
  private static let namedWaiting = 3

  private func activePrompts(of person: PersonID?) -> [Prompt] {
    active.compactMap { prompts[$0] }.filter {
      person == nil || alarm($0.id.alarm)?.person == person
    }
  }
}

extension Correction.Undone {
  /// What became of the task, after its label.
  fileprivate var words: String {
    switch self {
    case .acknowledged: "was answered with \"on my way\""
    case .delayed: "was put off"
    case .completed: "was done"
    case .declined: "was declined"
    case .cancelled: "was called off"
    }
  }
}
