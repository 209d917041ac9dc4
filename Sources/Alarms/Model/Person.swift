import CivilTime

/// A person for whom alarms are set.
public struct Person: Hashable, Sendable {
  public var id: PersonID
  /// The version number. A new person has the number 1. Each change of the person adds 1. The
  /// default person of a new home has version 0.
  public var version: Int
  /// The name of the person, at most 100 characters. If the name is empty, Prompter uses the id
  /// instead.
  public var name: String
  /// The language for spoken labels, as a BCP 47 tag; nil for the home's language.
  public var language: String?
  /// The person's tzdata zone; nil for the home zone.
  public var zoneName: String?
  /// The name of the tone for alarms without their own tone; nil if the person has no tone.
  public var tone: String?
  public var quiet: QuietRule?
  /// The hourly limit of the person; nil if the home's limit applies.
  public var ringsPerHour: Int?
  /// The rule for notifications about inactivity; nil if the daemon does not watch for inactivity.
  public var inactivity: InactivityRule?
  /// The SHA-256 of the reward picture; nil if the person has no reward picture. A screen shows the
  /// reward picture when the person has completed all planned tasks of a day.
  public var rewardImage: String?

  public init(
    id: PersonID, version: Int, name: String = "", language: String? = nil,
    zoneName: String? = nil, tone: String? = nil, quiet: QuietRule? = nil,
    ringsPerHour: Int? = nil, inactivity: InactivityRule? = nil,
    rewardImage: String? = nil
  ) {
    self.id = id
    self.version = version
    self.name = name
    self.language = language
    self.zoneName = zoneName
    self.tone = tone
    self.quiet = quiet
    self.ringsPerHour = ringsPerHour
    self.inactivity = inactivity
    self.rewardImage = rewardImage
  }
}

/// The policy for prompts in a person's quiet hours.
public enum QuietPolicy: String, Sendable, CaseIterable {
  /// The daemon refuses to save an alarm that is due in quiet hours.
  ///
  /// If a prompt nevertheless becomes due in quiet hours, for example after a delay, the daemon
  /// holds this prompt back.
  case refuse = "refuse"
  /// The prompt waits, and rings when the quiet hours are over.
  case hold = "hold"
  /// A prompt that is silent because of quiet hours does not ring after the quiet hours. If the
  /// prompt has not rung before the quiet hours, the prompt ends as `suppressed_quiet_hours`.
  case suppress = "suppress"
}

/// The daily quiet hours of a person, and the policy for prompts in these hours.
public struct QuietRule: Hashable, Sendable {
  public var hours: QuietHours
  public var policy: QuietPolicy

  public init(hours: QuietHours, policy: QuietPolicy) {
    self.hours = hours
    self.policy = policy
  }
}

/// The policy that one alarm uses instead of the quiet hours policy of its person.
public enum QuietOverride: String, Sendable, CaseIterable {
  /// The alarm rings in quiet hours. This policy is for tasks that must not wait. An alarm gets
  /// this policy only if a caretaker chooses this policy.
  case ring = "ring"
  case hold = "hold"
  case suppress = "suppress"
}

/// The current state of a person. A replay of the events gives the same state.
///
/// The state contains the settings of the person, the study phases, the enrolments and the
/// inactivity.
public struct PersonState: Hashable, Sendable {
  public var id: PersonID
  /// The settings of the person; nil if a caretaker removed the person. The events about the person
  /// stay in the record.
  public var person: Person?
  /// The study phases, oldest first. Study phases do not overlap.
  ///
  /// Within one study, each phase begins when the previous phase ends. Between two studies, a
  /// period without a phase is possible.
  public var phases: [StudyPhase]
  /// The newest pause of the person; nil if the person had no pause, or if a caretaker ended the
  /// pause. When the end time of a pause passes, the value does not become nil.
  public var pause: PersonPause?
  /// The enrolments, oldest first. Enrolments do not overlap.
  public var enrolments: [Enrolment]
  /// The day of the newest reward, in the home zone. A reward means that the person completed all
  /// planned tasks of this day. The value is nil if the person never got a reward.
  public var rewardedOn: CivilDate?
  /// The present period of inactivity; nil if the person is not inactive or has no inactivity rule.
  public var inactivity: Inactivity?
  /// The period of inactivity that the newest answer ended; nil if the newest answer ended no
  /// period.
  public var endedInactivity: EndedInactivity?

  public init(
    id: PersonID, person: Person? = nil, phases: [StudyPhase] = [], pause: PersonPause? = nil,
    enrolments: [Enrolment] = [], rewardedOn: CivilDate? = nil, inactivity: Inactivity? = nil,
    endedInactivity: EndedInactivity? = nil
  ) {
    self.id = id
    self.person = person
    self.phases = phases
    self.pause = pause
    self.enrolments = enrolments
    self.rewardedOn = rewardedOn
    self.inactivity = inactivity
    self.endedInactivity = endedInactivity
  }

