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

/// The reason why a person declined or did not answer, or why a caretaker cancelled. The list of
/// reasons is fixed.
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
/// The daemon first records the ring intent. After that, the ring starts, and later the ring ends
/// or fails.
public struct Ring: Hashable, Sendable {
  /// The sequence number of the ring within the prompt, from 1. No two rings of a prompt have the
  /// same sequence number.
  public var number: Int
  /// The index of the ring, counted from 0 over all bursts of the prompt.
  public var index: Int
  /// The index of the burst in the escalation, from 0.
  public var step: Int
  public var gainDecibels: Double
  /// The SHA-256 of the recording; nil for spoken words or the built-in tone.
  public var toneSHA256: String?
  /// True if the ring counts for the hourly limit: a person already heard the prompt, and the ring
  /// is not urgent.
  public var isRepetition: Bool
  /// The instant at which the ring was due. The lateness of the ring is measured from this instant.
  ///
  /// A ring that is repeated after a crash keeps its due instant, so that the recorded lateness is
  /// correct.
  public var dueAt: Instant
  /// True if the player plays a chime before the words or the recording. The player plays no chime
  /// if the ring of another prompt began with a chime less than 60 s before.
  public var hasAlert: Bool
  /// The leading prompt of a merged ring; nil if the ring is for this prompt alone.
  ///
  /// A merged ring is one sound for several prompts. The daemon records a separate ring for each of
  /// these prompts, and each of these rings contains the id of the leading prompt. The ring of the
  /// leading prompt also contains this id.
  public var leadingPrompt: PromptID?
  /// The instant at which the ring intent was recorded.
  public var intendedAt: Instant
  /// The instant at which the sound device accepted the first frames; nil before this instant.
  public var startedAt: Instant?

  public init(
    number: Int, index: Int, step: Int = 0, gainDecibels: Double, toneSHA256: String?,
    hasAlert: Bool = true, isRepetition: Bool = false, leadingPrompt: PromptID? = nil,
    dueAt: Instant, intendedAt: Instant, startedAt: Instant? = nil
  ) {
    self.number = number
    self.index = index
    self.step = step
    self.hasAlert = hasAlert
    self.isRepetition = isRepetition
    self.leadingPrompt = leadingPrompt
    self.gainDecibels = gainDecibels
    self.toneSHA256 = toneSHA256
    self.dueAt = dueAt
    self.intendedAt = intendedAt
    self.startedAt = startedAt
  }
}

/// The state of a prompt.
///
/// Every open state contains the instant at which `step` must handle the prompt next. Therefore the
/// daemon cannot forget an open prompt.
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
/// `applying` contains a table of all changes.
///
/// After a ring, the state is `waiting` if the burst has a next ring. If the daemon stopped after
/// the ring intent and before the start of the ring, the prompt returns to `waiting` for the same
/// ring.
///
/// A person can undo every answer within 60 s. The prompt then continues from its state before the
/// answer.
public enum PromptState: Hashable, Sendable {
  /// The prompt is not due yet.
  case planned
  /// The prompt is due. The ring with the index `ring` sounds at `at`. If the speaker is busy at
  /// this time, the ring sounds later.
  case waiting(ring: Int, at: Instant)
  /// All rings are over. If nobody answers before `at`, the prompt is missed.
  case expiring(at: Instant)
  /// The daemon has recorded the ring intent, and it is possible that the ring already sounds. If
  /// the player does not report the end of the ring before `deadline`, the daemon no longer waits
  /// for this report.
  indirect case ringing(Ring, deadline: Instant)
  /// The patient answered "later". A new burst starts at `until`.
  case delayed(until: Instant)
  /// The patient answered "on my way". If nobody completes the task before `until`, a new burst
  /// starts.
  case acknowledged(until: Instant)
  /// The prompt is due, but the prompt is silent for the reason in `Suppression`.
  indirect case held(Suppression)
  /// The prompt is over and has exactly one outcome.
  case closed(Outcome, reason: ReasonCode, at: Instant)

  public var isOpen: Bool { if case .closed = self { false } else { true } }
}

/// The progress of notifications through a list of contacts: which contacts the daemon has
/// notified, and when the daemon notifies the next contact.
public struct NotifyProgress: Hashable, Sendable {
  /// The number of contacts whose notification has begun. The daemon notifies the contacts in the
  /// order of the list. Therefore this number is also the index (from 0) of the next contact.
  public var begun: Int
  /// The instant at which the daemon notifies the next contact; nil if no notification is planned.
  public var nextAt: Instant?
  /// The instant at which the newest notification began; nil if no notification has begun.
  public var lastAt: Instant?
  /// The contacts whose notification has begun and has no result yet. Each number is the index
  /// (from 0) of a contact in the list of contacts. The indices are in ascending order.
  public var pending: [Int]

  public init(begun: Int, nextAt: Instant?, lastAt: Instant?, pending: [Int]) {
    self.begun = begun
    self.nextAt = nextAt
    self.lastAt = lastAt
    self.pending = pending
  }

  public static let none = NotifyProgress(begun: 0, nextAt: nil, lastAt: nil, pending: [])
}

