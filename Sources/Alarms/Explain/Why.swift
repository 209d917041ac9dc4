import CivilTime

/// An event of the record, with the data that an explanation of a prompt needs.
public struct HistoryEvent: Hashable, Sendable {
  /// The sequence number of the event in the record.
  public var sequence: Int64
  public var event: Event
  public var actor: Actor
  public var at: Instant

  public init(sequence: Int64, event: Event, actor: Actor, at: Instant) {
    self.sequence = sequence
    self.event = event
    self.actor = actor
    self.at = at
  }
}

/// The explanation why an alarm rang, will ring, or does not ring at one instant.
public struct Why: Hashable, Sendable {
  /// A name that says whether the alarm rang, will ring or stays silent. The list of names is
  /// fixed, so that programs can rely on the names.
  public enum Verdict: String, Sendable, CaseIterable {
    case rang = "rang"
    /// The alarm was due, but no ring sounded.
    case stayedSilent = "stayed_silent"
    /// The prompt is due and still open, and has not sounded yet.
    case underWay = "under_way"
    case willRing = "will_ring"
    case willBeSilent = "will_be_silent"
    /// The alarm was not due, or will not be due, at the time in the user's question.
    case notDue = "not_due"
  }

  /// One event that helps to explain the verdict.
  public struct Reason: Hashable, Sendable {
    public var at: Instant
    public var actor: Actor
    /// The type of the event.
    public var type: String
    public var text: String
  }

  public var verdict: Verdict
  /// The explanation in one or two sentences.
  public var summary: String
  public var reasons: [Reason] = []
  public var prompt: PromptID?
  public var dueAt: Instant?
  /// The schedule in words, with its zone, the user who set it, and the time at which the user set
  /// it.
  public var rule: String?
  /// The last occurrence before the time in the user's question; nil if no earlier occurrence
  /// exists. `after` is the first occurrence after this time; nil if no later occurrence exists. If
  /// the explanation is about a prompt, both values are nil.
  public var before: Occurrence?
  public var after: Occurrence?

  public init(_ verdict: Verdict, _ summary: String) {
    self.verdict = verdict
    self.summary = summary
  }
}

extension Why {
  /// Explains one prompt.
  ///
  /// - Parameters:
  ///   - history: all events about the prompt, in order.
  ///   - interruptions: the events of the device shortly before and after the due time, for example
  ///     gaps and clock steps.
  ///   - forecast: the explanation for a prompt that is not due yet: it will ring, or it will be
  ///     silent. If the prompt is already due, the initializer ignores this value.
  public init(
    _ prompt: Prompt, history: [HistoryEvent], interruptions: [HistoryEvent], forecast: Why?,
    in words: WhyWords
  ) {
    let around = interruptions.filter { $0.concerns(prompt) }
    if prompt.state == .planned, let forecast {
      self = forecast
    } else {
      let verdict: Verdict =
        prompt.isDelivered || prompt.isSounding
        ? .rang : prompt.state.isOpen ? .underWay : .stayedSilent
      self.init(verdict, words.summary(prompt, history, around))
    }
    self.prompt = prompt.id
    dueAt = prompt.dueAt
    reasons = (history + around).sorted { $0.sequence < $1.sequence }.compactMap { entry in
      words.sentence(entry.event).map {
        Reason(at: entry.at, actor: entry.actor, type: entry.event.type, text: $0)
      }
    }
  }
}

extension HistoryEvent {
  /// Returns true if it is possible that the event affected a prompt.
  ///
  /// A gap can affect the prompt if the gap ends at or after the due time. An event about the
  /// daemon, the clock, the sound or the time zones can affect the prompt if the event happened
  /// after the due time, or at most 60 seconds before it.
  fileprivate func concerns(_ prompt: Prompt) -> Bool {
    switch event {
    case .gap(let from, let to, _): to >= prompt.dueAt && from < to
    case .clockStep, .boot, .serviceStarted, .serviceStopped, .clockSync, .audioLost,
      .audioRestored, .tzChanged, .tzdataChanged:
      at >= prompt.dueAt.adding(seconds: -60)
    default: false
    }
  }
}

/// Explains a future occurrence of an alarm: it will ring, or it will be silent for a reason.
public func forecast(
  _ occurrence: Occurrence, of alarm: Alarm, at reading: ClockReading, in home: HomeState,
  _ around: Environment
) -> Why {
  let transition = Transition(home, reading, .daemon("why"), around)
  let words = WhyWords(zone: around.zone(of: alarm) ?? around.homeZone) { _ in nil }
  let time = words.time(occurrence.instant)
  let prompt = transition.newPrompt(of: alarm, occurrence)
  if transition.isPersonPaused(prompt, of: alarm) {
    let end = transition.personState(alarm.person)?.pause?.until
    return Why(
      .willBeSilent,
      "It will be silent at \(time): \(alarm.person) is paused "
        + (end.map { "until \(transition.pauseEndWords($0, of: alarm.person))." }
          ?? "until somebody ends the pause."))
  }
  if transition.isSilenced(prompt, of: alarm) {
    return Why(.willBeSilent, "It will be silent at \(time): \(alarm.pauses.words(prompt.id)).")
  }
  if let suppression = transition.expectedSuppression(of: alarm, at: occurrence.instant) {
    return Why(suppression, of: home.shownName(of: alarm.person), at: time, words)
  }
  let chain = alarm.escalation.steps
  var text =
    chain.ringCount == 1
    ? "It will ring at \(time), once."
    : "It will ring at \(time), up to \(chain.ringCount) times within "
      + "\(words.span(chain.offsetsSeconds.last ?? 0))."
  if !alarm.escalation.notifySteps.isEmpty {
    text +=
      " If nobody answers, the daemon notifies "
      + "\(alarm.escalation.notifySteps.map(\.contact).joined(separator: ", then "))."
  }
  if home.speaker.isUsable == false {
    text +=
      " Nobody would hear it now: \(home.speaker.trouble ?? "no speaker can be used")."
  }
  return Why(.willRing, text)
}

extension Why {
  fileprivate init(
    _ suppression: ExpectedSuppression, of person: String, at time: String, _ words: WhyWords
  ) {
    if suppression.why == .controlPhase {
      self.init(
        .willBeSilent,
        "It will be silent at \(time): a study of \(person) keeps reminders silent at that time. "
          + "The prompt is listed and can be answered.")
    } else if let end = suppression.ringsAt {
      self.init(
        .willRing,
        "It is due at \(time), in the quiet hours of \(person), and will ring when they end, at "
          + "\(words.time(end)).")
    } else {
      self.init(
        .willBeSilent,
        "It will be silent at \(time): it is due in the quiet hours of \(person), and alarms are "
          + "suppressed in these hours.")
    }
  }
}

extension Pauses {
  /// Returns the reason why a pause makes an occurrence silent, in words.
  fileprivate func words(_ id: PromptID) -> String {
    if let until, id.nominal < until {
      return "the alarm is paused until \(until.pauseEndWords)"
    }
    if occurrences.contains(id.nominalKey) { return "a caretaker skipped this time" }
    return "its day is excluded"
  }
}
