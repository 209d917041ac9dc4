import CivilTime

/// The way in which a prompt ended. The list of outcomes is fixed, and the codebook explains each
/// outcome.
public enum Outcome: String, Sendable, CaseIterable {
  case completed = "completed"
  case completedOutOfWindow = "completed_out_of_window"
  case declined = "declined"
  case missedNoResponse = "missed_no_response"
  case missedAudioFailed = "missed_audio_failed"
  case missedDeviceOff = "missed_device_off"
  case missedSuspended = "missed_suspended"
  case missedClockInvalid = "missed_clock_invalid"
  case suppressedQuietHours = "suppressed_quiet_hours"
  case suppressedControlPhase = "suppressed_control_phase"
  case suppressedCap = "suppressed_cap"
  case suppressedPaused = "suppressed_paused"
  case cancelledBeforeDue = "cancelled_before_due"
  case cancelledWhileRinging = "cancelled_while_ringing"
  case supersededByEdit = "superseded_by_edit"
  case unknownCrash = "unknown_crash"
}

/// The reason why a person declined or did not answer. The list of reasons is fixed.
public enum ReasonCode: String, Sendable, CaseIterable {
  case none = "none"
  case away = "away"
  case asleep = "asleep"
  case busy = "busy"
  case refused = "refused"
  case notHeard = "not_heard"
  case notUnderstood = "not_understood"
  case alreadyDone = "already_done"
  case unwell = "unwell"
  case deviceProblem = "device_problem"
  case caretakerOverride = "caretaker_override"
  case other = "other"
}

/// One ring of a prompt.
///
/// The daemon first records the ring intent. After the ring intent, the ring starts, and later it
/// ends or fails.
public struct Ring: Hashable, Sendable {
  /// The number of the ring within the prompt, from 1. The count continues over all bursts and
  /// repetitions.
  public var number: Int
  /// The index of the ring in the chain of bursts, from 0.
  public var index: Int
  /// The index of the burst in the chain, from 0.
  public var step: Int
  public var gainDecibels: Double
  /// The SHA-256 of the recording; nil for spoken words or the built-in tone.
  public var toneSHA256: String?
  /// True if the hourly limit counts the ring: a person already heard the prompt, and the ring is
  /// not urgent.
  public var isRepetition: Bool
  /// The instant at which the ring was due. The lateness of the ring counts from this instant.
  ///
  /// If a ring is repeated after a crash, it keeps its due instant, so that the recorded lateness
  /// is the real lateness.
  public var dueAt: Instant
  /// True if a chime comes before the words or the recording. No chime comes shortly after the
  /// chime of another prompt.
  public var hasAlert: Bool
  /// The instant at which the ring intent was recorded.
  public var intendedAt: Instant
  /// The instant at which the device took the first frames; nil until then.
  public var startedAt: Instant?

  public init(
    number: Int, index: Int, step: Int = 0, gainDecibels: Double, toneSHA256: String?,
    hasAlert: Bool = true, isRepetition: Bool = false, dueAt: Instant, intendedAt: Instant,
    startedAt: Instant? = nil
  ) {
    self.number = number
    self.index = index
    self.step = step
    self.hasAlert = hasAlert
    self.isRepetition = isRepetition
    self.gainDecibels = gainDecibels
    self.toneSHA256 = toneSHA256
    self.dueAt = dueAt
    self.intendedAt = intendedAt
    self.startedAt = startedAt
  }
}

