/// What an alarm does until it is answered: bursts, then people to be told, and a second phase for
/// whoever said "on my way". Data, so that a chain can be read, checked and compared.
public struct Escalation: Hashable, Sendable {
  /// The burst that every alarm has.
  public var first: EscalationStep
  /// The bursts after it, in order.
  public var later: [EscalationStep]
  /// Who is told when nobody answers, in order.
  public var notifySteps: [NotifyStep]
  /// From "on my way" until the task is to be completed, in seconds: the sound comes back then.
  public var completeBySeconds: Int64
  /// What rings when it was not completed in time; nil rings the whole chain again.
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

  /// Ten minutes: time to walk to the kitchen and back, and not enough to forget why.
  public static let standardCompleteBySeconds: Int64 = 600

  /// A chain of one burst, which tells nobody.
  public init(_ burst: Burst) { self.init(first: EscalationStep(burst: burst)) }

  /// Whether it says anything of a second phase: then "on my way" is asked for before the task is done.
  public var hasSecondPhase: Bool {
    completion != nil || completeBySeconds != Self.standardCompleteBySeconds
  }

  /// Every burst, in order. Never empty.
  public var steps: [EscalationStep] { [first] + later }
}

/// One burst of a chain, and what it sounds like.
public struct EscalationStep: Hashable, Sendable {
  public var burst: Burst
  /// The name of its tone; nil for the alarm's own.
  public var tone: String?
  /// Whether it sounds in the urgent form, and goes before what is not urgent.
  public var isUrgent: Bool
  /// From the last ring of the step before to the first of this one, in seconds. 0 for the first step.
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

/// A person to be told, and when.
public struct NotifyStep: Hashable, Sendable {
  /// The name of a contact in the daemon's configuration.
  public var contact: String
  /// From the beginning of the burst, or from when the person before was told, in seconds.
  public var afterSeconds: Int64

  public init(contact: String, afterSeconds: Int64) {
    self.contact = contact
    self.afterSeconds = afterSeconds
  }
}

/// Why somebody is told.
public enum NotifyReason: String, Sendable, CaseIterable {
  /// It is due, and its first ring is about to sound. A contact with a delay of 0 s is notified before it.
  case due = "due"
  /// It rang, and nobody answered.
  case noAnswer = "no_answer"
  /// It is due, and no ring of it was heard: each failed, or waits for the speaker.
  case notHeard = "not_heard"
  /// Somebody was on the way, and it was not completed in time.
  case notCompleted = "not_completed"
  /// It was missed; the prompt's outcome says how.
  case missedNoResponse = "missed_no_response"
  case missedAudioFailed = "missed_audio_failed"
  case missedDeviceOff = "missed_device_off"
  case missedSuspended = "missed_suspended"
  case missedClockInvalid = "missed_clock_invalid"
  case unknownCrash = "unknown_crash"
  /// Not of a prompt: its person has answered nothing for long.
  case inactivity = "inactivity"

  /// Whether it is how a prompt ended.
  public var isOutcome: Bool {
    switch self {
    case .due, .noAnswer, .notHeard, .notCompleted, .inactivity: false
    case .missedNoResponse, .missedAudioFailed, .missedDeviceOff, .missedSuspended,
      .missedClockInvalid, .unknownCrash:
      true
    }
  }
}

extension [EscalationStep] {
  var ringCount: Int { reduce(0) { $0 + $1.burst.rings } }

  /// Which step ring `index` of the chain belongs to, and which ring of that step it is, both from 0.
  /// An index past the end belongs to the last step.
  func place(of index: Int) -> (step: Int, ring: Int) {
    var first = 0
    for (step, one) in enumerated() {
      if index < first + one.burst.rings || step == count - 1 { return (step, index - first) }
      first += one.burst.rings
    }
    return (0, index)
  }

  /// From the start of ring `index` to the start of the next, or to where the next would be.
  func secondsAfter(_ index: Int) -> Int64 {
    let (step, ring) = place(of: index)
    if ring + 1 >= self[step].burst.rings, step + 1 < count { return self[step + 1].pauseSeconds }
    return self[step].burst.spacingSeconds
  }

  /// When ring `index` begins, in seconds from the first; of an index past the end, when the last does.
  func seconds(to index: Int) -> Int64 {
    let offsets = offsetsSeconds
    return offsets[Swift.min(index, offsets.count - 1)]
  }

  /// When each ring begins, in seconds from the first.
  var offsetsSeconds: [Int64] {
    var offsets: [Int64] = [0]
    for index in 1..<Swift.max(ringCount, 1) {
      offsets.append(offsets[index - 1] + secondsAfter(index - 1))
    }
    return offsets
  }
}

extension Alarm {
  /// The names of all the tones it rings with.
  public var tones: [String] {
    let steps = escalation.steps + (escalation.completion.map { [$0] } ?? [])
    return ([tone] + steps.map(\.tone)).compactMap { $0 }
  }

  /// Puts one tone in the place of another, in every step.
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

  /// The bursts that a prompt of this alarm goes through as it now stands.
  func chain(of prompt: Prompt) -> [EscalationStep] {
    if prompt.acknowledgedAt != nil, let completion = escalation.completion { return [completion] }
    return escalation.steps
  }
}
