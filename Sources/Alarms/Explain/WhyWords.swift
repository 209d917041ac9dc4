import CivilTime

/// Writes events in plain words, for a caretaker or a clinician.
public struct WhyWords: Sendable {
  /// The zone for the times in the texts.
  let zone: Zone
  /// A function that returns the name of the user with the given actor id. The function returns nil
  /// if the machine does not know the user.
  let userName: @Sendable (_ actor: String) -> String?
  /// The name of the person whom the alarm reminds; nil if the person is not known.
  var person: String?
  /// The hourly limit of this person; nil if the limit is not known.
  var ringsPerHour: Int?

  public init(
    zone: Zone, person: String? = nil, ringsPerHour: Int? = nil,
    userName: @escaping @Sendable (_ actor: String) -> String?
  ) {
    self.zone = zone
    self.person = person
    self.ringsPerHour = ringsPerHour
    self.userName = userName
  }

  func time(_ instant: Instant) -> String {
    let local = zone.civil(at: instant).dateTime
    return "\(local.date) \(local.time)"
  }

  func span(_ seconds: Int64) -> String { Schedule.words(seconds: seconds) }

  /// Returns the words for an actor, for example `the device` or `anna`. If the machine does not
  /// know the name of the user, the words contain the user id, for example `the caretaker
  /// uid:1000`.
  func who(_ actor: Actor) -> String {
    if actor.role == .system { return "the device" }
    return userName(actor.id) ?? "the \(actor.role.rawValue) \(actor.id)"
  }

  /// The words for a prompt that is silent because of the hourly limit.
  private var hourIsFull: String {
    guard let ringsPerHour else {
      return "this person has already heard the most rings allowed in one hour"
    }
    return "\(person ?? "this person") has already heard \(ringsPerHour) rings this hour"
  }

  // MARK: Results

  /// Returns one or two sentences about the rings of a prompt, and about its outcome or present
  /// state.
  func summary(_ prompt: Prompt, _ history: [HistoryEvent], _ around: [HistoryEvent]) -> String {
    let starts = history.filter { if case .ringStarted = $0.event { true } else { false } }
    let isHeard = prompt.isDelivered || prompt.isSounding
    let rang = starts.first.map { first in
      let times = starts.count == 1 ? "once, at " : "\(starts.count) times, the first time at "
      return isHeard
        ? "It rang \(times)\(time(first.at))"
        : "It began to ring \(times)\(time(first.at)), and no ring was played to its end"
    }
    guard case .closed(let outcome, let reason, let at) = prompt.state else {
      return "\(rang ?? "It is due and has not sounded yet"): \(standing(prompt.state))."
    }
    let by = history.last { $0.event.isClosing }?.actor
    if let rang { return "\(rang). \(ending(outcome, reason, at, by))." }
    if outcome.isAnswer {
      return "It did not ring: \(ending(outcome, reason, at, by).lowercasedFirst)."
    }
    return "It did not ring: \(cause(outcome, prompt, history, around, by))."
  }

  /// Returns the present state of an open prompt, in words.
  private func standing(_ state: PromptState) -> String {
    switch state {
    case .planned: "it is not due yet"
    case .waiting(let ring, let at): "ring \(ring + 1) of its burst sounds at \(time(at))"
    case .expiring(let at): "it rang out, and can still be answered until \(time(at))"
    case .ringing: "a ring is sounding"
    case .delayed(let until): "it was put off and rings again at \(time(until))"
    case .acknowledged(let until): "somebody is on the way, and it rings again at \(time(until))"
    case .held(let suppression) where suppression.ringsAfterwards:
      "it is held back until \(time(suppression.until)): \(words(suppression.reason))"
    case .held(let suppression):
      "it stays silent, and can be answered until \(time(suppression.until)): \(words(suppression.reason))"
    case .closed: "it is over"
    }
  }

  private func ending(
    _ outcome: Outcome, _ reason: ReasonCode, _ at: Instant, _ by: Actor?
  ) -> String {
    let who = by.map(who) ?? "somebody"
    let why = reason == .none ? "" : " (\(reason.rawValue.spaced))"
    switch outcome {
    case .completed, .completedOutOfWindow:
      return "\(who.capitalizedFirst) completed it at \(time(at))"
        + (outcome == .completed ? "" : ", too late")
    case .declined: return "\(who.capitalizedFirst) declined it at \(time(at))\(why)"
    case .cancelledBeforeDue, .cancelledWhileRinging:
      return "\(who.capitalizedFirst) cancelled it at \(time(at))\(why)"
    case .supersededByEdit: return "\(who.capitalizedFirst) changed the alarm at \(time(at))"
    case .missedNoResponse: return "Nobody answered until \(time(at))"
    default: return "It ended at \(time(at)): \(outcome.rawValue.spaced)"
    }
  }

