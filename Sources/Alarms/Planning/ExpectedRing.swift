import CivilTime

/// A future due time of an alarm. If a suppression is expected at this time, the value contains the
/// reason.
public struct ExpectedRing: Hashable, Sendable {
  public var occurrence: Occurrence
  public var suppression: ExpectedSuppression?
  /// For an early reminder, the due time of the main prompt; otherwise nil.
  public var leadsToAt: Instant?

  public init(
    _ occurrence: Occurrence, suppression: ExpectedSuppression? = nil, leadsToAt: Instant? = nil
  ) {
    self.occurrence = occurrence
    self.suppression = suppression
    self.leadsToAt = leadsToAt
  }
}

/// The expected suppression of a prompt at its due time, according to the present settings.
///
/// The hourly limit is never the expected reason, because nobody knows the number of repetitions in
/// advance.
public struct ExpectedSuppression: Hashable, Sendable {
  /// A suppression reason that the daemon can predict before the due time. The list of reasons is
  /// fixed.
  public enum Reason: String, Sendable, CaseIterable {
    case quietHours = "quiet_hours"
    case controlPhase = "control_phase"
    /// The alarm or its person is paused.
    case paused = "paused"
  }

  public var why: Reason
  /// The instant at which the prompt rings after the suppression; nil if the prompt never rings.
  public var ringsAt: Instant?
}

extension Transition {
  /// Returns the expected suppression of an alarm that is due at an instant; nil if no suppression
  /// is expected.
  func expectedSuppression(of alarm: Alarm, at instant: Instant) -> ExpectedSuppression? {
    if personState(alarm.person)?.phase(at: instant)?.kind == .control {
      return ExpectedSuppression(why: .controlPhase)
    }
    guard let quiet = quiet(for: alarm, at: instant) else { return nil }
    return ExpectedSuppression(
      why: .quietHours, ringsAt: quiet.policy == .suppress ? nil : quiet.end)
  }

  func expectedRings(of alarm: Alarm) -> [ExpectedRing] {
    nextOccurrences(of: alarm).map {
      ExpectedRing(
        $0, suppression: expectedSuppression(of: alarm, at: $0.instant),
        leadsToAt: event(of: $0, of: alarm)?.instant)
    }
  }
}

/// The sound that the first ring of an alarm will have: a recording, spoken words or the built-in
/// tone.
public enum ExpectedVoice: Hashable, Sendable {
  /// The recording that a caretaker chose for the alarm. The value is the name of the recording.
  case recording(String)
  /// The recording that a caretaker chose for the person. The value is the name of the recording.
  case personRecording(String)
  /// A program speaks the words of the alarm.
  case speech
  case builtIn

  /// The kind of sound that the first ring has. The names of the kinds never change, so that
  /// programs can use these names.
  public enum Kind: String, Sendable, CaseIterable {
    case recording = "recording"
    case personRecording = "person_recording"
    case speech = "speech"
    case builtIn = "built_in"
  }

  public var kind: Kind {
    switch self {
    case .recording: .recording
    case .personRecording: .personRecording
    case .speech: .speech
    case .builtIn: .builtIn
    }
  }

  /// The name of the recording; nil if there is no recording.
  public var tone: String? {
    switch self {
    case .recording(let name), .personRecording(let name): name
    case .speech, .builtIn: nil
    }
  }
}

extension HomeState {
  /// Returns the sound of the first ring of an alarm: a recording, speech or the built-in sound.
  ///
  /// - Parameter isSpeaking: true if the device speaks the words of an alarm that has no recording.
  public func voice(of alarm: Alarm, isSpeaking: Bool) -> ExpectedVoice {
    let own = [alarm.escalation.first.tone, alarm.tone].compactMap { $0 }
    if let name = own.first(where: { tones[$0] != nil }) { return .recording(name) }
    if let name = people[alarm.person]?.person?.tone, tones[name] != nil {
      return .personRecording(name)
    }
    return isSpeaking ? .speech : .builtIn
  }

  /// Returns the `PlayOrder` with which a user can hear the first ring of an alarm before the alarm
  /// is due. The order does not contain the words of an early reminder. The sound is not a ring of
  /// a prompt.
  ///
  /// - Parameter nominal: the local time for the prompt id in the order. A prompt with this id need
  ///   not exist.
  public func firstRing(of alarm: Alarm, at nominal: CivilDateTime) -> PlayOrder {
    let (step, person) = (alarm.escalation.first, people[alarm.person]?.person)
    let recordings = [step.tone, alarm.tone, person?.tone].compactMap { $0.flatMap { tones[$0] } }
    return PlayOrder(
      prompt: PromptID(alarm: alarm.id, nominal: nominal, fold: 0), ring: 0,
      tones: recordings.map(\.sha256), words: alarm.spokenWords(for: person),
      gainDecibels: step.burst.gainDecibels(ring: 0), isFirstOfBurst: true,
      isUrgent: step.isUrgent)
  }

  /// Returns the next due times of an alarm, with their expected suppressions.
  public func expectedRings(
    of id: AlarmID, at reading: ClockReading, count: Int, _ environment: Environment
  ) -> [ExpectedRing] {
    guard let alarm = alarm(id) else { return [] }
    let transition = Transition(self, reading, .daemon("expected"), environment)
    return nextOccurrences(of: id, after: reading.wall, count: count).map {
      ExpectedRing(
        $0, suppression: transition.expectedSuppression(of: alarm, at: $0.instant),
        leadsToAt: transition.event(of: $0, of: alarm)?.instant)
    }
  }

  /// The due prompts that wait for an answer, without announcements, in no defined order.
  public var waitingPrompts: some Collection<Prompt> {
    openPrompts.lazy.filter {
      $0.state != .planned && entries[$0.id.alarm]?.alarm.isAnnouncement != true
    }
  }

  /// Returns the number of prompts of the alarm that are due and have no outcome yet.
  public func waitingCount(of id: AlarmID) -> Int {
    guard let entry = entries[id], !entry.alarm.isAnnouncement else { return 0 }
    return openPrompts(of: id).count { $0.state != .planned }
  }

  /// Returns true if an alarm has no open prompt and never rings again.
  ///
  /// If the alarm is due after an answer to another alarm, the result is always false.
  public func isOver(_ id: AlarmID) -> Bool {
    guard let entry = entries[id], entry.plan != nil else { return false }
    return entry.open.isEmpty && entry.alarm.schedule.anchorAlarm == nil
  }

  /// Returns the number of alarms of one person, or of all people. The number includes only alarms
  /// that can still ring.
  public func currentAlarmCount(of person: PersonID? = nil) -> Int {
    entries.count { id, entry in
      (person == nil || entry.alarm.person == person) && !isOver(id)
    }
  }

  /// Returns the expected suppression of a planned prompt; nil if no suppression is expected.
  public func expectedSuppression(
    of prompt: Prompt, at reading: ClockReading, _ environment: Environment
  ) -> ExpectedSuppression? {
    guard prompt.state == .planned, let alarm = alarm(prompt.id.alarm) else { return nil }
    let transition = Transition(self, reading, .daemon("expected"), environment)
    if transition.isSilenced(prompt, of: alarm) { return ExpectedSuppression(why: .paused) }
    return transition.expectedSuppression(of: alarm, at: prompt.dueAt)
  }
}
