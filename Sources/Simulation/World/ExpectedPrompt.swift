import Alarms
import CivilTime

/// The state that the audit keeps for a due prompt.
struct ExpectedPrompt {
  /// The expected time of the newest ring: the due time, the time that an answer set, or the time
  /// of the previous ring plus the distance between the two rings.
  var base: Instant
  var lastIntent: (index: Int, at: Instant)?
  /// True if the newest ring began to sound.
  var hasSounded = false
  /// The number of all rings in the home at the newest ring of this prompt; 0 if the prompt has not
  /// sounded.
  var lastCall = 0
  /// The elapsed time at which the newest ring of the prompt began to sound, in milliseconds.
  var lastCallAt: Int64 = 0
  /// True if a ring was played to its end, or was answered while it sounded.
  var isHeard = false
  /// True while a ring sounds.
  var isSounding = false
  /// The rings with a recorded ring intent, as indices in `Alarm.rings`.
  var rung: Set<Int> = []
  var crashesAtLastIntent = 0
  var delays = 0
  /// The instant of the first answer "on my way".
  var onTheWayAt: Instant?
  var isOnTheWay: Bool { onTheWayAt != nil }
  /// All reasons for which the prompt was held back so far.
  var wasHeld: Set<Suppression.Reason> = []
  /// True if the prompt waits for the end of quiet hours. A clock step does not move this end.
  var waitsForMorning = false
  /// The elapsed time from which the delays of the contacts count, in milliseconds.
  var callsAt: Int64
  /// The elapsed time of the newest notification since `callsAt`, in milliseconds.
  var lastNotified: Int64?
  /// The notified contacts, by their position in the list of contacts. The value is the number of
  /// crashes before the notification.
  var notified: [Int: Int] = [:]
  /// Positions of the contacts whose last attempt failed. The daemon makes no further attempt.
  var gaveUp: Set<Int> = []

  init(base: Instant, callsAt: Int64) {
    self.base = base
    self.callsAt = callsAt
  }

  /// Moves the expected times that count elapsed time by the size of a clock step.
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

  /// Records that a ring began to sound.
  mutating func sound(_ call: Int, at elapsed: Int64) {
    hasSounded = true
    isSounding = true
    lastCall = call
    lastCallAt = elapsed
  }

  /// Records that a ring ended.
  mutating func endSound(isWhole: Bool) {
    isSounding = false
    if isWhole { isHeard = true }
  }

  /// Records the answer of a person.
  mutating func answer() {
    if isSounding { isHeard = true }
  }

  /// Continues the prompt after an undone answer.
  ///
  /// A ring that was stopped before it sounded rings again. The daemon sends the notifications in
  /// progress again.
  mutating func resume(notifyProgress: [Int]) {
    if !hasSounded || !isHeard, let last = lastIntent { rung.remove(last.index) }
    for position in notifyProgress { notified[position] = -1 }
  }
}

extension Alarm {
  /// The bursts that the prompt rings.
  func chainSteps(isOnTheWay: Bool) -> [EscalationStep] {
    if isOnTheWay, let completion = escalation.completion { return [completion] }
    return [escalation.first] + escalation.later
  }

  /// All rings of the prompt in order. Each element has the index of the burst and the time from
  /// the first ring to this ring.
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