  /// Returns the reason why no ring of a prompt sounded, in words.
  private func cause(
    _ outcome: Outcome, _ prompt: Prompt, _ history: [HistoryEvent], _ around: [HistoryEvent],
    _ by: Actor?
  ) -> String {
    let gap = around.lazy.compactMap { entry -> (Instant, Instant, GapCause)? in
      guard case .gap(let from, let to, let cause) = entry.event, from <= prompt.dueAt else {
        return nil
      }
      return (from, to, cause)
    }.first
    let unmonitored = gap.map { ", from \(time($0.0)) to \(time($0.1))" } ?? ""
    switch outcome {
    case .missedDeviceOff:
      let how = gap.map { words($0.2) } ?? "the device was off when it was due"
      return "\(how)\(unmonitored), and later it was too late to ring"
    case .missedSuspended:
      return "the device was asleep\(unmonitored), and later it was too late to ring"
    case .missedClockInvalid:
      let step = around.lazy.compactMap { entry -> Int64? in
        guard case .clockStep(let by) = entry.event, by > 0 else { return nil }
        return by
      }.first
      return "the clock was set forward past its due time"
        + (step.map { ", by \(span($0 / 1_000))" } ?? "")
    case .missedAudioFailed:
      let failure = history.last { if case .ringFailed = $0.event { true } else { false } }
      return failure.flatMap { sentence($0.event) } ?? "the speaker was not free in time"
    case .suppressedQuietHours: return "it was due in quiet hours"
    case .suppressedControlPhase: return "the study keeps reminders silent in this phase"
    case .suppressedCap: return hourIsFull
    case .suppressedPaused: return "the alarm or its person was paused, or this time was excluded"
    case .supersededByEdit: return "\(by.map(who) ?? "somebody") changed the alarm"
    case .unknownCrash:
      return "the device or the service failed, and it is not known whether the ring sounded"
    default: return outcome.rawValue.spaced
    }
  }

  func words(_ why: Suppression.Reason) -> String {
    switch why {
    case .quietHours, .quietRest: "quiet hours"
    case .controlPhase: "the study keeps reminders silent in this phase"
    case .cap, .capRest: hourIsFull
    }
  }

  private func words(_ cause: GapCause) -> String {
    switch cause {
    case .serviceStopped: "the service was stopped"
    case .crash: "the service failed"
    case .deviceOff: "the device was off"
    case .suspended: "the device was asleep"
    case .recordUnwritable: "the record could not be written"
    }
  }

  private func words(_ defect: Defect) -> String {
    switch defect {
    case .stepNotStored: "repaired: its next step was not stored"
    case .promptNotStored: "repaired: the prompt was not stored"
    case .stepNotAwaited: "repaired: nothing waited for its next step"
    case .notPlanned: "repaired: the prompt was not planned"
    }
  }

  // MARK: Events

  /// Returns an event in words. The text does not begin with a capital letter or end with a full
  /// stop.
  ///
  /// The result is nil for an event that does not help to explain a prompt.
  func sentence(_ event: Event) -> String? {
    switch event {
    case .planned(let prompt):
      let version =
        prompt.alarmVersion == 1 ? "" : ", from version \(prompt.alarmVersion) of the alarm"
      return "planned for \(time(prompt.dueAt))" + version
    case .due(_, let late):
      return late < 1_000 ? "it became due" : "it became due, \(span(late / 1_000)) late"
    case .ringIntent: return nil
    case .presented: return "a screen showed it"
    case .saidAgain: return "its voice was said again"
    case .acknowledged(_, let until, _): return "on my way; it rings again at \(time(until))"
    case .delayed(_, let until, _): return "put off until \(time(until))"
    case .held(_, let suppression):
      return suppression.ringsAfterwards
        ? "held back until \(time(suppression.until)): \(words(suppression.reason))"
        : "stays silent, and can be answered until \(time(suppression.until)): \(words(suppression.reason))"
    case .closed(_, let outcome, let reason, _):
      if outcome == .suppressedControlPhase { return "stayed silent, because of the study" }
      return outcome.rawValue.spaced + (reason == .none ? "" : " (\(reason.rawValue.spaced))")
    case .corrected(_, let correction):
      return "the answer \"\(correction.undone.rawValue.spaced)\" was taken back"
    case .revised(_, let version):
      return "the alarm was changed, and the prompt went on with version \(version)"
    case .repaired(_, let defect): return words(defect)
    case .escalated(_, _, let contact, let reason):
      return "the daemon began to notify \(contact): \(reason.rawValue.spaced)"
    case .notified(_, _, let contact, _): return "\(contact) was notified"
    case .notificationFailed(_, _, let contact, let attempt, _, let reason):
      return "\(contact) could not be notified, attempt \(attempt): \(reason)"
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
      "it is not known whether ring \(number) sounded: \(reason)"
    default: nil
    }
  }

  private func deviceSentence(_ event: Event) -> String? {
    switch event {
    case .audioFallback(_, let from, let to, let reason):
      "\(to) was used instead of \(from): \(reason)"
    case .gap(let from, let to, let cause):
      "\(words(cause)) from \(time(from)) to \(time(to))"
    case .clockStep(let milliseconds):
      "the clock was set \(milliseconds < 0 ? "back" : "forward") by \(span(abs(milliseconds) / 1_000))"
    case .boot: "the device was switched on"
    case .serviceStarted: "the service started"
    case .serviceStopped(let reason): "the service stopped: \(reason)"
    case .clockSync(let gained): "the clock is \(gained ? "" : "no longer ")synchronised"
    case .audioLost(let reason): "no speaker could be used: \(reason)"
    case .audioRestored(let device): "a speaker can be used again: \(device)"
    case .tzChanged(let from, let to): "the home's zone changed from \(from) to \(to)"
    case .tzdataChanged(let from, let to): "the zone data \(from) were replaced by \(to)"
    default: event.type.spaced
    }
  }
}

extension Event {
  fileprivate var isClosing: Bool { if case .closed = self { true } else { false } }
}

extension String {
  fileprivate var spaced: String { String(map { $0 == "_" ? " " : $0 }) }
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
