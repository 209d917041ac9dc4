/// The bursts that ring, and the contacts that the daemon notifies, until somebody answers.
///
/// An escalation also contains the burst and the deadline that apply after the answer "on my way".
/// An escalation contains only data, so that programs can check and compare escalations.
public struct Escalation: Hashable, Sendable {
  /// The first burst. Every alarm has a first burst.
  public var first: EscalationStep
  /// The bursts after the first burst, in order.
  public var later: [EscalationStep]
  /// The contacts that the daemon notifies, in this order, if nobody answers.
  public var notifySteps: [NotifyStep]
  /// The time from the answer "on my way" to the completion deadline, in seconds.
  ///
  /// If nobody completes the task before the deadline, the prompt rings again.
  public var completeBySeconds: Int64
  /// The burst that rings if the person acknowledged the prompt but did not complete the task
  /// before the deadline. If the value is nil, the prompt repeats all bursts of its escalation.
  public var completion: EscalationStep?

  public init(
    first: EscalationStep, later: [EscalationStep] = [], notifySteps: [NotifyStep] = [],
    completeBySeconds: Int64 = Escalation.standardCompleteBySeconds,
    completion: EscalationStep? = nil
  ) {
    self.first = first
    self.later = later
    self.notifySteps = notifySteps
    self.completeBySeconds = completeBySeconds
    self.completion = completion
  }

  /// The default completion deadline: 10 minutes. Most tasks take less than 10 minutes. With a
  /// later deadline, a person could forget the task before the prompt rings again.
  public static let standardCompleteBySeconds: Int64 = 600

  /// Creates an escalation with one burst and without contacts.
  public init(_ burst: Burst) { self.init(first: EscalationStep(burst: burst)) }

  /// True if the caretaker changed the burst or the deadline that applies after the answer "on my
  /// way".
  ///
  /// If the value is true, the first short press of the physical button means "on my way", and the
  /// next short press means "done". If the value is false, the first short press means "done".
  public var hasSecondPhase: Bool {
    completion != nil || completeBySeconds != Self.standardCompleteBySeconds
  }

  /// All bursts, in order. There is always at least one burst.
  public var steps: [EscalationStep] { [first] + later }
}

/// One burst of an escalation, with its tone and urgency.
public struct EscalationStep: Hashable, Sendable {
  public var burst: Burst
  /// The name of the tone for the rings of this step; nil if these rings use the tone of the alarm.
  public var tone: String?
  /// True if this step is urgent. The rings of an urgent step begin with the urgent tone, and sound
  /// before the rings of prompts that are not urgent.
  public var isUrgent: Bool
  /// The time from the last ring of the previous step to the first ring of this step, in seconds.
  ///
  /// The time is measured between the start times of these two rings. The first step has the value
  /// 0.
  public var pauseSeconds: Int64

  public init(
    burst: Burst, tone: String? = nil, isUrgent: Bool = false, pauseSeconds: Int64 = 0
  ) {
    self.burst = burst
    self.tone = tone
    self.isUrgent = isUrgent
    self.pauseSeconds = pauseSeconds
  }
}

/// A contact to notify, and the delay of the notification.
public struct NotifyStep: Hashable, Sendable {
  /// The name of a contact in the daemon's configuration.
  public var contact: String
  /// The delay of the notification in seconds.
  ///
  /// For the first contact of an escalation, the delay begins at the start of the first burst. If
  /// the prompt is silent for some time, for example after "later", the delay begins at the start
  /// of the new burst. For the first contact of an `InactivityRule`, the delay begins at the end of
  /// the configured hours without an answer. For each later contact, the delay begins at the
  /// notification of the previous contact.
  public var afterSeconds: Int64

  public init(contact: String, afterSeconds: Int64) {
    self.contact = contact
    self.afterSeconds = afterSeconds
  }
}

