import CivilTime

// Finds the prompt for an answer without a prompt id.

extension Prompt {
  /// The maximum time from the last ring of a prompt to the newest ring of any task, in
  /// milliseconds: 120 s. If the time is longer and all rings of the prompt are over, an answer to
  /// this prompt needs the prompt id. 120 s is twice the default spacing of rings.
  private static let togetherMilliseconds: Int64 = 120_000

  /// True if the prompt calls: a ring of the prompt sounds, or the prompt has sounded and waits for
  /// a further ring. The further ring is the next ring of the burst, or repeats the last ring.
  var isCalling: Bool {
    switch state {
    case .ringing: true
    case .waiting: lastSoundedAt != nil
    case .planned, .expiring, .delayed, .acknowledged, .held, .closed: false
    }
  }

  /// True if all rings of the prompt are over, at least one ring sounded, and a person can still
  /// answer.
  private var hasRungOut: Bool {
    guard lastSoundedAt != nil else { return false }
    switch state {
    case .expiring: return true
    case .held(let suppression):
      return suppression.reason != .quietHours && suppression.reason != .controlPhase
    case .planned, .waiting, .ringing, .delayed, .acknowledged, .closed: return false
    }
  }

  /// Finds the due prompt for an answer without a prompt id.
  ///
  /// In this comment, a task is a due prompt that is not an announcement. The function returns the
  /// first existing prompt of this list:
  ///
  /// 1. The prompt that sounds now.
  /// 2. Of the tasks that call, the task that sounded last.
  /// 3. Of the tasks whose rings are over, the task that sounded last. If `lastTaskSound` is more
  ///    than 120 s after the last ring of this task, the result is nil. Reason: a person can press
  ///    an answer button twice. The second press must not answer a task that rang long ago.
  /// 4. If no task is due: the announcement that sounded last, among the announcements that call.
  /// 5. If no task is due and no announcement calls: the announcement that sounded last, among the
  ///    announcements whose rings are over.
  ///
  /// An answer needs the prompt id if the prompt is delayed or acknowledged. An answer also needs
  /// the prompt id if quiet hours or a control phase hold the prompt back.
  ///
  /// - Parameters:
  ///   - due: the open prompts whose due time has passed.
  ///   - sounding: the prompt whose ring uses the speaker.
  ///   - lastTaskSound: the time at which a task last sounded for the people of these prompts. This
  ///     time counts even if somebody has already answered that task.
  static func calling(
    among due: [Prompt], sounding: PromptID?, lastTaskSound: Instant?, isTask: (Prompt) -> Bool
  ) -> Prompt? {
    if let prompt = due.first(where: { $0.id == sounding }) { return prompt }
    let tasks = due.filter(isTask)
    // While a task is due, an answer without an id is never for an announcement.
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
      ($0.lastSoundedAt ?? .distantPast, $1.dueAt, $1.id)
        < ($1.lastSoundedAt ?? .distantPast, $0.dueAt, $0.id)
    }
  }
}

extension HomeState {
  /// Returns the prompt that an answer without a prompt id is for; nil if no prompt matches (see
  /// `Prompt.calling`).
  ///
  /// - Parameter person: the function considers only the prompts of this person; nil for all
  ///   people.
  public func callingPrompt(of person: PersonID?) -> Prompt? {
    Prompt.calling(
      among: activePrompts(of: person), sounding: sounding,
      lastTaskSound: recentRings.lastTaskSound(of: person)
    ) {
      alarm($0.id.alarm)?.isAnnouncement != true
    }
  }

  /// Returns the alarms of the tasks that a person can still answer without a prompt id. The person
  /// has just answered the prompt `id`. The result does not contain the task of this prompt.
  ///
  /// The order of the list is the order of further answers without an id. The next answer is for
  /// the first task of the list, the answer after that is for the second task, and so on.
  public func stillOpen(after id: PromptID) -> [Alarm] {
    guard let answered = alarm(id.alarm), !answered.isAnnouncement else { return [] }
    let lastTaskSound = recentRings.lastTaskSound(of: answered.person)
    var tasks = activePrompts(of: answered.person).filter {
      $0.id != id && alarm($0.id.alarm)?.isAnnouncement == false
    }
    var found: [Alarm] = []
    while let next = Prompt.calling(
      among: tasks, sounding: nil, lastTaskSound: lastTaskSound, isTask: { _ in true })
    {
      if let alarm = alarm(next.id.alarm) { found.append(alarm) }
      tasks.removeAll { $0.id == next.id }
    }
    return found
  }

  /// Returns the id of the prompt that an answer without a prompt id is for: see
  /// `callingPrompt(of:)`.
  ///
  /// - Throws: `.notFound` if no prompt calls. The refusal names the prompt that was answered in
  ///   the last 60 s, and the prompts that a person can answer only by their id.
  public func calling(of person: PersonID?, at wall: Instant) throws(Refusal) -> PromptID {
    guard let prompt = callingPrompt(of: person) else {
      throw nothingCalls(for: person, at: wall)
    }
    return prompt.id
  }

  /// Returns the refusal of an answer without an id if no prompt calls.
  ///
  /// The refusal names the prompt that was answered in the last 60 s. The refusal also names the
  /// first `namedWaiting` due prompts that wait for an answer. To answer one of these prompts, a
  /// person must name the prompt.
  func nothingCalls(for person: PersonID?, at wall: Instant) -> Refusal {
    var parts: [String] = []
    if let last = undoable(at: wall, of: person), let answer = last.lastAnswer,
      let words = last.undone?.words
    {
      let seconds = max(wall.milliseconds(since: answer.at) / 1_000, 1)
      let label = alarm(last.id.alarm).map { "\"\($0.label)\"" } ?? "the last task"
      parts.append("\(label) \(words) \(Schedule.words(seconds: seconds)) ago")
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
        "name the one that you mean: \(names.joined(separator: ", "))"
          + (others > 0 ? " and \(others) more" : ""))
    }
    guard !parts.isEmpty else { return Refusal(.notFound, "no prompt waits for an answer") }
    return Refusal(
      .notFound,
      "nothing rings now; \(parts.joined(separator: "; "))")
  }

  /// The maximum number of waiting prompts that a refusal names.
  private static let namedWaiting = 3

  private func activePrompts(of person: PersonID?) -> [Prompt] {
    active.compactMap { prompts[$0] }.filter {
      person == nil || alarm($0.id.alarm)?.person == person
    }
  }
}

extension Correction.Undone {
  /// The answer in words, for a sentence that begins with the label of the task.
  fileprivate var words: String {
    switch self {
    case .acknowledged: "was answered with \"on my way\""
    case .delayed: "was delayed"
    case .completed: "was completed"
    case .declined: "was declined"
    case .cancelled: "was cancelled"
    }
  }
}
