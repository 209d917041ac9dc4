import CivilTime

// The active ring, and the prompt that rings next.
extension Transition {
  /// The time in which the player must report the end of a ring, in seconds. A ring lasts at most
  /// 30 s. The other 15 s are enough time to replace a player that hangs.
  private static let ringSeconds: Int64 = 45
  /// The period after a chime, in milliseconds: 60 s. A ring of another prompt in this period
  /// begins without a chime.
  private static let alertMilliseconds: Int64 = 60_000

  /// Gives up the active ring if the player did not report the end of this ring before the
  /// deadline.
  ///
  /// A ring that never started counts as failed and is not repeated. Otherwise the daemon would
  /// send the same ring to a hanging player again and again, and the burst would never end.
  mutating func giveUpOverdueRing() {
    guard let activeRing, activeRing.deadline <= wall else { return }
    if activeRing.hasStarted {
      emit(
        .ringUncertain(
          activeRing.prompt, number: activeRing.ring,
          reason: "the player did not report the end of the ring"))
    } else {
      emit(
        .ringFailed(
          activeRing.prompt, number: activeRing.ring, reason: "the player did not report its start")
      )
    }
    effects.append(.stop(activeRing.prompt, ring: activeRing.ring))
    self.activeRing = nil
  }

  /// Starts the next ring if the speaker is free.
  ///
  /// Urgent prompts ring first. After the urgent prompts, the prompt that has waited longest rings.
  /// So every prompt rings once before another prompt rings twice. A prompt that has waited longer
  /// than its late window is closed as missed.
  ///
  /// - Returns: true if the queue still contains prompts to close or suppress. One decision handles
  ///   only a limited number of prompts.
  mutating func ringNext() -> Bool {
    if home.speakerQueue.isEmpty && readied.isEmpty { return false }
    let newcomers = newcomersInQueue()
    let late = overdueInQueue(newcomers)
    let (waiting, isCut) = headOfQueue(newcomers)
    for prompt in late.prefix(Self.batch) { close(prompt, unansweredOutcome(prompt), .none) }
    for prompt in waiting where !hasWaitedTooLong(prompt) {
      if endIfEventBegan(prompt) || suppressIfNeeded(prompt) { continue }
      ring(prompt)
      return late.count > Self.batch
    }
    return isCut || late.count > Self.batch
  }

  /// The prompts in the queue that this decision added or changed.
  private func newcomersInQueue() -> [PromptID: Prompt] {
    var found: [PromptID: Prompt] = [:]
    for id in readied { found[id] = prompt(id) }
    for (id, prompt) in changes.prompts where home.speakerQueue.contains(id) { found[id] = prompt }
    return found.filter { isReadyToRing($0.value) }
  }

  /// The prompts in the speaker queue whose late window has passed, in the order of the queue.
  ///
  /// The function reads at most `batch + 1` prompts from the queue, so the caller can see if more
  /// than `batch` prompts are overdue.
  private func overdueInQueue(_ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let former = home.overdueInQueue(at: wall, limit: Self.batch + 1) { changes.prompts[$0] == nil }
    return inOrder(former, newcomers).filter { hasWaitedTooLong($0) }
  }

  /// The first prompts of the speaker queue, in order. One decision handles only a limited number
  /// of prompts. `isCut` is true if the queue can contain further prompts.
  private func headOfQueue(_ newcomers: [PromptID: Prompt]) -> (waiting: [Prompt], isCut: Bool) {
    let former = home.headOfQueue(limit: Self.batch) { changes.prompts[$0] == nil }
    let all = inOrder(former, newcomers)
    guard former.count == Self.batch, let last = former.last,
      let end = all.firstIndex(where: { $0.id == last.id })
    else { return (all, false) }
    // `former` contains only the first prompts of the queue. All other prompts of the queue come
    // after `end`, and `all` does not contain them. Therefore the result stops at `end`.
    return (Array(all[...end]), true)
  }

  private func inOrder(_ former: [Prompt], _ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let others = former.filter { newcomers[$0.id] == nil && isReadyToRing($0) }
    return (others + newcomers.values)
      .map { (isUrgent($0) ? 0 : 1, $0.stateStepAt ?? $0.dueAt, $0) }
      .sorted { ($0.0, $0.1, $0.2.id) < ($1.0, $1.1, $1.2.id) }.map { $0.2 }
  }