/// The reason why the daemon notifies a contact.
public enum NotifyReason: String, Sendable, CaseIterable {
  /// The prompt is due, and its first ring will sound now. If the delay of a contact is 0 s, the
  /// daemon notifies this contact before the first ring, and gives this reason.
  case due = "due"
  /// The prompt rang, and nobody answered.
  case noAnswer = "no_answer"
  /// The prompt is due, but nobody heard a ring: each ring failed, or the prompt waits for the
  /// speaker.
  case notHeard = "not_heard"
  /// The patient answered "on my way", but nobody completed the task in time.
  case notCompleted = "not_completed"
  /// The prompt was missed because nobody answered. The raw values of this case and of the next
  /// five cases are also raw values of `Outcome`.
  case missedNoResponse = "missed_no_response"
  case missedAudioFailed = "missed_audio_failed"
  case missedDeviceOff = "missed_device_off"
  case missedSuspended = "missed_suspended"
  case missedClockInvalid = "missed_clock_invalid"
  case unknownCrash = "unknown_crash"
  /// The person is inactive. The reasons above concern a prompt, and not the inactivity of a
  /// person.
  case inactivity = "inactivity"
  /// Somebody answered. This reason and the following reasons belong to notices: see `NoticeKind`.
  case allClear = "all_clear"
  case answerUndone = "answer_undone"
  case summary = "summary"
  case supplyLow = "supply_low"
  case test = "test"
  case askedFor = "asked_for"

  /// True if the reason is the outcome of a prompt.
  public var isOutcome: Bool {
    switch self {
    case .due, .noAnswer, .notHeard, .notCompleted, .inactivity, .allClear, .answerUndone, .summary,
      .supplyLow, .test, .askedFor:
      false
    case .missedNoResponse, .missedAudioFailed, .missedDeviceOff, .missedSuspended,
      .missedClockInvalid, .unknownCrash:
      true
    }
  }
}

extension [EscalationStep] {
  var ringCount: Int { reduce(0) { $0 + $1.burst.rings } }

  /// Finds the burst that contains ring `index`, and the index of the ring within this burst.
  ///
  /// All indices count from 0. If `index` is too large, the result contains the last burst and a
  /// ring index that is too large for this burst.
  func place(of index: Int) -> (step: Int, ring: Int) {
    var first = 0
    for (step, one) in enumerated() {
      if index < first + one.burst.rings || step == count - 1 { return (step, index - first) }
      first += one.burst.rings
    }
    return (0, index)
  }

  /// Returns the seconds from the start of ring `index` to the start of the next ring.
  ///
  /// The last ring of a prompt has no next ring. For the last ring, the function returns the
  /// spacing of the last burst.
  func secondsAfter(_ index: Int) -> Int64 {
    let (step, ring) = place(of: index)
    if ring + 1 >= self[step].burst.rings, step + 1 < count { return self[step + 1].pauseSeconds }
    return self[step].burst.spacingSeconds
  }

  /// Returns the start of ring `index`, in seconds from the start of the first ring.
  ///
  /// If `index` is too large, the result is the start of the last ring.
  func seconds(to index: Int) -> Int64 {
    let offsets = offsetsSeconds
    return offsets[Swift.min(index, offsets.count - 1)]
  }

  /// For each ring, the time from the start of the first ring to the start of this ring, in
  /// seconds.
  var offsetsSeconds: [Int64] {
    var offsets: [Int64] = [0]
    for index in 1..<Swift.max(ringCount, 1) {
      offsets.append(offsets[index - 1] + secondsAfter(index - 1))
    }
    return offsets
  }
}

extension Alarm {
  /// The names of all tones of the alarm and its steps.
  public var tones: [String] {
    let steps = escalation.steps + (escalation.completion.map { [$0] } ?? [])
    return ([tone] + steps.map(\.tone)).compactMap { $0 }
  }

  /// Replaces the tone `name` with the tone `other` in the alarm and in every step.
  mutating func exchangeTone(_ name: String, for other: String) {
    func exchanged(_ tone: String?) -> String? { tone == name ? other : tone }
    tone = exchanged(tone)
    escalation.first.tone = exchanged(escalation.first.tone)
    for index in escalation.later.indices {
      escalation.later[index].tone = exchanged(escalation.later[index].tone)
    }
    if var step = escalation.completion {
      step.tone = exchanged(step.tone)
      escalation.completion = step
    }
  }

  /// Returns the bursts that ring for a prompt of this alarm, in order. If the escalation has a
  /// burst `completion`, only this burst rings after the answer "on my way".
  func chain(of prompt: Prompt) -> [EscalationStep] {
    if prompt.acknowledgedAt != nil, let completion = escalation.completion { return [completion] }
    return escalation.steps
  }
}
