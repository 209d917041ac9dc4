import CivilTime

/// An alarm as a caretaker set it.
///
/// An edit makes a new version of the alarm with the next number. A deletion marks the alarm as
/// deleted. All versions stay in the record.
public struct Alarm: Hashable, Sendable {
  public var id: AlarmID
  /// The version number. A new alarm has the number 1. Each edit adds 1.
  public var version: Int
  public var person: PersonID
  /// The task in the caretaker's words: 1 to 200 characters.
  public var label: String
  /// The description of the task: 0 to 2,000 characters.
  public var instructions: String
  public var schedule: Schedule
  /// The schedule in the caretaker's words, but with dates instead of words such as "tomorrow".
  public var phrase: String
  /// The tzdata name of the zone for the civil times of the schedule.
  ///
  /// `floating` means the current home zone.
  public var zoneName: String
  /// The name of the alarm's tone; nil if the alarm has no tone.
  ///
  /// If the alarm has no tone, Prompter plays the tone of the person. If the person has no tone,
  /// Prompter speaks the label or plays the built-in tone.
  public var tone: String?
  /// The bursts that ring, and the contacts that the daemon notifies, until somebody answers.
  public var escalation: Escalation {
    get { sharedEscalation.value }
    set { sharedEscalation = Boxed(newValue) }
  }
  /// The escalation of the alarm. Alarms with equal escalations share one value: see `Interner`.
  var sharedEscalation: Boxed<Escalation>
  /// The late window in seconds: the time after the due time in which a prompt may still ring.
  public var lateWindowSeconds: Int64
  /// The default length of a delay, in seconds.
  public var delaySeconds: Int64
  /// The maximum number of delays of one prompt.
  public var delayLimit: Int
  /// The early reminders before each occurrence.
  public var earlyReminders: [EarlyReminder]
  /// The pauses of the alarm. If an occurrence is in a pause, the alarm does not ring for this
  /// occurrence.
  public var pauses: Pauses
  /// The alarm's own policy for quiet hours; nil if the person's policy applies.
  public var quiet: QuietOverride?
  /// True if the alarm is an announcement (`prompter say`): Prompter speaks the label once and then
  /// deletes the alarm.
  public var isAnnouncement = false
  /// The kind of an announcement that waits for an answer, or that tells the result of a call. The
  /// value is nil for any other announcement, and for an alarm that is not an announcement.
  public var message: MessageKind? = nil
  /// The questions that each prompt asks; nil if the alarm has no questions.
  public var checkIn: CheckIn? = nil
  /// The SHA-256 of the picture that shows the task; nil if there is no picture.
  public var image: String?
  /// The UID of the calendar event from which the alarm was imported; nil for an alarm that was not
  /// imported.
  ///
  /// If a caretaker imports the calendar file a second time, the import changes the alarms that
  /// have the UID of the event. One event can need several alarms, so several alarms can have the
  /// same UID.
  public var calendarUID: String? = nil
  /// The revision of the calendar event from which the alarm was imported; nil if the revision is
  /// not known.
  ///
  /// An import writes and reads this text. The type `ImportedEvent` describes its format.
  public var calendarRevision: String? = nil
  /// The supplies that each completed prompt uses up, with the amounts.
  public var uses: [SupplyUse] = []

  public init(
    id: AlarmID, version: Int, person: PersonID, label: String, instructions: String,
    schedule: Schedule, phrase: String, zoneName: String, tone: String?, burst: Burst,
    lateWindowSeconds: Int64, delaySeconds: Int64, delayLimit: Int,
    earlyReminders: [EarlyReminder] = [],
    pauses: Pauses = .none, quiet: QuietOverride? = nil
  ) {
    self.id = id
    self.version = version
    self.person = person
    self.label = label
    self.instructions = instructions
    self.schedule = schedule
    self.phrase = phrase
    self.zoneName = zoneName
    self.tone = tone
    sharedEscalation = Boxed(Escalation(burst))
    self.lateWindowSeconds = lateWindowSeconds
    self.delaySeconds = delaySeconds
    self.delayLimit = delayLimit
    self.earlyReminders = earlyReminders
    self.pauses = pauses
    self.quiet = quiet
  }