  private func hasWaitedTooLong(_ prompt: Prompt) -> Bool {
    guard let since = prompt.lateSince, let alarm = alarm(prompt.id.alarm) else { return false }
    return isTooLate(since: since, of: alarm)
  }

  private mutating func ring(_ prompt: Prompt) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    let chain = alarm.chain(of: prompt)
    let index = prompt.nextRing
    let place = chain.place(of: index)
    let step = chain[place.step]
    let tones = recordings(for: alarm, step)
    let ring = Ring(
      number: prompt.ringsIntended + 1, index: index, step: place.step,
      gainDecibels: step.burst.gainDecibels(ring: place.ring),
      toneSHA256: tones.first, hasAlert: !sharesAlert(prompt.id),
      isRepetition: isRepetition(prompt, of: alarm),
      dueAt: prompt.lateSince ?? prompt.dueAt, intendedAt: wall)
    if ring.hasAlert { lastAlert = VolatileState.Alert(prompt: prompt.id, at: wall) }
    let deadline = wall.adding(seconds: Self.ringSeconds)
    emit(.ringIntent(prompt.id, ring, deadline: deadline))
    readied.remove(prompt.id)
    activeRing = VolatileState.ActiveRing(
      prompt: prompt.id, ring: ring.number, person: alarm.person, deadline: deadline,
      isRepetition: ring.isRepetition, isTask: !alarm.isAnnouncement)
    effects.append(
      .play(
        PlayOrder(
          prompt: prompt.id, ring: ring.number, tones: tones,
          words: alarm.spokenWords(for: person(of: alarm)), lead: leadWords(of: prompt, at: wall),
          gainDecibels: ring.gainDecibels, isFirstOfBurst: place.ring == 0,
          isUrgent: step.isUrgent, hasAlert: ring.hasAlert)))
    if let name = step.tone ?? alarm.tone, tone(name) == nil {
      fallback(
        prompt.id, from: name, to: tones.isEmpty ? "voice" : "tone",
        reason: "this recording does not exist")
    }
  }

  /// The SHA-256 of each recording to try for an alarm, in order of preference.
  private func recordings(for alarm: Alarm, _ step: EscalationStep) -> [String] {
    [step.tone, alarm.tone, person(of: alarm)?.tone].compactMap {
      $0.flatMap { tone($0)?.sha256 }
    }
  }

  private func isUrgent(_ prompt: Prompt) -> Bool {
    alarm(prompt.id.alarm)?.isUrgent(prompt) ?? false
  }

  /// Returns true if the ring of another prompt began with a chime within the last 60 s.
  ///
  /// If two prompts ring shortly after each other, only the first ring begins with a chime. The
  /// second ring begins with the recording or the words.
  private func sharesAlert(_ id: PromptID) -> Bool {
    guard let lastAlert, lastAlert.prompt != id else { return false }
    return (0..<Self.alertMilliseconds).contains(wall.milliseconds - lastAlert.at.milliseconds)
  }

  func isReadyToRing(_ prompt: Prompt) -> Bool {
    guard let at = prompt.stateStepAt, at <= wall else { return false }
    switch prompt.state {
    case .waiting, .delayed, .acknowledged: return true
    case .held(let suppression): return suppression.ringsAfterwards
    case .planned, .expiring, .ringing, .closed: return false
    }
  }
}

extension Prompt {
  /// The index of the next ring in the bursts of the prompt, from 0.
  var nextRing: Int {
    switch state {
    case .waiting(let ring, _): ring
    case .held(let suppression): suppression.ring
    case .planned, .ringing, .expiring, .delayed, .acknowledged, .closed: 0
    }
  }
}

extension Alarm {
  /// Returns true if the next ring of a prompt is urgent. An urgent ring sounds before rings that
  /// are not urgent.
  func isUrgent(_ prompt: Prompt) -> Bool {
    let chain = chain(of: prompt)
    return chain[chain.place(of: prompt.nextRing).step].isUrgent
  }
}
