import CivilTime

/// What a caretaker set. Versions only grow: an edit makes a new one, a deletion is a tombstone.
public struct Alarm: Hashable, Sendable {
  public var id: AlarmID
  /// 1 when created, one more with each edit.
  public var version: Int
  public var person: PersonID
  /// What is to be done, in the caretaker's words. 1 to 200 characters.
  public var label: String
  /// How to do it; may be empty. At most 2,000 characters.
  public var instructions: String
  public var schedule: Schedule
  /// The schedule in the words it was set with.
  public var phrase: String
  /// The tzdata zone in which the schedule's civil times are read, or `floating` for whichever zone
  /// the home is in.
  public var zoneName: String
  /// The name of the tone that speaks; nil for the built-in one.
  public var tone: String?
  /// What it does until it is answered.
  public var escalation: Escalation {
    get { sharedEscalation.value }
    set { sharedEscalation = Boxed(newValue) }
  }
  /// One for all alarms that do the same: see `Shelf`.
  var sharedEscalation: Boxed<Escalation>
  /// How long after its due time a prompt may still ring, in seconds.
  public var lateWindowSeconds: Int64
  /// How long "later" is unless the patient says otherwise, in seconds.
  public var delaySeconds: Int64
  /// How often one prompt may be delayed.
  public var delayLimit: Int
  /// Prompts before each occurrence.
  public var earlyReminders: [EarlyReminder]
  /// Occurrences that pass in silence.
  public var pauses: Pauses
  /// What it does about its person's quiet hours; nil for what the person wants.
  public var quiet: QuietOverride?
  /// Said once, now, and forgotten: see `prompter say`.
  public var isAnnouncement = false
  /// What is asked with each prompt; nil for nothing.
  public var checkIn: CheckIn? = nil
  /// The picture that helps with it, by its digest.
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

  /// So long after the first "on my way" another one is taken: as often as a delay would be, each with its own
  /// deadline. Somebody who says it for ever is not on the way, and somebody must hear of it.
  public var onTheWaySeconds: Int64 { escalation.completeBySeconds * Int64(delayLimit + 1) }

  /// The first burst of the chain; of most alarms the only one.
  public var burst: Burst {
    get { escalation.first.burst }
    set { escalation.first.burst = newValue }
  }
}

extension Alarm {
  /// The zone name of an alarm that keeps the wall's time wherever the home is. Opt-in: an alarm
  /// otherwise keeps the zone it was set in.
  public static let floating = "floating"
}

/// The finite sequence of rings of one escalation step.
public struct Burst: Hashable, Sendable {
  /// How many rings: 1 to 20.
  public var rings: Int
  /// From the start of one ring to the start of the next, in seconds: 1 to 3,600.
  public var spacingSeconds: Int64
  /// Gains in decibels, full scale being 0, softest first. The last ring has the last gain: a shorter
  /// burst leaves out the first gains, a longer one repeats the last.
  public var gainsDecibels: [Double]

  public init(rings: Int, spacingSeconds: Int64, gainsDecibels: [Double]) {
    self.rings = rings
    self.spacingSeconds = spacingSeconds
    self.gainsDecibels = gainsDecibels
  }

  /// Five rings, a minute apart, from soft to full: startle harms, and silence harms more.
  public static let standard = Burst(
    rings: 5, spacingSeconds: 60, gainsDecibels: [-12, -9, -6, -3, 0])

  /// The gain of ring `index`, counted from 0.
  public func gainDecibels(ring index: Int) -> Double {
    let gains = gainsDecibels.suffix(max(rings, 1))
    return gains.isEmpty ? 0 : gains[min(gains.startIndex + index, gains.endIndex - 1)]
  }

  /// Default gains of a burst, one for each ring: the last at 0 dB, each of the four before it 3 dB lower.
  /// Rings before those are at -12 dB.
  static func standardGains(rings: Int) -> [Double] {
    let ramp = standard.gainsDecibels
    return Array(repeating: ramp[0], count: max(rings - ramp.count, 0)) + ramp.suffix(rings)
  }
}

/// A stored, checked recording. The sound itself is kept by its digest, outside the record.
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
