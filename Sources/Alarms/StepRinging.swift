import CivilTime

// Who has the voice, and who is next.
extension Draft {
  /// A ring lasts 30 s at most; the rest is for a player that hangs and is replaced.
  private static let ringSeconds: Int64 = 45

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

  /// Gives the free voice to whoever has waited longest, so that everybody is heard once before
  /// anybody is heard twice. Who waited in line for longer than their window is missed.
  ///
  /// - Returns: whether more of the line is to be sent home than one decision takes.
  mutating func ringNext() -> Bool {
    if home.ready.isEmpty && readied.isEmpty { return false }
    let waiting = home.ready.union(readied).compactMap { prompt($0) }
      .filter { isReadyToRing($0) }
      .sorted { ($0.nextStepAt ?? $0.dueAt, $0.id) < ($1.nextStepAt ?? $1.dueAt, $1.id) }
    let late = waiting.filter { hasWaitedTooLong($0) }
    for prompt in late.prefix(Self.batch) { close(prompt, unansweredOutcome(prompt), .none) }
    if let prompt = waiting.first(where: { !hasWaitedTooLong($0) }) { ring(prompt) }
    return late.count > Self.batch
  }

  private func hasWaitedTooLong(_ prompt: Prompt) -> Bool {
    guard let at = prompt.nextStepAt, let alarm = alarm(prompt.id.alarm) else { return false }
    return wall.milliseconds - at.milliseconds > alarm.lateWindowSeconds * 1_000
  }

  private mutating func ring(_ prompt: Prompt) {
    guard let alarm = alarm(prompt.id.alarm) else { return }
    let tones = recordings(for: alarm)
    var index = 0
    if case .waiting(let ring, _) = prompt.phase { index = ring }
    let ring = Ring(
      number: prompt.ringsIntended + 1, index: index,
      gainDecibels: alarm.burst.gainDecibels(ring: index),
      toneSHA256: tones.first,
      dueAt: prompt.nextStepAt ?? prompt.dueAt, intendedAt: wall)
    let deadline = wall.adding(seconds: Self.ringSeconds)
    emit(.ringIntent(prompt.id, ring, deadline: deadline))
    readied.remove(prompt.id)
    voice = Home.Voice(prompt: prompt.id, ring: ring.number, deadline: deadline)
    effects.append(
      .play(
        PlayOrder(
          prompt: prompt.id, ring: ring.number, tones: tones, words: alarm.spokenWords,
          gainDecibels: ring.gainDecibels, isFirstOfBurst: index == 0)))
    if let name = alarm.tone, tone(name) == nil {
      standIn(prompt.id, from: name, to: "voice", reason: "there is no such recording")
    }
  }

  /// The recordings that may speak for an alarm, most wanted first.
  private func recordings(for alarm: Alarm) -> [String] {
    [alarm.tone].compactMap { $0.flatMap { tone($0)?.sha256 } }
  }

  private func isReadyToRing(_ prompt: Prompt) -> Bool {
    guard let at = prompt.nextStepAt, at <= wall else { return false }
    switch prompt.phase {
    case .waiting, .delayed, .acknowledged: return true
    case .planned, .expiring, .ringing, .closed: return false
    }
  }
}