/// The state of a prompt.
///
/// Every open state contains the instant at which `step` handles the prompt next, so that no open
/// prompt is forgotten.
///
/// ```
///              due           ring intended          last ring over
///   planned ────────▶ waiting ────────▶ ringing ────────────────▶ expiring
///      ▲                │  ▲               │ │                        │
///      │                │  └───────────────┘ │ more rings follow      │
///      │     suppressed │                    │                        │
///      │                ▼   ring intended    │ "later", "on my way"   │
///      │               held ────▶ ringing    ▼                        │
///      │                         delayed, acknowledged ──▶ ringing    │
///      │ never rang, and nobody decided anything                      │
///      └────────────────────────── closed ◀── every open state ───────┘
/// ```
///
/// A person can answer "later" or "on my way" in each open state of a due prompt. The comment of
/// `applying` contains the whole table.
///
/// After a ring, the state is `waiting` for the next ring. If the daemon ended before the ring
/// started, the state is `waiting` for the same ring.
///
/// A person can undo every answer. The prompt then continues from its state before the answer.
public enum PromptState: Hashable, Sendable {
  /// The prompt is not due yet.
  case planned
  /// The prompt is due. Ring `ring` of its chain comes at `at`, or as soon as the speaker is free.
  case waiting(ring: Int, at: Instant)
  /// All rings are over. If nobody answers, the prompt is missed at `at`.
  case expiring(at: Instant)
  /// The ring intent is recorded, or the ring sounds. If the player does not report the end of the
  /// ring, the daemon gives up the ring at `deadline`.
  indirect case ringing(Ring, deadline: Instant)
  /// The patient answered "later". A new burst starts at `until`.
  case delayed(until: Instant)
  /// The patient answered "on my way". If nobody completes the task, a new burst starts at `until`.
  case acknowledged(until: Instant)
  /// The prompt is due, but it is suppressed.
  indirect case held(Suppression)
  /// The prompt is over and has exactly one outcome.
  case closed(Outcome, reason: ReasonCode, at: Instant)

  public var isOpen: Bool { if case .closed = self { false } else { true } }
}

/// The progress of the notifications along a chain of contacts.
public struct NotifyProgress: Hashable, Sendable {
  /// The number of contacts whose notification has begun. This number is also the position of the
  /// next contact.
  public var begun: Int
  /// The instant at which the daemon notifies the next contact; nil if no notification is planned.
  public var nextAt: Instant?
  /// The instant at which the newest notification began; nil if no contact was notified.
  public var lastAt: Instant?
  /// The positions of the contacts whose notification has no known result yet, in order.
  public var pending: [Int]

  public init(begun: Int, nextAt: Instant?, lastAt: Instant?, pending: [Int]) {
    self.begun = begun
    self.nextAt = nextAt
    self.lastAt = lastAt
    self.pending = pending
  }

  public static let none = NotifyProgress(begun: 0, nextAt: nil, lastAt: nil, pending: [])
}

/// The life of one occurrence, from planned to exactly one outcome.
public struct Prompt: Hashable, Sendable {
  public var id: PromptID
  public var alarmVersion: Int
  /// The instant at which the prompt is due.
  public var dueAt: Instant
  /// Other scheduled times of the alarm that a clock change put on the same instant, in order.
  ///
  /// One ring stands for all scheduled times at the same instant. The list is almost always empty.
  public var alsoNominal: [CivilDateTime]
  /// The name of the zone for `id.nominal`.
  public var zoneName: String
  public var utcOffsetSeconds: Int
  public var state: PromptState
  /// The number of rings that were intended so far, over all bursts.
  public var ringsIntended: Int {
    get { course.ringsIntended }
    set { course.ringsIntended = newValue }
  }
  /// True if a person can have heard the prompt.
  ///
  /// At least one ring was played to its end, or a person answered the prompt while a ring sounded.
  /// A ring that failed after its start, or that a crash stopped, does not count.
  public var isDelivered: Bool {
    get { course.isDelivered }
    set { course.isDelivered = newValue }
  }
  /// The number of rings whose first frames the device took.
  public var ringsSounded: Int {
    get { course.ringsSounded }
    set { course.ringsSounded = newValue }
  }
  /// The number of rings that no device could play.
  public var ringsFailed: Int {
    get { course.ringsFailed }
    set { course.ringsFailed = newValue }
  }
  public var delays: Int {
    get { course.delays }
    set { course.delays = newValue }
  }
  /// The instant at which the last ring began to sound; nil if no ring sounded.
  public var lastSoundedAt: Instant? {
    get { course.lastSoundedAt }
    set { course.lastSoundedAt = newValue }
  }
  /// The instant of the first answer "on my way"; nil if nobody gave this answer.
  public var acknowledgedAt: Instant? {
    get { course.acknowledgedAt }
    set { course.acknowledgedAt = newValue }
  }
  /// True if the patient or a caretaker answered "later" or "on my way".
  var isPutOff: Bool { delays > 0 || acknowledgedAt != nil }
  /// The progress of the notifications along the contacts of the alarm.
  public var notifyProgress: NotifyProgress {
    get { course.notifyProgress }
    set { course.notifyProgress = newValue }
  }
  /// The number of the newest answer to each answered question, by the name of the question.
  public var answers: [String: Int] {
    get { course.answers }
    set { course.answers = newValue }
  }
  /// The newest answer; nil if there is no answer, or if the prompt has continued after it.
  public var lastAnswer: LastAnswer? {
    get { course.lastAnswer }
    set { course.lastAnswer = newValue }
  }

