import CivilTime

/// Events in plain words, for a caretaker or a clinician.
struct WhyWords {
  /// The zone of the times in the text.
  let zone: Zone

  func time(_ instant: Instant) -> String {
    let local = zone.civil(at: instant).dateTime
    return "\(local.date) \(local.time)"
  }

  func span(_ seconds: Int64) -> String { Schedule.words(seconds: seconds) }

  /// `the device`, `the caretaker uid:1000`.
  func who(_ actor: Actor) -> String {
    actor.role == .system ? "the device" : "the \(actor.role.rawValue) \(actor.id)"
  }

  // MARK: Results

  /// The result of a prompt in one or two sentences.
  func summary(_ prompt: Prompt, _ story: [HistoryEvent], _ around: [HistoryEvent]) -> String {
    let starts = story.filter { if case .ringStarted = $0.event { true } else { false } }
    let isHeard = prompt.isDelivered || prompt.isSounding
    let rang = starts.first.map { first in
      let times = starts.count == 1 ? "once, at " : "\(starts.count) times, the first time at "
      return isHeard
        ? "It rang \(times)\(time(first.at))"
        : "It began to ring \(times)\(time(first.at)), and no ring was played to its end"
    }
    guard case .closed(let outcome, let reason, let at) = prompt.state else {
      return "\(rang ?? "It is due and has not sounded so far"): \(standing(prompt.state))."
    }
    let by = story.last { $0.event.isClosing }?.actor
    if let rang { return "\(rang). \(ending(outcome, reason, at, by, hasRung: true))." }
    if outcome.isAnswer {
      return "It did not ring: \(ending(outcome, reason, at, by, hasRung: false).lowercasedFirst)."
    }
    return "It did not ring: \(cause(outcome, prompt, story, around, by))."
  }

  /// What an open prompt waits for.
  private func standing(_ state: PromptState) -> String {
    switch state {
    case .planned: "it is to come"
    case .waiting(let ring, let at): "ring \(ring + 1) of its burst comes at \(time(at))"
    case .expiring(let at): "it has rung out, and is missed at \(time(at)) unless somebody answers"
    case .ringing: "a ring is sounding"
    case .delayed(let until): "it is put off until \(time(until))"
    case .acknowledged(let until): "somebody is on the way, and it rings again at \(time(until))"
    case .held(let held) where held.ringsAfterwards:
      "it is kept silent until \(time(held.until)): \(words(held.reason))"
    case .held(let held):
      "it stays silent, and can be answered until \(time(held.until)): \(words(held.reason))"
    case .closed: "it is over"
    }
  }

  private func ending(
    _ outcome: Outcome, _ reason: ReasonCode, _ at: Instant, _ by: Actor?, hasRung: Bool
  ) -> String {
    let who = by.map(who) ?? "somebody"
    let why = reason == .none ? "" : " (\(reason.rawValue.spaced))"
    switch outcome {
    case .completed, .completedOutOfWindow:
      return "\(who.capitalizedFirst) said that it is done, at \(time(at))"
        + (outcome == .completed ? "" : ", after its window")
    case .declined: return "\(who.capitalizedFirst) declined it at \(time(at))\(why)"
    case .cancelledBeforeDue, .cancelledWhileRinging:
      return "\(who.capitalizedFirst) called it off at \(time(at))\(why)"
    case .supersededByEdit: return "\(who.capitalizedFirst) changed the alarm at \(time(at))"
    case .missedNoResponse: return "Nobody answered until \(time(at))"
    default: return "It ended at \(time(at)) as \(outcome.rawValue.spaced)"
    }
  }

  /// Why nothing sounded.
  private func cause(
    _ outcome: Outcome, _ prompt: Prompt, _ story: [HistoryEvent], _ around: [HistoryEvent],
    _ by: Actor?
  ) -> String {
    let gap = around.lazy.compactMap { notified -> (Instant, Instant, GapCause)? in
      guard case .gap(let from, let to, let cause) = notified.event, from <= prompt.dueAt else {
        return nil
      }
      return (from, to, cause)
    }.first
    let silence = gap.map { ", from \(time($0.0)) to \(time($0.1))" } ?? ""
    switch outcome {
    case .missedDeviceOff:
      let how = gap.map { words($0.2) } ?? "the device was off at its time"
      return "\(how)\(silence), and its window was over when it came back"
    case .missedSuspended:
      return "the device was asleep\(silence), and its window was over when it woke"
    case .missedClockInvalid:
      let step = around.first { if case .clockStep(let by) = $0.event { by > 0 } else { false } }
      return "the clock was set forward over its time"
        + (step.map { ": it \(sentence($0.event) ?? "")" } ?? "")
    case .missedAudioFailed:
      let failure = story.last { if case .ringFailed = $0.event { true } else { false } }
      return failure.flatMap { sentence($0.event) } ?? "the speaker was not free in time"
    case .suppressedQuietHours: return "its time lay in quiet hours"
    case .suppressedControlPhase: return "its person was in a control phase of the study"
    case .suppressedCap: return "its person had as many rings in that hour as were allowed"
    case .suppressedPaused: return "the alarm was paused, or that day taken out"
    case .supersededByEdit: return "\(by.map(who) ?? "somebody") changed the alarm before"
    case .unknownCrash: return "the device failed as it was to ring, and nobody knows if it sounded"
    default: return outcome.rawValue.spaced
    }
  }

