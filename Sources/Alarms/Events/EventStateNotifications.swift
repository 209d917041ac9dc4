import CivilTime

// What the events about telling people make of a prompt.
extension EventState {
  /// Whoever is told last has this long to bring about an answer before the prompt is missed: a
  /// message to which nothing can be done any more is none. 5 minutes.
  private static var answerSeconds: Int64 { 300 }

  /// The next person of the chain is told so long after a burst begins. In a control phase none does,
  /// and nobody is said not to have answered it. Whoever is being told meanwhile goes on being told.
  mutating func awaitNotification(_ id: PromptID, from base: Instant) {
    let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
    change(id) {
      $0.notifyProgress.nextAt =
        $0.notifyProgress.begun < notifySteps.count
        ? base.adding(seconds: notifySteps[$0.notifyProgress.begun].afterSeconds) : nil
    }
    awaitNobodyInControl(id)
  }

  /// By a clock that is wrong a control phase can begin before what is open already was due.
  mutating func awaitNobodyInControl(of person: PersonID) {
    for prompt in activePrompts() where alarm(prompt.id.alarm)?.person == person {
      awaitNobodyInControl(prompt.id)
    }
  }

  mutating func awaitNobodyInControl(_ id: PromptID) {
    guard let prompt = prompt(id), let person = alarm(id.alarm)?.person,
      personState(person)?.phase(at: prompt.dueAt)?.kind == .control
    else { return }
    change(id) { $0.notifyProgress.nextAt = nil }
  }

  mutating func applyNotification(_ event: Event, at wall: Instant) {
    switch event {
    case .escalated(let id, let position, _, _):
      let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
      // Of what has ended nobody is waited for.
      guard prompt(id)?.phase.isOpen == true else { return }
      change(id) { $0.notifyProgress.begin(position, of: notifySteps, at: wall) }
    case .notified(let id, let position, _, _):
      change(id) { $0.noteTold(position, at: wall) }
      noteToldAfterAll(id, position)
    case .notificationFailed(let id, let position, _, _, let isLast, _):
      if isLast { change(id) { $0.giveUpNotification(position, at: wall) } }
    default: break
    }
  }

  /// It went out before "on my way" or "later" could stop it: the new burst tells whoever comes after.
  private mutating func noteToldAfterAll(_ id: PromptID, _ position: Int) {
    let notifySteps = alarm(id.alarm)?.escalation.notifySteps ?? []
    guard let prompt = prompt(id), prompt.acknowledgedAt != nil || prompt.delays > 0,
      prompt.phase.isOpen, prompt.notifyProgress.begun == position, position < notifySteps.count
    else { return }
    change(id) {
      $0.notifyProgress.begun = position + 1
      guard let next = $0.notifyProgress.nextAt else { return }
      let base = next.adding(seconds: -notifySteps[position].afterSeconds)
      $0.notifyProgress.nextAt =
        position + 1 < notifySteps.count
        ? base.adding(seconds: notifySteps[position + 1].afterSeconds) : nil
    }
  }

  /// Until when a prompt is kept open for the sake of the people who are told; nil where none are.
  func answerableUntil(_ prompt: Prompt, of alarm: Alarm) -> Instant? {
    let notifyProgress = prompt.notifyProgress
    guard let next = notifyProgress.nextAt else {
      return notifyProgress.lastAt?.adding(seconds: Self.answerSeconds)
    }
    let others = alarm.escalation.notifySteps.dropFirst(notifyProgress.begun + 1)
    return next.adding(seconds: others.reduce(Self.answerSeconds) { $0 + $1.afterSeconds })
  }
}

extension NotifyProgress {
  /// It is begun to tell the person at this place.
  mutating func begin(_ position: Int, of notifySteps: [NotifyStep], at wall: Instant) {
    if !pending.contains(position) { pending = (pending + [position]).sorted() }
    // Told again after a restart, it does not put off the next one.
    guard position >= begun else { return }
    begun = position + 1
    lastAt = wall
    nextAt =
      position + 1 < notifySteps.count
      ? wall.adding(seconds: notifySteps[position + 1].afterSeconds) : nil
  }

  /// An answer puts off whoever is still being told: their places come again with the next burst. Who was told
  /// in between is not told twice.
  mutating func abort() {
    while let last = pending.last, last == begun - 1 {
      pending.removeLast()
      begun = last
    }
    pending = []
  }

  /// Who cannot be told need not be waited for: it is the next one's turn.
  mutating func giveUp(_ position: Int, at wall: Instant) {
    guard pending.contains(position) else { return }
    pending.removeAll { $0 == position }
    guard position + 1 == begun, let next = nextAt else { return }
    nextAt = min(next, wall)
  }

  /// The chain may be another one: whoever has the next place in it is told so long after the last was.
  /// By places and times alone, for who has them may be erased.
  mutating func follow(_ notifySteps: [NotifyStep]) {
    guard begun > 0, let lastAt else { return }
    nextAt =
      begun < notifySteps.count ? lastAt.adding(seconds: notifySteps[begun].afterSeconds) : nil
    // A place that is gone is nobody's to be told at.
    pending.removeAll { $0 >= notifySteps.count }
  }
}

extension Prompt {
  /// Whoever cannot be told: the next one's turn, where the quiet hours have put it off, stays with the burst
  /// after them.
  fileprivate mutating func giveUpNotification(_ position: Int, at wall: Instant) {
    let next = notifyProgress.nextAt
    notifyProgress.giveUp(position, at: wall)
    if case .held(let held) = phase, held.why == .quietHours { notifyProgress.nextAt = next }
  }

  /// Whoever was told knows of it, whether or not the answer meanwhile is taken back. Whoever was not,
  /// because of the answer, is told then. An answer that can be taken back no more is left alone: what it
  /// ended is in no memory by then, only in the record.
  fileprivate mutating func noteTold(_ position: Int, at wall: Instant) {
    notifyProgress.pending.removeAll { $0 == position }
    guard let answer = lastAnswer, answer.isRecent(at: wall), var before = answer.before else {
      return
    }
    before.notifyProgress.pending.removeAll { $0 == position }
    lastAnswer?.before = before
  }
}
