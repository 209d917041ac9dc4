import CivilTime

/// What can happen to a home. The engine takes these one at a time.
public enum Input: Sendable {
  /// The daemon has come up on this state.
  case started(Start)
  /// A timer came due, or the clock was stepped: look at everything whose time has come.
  case woke
  case heartbeat
  /// So much is left of the disk.
  case disk(freeBytes: Int64)
  case sound(SoundReport)
  case notifyResult(NotifyResult)
  case command(Command, Actor)
  case stopping(reason: String)
  /// The record can be written again, for the first time since then.
  case recordReturned(since: Instant)
  /// The environment are not what they were: tzdata was updated, or the home is in another zone.
  case zonesChanged
}

/// What the daemon knows about its own start.
public struct Start: Hashable, Sendable {
  public var version: String

  public init(version: String) { self.version = version }
}

/// What truly came out of the speaker, told by the player.
public enum SoundReport: Hashable, Sendable {
  case started(PromptID, ring: Int, device: String, level: SoundLevel? = nil)
  case ended(PromptID, ring: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case failed(PromptID, ring: Int, reason: String)
  case fallback(PromptID?, from: String, to: String, reason: String)
  /// A self-test tried these devices.
  case tested([DeviceTest])
  case usable(device: String)
  case unusable(reason: String)
}

/// What somebody asks for. Ids come with the request: the quiet rooms invent nothing.
public enum Command: Hashable, Sendable {
  indirect case add(AlarmID, AlarmForm)
  /// Fields that the form leaves out stay as they are.
  indirect case edit(AlarmID, ifVersion: Int?, AlarmForm)
  case remove(AlarmID, ifVersion: Int?)
  /// An answer to one prompt; without an id, to the one that calls: see `Prompt.calling`.
  case answer(PromptID?, Answer)
  /// Takes the newest answer to a prompt back; without an id, the newest answer of all.
  case undo(PromptID?)
  case addTone(Tone)
  /// The alarms that speak with it get the other one, where one is named.
  case removeTone(String, replaceWith: String?)
  case renameTone(String, to: String)
  case addPicture(Picture)
  case removePicture(String)
  /// Completes a prompt as an answer does, with a picture that shows it.
  case completeShowing(PromptID?, photo: String)
  /// A person has done everything planned for a day of the home; whether a tone may say so.
  case reward(PersonID, on: CivilDate, isSounding: Bool)
  /// Somebody was refused so often.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// Says something once, now.
  case announce(AlarmID, AlarmForm)
  /// Records that the speaker is about to be tried; refused while it is needed.
  ///
  /// The device is one of this home's, the level is a share of its card's range in percent.
  case testRing(tone: String?, device: String? = nil, percent: Int? = nil)
  /// Settles how loud a device's card is made for a ring; nil gives that back to the configuration.
  case setLevel(device: String, percent: Int?)
  case addPerson(PersonID, PersonForm)
  case changePerson(PersonID, ifVersion: Int?, PersonForm)
  case removePerson(PersonID)
  /// Begins or plans the next phase of a person.
  case setPhase(PersonID, PhaseForm)
  /// Ends the last phase, now or at a time that is typed.
  case endPhase(PersonID, at: String?)
  /// Answers questions of a prompt, or corrects answers.
  indirect case respond(PromptID?, [ResponseForm], completes: Bool, past: PastPrompt?)
  case enrol(PersonID, EnrolmentForm)
  /// Plans the phases of a crossover, one after the other.
  case crossover(PersonID, CrossoverForm)
  /// Ends a person's part in a study and its phases.
  case withdraw(PersonID, reason: String, erasing: WordsErased?)
  case erase(Erasure, WordsErased)
  /// New pseudonyms for everybody, in all that leaves the device from now on.
  case rekey
  case importDiary([DiaryEntry], about: [Prompt], unchanged: Int)
  case exported(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// What it says of the rows holds when it is carried out: nothing happens in between.
  indirect case purge(Purge)
}

/// What the caretaker wrote, before defaults and checks. A field left out is nil.
public struct AlarmForm: Hashable, Sendable {
  public var label: String?
  public var instructions: String?
  /// What is typed: `every day 08:00`, `in 20 minutes`, `FREQ=DAILY;…`.
  public var schedule: String?
  public var zone: String?
  public var person: String?
  public var tone: String?
  public var rings: Int?
  public var spacingSeconds: Int64?
  public var gainsDecibels: [Double]?
  /// The whole chain of bursts; instead of `rings`, `spacing` and `gains`.
  public var steps: [StepForm]?
  /// Who is told, in order. An empty list tells nobody.
  public var notifySteps: [NotifyStep]?
  public var completeBySeconds: Int64?
  /// What rings when a task is not completed in time. An empty list: the chain again.
  public var completion: [StepForm]?
  public var lateWindowSeconds: Int64?
  public var delaySeconds: Int64?
  public var delayLimit: Int?
  /// `1 hour before`, `the evening before at 19:00`. An empty list takes them all away; a new
  /// schedule brings its own.
  public var earlyReminders: [String]?
  /// Silent until a date or a date and time. An empty text ends the pause.
  public var pausedUntil: String?
  /// So many occurrences from now on pass in silence. 0 takes it back.
  public var skipNext: Int?
  /// Days without a sound: `2026-12-24`, `2026-12-24/2026-12-26`. An empty list takes them all away.
  public var exclude: [String]?
  /// `ring`, `hold` or `suppress`; an empty text for what the person wants.
  public var quietHours: String?
  /// A picture's digest; an empty text for none.
  public var image: String?
  /// What is asked with each prompt. An empty list takes the questions away.
  public var questions: [QuestionForm]?
  /// Whether a prompt can only be completed once its required questions are answered.
  public var answersRequired: Bool?

