import CivilTime

// A merged ring: one ring of the speaker for several prompts of one person.
//
// Each prompt of a merged ring keeps its own state, ring number, escalation, answers and outcome.
extension Transition {
  /// Returns the prompts that ring now together with `prompt`. The result is empty if `prompt`
  /// rings alone.
  ///
  /// Prompts ring together if all these conditions are true:
  /// - The prompts are ready to ring now. They belong to one person and to different alarms.
  /// - No prompt is urgent, an early reminder, an announcement or a prompt with questions.
  /// - Either all rings are repetitions, or no ring is a repetition.
  /// - All voices fit into the ring, and the ring has at most `MergedRing.mostPrompts` prompts.
  ///
  /// A prompt that does not fulfil these conditions stays in the speaker queue, and can ring later.
  ///
  /// - Parameter waiting: the first prompts of the speaker queue, in order.
  mutating func companions(of prompt: Prompt, among waiting: [Prompt]) -> [Prompt] {
    guard environment.mergesRings, let alarm = alarm(prompt.id.alarm), canMerge(prompt, of: alarm)
    else { return [] }
    let isRepetition = isRepetition(prompt, of: alarm)
    var most = MergedRing.mostPrompts
    if isRepetition {
      let begun = recentRings.repetitions(of: alarm.person, at: wall).count
      most = min(most, ringsPerHour(of: alarm) - begun)
    }
    var room = MergedRing.mostVoiceMilliseconds - voiceMilliseconds(of: prompt, of: alarm)
    var found: [Prompt] = []
    for other in waiting where other.id != prompt.id && found.count + 1 < most {
      guard let its = self.alarm(other.id.alarm), its.person == alarm.person,
        canMerge(other, of: its), isRepetition == self.isRepetition(other, of: its),
        !([prompt] + found).contains(where: { $0.id.alarm == other.id.alarm })
      else { continue }
      let length = voiceMilliseconds(of: other, of: its)
      if length > room || hasWaitedTooLong(other) || suppressIfNeeded(other) { continue }
      room -= length
      found.append(other)
    }
    return found
  }

  private func canMerge(_ prompt: Prompt, of alarm: Alarm) -> Bool {
    !alarm.isAnnouncement && alarm.checkIn == nil && prompt.leadsToAt == nil
      && !alarm.isUrgent(prompt)
  }

  /// Returns the estimated length of the voice of a prompt, including the pause before the voice,
  /// in milliseconds. The voice can be one of several recordings, or the spoken words. The function
  /// uses the longest of these sounds.
  private func voiceMilliseconds(of prompt: Prompt, of alarm: Alarm) -> Int {
    let chain = alarm.chain(of: prompt)
    let step = chain[chain.place(of: prompt.nextRing).step]
    let words = alarm.spokenWords(for: person(of: alarm)).text
    let lengths = recordings(for: alarm, step).map(\.durationMilliseconds)
    return PlayOrder.Part.pauseMilliseconds
      + (lengths + [words.count * MergedRing.characterMilliseconds]).reduce(0, max)
  }

  /// Returns the words before the voices of a merged ring with `count` prompts of this person.
  func openingWords(_ count: Int, for person: Person?) -> SpokenWords {
    MergedRing.opening(count, in: [person?.language, environment.language].compactMap { $0 })
  }

  /// Lets the speech program prepare the first words of each merged ring that can include a prompt
  /// of this alarm.
  mutating func rehearseOpenings(of alarm: Alarm) {
    guard environment.mergesRings, !alarm.isAnnouncement else { return }
    let mine = home.alarms.lazy.filter {
      $0.person == alarm.person && $0.id != alarm.id && !$0.isAnnouncement
    }
    let most = min(mine.prefix(MergedRing.mostPrompts).count + 1, MergedRing.mostPrompts)
    for count in 2..<max(most + 1, 2) {
      effects.append(.rehearse(openingWords(count, for: person(of: alarm))))
    }
  }

  /// Returns the first words of all merged rings that the home can have.
  func wantedOpenings() -> [SpokenWords] {
    guard environment.mergesRings else { return [] }
    var counts: [PersonID: Int] = [:]
    for alarm in home.alarms where !alarm.isAnnouncement { counts[alarm.person, default: 0] += 1 }
    return counts.flatMap { id, alarms in
      (2..<max(min(alarms, MergedRing.mostPrompts) + 1, 2)).map {
        openingWords($0, for: personState(id)?.person)
      }
    }
  }

  /// Records `event` for each prompt of the active ring. If the player only says the words of a
  /// prompt again, the function records nothing, because this sound is not a ring.
  mutating func emitForActiveRing(_ event: (PromptID, Int) -> Event) {
    if activeRing?.again != nil { return }
    for member in activeRing?.members ?? [] { emit(event(member.prompt, member.ring)) }
  }
}

extension EventState {
  /// Returns the state of a prompt after its ring was stopped.
  ///
  /// If the prompt still has the state `ringing`, an answer to another prompt has stopped the
  /// merged ring of both prompts. Perhaps nobody has heard the voice of this prompt. Therefore the
  /// prompt repeats the ring after `MergedRing.ringAgainSeconds`. If the prompt does not ring any
  /// more, or if its ring was not merged, the result is the same as for a ring that was not stopped
  /// (`stateAfterRing`).
  func stateAfterStop(_ id: PromptID, at wall: Instant) -> PromptState {
    guard case .ringing(let ring, let deadline)? = prompt(id)?.state, ring.isMerged else {
      return stateAfterRing(id, at: wall)
    }
    let again = min(wall, deadline).adding(seconds: MergedRing.ringAgainSeconds)
    return .waiting(ring: ring.index, at: again)
  }
}
