import Alarms
import CivilTime

/// The state that the audit keeps of a due prompt.
struct ExpectedPrompt {
  /// The expected time of the newest ring: the due time, the time that an answer set instead, or
  /// the previous ring plus the distance between them.
  var base: Instant
  var lastIntent: (index: Int, at: Instant)?
  /// Whether the newest ring began to sound.
  var hasSounded = false
  /// The count of all rings at the newest ring of this prompt; 0 if no ring of it sounded.
  var lastCall = 0
  /// When its newest ring began to sound, in milliseconds of elapsed time.
  var lastCallAt: Int64 = 0
  /// Whether a ring was played to its end, or answered while it sounded.
  var isHeard = false
  /// Whether a ring sounds now.
  var isSounding = false
  /// Indices in the chain that already rang.
  var rung: Set<Int> = []
  var crashesAtLastIntent = 0
  var delays = 0
  /// When a person first answered "on my way".
  var onTheWayAt: Instant?
  var isOnTheWay: Bool { onTheWayAt != nil }
  /// The reasons for which it was held back so far.
  var wasHeld: Set<Suppression.Reason> = []
  /// Whether it waits for the end of quiet hours. That depends on the wall clock.
  var waitsForMorning = false
  /// The start of the wait before contacts are notified. It is in milliseconds of elapsed time.
  var callsAt: Int64
  /// When a contact was last notified since `callsAt`, in milliseconds of elapsed time.
  var lastNotified: Int64?
  /// Notified contacts by position in the chain. The value is the number of crashes at that time.
  var notified: [Int: Int] = [:]
  /// Positions of the contacts whose last attempt failed.
  var gaveUp: Set<Int> = []

  init(base: Instant, callsAt: Int64) {
    self.base = base
    self.callsAt = callsAt
  }

  /// Shifts all times that count elapsed time by a clock step.
  mutating func shift(by milliseconds: Int64) {
    onTheWayAt = onTheWayAt?.adding(milliseconds: milliseconds)
    if waitsForMorning {
      callsAt -= milliseconds
      return
    }
    base = base.adding(milliseconds: milliseconds)
    if let last = lastIntent {
      lastIntent = (last.index, last.at.adding(milliseconds: milliseconds))
    }
  }

  /// Notes that a ring began to sound.
  mutating func sound(_ call: Int, at elapsed: Int64) {
    hasSounded = true
    isSounding = true
    lastCall = call
    lastCallAt = elapsed
  }

  /// Notes that a ring ended.
  mutating func endSound(isWhole: Bool) {
    isSounding = false
    if isWhole { isHeard = true }
  }

  /// Notes the answer of a person.
  mutating func answer() {
    if isSounding { isHeard = true }
  }

  /// Continues after an undone answer.
  ///
  /// A ring that was stopped before it sounded rings again. The notifications in progress are sent
  /// again.
  mutating func resume(notifyProgress: [Int]) {
    if !hasSounded || !isHeard, let last = lastIntent { rung.remove(last.index) }
    for position in notifyProgress { notified[position] = -1 }
  }
}

extension Alarm {
  /// The bursts of the chain.
  func chainSteps(isOnTheWay: Bool) -> [EscalationStep] {
    if isOnTheWay, let completion = escalation.completion { return [completion] }
    return [escalation.first] + escalation.later
  }

  /// All rings of the chain: the burst of each ring, and its distance from the first ring.
  func rings(isOnTheWay: Bool) -> [(step: Int, afterSeconds: Int64)] {
    var rings: [(step: Int, afterSeconds: Int64)] = []
    for (number, step) in chainSteps(isOnTheWay: isOnTheWay).enumerated() {
      for index in 0..<step.burst.rings {
        let distance =
          number == 0 && index == 0 ? 0 : index == 0 ? step.pauseSeconds : step.burst.spacingSeconds
        rings.append((number, (rings.last?.afterSeconds ?? 0) + distance))
      }
    }
    return rings
  }
}
