import CivilTime

/// An input of the function `step`. The engine processes one input at a time.
public enum Input: Sendable {
  /// The daemon has started. `Start` contains the version of the daemon.
  case started(Start)
  /// A timer has fired, or somebody set the clock. `step` handles everything that is due.
  case woke
  case heartbeat
  /// A new measurement of the free disk space, in bytes.
  case disk(freeBytes: Int64)
  case sound(SoundReport)
  case notifyResult(NotifyResult)
  case command(Command, Actor)
  case stopping(reason: String)
  /// The daemon can write the record again. `since` is the time of the first failed write.
  case recordReturned(since: Instant)
  /// The zones have changed: tzdata was updated, or an administrator changed the home zone.
  case zonesChanged
}

/// The data of the input `started`.
public struct Start: Hashable, Sendable {
  public var version: String

  public init(version: String) { self.version = version }
}

/// A report of the player about a ring, a self-test or the sound device.
public enum SoundReport: Hashable, Sendable {
  case started(PromptID, ring: Int, device: String, level: SoundLevel? = nil)
  case ended(PromptID, ring: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case failed(PromptID, ring: Int, reason: String)
  case fallback(PromptID?, from: String, to: String, reason: String)
  /// The results of a self-test: one result for each sound device that the self-test tried.
  case tested([DeviceTest])
  case usable(device: String)
  case unusable(reason: String)
}

/// A request to change the state.
///
/// The command contains the ids of new objects, because `step` generates no ids.
public enum Command: Hashable, Sendable {
  indirect case add(AlarmID, AlarmForm)
  /// Changes an alarm. If a field of the form is nil, this field of the alarm does not change.
  indirect case edit(AlarmID, ifVersion: VersionCondition?, AlarmForm)
  case remove(AlarmID, ifVersion: VersionCondition?)
  /// A person answers one prompt. If the id is nil, the answer is for the prompt that calls: see
  /// `Prompt.calling`.
  case answer(PromptID?, Answer)
  /// A screen showed the prompt to the person.
  case present(PromptID)
  /// Plays the recording or the words of the prompt once more.
  case sayAgain(PromptID)
  /// Takes back the newest answer to one prompt. If the id is nil, the command takes back the
  /// newest answer to any prompt.
  case undo(PromptID?)
  /// Adds a tone. If `replacing` is false and a tone already has this name, the daemon refuses the
  /// command.
  case addTone(Tone, replacing: Bool)
  /// Removes a tone. If `replaceWith` is the name of a second tone, the second tone replaces the
  /// removed tone in all alarms and in the settings of all people.
  case removeTone(String, replaceWith: String?)
  case renameTone(String, to: String)
  case addPicture(Picture)
  case removePicture(String)
  /// Stores a list of holidays. If `replacing` is false and a list already has this name, the
  /// daemon refuses the command.
  case importHolidays(HolidayList, replacing: Bool)
  case removeHolidays(String)
  /// Completes a prompt, and adds a photo of the completed task.
  case completeShowing(PromptID?, photo: String)
  /// Records that a person has completed all planned tasks of a day. The day is a date in the home
  /// zone.
  ///
  /// `isSounding` is true if the player may play a tone for the reward.
  case reward(PersonID, on: CivilDate, isSounding: Bool)
  /// Records that the daemon refused `count` requests of a user.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// Speaks a text to a person: now, or at the end of the person's quiet hours.
  case announce(AlarmID, AlarmForm)
  /// Records that a person will now test the speaker. While a prompt rings, the daemon refuses this
  /// command.
  ///
  /// The device must be a sound device of this home. `percent` is the volume for the test, in
  /// percent of the range of the sound card.
  case testRing(tone: String?, device: String? = nil, percent: Int? = nil)
  /// Sets the volume that the sound card of a device uses for rings, in percent. If `percent` is
  /// nil, the volume in the configuration applies again.
  case setLevel(device: String, percent: Int?)
  case addPerson(PersonID, PersonForm)
  case changePerson(PersonID, ifVersion: VersionCondition?, PersonForm)
  case removePerson(PersonID)
  /// Silences all alarms of one person or of all people until a time that the caretaker typed. If
  /// `until` is nil, the pause has no end.
  case pausePeople(PausedPeople, until: String?)
  case resumePeople(PausedPeople)
  /// Sends the summary of a day to a contact.
  case sendSummary(contact: String, CivilDate, text: String)
  /// Sends a test message to the contact with this name.
  case testContact(String)
  /// Notifies a contact that a person asks for a call. `AlarmID` is the id of the announcement that
  /// will tell the person the result of the call. If `by` is nil, the only person of the home asks
  /// for the call.
  case call(AlarmID, by: String?)
  /// Changes the supplies of the home.
  indirect case supply(SupplyCommand)
  /// Begins a study phase of a person now, or plans the person's next study phase.
  case setPhase(PersonID, PhaseForm)
  /// Ends the study phase of a person now, or at the time that the caller typed. The command
  /// removes each phase that would begin at this time or later.
  case endPhase(PersonID, at: String?)
  /// Answers questions of a prompt, or corrects earlier responses.
  indirect case respond(PromptID?, [ResponseForm], completes: Bool, past: PastPrompt?)
  case enrol(PersonID, EnrolmentForm)
  /// Plans all phases of a person in a crossover study, one after the other. In a crossover study,
  /// each participant has prompted phases and control phases.
  case crossover(PersonID, CrossoverForm)
  /// Ends the participation of a person in a study, and also ends the study phases of this person.
  case withdraw(PersonID, Withdrawal, erasing: WordsErased?)
  /// Unblinds a study: from now on, outputs show the arms instead of the codes of the arms.
  case unblind(study: String)
  /// Records a protocol deviation or an adverse event of a participant.
  case noteStudy(PersonID, StudyNote)
  case erase(Erasure, WordsErased)
  /// Gives every person and device a new pseudonym.
  ///
  /// From now on, all data that leaves the device contains the new pseudonyms.
  case rekey
  case importDiary([DiaryEntry], about: [Prompt], unchanged: Int, older: Int)
  case exported(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// Removes the oldest rows of the record.
  ///
  /// The daemon computes `Purge` from the record immediately before `step` executes the command.
  /// Between the computation and the command, the engine processes no other input, so `Purge`
  /// matches the record.
  indirect case purge(Purge)
}

/// An alarm as the caretaker typed it. The daemon has not checked the values yet, and has not added
/// the default values. If the caretaker did not type a value for a field, the field is nil.
public struct AlarmForm: Hashable, Sendable {
  public var label: String?
  public var instructions: String?
  /// The typed schedule, for example `every day 08:00`, `in 20 minutes` or `FREQ=DAILY;…`.
  public var schedule: String?
  public var zone: String?
  public var person: String?
  public var tone: String?
  public var rings: Int?
  public var spacingSeconds: Int64?
  public var gainsDecibels: [Double]?
  /// All bursts of the escalation, in order. This list replaces `rings`, `spacingSeconds` and
  /// `gainsDecibels`.
  public var steps: [StepForm]?
  /// The contacts to notify, in order. With an empty list, the daemon notifies no contact.
  public var notifySteps: [NotifyStep]?
  public var completeBySeconds: Int64?
  /// The burst that rings if nobody completes an acknowledged task in time. The list contains at
  /// most one burst. If the list is empty, the prompt repeats all bursts of its escalation.
  public var completion: [StepForm]?
  public var lateWindowSeconds: Int64?
  public var delaySeconds: Int64?
  public var delayLimit: Int?
  /// The early reminders, for example `1 hour before` or `the evening before at 19:00`.
  ///
  /// An empty list removes all early reminders. If a caretaker types a new schedule, the early
  /// reminders in the new schedule replace all existing early reminders.
  public var earlyReminders: [String]?
  /// The end of the pause of the alarm: a date, or a date and time. If the text is a date, the
  /// pause includes this date. If the text is empty, the daemon ends the pause.
  public var pausedUntil: String?
  /// The number of occurrences that do not sound, counted from the next occurrence of the alarm. A
  /// new value replaces the old value: if the new value is 0, no occurrence is skipped.
  public var skipNext: Int?
  /// The days without a sound, for example `2026-12-24` or `2026-12-24/2026-12-26`. If the list is
  /// empty, the alarm can sound on every day of its schedule.
  public var exclude: [String]?
  /// The alarm's policy for quiet hours: `ring`, `hold` or `suppress`. If the text is empty, the
  /// policy of the person applies to the alarm.
  public var quietHours: String?
  /// The SHA-256 of a picture. If the text is empty, the alarm has no picture.
  public var image: String?
  /// The UID of a calendar event. If the text is empty, the alarm belongs to no calendar event.
  public var calendarUID: String?
  /// The revision of the calendar event. If the text is empty, the alarm has no revision.
  public var calendarRevision: String?
  /// The questions of each prompt. An empty list removes all questions.
  public var questions: [QuestionForm]?
  /// True if a person must answer the required questions before the person can complete the prompt.
  public var answersRequired: Bool?
  /// The supplies that each completed prompt uses. An empty list removes all supplies.
  public var uses: [SupplyUseForm]?
  /// True if the edit may end an open prompt although the alarm would then never ring again. If the
  /// value is nil or false, the daemon refuses an edit that would have this effect.
  public var endsPrompt: Bool?
  /// The kind of an announcement that waits for an answer or tells the result of a call; nil for
  /// all other forms.
  public var message: MessageKind?
  /// True if the alarm may have the same person, label and schedule as another alarm.
  public var allowsDuplicate = false

