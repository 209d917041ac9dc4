import CivilTime

// Who has the voice, and who is next.
extension Transition {
  /// A ring lasts 30 s at most; the rest is for a player that hangs and is replaced.
  private static let ringSeconds: Int64 = 45
  /// An alert holds the attention for this long. 60 s.
  private static let alertMilliseconds: Int64 = 60_000

  /// Takes the voice from a player that does not say what became of its ring.
  ///
  /// A ring that was never seen to start has failed: were it rung again, a player that hangs would be
  /// asked for the same ring for ever, and the burst would have no end.
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

  /// Gives the free voice to what is urgent, and then to whoever has waited longest, so that everybody
  /// is heard once before anybody is heard twice. Who waited in line for longer than their window is missed.
  ///
  /// - Returns: whether more of the line is to be sent home or held back than one decision takes.
  mutating func ringNext() -> Bool {
    if home.speakerQueue.isEmpty && readied.isEmpty { return false }
    let newcomers = newcomersInQueue()
    let late = overdueInQueue(newcomers)
    let (waiting, isCut) = headOfQueue(newcomers)
    for prompt in late.prefix(Self.batch) { close(prompt, unansweredOutcome(prompt), .none) }
    for prompt in waiting where !hasWaitedTooLong(prompt) {
      if suppressIfNeeded(prompt) { continue }
      ring(prompt)
      return late.count > Self.batch
    }
    return isCut || late.count > Self.batch
  }

  /// Those who joined the line in this decision, or whom it changed in it.
  private func newcomersInQueue() -> [PromptID: Prompt] {
    var found: [PromptID: Prompt] = [:]
    for id in readied { found[id] = prompt(id) }
    for (id, prompt) in changes.prompts where home.speakerQueue.contains(id) { found[id] = prompt }
    return found.filter { isReadyToRing($0.value) }
  }

  /// Who has waited too long, in order: one more than a decision takes at most.
  private func overdueInQueue(_ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let former = home.overdueInQueue(at: wall, limit: Self.batch + 1) { changes.prompts[$0] == nil }
    return inOrder(former, newcomers).filter { hasWaitedTooLong($0) }
  }

  /// Who comes next, in order, as far as one decision looks; and whether that is not everybody.
  private func headOfQueue(_ newcomers: [PromptID: Prompt]) -> (waiting: [Prompt], isCut: Bool) {
    let former = home.headOfQueue(limit: Self.batch) { changes.prompts[$0] == nil }
    let everybody = inOrder(former, newcomers)
    guard former.count == Self.batch, let last = former.last,
      let end = everybody.firstIndex(where: { $0.id == last.id })
    else { return (everybody, false) }
    // Whoever comes after may have others before them who were not looked at.
    return (Array(everybody[...end]), true)
  }

  private func inOrder(_ former: [Prompt], _ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let others = former.filter { newcomers[$0.id] == nil && isReadyToRing($0) }
    return (others + newcomers.values)
      .map { (isUrgent($0) ? 0 : 1, $0.phaseStepAt ?? $0.dueAt, $0) }
      .sorted { ($0.0, $0.1, $0.2.id) < ($1.0, $1.1, $1.2.id) }.map { $0.2 }
  }

  private func hasWaitedTooLong(_ prompt: Prompt) -> Bool {
    guard let since = prompt.lateSince, let alarm = alarm(prompt.id.alarm) else { return false }
    return wall.milliseconds(since: since) > alarm.lateWindowSeconds * 1_000
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
    if ring.hasAlert { lastAlert = HomeState.Alert(prompt: prompt.id, at: wall) }
    let deadline = wall.adding(seconds: Self.ringSeconds)
    emit(.ringIntent(prompt.id, ring, deadline: deadline))
    readied.remove(prompt.id)
    activeRing = HomeState.ActiveRing(
      prompt: prompt.id, ring: ring.number, person: alarm.person, deadline: deadline,
      isRepetition: ring.isRepetition, isTask: !alarm.isAnnouncement)
    effects.append(
      .play(
        PlayOrder(
          prompt: prompt.id, ring: ring.number, tones: tones,
          words: alarm.spokenWords(for: person(of: alarm)),
          gainDecibels: ring.gainDecibels, isFirstOfBurst: place.ring == 0,
          isUrgent: step.isUrgent, hasAlert: ring.hasAlert)))
    if let name = step.tone ?? alarm.tone, tone(name) == nil {
      fallback(
        prompt.id, from: name, to: tones.isEmpty ? "voice" : "tone",
        reason: "there is no such recording")
    }
  }

  /// The recordings that may speak for an alarm, most wanted first.
  private func recordings(for alarm: Alarm, _ step: EscalationStep) -> [String] {
    [step.tone, alarm.tone, person(of: alarm)?.tone].compactMap {
      $0.flatMap { tone($0)?.sha256 }
    }
  }

  private func isUrgent(_ prompt: Prompt) -> Bool {
    alarm(prompt.id.alarm)?.isUrgent(prompt) ?? false
  }

  /// Whether another prompt has called for attention just now: prompts that are due together share
  /// one alert and then speak in turn.
  private func sharesAlert(_ id: PromptID) -> Bool {
    guard let lastAlert, lastAlert.prompt != id else { return false }
    return (0..<Self.alertMilliseconds).contains(wall.milliseconds - lastAlert.at.milliseconds)
  }

  func isReadyToRing(_ prompt: Prompt) -> Bool {
    guard let at = prompt.phaseStepAt, at <= wall else { return false }
    switch prompt.phase {
    case .waiting, .delayed, .acknowledged: return true
    case .held(let held): return held.ringsAfterwards
    case .planned, .expiring, .ringing, .closed: return false
    }
  }
}

extension Prompt {
  /// Which ring of its chain comes next.
  var nextRing: Int {
    switch phase {
    case .waiting(let ring, _): ring
    case .held(let held): held.ring
    case .planned, .ringing, .expiring, .delayed, .acknowledged, .closed: 0
    }
  }
}

extension Alarm {
  /// Whether the next ring of a prompt goes before others.
  func isUrgent(_ prompt: Prompt) -> Bool {
    let chain = chain(of: prompt)
    return chain[chain.place(of: prompt.nextRing).step].isUrgent
  }
}
