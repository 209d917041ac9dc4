import CivilTime

/// How a prompt ended. A closed list; the codebook names each value.
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

/// Why a person declined or did not answer. A closed list.
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

/// One sounding within a prompt.
///
/// A ring is intended first. Then it starts, and then it ends or fails.
public struct Ring: Hashable, Sendable {
  /// 1 for the first ring of the prompt. It counts over all bursts and repeats.
  public var number: Int
  /// Index of the ring in the chain of bursts, from 0.
  public var index: Int
  /// Index of the burst in the chain, from 0.
  public var step: Int
  public var gainDecibels: Double
  /// SHA-256 of the recording; nil for spoken words or the built-in tone.
  public var toneSHA256: String?
  /// Whether the hourly limit counts the ring: it repeats a prompt that was already heard, and is
  /// not urgent.
  public var isRepetition: Bool
  /// When the ring was due. Its lateness counts from this instant.
  ///
  /// A ring that is repeated after a crash keeps this instant, so that it is as late as it really
  /// is.
  public var dueAt: Instant
  /// Whether a chime comes before the voice. It is left out right after another prompt's chime.
  public var hasAlert: Bool
  /// When the ring intent was recorded.
  public var intendedAt: Instant
  /// When the device took the first frames; nil until then.
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

/// State of a prompt.
///
/// Each open state has the instant of its next step, so that no open prompt is forgotten.
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
/// A prompt that is due can be put off in each of its open states. `applying` has the whole table.
///
/// After a ring, `waiting` is for the next ring. If the daemon ended before the ring started, it is
/// for the same ring.
///
/// Every answer can also be undone: the prompt then continues from its state before the answer.
public enum PromptState: Hashable, Sendable {
  /// The prompt is not due yet.
  case planned
  /// The prompt is due. Ring `ring` of its chain comes at `at`, or as soon as the speaker is free.
  case waiting(ring: Int, at: Instant)
  /// All rings are over. The prompt is missed at `at` unless somebody answers.
  case expiring(at: Instant)
  /// A ring is intended or sounds. If the player does not report its end, it is given up at
  /// `deadline`.
  indirect case ringing(Ring, deadline: Instant)
  /// The patient answered "later". A new burst starts at `until`.
  case delayed(until: Instant)
  /// The patient answered "on my way". A new burst starts at `until` unless the task is completed.
  case acknowledged(until: Instant)
  /// The prompt is due, but it is suppressed.
  indirect case held(Suppression)
  /// The prompt is over. It has exactly one outcome.
  case closed(Outcome, reason: ReasonCode, at: Instant)

  public var isOpen: Bool { if case .closed = self { false } else { true } }
}

/// Progress of the notifications along a chain of contacts.
public struct NotifyProgress: Hashable, Sendable {
  /// Number of contacts whose notification has begun. It is also the position of the next contact.
  public var begun: Int
  /// When the next contact is notified; nil if nobody is to be notified now.
  public var nextAt: Instant?
  /// When the notification of the last contact began; nil for none.
  public var lastAt: Instant?
  /// Positions of the contacts whose result is not known yet, in order.
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
  /// When it is due.
  public var dueAt: Instant
  /// Other nominal times of the alarm that a clock change put on the same instant, in order.
  ///
  /// One ring stands for all of them. Almost always empty.
  public var alsoNominal: [CivilDateTime]
  /// Name of the zone in which `id.nominal` is read.
  public var zoneName: String
  public var utcOffsetSeconds: Int
  public var state: PromptState
  /// Number of rings that were intended so far, over all bursts.
  public var ringsIntended: Int {
    get { course.ringsIntended }
    set { course.ringsIntended = newValue }
  }
  /// Whether a person can have heard the prompt.
  ///
  /// A ring was played to its end, or was answered while it sounded. A ring that began and then
  /// failed, or that a crash cut short, does not count.
  public var isDelivered: Bool {
    get { course.isDelivered }
    set { course.isDelivered = newValue }
  }
  /// Number of rings whose first frames the device took.
  public var ringsSounded: Int {
    get { course.ringsSounded }
    set { course.ringsSounded = newValue }
  }
  /// Number of rings that no device could play.
  public var ringsFailed: Int {
    get { course.ringsFailed }
    set { course.ringsFailed = newValue }
  }
  public var delays: Int {
    get { course.delays }
    set { course.delays = newValue }
  }
  /// When the last ring began to sound; nil if none did.
  public var lastSoundedAt: Instant? {
    get { course.lastSoundedAt }
    set { course.lastSoundedAt = newValue }
  }
  /// When somebody first answered "on my way".
  public var acknowledgedAt: Instant? {
    get { course.acknowledgedAt }
    set { course.acknowledgedAt = newValue }
  }
  /// Whether the patient or a caretaker answered "later" or "on my way".
  var isPutOff: Bool { delays > 0 || acknowledgedAt != nil }
  /// Progress of the notifications along the alarm's chain.
  public var notifyProgress: NotifyProgress {
    get { course.notifyProgress }
    set { course.notifyProgress = newValue }
  }
  /// For each answered question, by name: the number of its newest answer.
  public var answers: [String: Int] {
    get { course.answers }
    set { course.answers = newValue }
  }
  /// The newest answer; nil if there is none, or if the prompt has continued since.
  public var lastAnswer: LastAnswer? {
    get { course.lastAnswer }
    set { course.lastAnswer = newValue }
  }

  /// Changes of the prompt since it was planned.
  ///
  /// Nearly all prompts have no changes. They then use no memory for this value.
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

  /// Outcomes that no person caused: an edit, the device or a clock ended the prompt.
  public static let outcomesOfNobody: Set<Outcome> = [
    .supersededByEdit, .missedDeviceOff, .missedSuspended, .missedClockInvalid,
  ]

  /// Whether this prompt is over and may be planned again if its time is ahead again.
  ///
  /// It never rang, and nobody decided anything about it. For example, the alarm was set to another
  /// time and back, or the clock was wrong for ten minutes. A second row in the record is better
  /// than an alarm that stays silent for the rest of the day.
  public var canBePlannedAgain: Bool {
    guard case .closed(let outcome, _, _) = state else { return false }
    return ringsIntended == 0 && Self.outcomesOfNobody.contains(outcome)
  }

  /// When the prompt needs its next step; nil once it is closed.
  public var nextStepAt: Instant? {
    guard let step = stateStepAt, let notify = notifyProgress.nextAt else { return stateStepAt }
    return min(step, notify)
  }

  /// Whether a ring of the prompt sounds now.
  public var isSounding: Bool {
    if case .ringing(let ring, _) = state { ring.startedAt != nil } else { false }
  }

  /// When the state has its next step, notifications apart; nil once the prompt is closed.
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

  /// Instant from which the next ring counts as late.
  ///
  /// A ring held back by the hourly limit counts as late from its original time.
  var lateSince: Instant? {
    if case .held(let suppression) = state, suppression.reason == .cap { return suppression.since }
    return stateStepAt
  }
}
