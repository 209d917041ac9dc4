import CivilTime

// Undo of an answer. The correction is a separate event. The record still contains the answer, and
// the correction says that a person undid the answer.
extension Transition {
  mutating func undo(_ id: PromptID?) throws(Refusal) {
    let prompt = try undoable(id)
    if let refusal = undoRefusal(of: prompt) { throw refusal }
    guard let answer = prompt.lastAnswer, let before = answer.before, let undone = prompt.undone
    else {
      throw Refusal(
        .nothingToUndo, "prompt \"\(prompt.id)\" has no answer to undo")
    }
    var interrupted = prompt.before(before)
    emit(
      .corrected(
        prompt.id,
        Correction(
          undone: undone, answeredAt: answer.at,
          state: goingOn(before.state, of: interrupted))))
    // It is possible that the zone or the quiet hours changed between the answer and the undo.
    replanMoved(prompt.id.alarm)
    releaseMoved()
    if let person = alarm(prompt.id.alarm)?.person,
      home.people[person]?.endedInactivity?.answered == prompt.id
    {
      resumeNotifying(ofInactivity: person)
    }
    undoFollowers(of: prompt.id, undone, answeredAt: answer.at)
    interrupted.state = before.state
    if let again = self.prompt(prompt.id) { resume(again, after: interrupted) }
    let now = self.prompt(prompt.id) ?? prompt
    reply = .answered(
      AnsweredPrompt(
        prompt: now, stopped: Stopped(pending: 0, sounding: false, sounded: now.ringsSounded)))
  }

  /// Returns the refusal of an undo if nobody can undo the newest answer to a prompt now. The
  /// result is nil if somebody can undo the answer.
  func undoRefusal(of prompt: Prompt) -> Refusal? {
    if !prompt.state.isOpen, home.clock.isSet(before: clock) {
      return Refusal(
        .tooLate, "cannot undo: the clock was set after prompt \"\(prompt.id)\" was answered")
    }
    return prompt.undoRefusal(at: wall, version: alarm(prompt.id.alarm)?.version)
  }

  /// Returns the prompt whose answer the caller wants to undo. If `id` is nil, the result is the
  /// prompt with the newest answer.
  private func undoable(_ id: PromptID?) throws(Refusal) -> Prompt {
    if let id {
      if let prompt = prompt(id) { return prompt }
      throw Refusal(
        .notFound, "cannot undo: there is no recent answer to a prompt \"\(id)\"")
    }
    guard let last = home.undoable(at: wall) else { throw Prompt.nothingToUndo }
    return last
  }

  /// Returns the state of the prompt after the undo, adjusted to the present time.
  ///
  /// If the answer stopped a ring, the prompt usually continues with the next ring. But if the
  /// stopped ring had not begun, or if the prompt is not delivered yet, the prompt repeats the
  /// stopped ring at once. If the instant in the restored state has already passed, the new state
  /// contains the present time.
  private func goingOn(_ state: PromptState, of prompt: Prompt) -> PromptState {
    switch state {
    case .waiting(let ring, let at): return .waiting(ring: ring, at: max(at, wall))
    case .delayed(let until): return .delayed(until: max(until, wall))
    case .acknowledged(let until): return .acknowledged(until: max(until, wall))
    case .held(var suppression) where suppression.ringsAfterwards:
      suppression.until = max(suppression.until, wall)
      return .held(suppression)
    case .ringing(let ring, _):
      // It is possible that the player reported the start of the ring after the answer. In this
      // case, `ring.startedAt` is nil, but `lastSoundedAt` contains the start of the ring. If the
      // ring had not begun, or if the prompt is not delivered, the prompt repeats this ring now.
      let hasBegun =
        ring.startedAt != nil || prompt.lastSoundedAt ?? .distantPast >= ring.intendedAt
      if !hasBegun || !prompt.isDelivered {
        return .waiting(ring: ring.index, at: wall)
      }
      return self.state(after: ring, of: prompt, at: wall)
    case .held, .planned, .expiring, .closed: return state
    }
  }

