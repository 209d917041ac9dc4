import CivilTime

/// A time at which an alarm is due, with what is known to keep it from sounding then.
public struct ExpectedRing: Hashable, Sendable {
  public var occurrence: Occurrence
  public var suppression: ExpectedSuppression?

  public init(_ occurrence: Occurrence, suppression: ExpectedSuppression? = nil) {
    self.occurrence = occurrence
    self.suppression = suppression
  }
}

/// What will keep a prompt from sounding when it is due, as things stand. A cap is not foreseen.
public struct ExpectedSuppression: Hashable, Sendable {
  public var why: Suppression.Reason
  /// When it sounds after all; nil where it never does.
  public var ringsAt: Instant?
}

extension Transition {
  /// What will keep an alarm silent that is due at an instant; nil where nothing is known to.
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
      ExpectedRing($0, suppression: expectedSuppression(of: alarm, at: $0.instant))
    }
  }
}

extension HomeState {
  /// The next times at which an alarm is due, for a caretaker to read.
  public func expectedRings(
    of id: AlarmID, at reading: ClockReading, count: Int, _ environment: Environment
  ) -> [ExpectedRing] {
    guard let alarm = alarm(id) else { return [] }
    let transition = Transition(self, reading, .daemon("expected"), environment)
    return nextOccurrences(of: id, after: reading.wall, count: count).map {
      ExpectedRing($0, suppression: transition.expectedSuppression(of: alarm, at: $0.instant))
    }
  }

  /// What was due and waits for an answer, in no order. What is merely said waits for none.
  public var waitingPrompts: some Collection<Prompt> {
    openPrompts.lazy.filter {
      $0.phase != .planned && entries[$0.id.alarm]?.alarm.isAnnouncement != true
    }
  }

  /// The prompts of an alarm that were due and wait for an answer.
  public func waitingCount(of id: AlarmID) -> Int {
    guard let entry = entries[id], !entry.alarm.isAnnouncement else { return 0 }
    return openPrompts(of: id).count { $0.phase != .planned }
  }

  /// What will keep a prompt silent that is planned; nil where nothing is known to.
  public func expectedSuppression(
    of prompt: Prompt, at reading: ClockReading, _ environment: Environment
  ) -> ExpectedSuppression? {
    guard prompt.phase == .planned, let alarm = alarm(prompt.id.alarm) else { return nil }
    return Transition(self, reading, .daemon("expected"), environment)
      .expectedSuppression(of: alarm, at: prompt.dueAt)
  }
}