  /// The default person of a new home. A caretaker can set alarms for this person without adding a
  /// person first.
  public static let ofNewHome = PersonState(
    id: .patient, person: Person(id: .patient, version: 0))

  /// Returns the study phase that contains an instant; nil if no phase contains the instant.
  public func phase(at instant: Instant) -> StudyPhase? {
    phases.last { $0.contains(instant) }
  }
}

/// A part of a study for one person, with a beginning and an end.
public struct StudyPhase: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Prompts ring.
    case prompted = "prompted"
    /// Lists show the prompts of this phase, and a person can answer these prompts. The prompts
    /// never sound.
    case control = "control"
    /// The time before the first prompted or control phase. Prompts ring. The estimates of the
    /// study do not use the data of this phase.
    case runIn = "run_in"
    /// The time between two phases. During this time, the effect of the earlier phase ends. Prompts
    /// ring.
    case washout = "washout"
    /// The time after the last prompted or control phase. Prompts ring.
    case followUp = "follow_up"

    /// The letter of the phase in an order such as `AB`; nil for a phase that has no letter.
    var letter: Character? {
      switch self {
      case .prompted: "A"
      case .control: "B"
      case .runIn, .washout, .followUp: nil
      }
    }
  }

  public var kind: Kind
  /// The first instant of the phase.
  public var from: Instant
  /// The first instant after the phase; nil if the phase has no end.
  public var to: Instant?

  public init(kind: Kind, from: Instant, to: Instant? = nil) {
    self.kind = kind
    self.from = from
    self.to = to
  }

  public func contains(_ instant: Instant) -> Bool {
    from <= instant && to.map { instant < $0 } ?? true
  }
}

/// The settings of a person as a caretaker typed them. The daemon has not checked the values yet.
/// If the caretaker did not type a value for a field, the field is nil.
public struct PersonForm: Hashable, Sendable {
  public var name: String?
  /// The language for spoken labels. In this field and in `zone`, `tone` and `quietHours`, an empty
  /// text removes the setting.
  public var language: String?
  public var zone: String?
  public var tone: String?
  /// The quiet hours, for example `22:00-07:00`.
  public var quietHours: String?
  public var quietPolicy: QuietPolicy?
  /// The hourly limit of the person. If the value is 0, the hourly limit of the home applies to the
  /// person.
  public var ringsPerHour: Int?
  /// If the person answers no prompt for this number of hours, the daemon notifies contacts. The
  /// value 0 removes the inactivity rule and its contacts.
  public var inactivityHours: Int?
  public var inactivityNotifySteps: [NotifyStep]?
  /// The SHA-256 of a stored picture. An empty text removes the picture.
  public var rewardImage: String?

  public init() {}
}

extension QuietHours {
  /// Returns the period of quiet hours that contains an instant. The end of the period is
  /// exclusive. The result is nil if the instant is not in quiet hours.
  ///
  /// Quiet hours begin once a day: when the wall clock shows `from` for the first time. The quiet
  /// hours end when the wall clock next shows `to`. If the wall clock shows `from` twice on a day,
  /// the quiet hours do not begin a second time.
  public func stretch(around instant: Instant, zone: Zone) -> Range<Instant>? {
    let today = zone.civil(at: instant).dateTime.date
    for day in [today.adding(days: -1), today] {
      let endDay = to > from ? day : day.adding(days: 1)
      let start = zone.resolve(CivilDateTime(date: day, time: from)).instant
      let end = zone.resolve(CivilDateTime(date: endDay, time: to)).instant
      if start <= instant, instant < end { return start..<end }
    }
    return nil
  }

  /// Returns the time outside quiet hours between two instants, in milliseconds.
  public func loudMilliseconds(from: Instant, to: Instant, zone: Zone) -> Int64 {
    var sum: Int64 = 0
    var at = from
    while at < to {
      if let quiet = stretch(around: at, zone: zone) {
        at = quiet.upperBound
        continue
      }
      let end = min(to, nextStart(after: at, zone: zone))
      sum += end.milliseconds - at.milliseconds
      at = end
    }
    return sum
  }

  func nextStart(after instant: Instant, zone: Zone) -> Instant {
    let today = zone.civil(at: instant).dateTime.date
    for days in 0...2 {
      let start = zone.resolve(
        CivilDateTime(date: today.adding(days: days), time: from)
      ).instant
      if start > instant { return start }
    }
    return instant.adding(seconds: 86_400)
  }
}