  /// Corrects the plans of the alarms whose due time depends on an undone answer.
  ///
  /// Because of the answer, the daemon planned prompts of these alarms. The function closes these
  /// prompts. Some of these prompts replaced other planned prompts, which the daemon closed. The
  /// function gives the replaced prompts the state `planned` again.
  private mutating func undoFollowers(
    of id: PromptID, _ undone: Correction.Undone, answeredAt: Instant
  ) {
    let second = answeredAt.secondsRoundedUp
    var followers: Set<AlarmID> = []
    if undone == .completed, !isFollowed(id, at: second) {
      followers = home.followers[id.alarm] ?? []
    }
    // An alarm can be due after an answer to its own previous prompt. In this case, the alarm gets
    // its next prompt after every outcome, not only after a completion.
    if case .after(let after)? = alarm(id.alarm)?.schedule, after.anchor == .itself {
      followers.insert(id.alarm)
    }
    for follower in followers.sorted() {
      guard let alarm = alarm(follower), case .after(let after) = alarm.schedule else { continue }
      let due = Instant(seconds: second + after.seconds)
      // If the schedule contains a latest time of day, the alarm is due at this time of day even
      // without an answer. Keep a planned prompt that is due at this time of day.
      let isDueAnyway = plan(of: alarm)?.main(after: answeredAt)?.instant == due
      for planned in openPrompts(of: follower)
      where planned.state == .planned && planned.id != id && planned.dueAt == due && !isDueAnyway {
        close(planned, .supersededByEdit, .none)
      }
      for needless in home.prompts.values.filter({ $0.id.alarm == follower }).sorted(by: {
        $0.id < $1.id
      })
      where needless.id != id && needless.lastAnswer?.at == answeredAt
        && needless.lastAnswer?.before?.state == .planned && !needless.state.isOpen
      {
        emit(
          .corrected(
            needless.id,
            Correction(undone: .cancelled, answeredAt: answeredAt, state: .planned)))
      }
      // If the code above closed the planned prompt of this alarm, plan another prompt.
      if let next = nextPrompt(of: follower, after: wall) { plan(next) }
    }
  }

  /// Returns true if a person completed another prompt of the same alarm at the time `second`. This
  /// time is in seconds since 1970, rounded up.
  ///
  /// After an undo of a completion, `undoFollowers` usually closes the planned prompt that is due
  /// after this completion. If the result is true, `undoFollowers` does not close the planned
  /// prompt, because the other completion needs the same planned prompt.
  private func isFollowed(_ id: PromptID, at second: Int64) -> Bool {
    home.prompts.values.contains {
      guard $0.id.alarm == id.alarm, $0.id != id, case .closed(let outcome, _, let at) = $0.state
      else { return false }
      return outcome.isCompletion && at.secondsRoundedUp == second
    }
  }

