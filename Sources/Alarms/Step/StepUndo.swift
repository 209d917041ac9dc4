import CivilTime

// An answer that is taken back. It is an event of its own: the record keeps the answer and says that it
// was none.
extension Transition {
  mutating func undo(_ id: PromptID?) throws(Refusal) {
    let prompt = try undoable(id)
    if !prompt.phase.isOpen, home.clock.isSet(before: clock) {
      throw Refusal(
        .tooLate, "cannot undo: the clock was set since prompt \"\(prompt.id)\" was answered")
    }
    if let refusal = prompt.undoRefusal(at: wall, version: alarm(prompt.id.alarm)?.version) {
      throw refusal
    }
    guard let answer = prompt.lastAnswer, let before = answer.before, let undone = prompt.undone
    else {
      throw Refusal(
        .nothingToUndo, "there is no answer to prompt \"\(prompt.id)\" that could be taken back")
    }
    var interrupted = prompt.before(before)
    emit(
      .corrected(
        prompt.id,
        Correction(
          undone: undone, answeredAt: answer.at,
          phase: goingOn(before.phase, of: interrupted))))
    // The zone or the quiet hours may have changed while nobody looked at what was over.
    replanMoved(prompt.id.alarm)
    releaseMoved()
    if let person = alarm(prompt.id.alarm)?.person,
      home.people[person]?.endedInactivity?.answered == prompt.id
    {
      resumeNotifying(ofInactivity: person)
    }
    takeBackFollowers(of: prompt.id, undone, answeredAt: answer.at)
    interrupted.phase = before.phase
    if let again = self.prompt(prompt.id) { resume(again, after: interrupted) }
    let now = self.prompt(prompt.id) ?? prompt
    reply = .answered(
      AnsweredPrompt(
        prompt: now, stopped: Stopped(pending: 0, sounding: false, sounded: now.ringsSounded)))
  }

  /// The prompt whose answer is meant: the named one, else the one that was answered last.
  private func undoable(_ id: PromptID?) throws(Refusal) -> Prompt {
    if let id {
      if let prompt = prompt(id) { return prompt }
      throw Refusal(
        .notFound, "there is no prompt \"\(id)\" of which an answer could be taken back")
    }
    guard let last = home.undoable(at: wall) else { throw Prompt.nothingToUndo }
    return last
  }

  /// The phase that a prompt was in, as far as time has left it: the ring that was cut stays cut, the
  /// next one comes, and what would have come meanwhile comes now.
  private func goingOn(_ phase: PromptState, of prompt: Prompt) -> PromptState {
    switch phase {
    case .waiting(let ring, let at): return .waiting(ring: ring, at: max(at, wall))
    case .delayed(let until): return .delayed(until: max(until, wall))
    case .acknowledged(let until): return .acknowledged(until: max(until, wall))
    case .held(var held) where held.ringsAfterwards:
      held.until = max(held.until, wall)
      return .held(held)
    case .ringing(let ring, _):
      // It may have begun to sound since it was answered: that is in the count and not in the ring. A ring
      // that a call-off cut before anybody heard the prompt comes again: nobody would hear of it else.
      let hasBegun =
        ring.startedAt != nil || prompt.lastSoundedAt ?? .distantPast >= ring.intendedAt
      if !hasBegun || !prompt.isDelivered {
        return .waiting(ring: ring.index, at: wall)
      }
      return self.phase(after: ring, of: prompt, at: wall)
    case .held, .planned, .expiring, .closed: return phase
    }
  }

  /// What the answer had planned goes with it, and what it had made needless is needed again.
  private mutating func takeBackFollowers(
    of id: PromptID, _ undone: Correction.Undone, answeredAt: Instant
  ) {
    let second = answeredAt.secondsRoundedUp
    var followers: Set<AlarmID> = []
    if undone == .completed, !isFollowed(id, at: second) {
      followers = home.followers[id.alarm] ?? []
    }
    // An alarm that follows its own prompts goes on from whatever ended one.
    if case .after(let after)? = alarm(id.alarm)?.schedule, after.anchor == .itself {
      followers.insert(id.alarm)
    }
    for follower in followers.sorted() {
      guard let alarm = alarm(follower), case .after(let after) = alarm.schedule else { continue }
      let due = Instant(seconds: second + after.seconds)
      // At its latest time of the day it is due whether the answer came or not.
      let isDueAnyway = plan(of: alarm)?.main(after: answeredAt)?.instant == due
      for planned in openPrompts(of: follower)
      where planned.phase == .planned && planned.id != id && planned.dueAt == due && !isDueAnyway {
        close(planned, .supersededByEdit, .none)
      }
      for needless in home.prompts.values.filter({ $0.id.alarm == follower }).sorted(by: {
        $0.id < $1.id
      })
      where needless.id != id && needless.lastAnswer?.at == answeredAt
        && needless.lastAnswer?.before?.phase == .planned && !needless.phase.isOpen
      {
        emit(
          .corrected(
            needless.id,
            Correction(undone: .cancelled, answeredAt: answeredAt, phase: .planned)))
      }
      // What is due by another answer had what is gone now for its next one.
      if let next = nextPrompt(of: follower, after: wall) { plan(next) }
    }
  }

