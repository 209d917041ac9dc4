import CivilTime

extension Transition {
  /// Returns the prompt that an answer is for. If the answer contains no id, the result is the
  /// prompt that calls.
  func answerable(_ id: PromptID?, _ answer: Answer) throws(Refusal) -> Prompt {
    if let id {
      if let prompt = prompt(id), prompt.state.isOpen { return prompt }
      if isClosed(id) {
        throw Refusal(.promptOver, "cannot answer prompt \"\(id)\": it is already over")
      }
      throw Refusal(.notFound, "there is no prompt \"\(id)\"")
    }
    let calling = Prompt.calling(
      among: activePrompts(), sounding: activeRing?.prompt,
      lastTaskSound: recentRings.lastTaskSound(of: nil)
    ) {
      alarm($0.id.alarm)?.isAnnouncement != true
    }
    guard let calling else { throw home.nothingCalls(for: nil, at: wall) }
    return calling
  }

  mutating func handleAnswer(_ answer: Answer, to prompt: Prompt) throws(Refusal) {
    let stopped = stopping(prompt)
    switch answer {
    // An announcement asks for no action, so the answer "on my way" completes the announcement.
    case .acknowledge where alarm(prompt.id.alarm)?.isAnnouncement == true:
      try requireDue(prompt, "acknowledge")
      close(prompt, completedOutcome(prompt), .none)
    case .acknowledge: try acknowledge(prompt, stopped)
    case .delay(let seconds): try delay(prompt, seconds, stopped)
    case .complete:
      try refuseUnanswered(prompt)
      close(prompt, completedOutcome(prompt), .none)
    case .decline(let reason): close(prompt, .declined, reason)
    case .cancel(let reason):
      let isPlanned = prompt.state == .planned
      close(prompt, isPlanned ? .cancelledBeforeDue : .cancelledWhileRinging, reason)
    }
    if prompt.state == .planned, let next = nextPrompt(of: prompt.id.alarm, after: prompt.dueAt) {
      plan(next)
    }
    reply = .answered(
      AnsweredPrompt(prompt: self.prompt(prompt.id) ?? prompt, stopped: stopped))
  }

  private func completedOutcome(_ prompt: Prompt) -> Outcome {
    guard let alarm = alarm(prompt.id.alarm) else { return .completedOutOfWindow }
    var limit = prompt.dueAt.adding(seconds: alarm.lateWindowSeconds)
    // If a person answered "on my way" in time, the person may complete the task until the
    // completion deadline of the alarm.
    if let acknowledged = prompt.acknowledgedAt, acknowledged <= limit {
      limit = max(limit, acknowledged.adding(seconds: alarm.escalation.completeBySeconds))
    }
    return wall <= limit ? .completed : .completedOutOfWindow
  }

  private mutating func acknowledge(_ prompt: Prompt, _ stopped: Stopped) throws(Refusal) {
    try requireDue(prompt, "acknowledge")
    guard let alarm = alarm(prompt.id.alarm) else { return }
    if let first = prompt.acknowledgedAt, wall >= first.adding(seconds: alarm.onTheWaySeconds) {
      throw Refusal(
        .acknowledgeLimit,
        "cannot acknowledge \"\(alarm.label)\" again: its alarm allows "
          + "\(Schedule.words(seconds: alarm.onTheWaySeconds)) after the first \"on my way\", "
          + "at \(first)"
      )
    }
    emit(
      .acknowledged(
        prompt.id, until: end(of: alarm.escalation.completeBySeconds, for: prompt), stopped))
    stopUntilLater(prompt)
  }

  /// Stops the sound and the notifications of a prompt after the answer "later" or "on my way".
  private mutating func stopUntilLater(_ prompt: Prompt) {
    stopSound(prompt)
    if !prompt.notifyProgress.pending.isEmpty {
      effects.append(.cancelNotification(.prompt(prompt.id)))
    }
    readied.remove(prompt.id)
  }

  private mutating func delay(
    _ prompt: Prompt, _ seconds: Int64?, _ stopped: Stopped
  ) throws(Refusal) {
    try requireDue(prompt, "delay")
    guard let alarm = alarm(prompt.id.alarm) else { return }
    if prompt.delays >= alarm.delayLimit {
      throw Refusal(
        .delayLimit,
        "cannot delay \"\(alarm.label)\" again: it was delayed "
          + "\(prompt.delays == 1 ? "once" : "\(prompt.delays) times"), which is the limit of its "
          + "alarm"
      )
    }
    let seconds = seconds ?? alarm.delaySeconds
    try check(seconds, in: AlarmRules.delaySeconds, field: "delay")
    emit(.delayed(prompt.id, until: end(of: seconds, for: prompt), stopped))
    stopUntilLater(prompt)
  }

  func requireDue(_ prompt: Prompt, _ verb: String) throws(Refusal) {
    if prompt.state == .planned {
      throw Refusal(
        .notDue, "cannot \(verb) prompt \"\(prompt.id)\": it is not due until \(prompt.dueAt)")
    }
  }
}
