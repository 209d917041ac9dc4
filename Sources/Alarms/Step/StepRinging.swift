import CivilTime

// Ends an overdue ring, and chooses the prompt of the speaker queue that rings next.
extension Transition {
  /// The time in which the player must report the end of a ring, in seconds. A ring lasts at most
  /// 30 s. If the player does not react, the remaining 15 s are enough time to replace the player.
  private static let ringSeconds: Int64 = 45
  /// The period after a chime, in milliseconds: 60 s. If a different prompt rings in this period,
  /// its ring begins without a chime.
  private static let alertMilliseconds: Int64 = 60_000

  /// Ends the active ring if the player did not report the end of this ring before the deadline.
  ///
  /// A ring that never started counts as failed, and the daemon does not repeat this ring. If the
  /// daemon repeated the ring and the player never reacted, the burst would never end.
  mutating func giveUpOverdueRing() {
    guard let activeRing, activeRing.deadline <= wall else { return }
    if activeRing.hasStarted {
      emitForActiveRing {
        .ringUncertain($0, number: $1, reason: "the player did not report the end of the ring")
      }
    } else {
      emitForActiveRing {
        .ringFailed($0, number: $1, reason: "the player did not report its start")
      }
    }
    effects.append(.stop(activeRing.prompt, ring: activeRing.ring))
    self.activeRing = nil
  }

  /// Plays the recording or the words of a prompt once more, without a chime. The sound is as loud
  /// as the loudest ring of the present burst.
  ///
  /// The caller must record the event `saidAgain` before this call.
  mutating func sayAgain(_ prompt: Prompt) {
    guard let part = part(of: prompt) else { return }
    volatile.againCount += 1
    let ring = -volatile.againCount
    activeRing = VolatileState.ActiveRing(
      prompt: prompt.id, ring: ring, person: part.alarm.person,
      deadline: wall.adding(seconds: Self.ringSeconds), isRepetition: false,
      isTask: !part.alarm.isAnnouncement,
      again: VolatileState.Again(toneSHA256: part.tones.first))
    var order = PlayOrder(
      prompt: prompt.id, ring: ring, tones: part.tones,
      words: part.alarm.spokenWords(for: person(of: part.alarm)),
      lead: leadWords(of: prompt, at: wall),
      gainDecibels: part.step.burst.gainsDecibels.max() ?? 0, isFirstOfBurst: false,
      hasAlert: false)
    order.isAgain = true
    effects.append(.play(order))
  }

