import CivilTime

// Who has the voice, and who is next.
extension Draft {
  /// A ring lasts 30 s at most; the rest is for a player that hangs and is replaced.
  private static let ringSeconds: Int64 = 45
  /// An alert holds the attention for this long. 60 s.
  private static let alertMilliseconds: Int64 = 60_000

  /// Takes the voice from a player that does not say what became of its ring.
  ///
  /// A ring that was never seen to start has failed: were it rung again, a player that hangs would be
  /// asked for the same ring for ever, and the burst would have no end.
  mutating func giveUpOverdueRing() {
    guard let voice, voice.deadline <= wall else { return }
    if voice.hasStarted {
      emit(
        .ringUncertain(
          voice.prompt, number: voice.ring,
          reason: "the player did not report the end of the ring"))
    } else {
      emit(
        .ringFailed(
          voice.prompt, number: voice.ring, reason: "the player did not report its start"))
    }
    effects.append(.stop(voice.prompt, ring: voice.ring))
    self.voice = nil
  }

  /// Gives the free voice to what is urgent, and then to whoever has waited longest, so that everybody
  /// is heard once before anybody is heard twice. Who waited in line for longer than their window is missed.
  ///
  /// - Returns: whether more of the line is to be sent home than one decision takes.
  mutating func ringNext() -> Bool {
    if home.ready.isEmpty && readied.isEmpty { return false }
    let waiting = home.ready.union(readied).compactMap { prompt($0) }
      .filter { isReadyToRing($0) }
      .map { (isUrgent($0) ? 0 : 1, $0.phaseStepAt ?? $0.dueAt, $0) }
      .sorted { ($0.0, $0.1, $0.2.id) < ($1.0, $1.1, $1.2.id) }.map { $0.2 }
    let late = waiting.filter { hasWaitedTooLong($0) }
    for prompt in late.prefix(Self.batch) { close(prompt, unansweredOutcome(prompt), .none) }
    for prompt in waiting where !hasWaitedTooLong(prompt) {
      if withhold(prompt) { continue }
      ring(prompt)
      break
    }
    return late.count > Self.batch
  }

  private func hasWaitedTooLong(_ prompt: Prompt) -> Bool {
    guard let at = prompt.phaseStepAt, let alarm = alarm(prompt.id.alarm) else { return false }
    return wall.milliseconds - at.milliseconds > alarm.lateWindowSeconds * 1_000
  }

  private mutating func ring(_ prompt: Prompt) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    let chain = alarm.chain(of: prompt)
    let index = ringIndex(prompt)
    let place = chain.place(of: index)
    let step = chain[place.step]
    let tones = recordings(for: alarm, step)
    let ring = Ring(
      number: prompt.ringsIntended + 1, index: index, step: place.step,
      gainDecibels: step.burst.gainDecibels(ring: place.ring),
      toneSHA256: tones.first, hasAlert: !sharesAlert(prompt.id),
      dueAt: prompt.phaseStepAt ?? prompt.dueAt, intendedAt: wall)
    if ring.hasAlert { lastAlert = Home.Alert(prompt: prompt.id, at: wall) }
    let deadline = wall.adding(seconds: Self.ringSeconds)
    emit(.ringIntent(prompt.id, ring, deadline: deadline))
    readied.remove(prompt.id)
    voice = Home.Voice(prompt: prompt.id, ring: ring.number, deadline: deadline)
    effects.append(
      .play(
        PlayOrder(
          prompt: prompt.id, ring: ring.number, tones: tones,
          words: alarm.spokenWords(for: person(of: alarm)),
          gainDecibels: ring.gainDecibels, isFirstOfBurst: place.ring == 0,
          isUrgent: step.isUrgent, hasAlert: ring.hasAlert)))
    if let name = step.tone ?? alarm.tone, tone(name) == nil {
      standIn(
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

  /// Which ring of its chain comes next.
  private func ringIndex(_ prompt: Prompt) -> Int {
    switch prompt.phase {
    case .waiting(let ring, _): ring
    case .held(let held): held.ring
    case .planned, .ringing, .expiring, .delayed, .acknowledged, .closed: 0
    }
  }

  private func isUrgent(_ prompt: Prompt) -> Bool {
    guard let alarm = alarm(prompt.id.alarm) else { return false }
    let chain = alarm.chain(of: prompt)
    return chain[chain.place(of: ringIndex(prompt)).step].isUrgent
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