  public init() {}
}

/// An answer of a person to a prompt.
public enum Answer: Hashable, Sendable {
  /// "On my way": the sound stops. A new burst rings if nobody completes the task in time.
  case acknowledge
  case complete
  /// "Later": a new burst rings after this number of seconds. If the value is nil, the number is
  /// `delaySeconds` of the alarm.
  case delay(seconds: Int64?)
  case decline(ReasonCode)
  case cancel(ReasonCode)
}

/// An action that the engine carries out after it has recorded the events.
public enum Effect: Hashable, Sendable {
  case play(PlayOrder)
  case stop(PromptID, ring: Int)
  /// Let the speech program speak these words into a file now, so that a later ring can play the
  /// file.
  case rehearse(SpokenWords)
  /// Use this volume for this device's sound card from the next ring on. If `percent` is nil, use
  /// the volume in the configuration.
  case setLevel(device: String, percent: Int?)
  case notify(ContactNotification)
  /// Write the summary of a day for a contact. When the text is ready, `step` gets the text with
  /// the command `sendSummary`.
  case writeSummary(contact: String, CivilDate)
  /// Stop notifying contacts about this subject.
  case cancelNotification(NotifySubject)
}

/// The prompt, person or notice that a notification is about.
public enum NotifySubject: Hashable, Sendable {
  case prompt(PromptID)
  /// This person has answered no prompt for the configured number of hours.
  case inactivity(PersonID)
  /// A notice. The value is the number of the notice.
  case notice(Int64)
}

/// A request to notify one contact.
public struct ContactNotification: Hashable, Sendable {
  public var subject: NotifySubject
  /// The position of the contact in the escalation, from 0.
  public var position: Int
  public var contact: String
  /// The short title of the notification, for example the label of the alarm.
  public var label: String
  /// The person of the prompt, or the inactive person; nil if the notification concerns no person.
  public var person: PersonID?
  /// The name of the person; empty if the notification concerns no person.
  public var personName: String
  /// One plain sentence with all information for the contact.
  public var text: String
  public var reason: NotifyReason
  /// The prompt that the notification is about; nil if the notification is about no prompt.
  public var prompt: PromptID?
  /// The number of hours in the person's inactivity rule, if the notification is about inactivity;
  /// nil for any other notification.
  ///
  /// If the person answers no prompt for this number of hours, the daemon notifies contacts.
  public var inactiveHours: Int?