  /// Continues a prompt that is open again after an undo.
  ///
  /// The undone answer stopped all notifications in progress about the prompt, so the daemon starts
  /// these notifications again. But the function ends the prompt in three cases:
  ///
  /// - The person is paused.
  /// - The late window of the next ring has passed.
  /// - Without the undone answer, the prompt would have ended by now (see `isReplacedBySuccessor`).
  private mutating func resume(_ prompt: Prompt, after interrupted: Prompt) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    if prompt.state != .planned, isPersonPaused(prompt, of: alarm) {
      endByPause(prompt)
      return
    }
    if let since = interrupted.lateSince, interrupted.hasRingAhead,
      isTooLate(since: since, of: alarm)
    {
      // The next ring would be later than the late window allows. Therefore the prompt ends as
      // missed.
      close(prompt, missedOutcome(prompt.id, since), .none)
      return
    }
    if isReplacedBySuccessor(prompt, of: alarm) {
      close(prompt, unansweredOutcome(prompt), .none)
      return
    }
    resumeNotifying(of: prompt, alarm)
  }

  /// Returns true if the prompt would have ended by now without the undone answer.
  ///
  /// A prompt without an answer ends when a person can no longer answer the prompt, or when the
  /// next prompt of the alarm is due.
  private func isReplacedBySuccessor(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    switch prompt.state {
    case .planned: return false
    case .expiring(let at) where at <= wall: return true
    case .held(let suppression) where !suppression.ringsAfterwards && suppression.until <= wall:
      return true
    default: break
    }
    if case .after = alarm.schedule {
      return openPrompts(of: alarm.id).contains { $0.dueAt > prompt.dueAt && $0.dueAt <= wall }
    }
    return plan(of: alarm)?.next(after: prompt.dueAt).map { $0.instant <= wall } ?? false
  }

  /// Replaces the prompt, the people and the supplies in the reply with their state at the end of
  /// this decision.
  mutating func updateReply() {
    switch reply {
    case .answered(var answered):
      guard let now = prompt(answered.prompt.id) else { return }
      answered.prompt = now
      answered.supplies =
        alarm(now.id.alarm)?.uses.compactMap { supply($0.supply) } ?? []
      reply = .answered(answered)
    case .prompt(let shown): reply = .prompt(prompt(shown.id) ?? shown)
    case .person(let state, let warnings):
      reply = .person(personState(state.id) ?? state, warnings)
    case .paused(var paused):
      paused.people = paused.people.map { personState($0.id) ?? $0 }
      reply = .paused(paused)
    default: break
    }
  }
}

extension HomeState {
  /// Returns the prompt whose answer an undo without a prompt id would take back. This is the
  /// prompt with the newest answer that can still be undone. If `person` is nil, the function
  /// searches the prompts of all people.
  public func undoable(at wall: Instant, of person: PersonID? = nil) -> Prompt? {
    let answered = prompts.values
      .filter { $0.lastAnswer?.before != nil && $0.lastAnswer?.isRecent(at: wall) == true }
      .filter { person == nil || alarm($0.id.alarm)?.person == person }
      .filter { !isNeedless($0) }
    // If a caretaker removed the alarm of a prompt, the answer to this prompt cannot be undone.
    // Therefore the function prefers prompts of existing alarms.
    let living = answered.filter { alarm($0.id.alarm) != nil }
    return (living.isEmpty ? answered : living).max {
      ($0.lastAnswer?.at ?? .distantPast, $1.id) < ($1.lastAnswer?.at ?? .distantPast, $0.id)
    }
  }

  /// Returns true if the daemon cancelled the prompt because the prompt had become unnecessary.
  ///
  /// Example: an alarm is due a fixed time after the completion of another alarm, and at 20:00 at
  /// the latest. The prompt for 20:00 is planned. If the person completes the other alarm in the
  /// morning, the daemon plans an earlier prompt, and the prompt for 20:00 becomes unnecessary.
  private func isNeedless(_ prompt: Prompt) -> Bool {
    guard case .closed(.cancelledBeforeDue, _, let at) = prompt.state,
      let anchor = alarm(prompt.id.alarm)?.schedule.anchorAlarm
    else { return false }
    return prompts.values.contains {
      guard $0.id.alarm == anchor, case .closed(let outcome, _, at) = $0.state else { return false }
      return outcome.isCompletion
    }
  }
}

extension Prompt {
  /// True if the prompt rings now, or is due and will ring again.
  fileprivate var hasRingAhead: Bool {
    switch state {
    case .waiting, .delayed, .acknowledged, .ringing: true
    case .held(let suppression): suppression.ringsAfterwards
    case .planned, .expiring, .closed: false
    }
  }

  /// The refusal that an undo without a prompt id gets if nobody answered a prompt recently.
  public static let nothingToUndo = Refusal(
    .nothingToUndo,
    "nothing was answered within the last \(LastAnswer.undoMilliseconds / 1_000) seconds")
}