  /// The changes of the prompt since it was planned.
  ///
  /// Almost no prompt has changes. A prompt without changes uses no memory for this value.
  private struct Course: Hashable, Sendable {
    var ringsIntended = 0
    var ringsSounded = 0
    var ringsFailed = 0
    var isDelivered = false
    var delays = 0
    var lastSoundedAt: Instant?
    var acknowledgedAt: Instant?
    var notifyProgress = NotifyProgress.none
    var answers: [String: Int] = [:]
    var lastAnswer: LastAnswer?
  }

  private var boxedCourse: Boxed<Course>?
  private var course: Course {
    get { boxedCourse?.value ?? Course() }
    set { boxedCourse = newValue == Course() ? nil : Boxed(newValue) }
  }

  public init(
    id: PromptID, alarmVersion: Int, dueAt: Instant, zoneName: String, utcOffsetSeconds: Int,
    alsoNominal: [CivilDateTime] = [], state: PromptState = .planned, ringsIntended: Int = 0,
    ringsSounded: Int = 0, ringsFailed: Int = 0, delays: Int = 0, lastSoundedAt: Instant? = nil,
    acknowledgedAt: Instant? = nil, notifyProgress: NotifyProgress = .none,
    lastAnswer: LastAnswer? = nil
  ) {
    self.id = id
    self.alarmVersion = alarmVersion
    self.dueAt = dueAt
    self.zoneName = zoneName
    self.utcOffsetSeconds = utcOffsetSeconds
    self.alsoNominal = alsoNominal
    self.state = state
    course = Course(
      ringsIntended: ringsIntended, ringsSounded: ringsSounded, ringsFailed: ringsFailed,
      delays: delays, lastSoundedAt: lastSoundedAt, acknowledgedAt: acknowledgedAt,
      notifyProgress: notifyProgress, lastAnswer: lastAnswer)
  }

  /// The outcomes without a person's decision about the prompt. An edit of the alarm, the device or
  /// the clock ended the prompt.
  public static let outcomesOfNobody: Set<Outcome> = [
    .supersededByEdit, .missedDeviceOff, .missedSuspended, .missedClockInvalid,
  ]

  /// True if this prompt is over and may be planned again when its due time is in the future again.
  ///
  /// The prompt never rang, and no person decided anything about it. For example, somebody set the
  /// alarm to another time and back, or the clock was wrong for ten minutes. A second row in the
  /// record is better than an alarm that stays silent for the rest of the day.
  public var canBePlannedAgain: Bool {
    guard case .closed(let outcome, _, _) = state else { return false }
    return ringsIntended == 0 && Self.outcomesOfNobody.contains(outcome)
  }

  /// The instant at which `step` must handle the prompt next; nil if the prompt is closed.
  public var nextStepAt: Instant? {
    guard let step = stateStepAt, let notify = notifyProgress.nextAt else { return stateStepAt }
    return min(step, notify)
  }

  /// True if a ring of the prompt sounds now.
  public var isSounding: Bool {
    if case .ringing(let ring, _) = state { ring.startedAt != nil } else { false }
  }

  /// The instant of the next change of the state; nil if the prompt is closed. Notifications do not
  /// count.
  public var stateStepAt: Instant? {
    switch state {
    case .planned: dueAt
    case .waiting(_, let at), .expiring(let at): at
    case .ringing(_, let deadline): deadline
    case .delayed(let until), .acknowledged(let until): until
    case .held(let suppression): suppression.until
    case .closed: nil
    }
  }

  /// The instant from which the lateness of the next ring counts.
  ///
  /// If the hourly limit suppresses a ring, the lateness counts from the original time of the ring.
  var lateSince: Instant? {
    if case .held(let suppression) = state, suppression.reason == .cap { return suppression.since }
    return stateStepAt
  }
}
