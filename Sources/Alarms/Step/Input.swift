import CivilTime

/// An input of the core. The engine processes one input at a time.
public enum Input: Sendable {
  /// The daemon has started with this state.
  case started(Start)
  /// A timer has fired, or the clock was set: handle everything that is due.
  case woke
  case heartbeat
  /// The free space of the disk, in bytes.
  case disk(freeBytes: Int64)
  case sound(SoundReport)
  case notifyResult(NotifyResult)
  case command(Command, Actor)
  case stopping(reason: String)
  /// The record can be written again; `since` is when writing first failed.
  case recordReturned(since: Instant)
  /// The environment has changed: tzdata was updated, or the home has another zone.
  case zonesChanged
}

/// Information about the start of the daemon.
public struct Start: Hashable, Sendable {
  public var version: String

  public init(version: String) { self.version = version }
}

/// A report of the player about actual sound.
public enum SoundReport: Hashable, Sendable {
  case started(PromptID, ring: Int, device: String, level: SoundLevel? = nil)
  case ended(PromptID, ring: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case failed(PromptID, ring: Int, reason: String)
  case fallback(PromptID?, from: String, to: String, reason: String)
  /// The results of a self-test, one for each device that was tried.
  case tested([DeviceTest])
  case usable(device: String)
  case unusable(reason: String)
}

/// A request to change the state.
///
/// Ids come with the command, because the core generates none.
public enum Command: Hashable, Sendable {
  indirect case add(AlarmID, AlarmForm)
  /// Changes an alarm. A field that the form leaves out keeps its value.
  indirect case edit(AlarmID, ifVersion: Int?, AlarmForm)
  case remove(AlarmID, ifVersion: Int?)
  /// An answer to one prompt; without an id, to the prompt that calls: see `Prompt.calling`.
  case answer(PromptID?, Answer)
  /// Takes back the newest answer to a prompt; without an id, the newest answer of all.
  case undo(PromptID?)
  case addTone(Tone)
  /// Removes a tone. If `replaceWith` is given, alarms and people that use the tone get that one.
  case removeTone(String, replaceWith: String?)
  case renameTone(String, to: String)
  case addPicture(Picture)
  case removePicture(String)
  /// Completes a prompt like an answer, with a photo that shows it.
  case completeShowing(PromptID?, photo: String)
  /// A person has completed everything that was planned for a day of the home.
  ///
  /// `isSounding` says whether a tone may be played for it.
  case reward(PersonID, on: CivilDate, isSounding: Bool)
  /// A user was refused `count` times.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// Says something once, now.
  case announce(AlarmID, AlarmForm)
  /// Records that the speaker is about to be tested; refused while a prompt rings.
  ///
  /// The device must be one of this home's. The level is a share of its card's range, in percent.
  case testRing(tone: String?, device: String? = nil, percent: Int? = nil)
  /// Sets the level of a device's card for rings, in percent; nil returns to the configuration.
  case setLevel(device: String, percent: Int?)
  case addPerson(PersonID, PersonForm)
  case changePerson(PersonID, ifVersion: Int?, PersonForm)
  case removePerson(PersonID)
  /// Begins or plans the next phase of a person.
  case setPhase(PersonID, PhaseForm)
  /// Ends the last phase, now or at the time that the caller typed.
  case endPhase(PersonID, at: String?)
  /// Answers questions of a prompt, or corrects answers.
  indirect case respond(PromptID?, [ResponseForm], completes: Bool, past: PastPrompt?)
  case enrol(PersonID, EnrolmentForm)
  /// Plans the phases of a crossover, one after the other.
  case crossover(PersonID, CrossoverForm)
  /// Ends a person's part in a study and its phases.
  case withdraw(PersonID, reason: String, erasing: WordsErased?)
  case erase(Erasure, WordsErased)
  /// Gives every person and device a new pseudonym.
  ///
  /// It is used in all data that leaves the device from now on.
  case rekey
  case importDiary([DiaryEntry], about: [Prompt], unchanged: Int)
  case exported(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// Removes the oldest rows of the record.
  ///
  /// The description of the rows is still true when the command is executed: nothing happens in
  /// between.
  indirect case purge(Purge)
}

/// An alarm as the caretaker typed it, before defaults and checks. An omitted field is nil.
public struct AlarmForm: Hashable, Sendable {
  public var label: String?
  public var instructions: String?
  /// The typed schedule: `every day 08:00`, `in 20 minutes`, `FREQ=DAILY;…`.
  public var schedule: String?
  public var zone: String?
  public var person: String?
  public var tone: String?
  public var rings: Int?
  public var spacingSeconds: Int64?
  public var gainsDecibels: [Double]?
  /// The whole chain of bursts; replaces `rings`, `spacingSeconds` and `gainsDecibels`.
  public var steps: [StepForm]?
  /// The contacts to notify, in order. With an empty list, no contact is notified.
  public var notifySteps: [NotifyStep]?
  public var completeBySeconds: Int64?
  /// The burst that rings if a task is not completed in time. An empty list: the whole chain again.
  public var completion: [StepForm]?
  public var lateWindowSeconds: Int64?
  public var delaySeconds: Int64?
  public var delayLimit: Int?
  /// Early reminders: `1 hour before`, `the evening before at 19:00`.
  ///
  /// An empty list removes all of them. A new schedule brings its own.
  public var earlyReminders: [String]?
  /// No sound until this date, or date and time. An empty text ends the pause.
  public var pausedUntil: String?
  /// Number of occurrences from now on that do not sound. 0 removes the skip.
  public var skipNext: Int?
  /// Days without a sound: `2026-12-24`, `2026-12-24/2026-12-26`. An empty list removes all of
  /// them.
  public var exclude: [String]?
  /// `ring`, `hold` or `suppress`; an empty text for the person's own policy.
  public var quietHours: String?
  /// The digest of a picture; an empty text for none.
  public var image: String?
  /// The questions of each prompt. An empty list removes all questions.
  public var questions: [QuestionForm]?
  /// Whether a prompt can be completed only after its required questions are answered.
  public var answersRequired: Bool?