  public init(
    subject: NotifySubject, position: Int, contact: String, label: String, person: PersonID?,
    personName: String, text: String, reason: NotifyReason, prompt: PromptID? = nil,
    inactiveHours: Int? = nil
  ) {
    self.subject = subject
    self.position = position
    self.contact = contact
    self.label = label
    self.person = person
    self.personName = personName
    self.text = text
    self.reason = reason
    self.prompt = if case .prompt(let id) = subject { id } else { prompt }
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
  /// The sequence number of the attempt, from 1.
  public var attempt: Int
  /// The reason for the notification, copied from the `ContactNotification`.
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

/// An order to the player: play a ring, or say the words of a prompt again.
public struct PlayOrder: Hashable, Sendable {
  public var prompt: PromptID
  public var ring: Int
  /// The SHA-256 of each recording that the player tries, in order of preference. The list is empty
  /// if the alarm has no recording.
  public var tones: [String]
  /// The words that Prompter speaks if the player cannot play a recording. If the value is nil, the
  /// player plays the built-in tone.
  public var words: SpokenWords?
  /// The words that Prompter speaks first, before the recording or before `words`. In a ring of an
  /// early reminder, these words say when the main prompt is due. In a merged ring, these words say
  /// how many prompts ring. In other rings, the value is nil.
  public var lead: SpokenWords?
  /// The other prompts of a merged ring, in the order in which the player plays their voices.
  public var others: [Part] = []
  public var gainDecibels: Double
  /// True for the first ring of a burst. The player starts this ring softly, so that the ring does
  /// not frighten anybody.
  public var isFirstOfBurst: Bool
  /// True if the ring belongs to an urgent escalation step. The urgent tone then replaces the
  /// chime.
  public var isUrgent: Bool
  /// True if a chime comes before the recording or the words.
  public var hasAlert: Bool
  /// True if this order is not for a ring: a person wants to hear a prompt once more. The player
  /// then plays the recording or the words once. In a ring, the player plays them twice.
  public var isAgain = false

  public init(
    prompt: PromptID, ring: Int, tones: [String], words: SpokenWords?, lead: SpokenWords? = nil,
    gainDecibels: Double, isFirstOfBurst: Bool, isUrgent: Bool = false, hasAlert: Bool = true
  ) {
    self.prompt = prompt
    self.ring = ring
    self.tones = tones
    self.words = words
    self.lead = lead
    self.gainDecibels = gainDecibels
    self.isFirstOfBurst = isFirstOfBurst
    self.isUrgent = isUrgent
    self.hasAlert = hasAlert
  }
}

/// One burst as the caretaker typed it. The daemon has not checked the values yet, and has not
/// added the default values.
public struct StepForm: Hashable, Sendable {
  /// The loudness of the rings of the burst.
  public enum Loudness: Hashable, Sendable {
    /// All rings are as loud as the last ring of the previous burst. In the first burst, the rings
    /// become louder, from soft to full loudness.
    case asBefore
    /// Each ring is 3 dB louder than the previous ring, up to full loudness.
    case louder
    case decibels([Double])
  }

  public var rings: Int?
  public var spacingSeconds: Int64?
  public var loudness: Loudness
  public var tone: String?
  public var isUrgent: Bool
  /// The time from the start of the last ring of the previous burst to the start of the first ring
  /// of this burst, in seconds.
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