  public init() {}
}

/// What a person does about a prompt.
public enum Answer: Hashable, Sendable {
  /// "On my way": the sound stops, and a new burst comes unless the task is completed in time.
  case acknowledge
  case complete
  /// Later: a new burst after so many seconds, or after the alarm's own delay.
  case delay(seconds: Int64?)
  case decline(ReasonCode)
  case cancel(ReasonCode)
}

/// What the daemon must do now that the events are recorded.
public enum Effect: Hashable, Sendable {
  case play(PlayOrder)
  case stop(PromptID, ring: Int)
  /// These words may be asked for by a ring: have them spoken and kept.
  case rehearse(SpokenWords)
  /// The card of this device is made so loud from the next ring on; nil as the configuration says.
  case setLevel(device: String, percent: Int?)
  case notify(ContactNotification)
  /// Nobody needs to be told of this any more.
  case cancelNotification(NotifySubject)
}

/// What somebody is told of.
public enum NotifySubject: Hashable, Sendable {
  case prompt(PromptID)
  /// This person has answered nothing for long.
  case inactivity(PersonID)
}

/// A person to be told of something.
public struct ContactNotification: Hashable, Sendable {
  public var subject: NotifySubject
  /// The person's place in the chain, from 0.
  public var position: Int
  public var contact: String
  /// What to say: the alarm's label, or a few words of the silence.
  public var label: String
  /// Whose prompt or silence it is.
  public var person: PersonID
  public var reason: NotifyReason
  /// After how many hours a silence is told of; nil for a prompt.
  public var inactiveHours: Int?

  public init(
    subject: NotifySubject, position: Int, contact: String, label: String, person: PersonID,
    reason: NotifyReason, inactiveHours: Int? = nil
  ) {
    self.subject = subject
    self.position = position
    self.contact = contact
    self.label = label
    self.person = person
    self.reason = reason
    self.inactiveHours = inactiveHours
  }
}

/// How an attempt to tell somebody went.
public struct NotifyResult: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case notified
    case failed(reason: String, isLast: Bool)
  }

  public var subject: NotifySubject
  public var position: Int
  public var contact: String
  /// From 1.
  public var attempt: Int
  /// Why, as it was ordered.
  public var reason: NotifyReason
  public var result: Result

  public init(
    subject: NotifySubject, position: Int, contact: String, attempt: Int, reason: NotifyReason,
    result: Result
  ) {
    self.subject = subject
    self.position = position
    self.contact = contact
    self.attempt = attempt
    self.reason = reason
    self.result = result
  }
}

/// One ring to be sounded.
public struct PlayOrder: Hashable, Sendable {
  public var prompt: PromptID
  public var ring: Int
  /// SHA-256 of the recordings that may speak, most wanted first; empty where none is to.
  public var tones: [String]
  /// What a voice says where no recording does; nil where the built-in tone is to sound.
  public var words: SpokenWords?
  public var gainDecibels: Double
  /// The first ring of a burst fades in: nobody should be startled.
  public var isFirstOfBurst: Bool
  /// Whether it sounds in the urgent form.
  public var isUrgent: Bool
  /// Whether a chime comes before the voice.
  public var hasAlert: Bool

  public init(
    prompt: PromptID, ring: Int, tones: [String], words: SpokenWords?, gainDecibels: Double,
    isFirstOfBurst: Bool, isUrgent: Bool = false, hasAlert: Bool = true
  ) {
    self.prompt = prompt
    self.ring = ring
    self.tones = tones
    self.words = words
    self.gainDecibels = gainDecibels
    self.isFirstOfBurst = isFirstOfBurst
    self.isUrgent = isUrgent
    self.hasAlert = hasAlert
  }
}

/// The answer to a command that was carried out.
public enum Reply: Hashable, Sendable {
  indirect case alarm(Alarm, next: [ExpectedRing], ScheduleReport)
  indirect case removed(Alarm, [AnsweredPrompt])
  case answered(AnsweredPrompt)
  case tone(Tone)
  case person(PersonState)
  case phases(PersonID, [StudyPhase])
  case picture(Picture)
  case reward(isHeard: Bool)
  case imported(new: Int, corrected: Int, unchanged: Int)
  case done
}

/// A prompt as an answer left it, with what became of its rings.
public struct AnsweredPrompt: Hashable, Sendable {
  public var prompt: Prompt
  public var stopped: Stopped

  public init(prompt: Prompt, stopped: Stopped) {
    self.prompt = prompt
    self.stopped = stopped
  }
}

/// What the caretaker wrote of one burst, before defaults and checks.
public struct StepForm: Hashable, Sendable {
  /// How loud its rings are.
  public enum Loudness: Hashable, Sendable {
    /// As loud as the step before ended; the first one from soft to full.
    case asBefore
    /// Each ring 3 dB louder than the one before, up to full.
    case louder
    case decibels([Double])
  }

  public var rings: Int?
  public var spacingSeconds: Int64?
  public var loudness: Loudness
  public var tone: String?
  public var isUrgent: Bool
  /// From the last ring of the step before.
  public var pauseSeconds: Int64?

  public init(
    rings: Int? = nil, spacingSeconds: Int64? = nil, loudness: Loudness = .asBefore,
    tone: String? = nil, isUrgent: Bool = false, pauseSeconds: Int64? = nil
  ) {
    self.rings = rings
    self.spacingSeconds = spacingSeconds
    self.loudness = loudness
    self.tone = tone
    self.isUrgent = isUrgent
    self.pauseSeconds = pauseSeconds
  }
}