  public init() {}
}

/// An answer of a person to a prompt.
public enum Answer: Hashable, Sendable {
  /// "On my way": the sound stops. A new burst rings unless the task is completed in time.
  case acknowledge
  case complete
  /// Later: a new burst after this many seconds; nil for the alarm's own delay.
  case delay(seconds: Int64?)
  case decline(ReasonCode)
  case cancel(ReasonCode)
}

/// An action that the daemon carries out after the events are recorded.
public enum Effect: Hashable, Sendable {
  case play(PlayOrder)
  case stop(PromptID, ring: Int)
  /// Speak these words in advance and keep the recording: a ring may need it.
  case rehearse(SpokenWords)
  /// Set the level of this device's card from the next ring on; nil: as configured.
  case setLevel(device: String, percent: Int?)
  case notify(ContactNotification)
  /// Stop notifying contacts of this subject.
  case cancelNotification(NotifySubject)
}

/// The subject of a notification.
public enum NotifySubject: Hashable, Sendable {
  case prompt(PromptID)
  /// This person has answered nothing for too long.
  case inactivity(PersonID)
}

/// A request to notify one contact.
public struct ContactNotification: Hashable, Sendable {
  public var subject: NotifySubject
  /// The position of the contact in the chain, from 0.
  public var position: Int
  public var contact: String
  /// The text of the message: the alarm's label, or a few words about the inactivity.
  public var label: String
  /// The person whose prompt or inactivity it is.
  public var person: PersonID
  public var reason: NotifyReason
  /// The hours without an answer after which contacts are notified; nil for a prompt.
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

/// The result of one attempt to notify a contact.
public struct NotifyResult: Hashable, Sendable {
  public enum Result: Hashable, Sendable {
    case notified
    case failed(reason: String, isLast: Bool)
  }

  public var subject: NotifySubject
  public var position: Int
  public var contact: String
  /// The number of the attempt, from 1.
  public var attempt: Int
  /// The reason of the notification, copied from the request.
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

/// One ring to be played.
public struct PlayOrder: Hashable, Sendable {
  public var prompt: PromptID
  public var ring: Int
  /// SHA-256 of the recordings to try, most wanted first; empty if there is none.
  public var tones: [String]
  /// The words to speak if no recording can be played; nil for the built-in tone.
  public var words: SpokenWords?
  public var gainDecibels: Double
  /// Whether this is the first ring of a burst. It fades in, so that it startles nobody.
  public var isFirstOfBurst: Bool
  /// Whether the ring has the urgent sound.
  public var isUrgent: Bool
  /// Whether a chime comes before the recording or the words.
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

/// A prompt after an answer, and the rings that the answer stopped.
public struct AnsweredPrompt: Hashable, Sendable {
  public var prompt: Prompt
  public var stopped: Stopped

  public init(prompt: Prompt, stopped: Stopped) {
    self.prompt = prompt
    self.stopped = stopped
  }
}

/// One burst as the caretaker typed it, before defaults and checks.
public struct StepForm: Hashable, Sendable {
  /// The loudness of its rings.
  public enum Loudness: Hashable, Sendable {
    /// As loud as the last ring of the step before; in the first step, from soft to full.
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
  /// The pause from the last ring of the step before, in seconds.
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
