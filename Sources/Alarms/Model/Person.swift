import CivilTime

/// A person for whom alarms are set.
public struct Person: Hashable, Sendable {
  public var id: PersonID
  /// 1 for a new person. Each change adds 1. 0 for the default person of a home that nobody set up.
  public var version: Int
  /// Name of the person, at most 100 characters. If it is empty, the id stands for it.
  public var name: String
  /// BCP 47 tag of the language for spoken labels; nil for the home's language.
  public var language: String?
  /// The person's tzdata zone; nil for the home zone.
  public var zoneName: String?
  /// Name of the tone for alarms without one; nil for none.
  public var tone: String?
  public var quiet: QuietRule?
  /// Maximum repetitions in any hour, over all alarms of the person; nil for the home's limit.
  public var ringsPerHour: Int?
  /// Rule for notifying contacts of inactivity; nil for none.
  public var inactivity: InactivityRule?

  public init(
    id: PersonID, version: Int, name: String = "", language: String? = nil,
    zoneName: String? = nil, tone: String? = nil, quiet: QuietRule? = nil,
    ringsPerHour: Int? = nil, inactivity: InactivityRule? = nil
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
  }
}

/// Policy for prompts in a person's quiet hours.
public enum QuietPolicy: String, Sendable, CaseIterable {
  /// The daemon refuses to save an alarm that is due in quiet hours.
  ///
  /// Any other prompt in quiet hours, such as a delayed one, is held.
  case refuse = "refuse"
  /// The prompt waits, and rings when the quiet hours are over.
  case hold = "hold"
  /// The prompt does not ring. If it has not rung before, it ends as `suppressed_quiet_hours`.
  case suppress = "suppress"
}

/// Daily quiet hours, with the policy for prompts in them.
public struct QuietRule: Hashable, Sendable {
  public var hours: QuietHours
  public var policy: QuietPolicy

  public init(hours: QuietHours, policy: QuietPolicy) {
    self.hours = hours
    self.policy = policy
  }
}

/// One alarm's own policy for its person's quiet hours.
public enum QuietOverride: String, Sendable, CaseIterable {
  /// The alarm rings in quiet hours. For tasks that must not wait, and only if a caretaker asks for
  /// it.
  case ring = "ring"
  case hold = "hold"
  case suppress = "suppress"
}

/// Everything that the record says about a person.
///
/// This is the person, their study phases and enrolments, and whether they answer.
public struct PersonState: Hashable, Sendable {
  public var id: PersonID
  /// nil if the person was removed. The record about them stays.
  public var person: Person?
  /// Study phases, oldest first. They do not overlap.
  ///
  /// There is no gap between them, except between the end of one study and the start of another.
  public var phases: [StudyPhase]
  /// Enrolments, oldest first. They do not overlap.
  public var enrolments: [Enrolment]
  /// Last day of the home for which the reward was recorded: the person had completed everything.
  public var rewardedOn: CivilDate?
  /// Present period of inactivity; nil if there is none, or if the person has no rule for it.
  public var inactivity: Inactivity?
  /// Period of inactivity that the newest answer ended; nil if it ended none.
  public var endedInactivity: EndedInactivity?

  public init(
    id: PersonID, person: Person? = nil, phases: [StudyPhase] = [],
    enrolments: [Enrolment] = [], rewardedOn: CivilDate? = nil, inactivity: Inactivity? = nil,
    endedInactivity: EndedInactivity? = nil
  ) {
    self.id = id
    self.person = person
    self.phases = phases
    self.enrolments = enrolments
    self.rewardedOn = rewardedOn
    self.inactivity = inactivity
    self.endedInactivity = endedInactivity
  }

  /// The default person of a new home. The home can remind this person without any setup.
  public static let ofNewHome = PersonState(
    id: .patient, person: Person(id: .patient, version: 0))

  /// Study phase at an instant; nil outside all phases.
  public func phase(at instant: Instant) -> StudyPhase? {
    phases.last { $0.contains(instant) }
  }
}

/// A dated part of a study for one person.
public struct StudyPhase: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Prompts ring.
    case prompted = "prompted"
    /// Prompts are listed and can be answered, but never sound.
    case control = "control"
  }

  public var kind: Kind
  /// First instant of the phase.
  public var from: Instant
  /// First instant after the phase; nil while it has no end.
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

/// Settings of a person as a caretaker wrote them, before checks. A nil field was left out.
public struct PersonForm: Hashable, Sendable {
  public var name: String?
  /// An empty text removes the setting. The same is true of `zone`, `tone` and `quietHours`.
  public var language: String?
  public var zone: String?
  public var tone: String?
  /// For example `22:00-07:00`.
  public var quietHours: String?
  public var quietPolicy: QuietPolicy?
  /// 0 for the home's limit.
  public var ringsPerHour: Int?
  /// 0 removes the rule, with its contacts.
  public var inactivityHours: Int?
  public var inactivityNotifySteps: [NotifyStep]?

  public init() {}
}

extension QuietHours {
  /// Quiet time around an instant, its end excluded; nil if the instant is not quiet.
  ///
  /// There is one stretch a day. It lasts from the first time at which the wall clock shows `from`
  /// to the first time at which it shows `to`. A repeated hour does not make it quiet again.
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

  /// Milliseconds between two instants that are not quiet.
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