  /// Whether another prompt of the alarm was completed in the same second, and stands: what follows
  /// the one follows the other.
  private func isFollowed(_ id: PromptID, at second: Int64) -> Bool {
    home.prompts.values.contains {
      guard $0.id.alarm == id.alarm, $0.id != id, case .closed(let outcome, _, let at) = $0.phase
      else { return false }
      return outcome.isCompletion && at.secondsRoundedUp == second
    }
  }

  /// Goes on with a prompt that is open again: whoever was being told is told again, for the answer
  /// ended the attempts, and what has run out meanwhile is over.
  private mutating func resume(_ prompt: Prompt, after interrupted: Prompt) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    if let since = interrupted.lateSince, interrupted.hasRingAhead,
      wall.milliseconds(since: since) > alarm.lateWindowSeconds * 1_000
    {
      // It was too late when it was answered, and is no less late now.
      close(prompt, missedOutcome(prompt.id, since), .none)
      return
    }
    if isOutlived(prompt, of: alarm) {
      close(prompt, unansweredOutcome(prompt), .none)
      return
    }
    resumeNotifying(of: prompt, alarm)
  }

  /// Whether its time ran out while it counted as answered: its window, or its turn, for a newer
  /// prompt of the alarm is due.
  private func isOutlived(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    switch prompt.phase {
    case .planned: return false
    case .expiring(let at) where at <= wall: return true
    case .held(let held) where !held.ringsAfterwards && held.until <= wall: return true
    default: break
    }
    if case .after = alarm.schedule {
      return openPrompts(of: alarm.id).contains { $0.dueAt > prompt.dueAt && $0.dueAt <= wall }
    }
    return plan(of: alarm)?.next(after: prompt.dueAt).map { $0.instant <= wall } ?? false
  }

  /// A reply shows its prompt or its person as this decision leaves them.
  mutating func bringReplyUpToDate() {
    switch reply {
    case .answered(var answered):
      guard let now = prompt(answered.prompt.id) else { return }
      answered.prompt = now
      reply = .answered(answered)
    case .person(let state): reply = .person(personState(state.id) ?? state)
    default: break
    }
  }
}

extension HomeState {
  /// The prompt that was answered last, where that can be taken back; of one person, or of anybody.
  public func undoable(at wall: Instant, of person: PersonID? = nil) -> Prompt? {
    let answered = prompts.values
      .filter { $0.lastAnswer?.before != nil && $0.lastAnswer?.isRecent(at: wall) == true }
      .filter { person == nil || alarm($0.id.alarm)?.person == person }
      .filter { !isNeedless($0) }
    // What went with its alarm was no slip of whoever answers, and can be taken back by nobody.
    let living = answered.filter { alarm($0.id.alarm) != nil }
    return (living.isEmpty ? answered : living).max {
      ($0.lastAnswer?.at ?? .distantPast, $1.id) < ($1.lastAnswer?.at ?? .distantPast, $0.id)
    }
  }

  /// Whether nobody called it off: the answer to another prompt did, which it follows.
  private func isNeedless(_ prompt: Prompt) -> Bool {
    guard case .closed(.cancelledBeforeDue, _, let at) = prompt.phase,
      let anchor = alarm(prompt.id.alarm)?.schedule.anchorAlarm
    else { return false }
    return prompts.values.contains {
      guard $0.id.alarm == anchor, case .closed(let outcome, _, at) = $0.phase else { return false }
      return outcome.isCompletion
    }
  }
}

extension Prompt {
  /// Whether it is due and a ring of its burst is to come or is sounding.
  fileprivate var hasRingAhead: Bool {
    switch phase {
    case .waiting, .delayed, .acknowledged, .ringing: true
    case .held(let held): held.ringsAfterwards
    case .planned, .expiring, .closed: false
    }
  }

  /// Why nothing can be taken back where no prompt is named.
  public static let nothingToUndo = Refusal(
    .nothingToUndo,
    "nothing was answered within the last \(LastAnswer.undoMilliseconds / 1_000) seconds")
}