  func words(_ why: Suppression.Reason) -> String {
    switch why {
    case .quietHours, .quietRest: "quiet hours"
    case .controlPhase: "a control phase of the study"
    case .cap, .capRest: "its person has heard as many repetitions this hour as are allowed"
    }
  }

  private func words(_ cause: GapCause) -> String {
    switch cause {
    case .serviceStopped: "the service was stopped"
    case .crash: "the service had failed"
    case .deviceOff: "the device was off"
    case .suspended: "the device was asleep"
    case .recordUnwritable: "the record could not be written"
    }
  }

  private func words(_ defect: Defect) -> String {
    switch defect {
    case .stepNotStored: "found stored without its next step, and put right"
    case .promptNotStored: "found missing from what is stored, and put right"
    case .stepNotAwaited: "found forgotten, and put right"
    case .notPlanned: "found not to be planned, and planned"
    }
  }

  // MARK: Events

  /// An event as a clause without capital letter and full stop.
  ///
  /// The result is nil if the event explains nothing.
  func sentence(_ event: Event) -> String? {
    switch event {
    case .planned(let prompt):
      return "planned for \(time(prompt.dueAt)), by version \(prompt.alarmVersion) of the alarm"
    case .due(_, let late):
      return late < 1_000 ? "its time came" : "its time had come \(span(late / 1_000)) before"
    case .ringIntent: return nil
    case .acknowledged(_, let until, _): return "on my way; to ring again at \(time(until))"
    case .delayed(_, let until, _): return "put off until \(time(until))"
    case .held(_, let held):
      return held.ringsAfterwards
        ? "kept silent until \(time(held.until)): \(words(held.reason))"
        : "kept silent, to be answered until \(time(held.until)): \(words(held.reason))"
    case .closed(_, let outcome, let reason, _):
      return outcome.rawValue.spaced + (reason == .none ? "" : " (\(reason.rawValue.spaced))")
    case .corrected(_, let correction):
      return "taken back: it was not \(correction.undone.rawValue)"
    case .repaired(_, let defect): return words(defect)
    case .escalated(_, _, let contact, let reason):
      return "\(contact) was to be told: \(reason.rawValue.spaced)"
    case .notified(_, _, let contact, _): return "\(contact) was told"
    case .notificationFailed(_, _, let contact, let attempt, _, let reason):
      return "\(contact) could not be told, attempt \(attempt): \(reason)"
    case .ringStarted, .ringEnded, .ringFailed, .ringUncertain: return ringSentence(event)
    default: return deviceSentence(event)
    }
  }

  private func ringSentence(_ event: Event) -> String? {
    switch event {
    case .ringStarted(_, let number, let device, _): "ring \(number) began to sound on \(device)"
    case .ringEnded(_, let number, _, let frames, _, let stopped):
      "ring \(number) \(stopped ? "was stopped" : "ended") after \(Double(frames / 4_800) / 10) s"
    case .ringFailed(_, let number, let reason): "ring \(number) could not sound: \(reason)"
    case .ringUncertain(_, let number, let reason):
      "nobody knows how ring \(number) sounded: \(reason)"
    default: nil
    }
  }

  private func deviceSentence(_ event: Event) -> String? {
    switch event {
    case .audioFallback(_, let from, let to, let reason):
      "\(to) stood in for \(from): \(reason)"
    case .gap(let from, let to, let cause):
      "\(words(cause)) from \(time(from)) to \(time(to))"
    case .clockStep(let milliseconds):
      "was set \(milliseconds < 0 ? "back" : "forward") by \(span(abs(milliseconds) / 1_000))"
    case .boot: "the device was switched on"
    case .serviceStarted: "the service started"
    case .serviceStopped(let reason): "the service stopped: \(reason)"
    case .clockSync(let gained): "the clock is \(gained ? "" : "no longer ")kept by a time source"
    case .audioLost(let reason): "no speaker could be used: \(reason)"
    case .audioRestored(let device): "a speaker can be used again: \(device)"
    case .tzChanged(let from, let to): "the home moved from zone \(from) to \(to)"
    case .tzdataChanged(let from, let to): "zone data \(from) was replaced by \(to)"
    default: event.type.spaced
    }
  }
}

extension Event {
  fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }
}

extension String {
  fileprivate var spaced: String { String(map { $0 == "_" ? " " : $0 }) }
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