/// One occurrence of an alarm, from planning to exactly one outcome.
public struct Prompt: Hashable, Sendable {
  public var id: PromptID
  public var alarmVersion: Int
  /// The instant at which the prompt is due.
  public var dueAt: Instant
  /// Other scheduled times of the alarm, in order. Because of a clock change, these times have the
  /// same instant as the scheduled time of this prompt.
  ///
  /// The prompt rings once for all scheduled times with the same instant. The list is almost always
  /// empty.
  public var alsoNominal: [CivilDateTime]
  /// The name of the time zone of `id.nominal`, the scheduled local date-time.
  public var zoneName: String
  public var utcOffsetSeconds: Int
  public var state: PromptState
  /// The number of recorded ring intents, over all bursts.
  public var ringsIntended: Int {
    get { course.ringsIntended }
    set { course.ringsIntended = newValue }
  }
  /// True if a person was able to hear the prompt.
  ///
  /// The value is true in two cases: at least one ring was played to its end, or a person answered
  /// the prompt while a ring sounded. A ring does not count if the ring failed after its start, or
  /// if a crash stopped the ring.
  public var isDelivered: Bool {
    get { course.isDelivered }
    set { course.isDelivered = newValue }
  }
  /// The number of rings whose first frames the sound device accepted.
  public var ringsSounded: Int {
    get { course.ringsSounded }
    set { course.ringsSounded = newValue }
  }
  /// The number of failed rings of this prompt. No sound device could play these rings.
  public var ringsFailed: Int {
    get { course.ringsFailed }
    set { course.ringsFailed = newValue }
  }
  public var delays: Int {
    get { course.delays }
    set { course.delays = newValue }
  }
  /// The instant at which the last ring started to sound; nil if no ring sounded.
  public var lastSoundedAt: Instant? {
    get { course.lastSoundedAt }
    set { course.lastSoundedAt = newValue }
  }
  /// The instant at which a screen first showed the prompt; nil if no screen has reported this.
  public var presentedAt: Instant? {
    get { course.presentedAt }
    set { course.presentedAt = newValue }
  }
  /// The instant of the first answer "on my way"; nil if nobody gave this answer.
  public var acknowledgedAt: Instant? {
    get { course.acknowledgedAt }
    set { course.acknowledgedAt = newValue }
  }
  /// The due time of the main prompt; nil if this prompt is not an early reminder.
  ///
  /// The value is also nil if a version of Prompter without this field planned the prompt.
  public var leadsToAt: Instant? {
    get { course.leadsToAt }
    set { course.leadsToAt = newValue }
  }
  /// True if the patient or a caretaker answered "later" or "on my way".
  var isPutOff: Bool { delays > 0 || acknowledgedAt != nil }
  /// The progress of the notifications to the contacts of the alarm.
  public var notifyProgress: NotifyProgress {
    get { course.notifyProgress }
    set { course.notifyProgress = newValue }
  }
  /// For each answered question, the sequence number of its newest response. The key is the name of
  /// the question.
  public var answers: [String: Int] {
    get { course.answers }
    set { course.answers = newValue }
  }
  /// The newest answer; nil if nobody has answered. Some changes of the prompt after the answer
  /// make an undo of this answer impossible. After such a change, the value is also nil.
  public var lastAnswer: LastAnswer? {
    get { course.lastAnswer }
    set { course.lastAnswer = newValue }
  }

  /// The prompt data that can change after the daemon has planned the prompt.
  ///
  /// Almost all prompts in memory are unchanged since their planning. An unchanged prompt uses no
  /// memory for these data.
  private struct Course: Hashable, Sendable {
    var ringsIntended = 0
    var ringsSounded = 0
    var ringsFailed = 0
    var isDelivered = false
    var delays = 0
    var lastSoundedAt: Instant?
    var presentedAt: Instant?
    var acknowledgedAt: Instant?
    var notifyProgress = NotifyProgress.none
    var answers: [String: Int] = [:]
    var lastAnswer: LastAnswer?
    var leadsToAt: Instant?
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
    lastAnswer: LastAnswer? = nil, leadsToAt: Instant? = nil
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
      notifyProgress: notifyProgress, lastAnswer: lastAnswer,
      leadsToAt: leadsToAt)
  }

  /// The outcomes of a prompt that ended without an answer, a cancellation or a pause. The prompt
  /// ended for one of three reasons: somebody edited its alarm, the device was off or suspended, or
  /// the clock was wrong.
  public static let outcomesOfNobody: Set<Outcome> = [
    .supersededByEdit, .missedDeviceOff, .missedSuspended, .missedClockInvalid,
  ]

  /// True if the daemon may plan this closed prompt again when its due time is in the future.
  ///
  /// The value is true only if the prompt never rang, and if no person answered or cancelled the
  /// prompt. The prompt was closed, for example, because a caretaker moved the alarm to another
  /// time and later back, or because the clock was wrong for ten minutes. If the daemon did not
  /// plan the prompt again, the alarm would stay silent at this due time.
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

  /// The instant at which `step` must change the state next; nil if the prompt is closed. The value
  /// does not include the instants of notifications.
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

  /// The instant at which the next ring should start. A ring that starts after this instant is
  /// late.
  ///
  /// If the hourly limit suppresses a ring, this instant is the original due time of the ring.
  var lateSince: Instant? {
    if case .held(let suppression) = state, suppression.reason == .cap { return suppression.since }
    return stateStepAt
  }
}