  /// The length of the period in which a person can answer "on my way" again, in seconds. The
  /// period begins at the first "on my way".
  ///
  /// The length is `completeBySeconds` × (`delayLimit` + 1). After this period the daemon refuses
  /// "on my way", the burst continues, and the daemon notifies contacts. The reason is that a
  /// patient who always answers "on my way" can need help.
  public var onTheWaySeconds: Int64 { escalation.completeBySeconds * Int64(delayLimit + 1) }

  /// The first burst of the escalation. Most alarms have only this burst.
  public var burst: Burst {
    get { escalation.first.burst }
    set { escalation.first.burst = newValue }
  }
}

extension Alarm {
  /// A special zone name for an alarm that follows the home zone. If the home zone changes, the
  /// alarm rings at the same local time in the new zone.
  ///
  /// An alarm gets this zone name only if a caretaker chooses this zone name. Any other alarm keeps
  /// the zone that applied when the alarm was added.
  public static let floating = "floating"

  /// The last word of `calendarRevision` if an imported calendar file cancelled the event. In this
  /// case, the import also deletes the alarm.
  public static let cancelledMark = "cancelled"
}

/// The finite sequence of rings of one escalation step.
public struct Burst: Hashable, Sendable {
  /// The number of rings: 1 to 20.
  public var rings: Int
  /// The time from the start of one ring to the start of the next ring, in seconds: 1 to 3,600.
  public var spacingSeconds: Int64
  /// The gains of the rings in decibels, the softest gain first. 0 dB is full scale.
  ///
  /// If the burst has fewer rings than gains, the rings use the last gains of the list. If the
  /// burst has more rings than gains, each remaining ring has the last gain of the list.
  public var gainsDecibels: [Double]

  public init(rings: Int, spacingSeconds: Int64, gainsDecibels: [Double]) {
    self.rings = rings
    self.spacingSeconds = spacingSeconds
    self.gainsDecibels = gainsDecibels
  }

  /// Five rings, 1 minute apart, from soft to full scale.
  ///
  /// The burst starts softly, because a sudden loud sound can harm the patient. The burst ends at
  /// full scale, because the patient must hear the prompt.
  public static let standard = Burst(
    rings: 5, spacingSeconds: 60, gainsDecibels: [-12, -9, -6, -3, 0])

  /// Returns the gain of ring `index` in decibels. `index` counts from 0.
  public func gainDecibels(ring index: Int) -> Double {
    let gains = gainsDecibels.suffix(max(rings, 1))
    return gains.isEmpty ? 0 : gains[min(gains.startIndex + index, gains.endIndex - 1)]
  }

  /// Returns the default gains of a burst, one gain for each ring.
  ///
  /// The last five rings have the gains -12, -9, -6, -3 and 0 dB. If the burst has more than five
  /// rings, all rings before the last five have the gain -12 dB. If the burst has fewer than five
  /// rings, it gets only the last of these gains.
  static func standardGains(rings: Int) -> [Double] {
    let ramp = standard.gainsDecibels
    return Array(repeating: ramp[0], count: max(rings - ramp.count, 0)) + ramp.suffix(rings)
  }
}

/// A stored, checked recording.
///
/// The daemon stores the audio file outside the record. The name of the file is its SHA-256.
public struct Tone: Hashable, Sendable {
  /// The name of the tone: 1 to 64 letters, digits, dots, dashes and underscores.
  public var name: String
  /// The SHA-256 of the canonical WAV file, in lower-case hex.
  public var sha256: String
  public var durationMilliseconds: Int
  public var loudnessLUFS: Double

  public init(name: String, sha256: String, durationMilliseconds: Int, loudnessLUFS: Double) {
    self.name = name
    self.sha256 = sha256
    self.durationMilliseconds = durationMilliseconds
    self.loudnessLUFS = loudnessLUFS
  }
}
