import CivilTime

/// Somebody that alarms are for.
public struct Person: Hashable, Sendable {
  public var id: PersonID
  /// 1 when added, one more with each change; 0 for the person of a home that nobody set up.
  public var version: Int
  /// What they are called; empty for their id. At most 100 characters.
  public var name: String
  /// BCP 47, for spoken labels; nil for the home's own.
  public var language: String?
  /// The tzdata zone they live by; nil for the home's.
  public var zoneName: String?
  /// The tone of alarms that name none; nil for the built-in one.
  public var tone: String?
  public var quiet: QuietRule?
  /// Most rings in any hour, over all their alarms; nil for the home's limit.
  public var ringsPerHour: Int?
  /// When people hear that nothing was answered; nil where nobody does.
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

/// What becomes of rings in somebody's quiet hours.
public enum QuietPolicy: String, Sendable, CaseIterable {
  /// An alarm that is due in them is refused when it is saved. What falls in all the same, such as
  /// a delay, is held.
  case refuse = "refuse"
  /// The prompt waits, and rings when they are over.
  case hold = "hold"
  /// The prompt does not ring, and ends as `suppressed_quiet_hours`.
  case suppress = "suppress"
}

/// Quiet hours, every day, with what becomes of what is due in them.
public struct QuietRule: Hashable, Sendable {
  public var hours: QuietHours
  public var policy: QuietPolicy

  public init(hours: QuietHours, policy: QuietPolicy) {
    self.hours = hours
    self.policy = policy
  }
}

/// What one alarm does about its person's quiet hours.
public enum QuietOverride: String, Sendable, CaseIterable {
  /// It rings in them: for what must not wait, and only where somebody said so.
  case ring = "ring"
  case hold = "hold"
  case suppress = "suppress"
}

/// Everything that the record says about a person: who they are, their phases, and whether they
/// answer.
public struct PersonState: Hashable, Sendable {
  public var id: PersonID
  /// nil where they were removed; their record stays.
  public var person: Person?
  /// Oldest first, without holes and overlaps but where a study ended and another began.
  public var phases: [StudyPhase]
  /// Oldest first, without overlaps.
  public var enrolments: [Enrolment]
  /// The last day of the home on which they had done everything, and were told so.
  public var rewardedOn: CivilDate?
  /// Nothing was answered since a ring; nil where something was, or nobody wants to know.
  public var inactivity: Inactivity?
  /// What the newest answer ended; nil where it ended none.
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

  /// A new home has one person, so that nobody need set up anything to be reminded.
  public static let ofNewHome = PersonState(
    id: .patient, person: Person(id: .patient, version: 0))

  /// The phase at an instant; nil outside of any.
  public func phase(at instant: Instant) -> StudyPhase? {
    phases.last { $0.contains(instant) }
  }
}

/// A dated part of a study for one person.
public struct StudyPhase: Hashable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Prompts ring.
    case prompted = "prompted"
    /// Prompts are listed and can be answered, and never sound.
    case control = "control"
  }

  public var kind: Kind
  /// Its first instant.
  public var from: Instant
  /// The first instant after it; nil while it is open.
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

/// What a caretaker wrote about a person, before checks. A field left out is nil.
public struct PersonForm: Hashable, Sendable {
  public var name: String?
  /// An empty text takes it away; so with all that follow.
  public var language: String?
  public var zone: String?
  public var tone: String?
  /// `22:00-07:00`.
  public var quietHours: String?
  public var quietPolicy: QuietPolicy?
  /// 0 for the home's own.
  public var ringsPerHour: Int?
  /// 0 takes the rule away, with whom it tells.
  public var inactivityHours: Int?
  public var inactivityNotifySteps: [NotifyStep]?

  public init() {}
}

extension QuietHours {
  /// The quiet time around an instant: from its first instant up to but not including its last.
  ///
  /// One stretch a day, from where the clocks first show `from` to where they first show `to`: an hour
  /// that comes twice does not make it quiet again.
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

  /// How many milliseconds between two instants are not quiet.
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
