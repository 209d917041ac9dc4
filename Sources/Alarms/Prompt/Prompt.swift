import CivilTime

/// How a prompt ended. A closed list: the researcher's codebook names each.
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

/// One sounding within a prompt: intended, then truly started, then ended or failed.
public struct Ring: Hashable, Sendable {
  /// 1 for the first ring of the prompt, growing over all its bursts and repeats.
  public var number: Int
  /// The place in the chain of its bursts, from 0.
  public var index: Int
  /// Which burst of the chain, from 0.
  public var step: Int
  public var gainDecibels: Double
  /// SHA-256 of the tone's recording; nil for the built-in tone.
  public var toneSHA256: String?
  /// Whether the hourly limit counts it: it repeats what was heard already, and is not urgent.
  public var isRepetition: Bool
  /// When it was to come, from which its lateness counts. A ring that a crash swallowed is rung again
  /// as late as it is by then, not as if it were due only then.
  public var dueAt: Instant
  /// Whether a chime comes before the voice; not where another prompt has just called for attention.
  public var hasAlert: Bool
  /// When it was recorded that it shall sound.
  public var intendedAt: Instant
  /// When the device took its first frames; nil until then.
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

/// Where a prompt is in its life. Each open phase carries the instant of its next step, so that no
/// prompt can be open and forgotten.
///
/// ```
/// planned ──due──▶ waiting(ring) ◀──▶ ringing ──acknowledge──▶ acknowledged ──▶ waiting(ring)
///    │                  │    │           │
///    │             delay│    │           │complete / decline / cancel / edit
///    │                  ▼    ▼           ▼
///    └──────────▶ delayed   waiting(expiry) ──▶ closed(outcome)
/// ```
public enum PromptState: Hashable, Sendable {
  /// Not due yet.
  case planned
  /// Due; ring `index` of the current burst comes at `at`, or as soon as the voice is free.
  case waiting(ring: Int, at: Instant)
  /// Rung out; missed at `at` unless somebody answers.
  case expiring(at: Instant)
  /// A ring is intended or sounding. Given up as uncertain at `deadline`.
  indirect case ringing(Ring, deadline: Instant)
  /// The patient asked for later: a new burst starts at `until`.
  case delayed(until: Instant)
  /// The patient is on the way: a new burst starts at `until` unless the task is completed.
  case acknowledged(until: Instant)
  /// Due, and held back from sounding.
  indirect case held(Suppression)
  /// Over, once and for all.
  case closed(Outcome, reason: ReasonCode, at: Instant)

  public var isOpen: Bool { if case .closed = self { false } else { true } }
}

/// How far the people of a prompt's chain were told.
public struct NotifyProgress: Hashable, Sendable {
  /// How many of them it was begun to tell: the place of the next one.
  public var begun: Int
  /// When the next one is told; nil where there is none, or it is not the time for it.
  public var nextAt: Instant?
  /// When the last one was.
  public var lastAt: Instant?
  /// Places of those of whom it is not known yet how it went, in order.
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
  /// Other nominal times of the alarm's own that a clock change put on the same instant, in order: one
  /// ring stands for all of them. Empty almost always.
  public var alsoNominal: [CivilDateTime]
  /// The zone in which `id.nominal` is read.
  public var zoneName: String
  public var utcOffsetSeconds: Int
  public var phase: PromptState
  /// Rings intended so far, over all bursts.
  public var ringsIntended: Int {
    get { course.ringsIntended }
    set { course.ringsIntended = newValue }
  }
  /// Whether a person can have heard it: a ring was played to its end, or answered while it sounded.
  /// A ring that began and then failed, or that a crash cut short, does not count.
  public var isDelivered: Bool {
    get { course.isDelivered }
    set { course.isDelivered = newValue }
  }
  /// Rings of which the device took the first frames.
  public var ringsSounded: Int {
    get { course.ringsSounded }
    set { course.ringsSounded = newValue }
  }
  /// Rings that no device would play.
  public var ringsFailed: Int {
    get { course.ringsFailed }
    set { course.ringsFailed = newValue }
  }
  public var delays: Int {
    get { course.delays }
    set { course.delays = newValue }
  }
  /// When the last ring began to sound, where one did.
  public var lastSoundedAt: Instant? {
    get { course.lastSoundedAt }
    set { course.lastSoundedAt = newValue }
  }
  /// When somebody first said "on my way".
  public var acknowledgedAt: Instant? {
    get { course.acknowledgedAt }
    set { course.acknowledgedAt = newValue }
  }
  /// Whether the patient or a caretaker answered "later" or "on my way".
  var isPutOff: Bool { delays > 0 || acknowledgedAt != nil }
  /// How far the people of the chain were told.
  public var notifyProgress: NotifyProgress {
    get { course.notifyProgress }
    set { course.notifyProgress = newValue }
  }
  /// Questions that were answered, with the number of their newest answer.
  public var answers: [String: Int] {
    get { course.answers }
    set { course.answers = newValue }
  }
  /// The newest answer; nil where there is none, or the prompt went on since.
  public var lastAnswer: LastAnswer? {
    get { course.lastAnswer }
    set { course.lastAnswer = newValue }
  }

  /// What has become of it since it was planned. Of nearly all prompts that is nothing, and they have no
  /// place for it.
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
    alsoNominal: [CivilDateTime] = [], phase: PromptState = .planned, ringsIntended: Int = 0,
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
    self.phase = phase
    course = Course(
      ringsIntended: ringsIntended, ringsSounded: ringsSounded, ringsFailed: ringsFailed,
      delays: delays, lastSoundedAt: lastSoundedAt, acknowledgedAt: acknowledgedAt,
      notifyProgress: notifyProgress, lastAnswer: lastAnswer)
  }

  /// The outcomes by which an edit or a clock ended a prompt, and no person.
  public static let outcomesOfNobody: Set<Outcome> = [
    .supersededByEdit, .missedDeviceOff, .missedSuspended, .missedClockInvalid,
  ]

  /// Whether this prompt is over and may still be planned anew, should its time lie ahead again.
  ///
  /// It never rang and nobody decided anything about it: the alarm was set to another time and back,
  /// or the clock was wrong for ten minutes. Inactivity for the rest of the day would be worse than a
  /// second row in the record.
  public var mayComeAgain: Bool {
    guard case .closed(let outcome, _, _) = phase else { return false }
    return ringsIntended == 0 && Self.outcomesOfNobody.contains(outcome)
  }

  /// When this prompt must be looked at next; nil once it is closed.
  public var nextStepAt: Instant? {
    guard let step = phaseStepAt, let notify = notifyProgress.nextAt else { return phaseStepAt }
    return min(step, notify)
  }

  /// Whether a ring of it sounds now.
  public var isSounding: Bool {
    if case .ringing(let ring, _) = phase { ring.startedAt != nil } else { false }
  }

  /// When its phase has its next step, whoever is to be told meanwhile; nil once it is closed.
  public var phaseStepAt: Instant? {
    switch phase {
    case .planned: dueAt
    case .waiting(_, let at), .expiring(let at): at
    case .ringing(_, let deadline): deadline
    case .delayed(let until), .acknowledged(let until): until
    case .held(let held): held.until
    case .closed: nil
    }
  }

  /// From when on its next ring is late: what a full hour holds back is late since it was to ring.
  var lateSince: Instant? {
    if case .held(let held) = phase, held.why == .cap { return held.since }
    return phaseStepAt
  }
}