  /// Starts the next ring if the speaker is free.
  ///
  /// Urgent prompts ring first. Then the prompt that has waited longest rings. Therefore every
  /// prompt rings once before another prompt rings twice. If a prompt has waited longer than its
  /// late window, the function closes the prompt as missed.
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
      ring([prompt] + companions(of: prompt, among: waiting))
      return late.count > Self.batch
    }
    return isCut || late.count > Self.batch
  }

  /// Returns the prompts that this decision added to the speaker queue, and the prompts of the
  /// queue that this decision changed.
  private func newcomersInQueue() -> [PromptID: Prompt] {
    var found: [PromptID: Prompt] = [:]
    for id in readied { found[id] = prompt(id) }
    for (id, prompt) in changes.prompts where home.speakerQueue.contains(id) { found[id] = prompt }
    return found.filter { isReadyToRing($0.value) }
  }

  /// Returns the prompts in the speaker queue whose late window has passed, in the order of the
  /// queue.
  ///
  /// The function reads at most `batch + 1` prompts from the queue, so the caller can see if more
  /// than `batch` prompts are overdue.
  private func overdueInQueue(_ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let former = home.overdueInQueue(at: wall, limit: Self.batch + 1) { changes.prompts[$0] == nil }
    return inOrder(former, newcomers).filter { hasWaitedTooLong($0) }
  }

  /// Returns the first prompts of the speaker queue, in order. One decision handles only a limited
  /// number of prompts. `isCut` is true if the queue can contain more prompts than the result.
  private func headOfQueue(_ newcomers: [PromptID: Prompt]) -> (waiting: [Prompt], isCut: Bool) {
    let former = home.headOfQueue(limit: Self.batch) { changes.prompts[$0] == nil }
    let all = inOrder(former, newcomers)
    guard former.count == Self.batch, let last = former.last,
      let end = all.firstIndex(where: { $0.id == last.id })
    else { return (all, false) }
    // `former` contains only the first prompts of the queue, and `end` is the position of the last
    // prompt of `former` in `all`. The other prompts of the queue belong after `end`, but `all`
    // does not contain these prompts. Some of these prompts could come before a newcomer that is
    // after `end`. Therefore the result contains no prompts after `end`.
    return (Array(all[...end]), true)
  }

  private func inOrder(_ former: [Prompt], _ newcomers: [PromptID: Prompt]) -> [Prompt] {
    let others = former.filter { newcomers[$0.id] == nil && isReadyToRing($0) }
    return (others + newcomers.values)
      .map { (isUrgent($0) ? 0 : 1, $0.stateStepAt ?? $0.dueAt, $0) }
      .sorted { ($0.0, $0.1, $0.2.id) < ($1.0, $1.1, $1.2.id) }.map { $0.2 }
  }

  func hasWaitedTooLong(_ prompt: Prompt) -> Bool {
    guard let since = prompt.lateSince, let alarm = alarm(prompt.id.alarm) else { return false }
    return isTooLate(since: since, of: alarm)
  }

  /// One prompt that rings now, with the values of its ring.
  private struct Part {
    var prompt: Prompt
    var alarm: Alarm
    var step: EscalationStep
    var place: (step: Int, ring: Int)
    var tones: [String]
  }

  /// Starts one ring for one or more prompts of a person. If the list contains several prompts, the
  /// ring is a merged ring, and the prompt with the earliest due time is the leading prompt.
  ///
  /// A merged ring is as loud as its loudest prompt would be alone.
  private mutating func ring(_ prompts: [Prompt]) {
    let parts = prompts.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }.compactMap { part(of: $0) }
    guard let first = parts.first else { return }
    let hasAlert = !sharesAlert(Set(parts.map(\.prompt.id)))
    if hasAlert { lastAlert = VolatileState.Alert(prompt: first.prompt.id, at: wall) }
    let gain = parts.map { $0.step.burst.gainDecibels(ring: $0.place.ring) }.reduce(-.infinity, max)
    let deadline = wall.adding(seconds: Self.ringSeconds)
    var rings: [Ring] = []
    for part in parts {
      let prompt = part.prompt
      let ring = Ring(
        number: prompt.ringsIntended + 1, index: prompt.nextRing, step: part.place.step,
        gainDecibels: gain, toneSHA256: part.tones.first, hasAlert: hasAlert,
        isRepetition: isRepetition(prompt, of: part.alarm),
        leadingPrompt: parts.count > 1 ? first.prompt.id : nil,
        dueAt: prompt.lateSince ?? prompt.dueAt, intendedAt: wall)
      emit(.ringIntent(prompt.id, ring, deadline: deadline))
      readied.remove(prompt.id)
      rings.append(ring)
    }
    activeRing = VolatileState.ActiveRing(
      prompt: first.prompt.id, ring: rings[0].number, person: first.alarm.person,
      deadline: deadline, isRepetition: rings[0].isRepetition, isTask: !first.alarm.isAnnouncement,
      others: zip(parts, rings).dropFirst().map { .init(prompt: $0.prompt.id, ring: $1.number) })
    effects.append(.play(order(parts, rings)))
    for part in parts { noteMissingRecording(part) }
  }

  private func part(of prompt: Prompt) -> Part? {
    guard let alarm = alarm(prompt.id.alarm) else { return nil }
    let chain = alarm.chain(of: prompt)
    let place = chain.place(of: prompt.nextRing)
    return Part(
      prompt: prompt, alarm: alarm, step: chain[place.step], place: place,
      tones: recordings(for: alarm, chain[place.step]).map(\.sha256))
  }

  /// Returns the `PlayOrder` for the player. `parts` must not be empty, and `rings` must contain
  /// one ring for each part.
  private func order(_ parts: [Part], _ rings: [Ring]) -> PlayOrder {
    let (first, ring) = (parts[0], rings[0])
    var order = PlayOrder(
      prompt: first.prompt.id, ring: ring.number, tones: first.tones,
      words: first.alarm.spokenWords(for: person(of: first.alarm)),
      lead: leadWords(of: first.prompt, at: wall), gainDecibels: ring.gainDecibels,
      isFirstOfBurst: parts.allSatisfy { $0.place.ring == 0 }, isUrgent: first.step.isUrgent,
      hasAlert: ring.hasAlert)
    order.others = zip(parts, rings).dropFirst().map { part, ring in
      PlayOrder.Part(
        prompt: part.prompt.id, ring: ring.number, tones: part.tones,
        words: part.alarm.spokenWords(for: person(of: part.alarm)))
    }
    if parts.count > 1 { order.lead = openingWords(parts.count, for: person(of: first.alarm)) }
    return order
  }

  private mutating func noteMissingRecording(_ part: Part) {
    guard let name = part.step.tone ?? part.alarm.tone, tone(name) == nil else { return }
    fallback(
      part.prompt.id, from: name, to: part.tones.isEmpty ? "voice" : "tone",
      reason: "this recording does not exist")
  }

  /// Returns the recordings that the player tries for an alarm, in order of preference.
  func recordings(for alarm: Alarm, _ step: EscalationStep) -> [Tone] {
    [step.tone, alarm.tone, person(of: alarm)?.tone].compactMap { $0.flatMap { tone($0) } }
  }

  private func isUrgent(_ prompt: Prompt) -> Bool {
    alarm(prompt.id.alarm)?.isUrgent(prompt) ?? false
  }

  /// Returns true if the ring of another prompt began with a chime within the last 60 s.
  ///
  /// If two prompts ring shortly after each other, only the first ring begins with a chime. The
  /// second ring begins with the recording or the words.
  private func sharesAlert(_ ids: Set<PromptID>) -> Bool {
    guard let lastAlert, !ids.contains(lastAlert.prompt) else { return false }
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
  /// The index of the next ring, counted from 0 over all bursts of the prompt.
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
