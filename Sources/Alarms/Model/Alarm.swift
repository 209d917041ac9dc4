import CivilTime

/// An alarm as a caretaker set it.
///
/// An edit makes a new version with the next number. A deletion marks the alarm as deleted in the
/// record; its versions stay.
public struct Alarm: Hashable, Sendable {
  public var id: AlarmID
  /// 1 for a new alarm. Each edit adds 1.
  public var version: Int
  public var person: PersonID
  /// The task in the caretaker's words. 1 to 200 characters.
  public var label: String
  /// How to do the task. 0 to 2,000 characters.
  public var instructions: String
  public var schedule: Schedule
  /// The schedule in the words with which it was set.
  public var phrase: String
  /// Name of the tzdata zone in which the schedule's civil times are read.
  ///
  /// `floating` stands for the current home zone.
  public var zoneName: String
  /// Name of the tone; nil if the alarm has none of its own.
  ///
  /// Without a tone the person's tone sounds. Without that one, the label is spoken or the built-in
  /// tone sounds.
  public var tone: String?
  /// The bursts and notifications until somebody answers.
  public var escalation: Escalation {
    get { sharedEscalation.value }
    set { sharedEscalation = Boxed(newValue) }
  }
  /// Alarms with equal escalations share one value: see `Interner`.
  var sharedEscalation: Boxed<Escalation>
  /// How long after its due time a prompt may still ring, in seconds.
  public var lateWindowSeconds: Int64
  /// Length of a delay if the patient does not give one, in seconds.
  public var delaySeconds: Int64
  /// How many times one prompt may be delayed.
  public var delayLimit: Int
  /// Early reminders before each occurrence.
  public var earlyReminders: [EarlyReminder]
  /// Occurrences for which the alarm stays silent.
  public var pauses: Pauses
  /// The alarm's own policy for quiet hours; nil for the person's policy.
  public var quiet: QuietOverride?
  /// Whether it is an announcement: said once, now, and then deleted. See `prompter say`.
  public var isAnnouncement = false
  /// Questions that are asked with each prompt; nil for none.
  public var checkIn: CheckIn? = nil
  /// Digest of the picture that helps with the task; nil for none.
  public var image: String?

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

  /// How long "on my way" is accepted again, in seconds from the first one.
  ///
  /// This is one deadline for the first "on my way" and one for each allowed delay. After that the
  /// daemon refuses "on my way", the burst continues, and contacts are notified: a patient who
  /// always answers "on my way" may need help.
  public var onTheWaySeconds: Int64 { escalation.completeBySeconds * Int64(delayLimit + 1) }

  /// First burst of the escalation. Most alarms have no other burst.
  public var burst: Burst {
    get { escalation.first.burst }
    set { escalation.first.burst = newValue }
  }
}

extension Alarm {
  /// Zone name of an alarm that keeps its local time wherever the home is.
  ///
  /// A caretaker must ask for it. Any other alarm keeps the zone in which it was set.
  public static let floating = "floating"
}

/// The finite sequence of rings of one escalation step.
public struct Burst: Hashable, Sendable {
  /// Number of rings: 1 to 20.
  public var rings: Int
  /// Time from the start of one ring to the start of the next, in seconds: 1 to 3,600.
  public var spacingSeconds: Int64
  /// Gains in decibels, softest first. 0 is full scale.
  ///
  /// The last ring has the last gain. A burst with fewer rings leaves out the first gains. A burst
  /// with more rings repeats the last gain.
  public var gainsDecibels: [Double]

  public init(rings: Int, spacingSeconds: Int64, gainsDecibels: [Double]) {
    self.rings = rings
    self.spacingSeconds = spacingSeconds
    self.gainsDecibels = gainsDecibels
  }

  /// Five rings, 1 minute apart, from soft to full scale.
  ///
  /// The burst starts softly, because a sudden loud sound can harm the patient. It ends at full
  /// scale, because a prompt that is not heard does more harm.
  public static let standard = Burst(
    rings: 5, spacingSeconds: 60, gainsDecibels: [-12, -9, -6, -3, 0])

  /// Gain of ring `index` in decibels. `index` counts from 0.
  public func gainDecibels(ring index: Int) -> Double {
    let gains = gainsDecibels.suffix(max(rings, 1))
    return gains.isEmpty ? 0 : gains[min(gains.startIndex + index, gains.endIndex - 1)]
  }

  /// Default gains of a burst, one for each ring.
  ///
  /// The last gain is 0 dB. Each of the four before it is 3 dB lower. All earlier ones are -12 dB.
  static func standardGains(rings: Int) -> [Double] {
    let ramp = standard.gainsDecibels
    return Array(repeating: ramp[0], count: max(rings - ramp.count, 0)) + ramp.suffix(rings)
  }
}

/// A stored, checked recording. The audio is stored outside the record, under its digest.
public struct Tone: Hashable, Sendable {
  /// 1 to 64 letters, digits, dots, dashes and underscores.
  public var name: String
  /// SHA-256 of the canonical WAV file, in lower-case hex.
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
