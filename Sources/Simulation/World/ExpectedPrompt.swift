import Alarms
import CivilTime

/// The state that the audit expects for a due prompt.
struct ExpectedPrompt {
  /// The expected time of the newest ring. If the prompt waits for the first ring of a new burst,
  /// the value is the expected time of this first ring. The value is one of the following:
  /// - the due time,
  /// - the time at which the prompt must ring again after an answer, for example the end of a
  ///   delay,
  /// - the end of a suppression by quiet hours or by the hourly limit,
  /// - the time of the previous ring plus the configured time between the two rings.
  var base: Instant
  var lastIntent: (index: Int, at: Instant)?
  /// The time at which a person undid the newest answer; nil if no person undid it. The next ring
  /// is not due before this time.
  var undoneAt: Instant?
  /// True if the newest ring has started to sound.
  var hasSounded = false
  /// The sequence number of the newest ring of this prompt; 0 if the prompt has not sounded. The
  /// rings of all prompts have one common sequence, so a larger number means a later ring.
  var lastCall = 0
  /// The time at which the newest ring of the prompt started, in milliseconds of
  /// `SuppressionModel.elapsed`.
  var lastCallAt: Int64 = 0
  /// True if the speaker played a ring to its end, or if a person answered while a ring sounded.
  var isHeard = false
  /// True while a ring of the prompt sounds.
  var isSounding = false
  /// The rings for which the daemon recorded a ring intent. Each value is an index in the result of
  /// `Alarm.rings`.
  var rung: Set<Int> = []
  var crashesAtLastIntent = 0
  var delays = 0
  /// The instant of the first answer "on my way".
  var onTheWayAt: Instant?
  var isOnTheWay: Bool { onTheWayAt != nil }
  /// All reasons why the daemon has held back the prompt so far.
  var wasHeld: Set<Suppression.Reason> = []
  /// True if the prompt waits for the end of quiet hours. Quiet hours end at a local time, so a
  /// clock step does not change the expected time of the next ring.
  var waitsForMorning = false
  /// The time from which the daemon waits before it notifies the next contact, in milliseconds of
  /// `SuppressionModel.elapsed`. If a notification began after this time, the waiting time starts
  /// at `lastNotified`. The length of the waiting time is `NotifyStep.afterSeconds`.
  var callsAt: Int64
  /// The elapsed time at which the newest notification began, in milliseconds; nil if no
  /// notification began after `callsAt`.
  var lastNotified: Int64?
  /// The notified contacts. The key is the index of a contact in the escalation. The value is the
  /// number of times that the daemon had ended before this notification.
  var notified: [Int: Int] = [:]
  /// The contacts whose command failed in each attempt, including the last permitted attempt. Each
  /// value is the index of a contact in the escalation. The daemon does not run the command of such
  /// a contact again.
  var gaveUp: Set<Int> = []

  init(base: Instant, callsAt: Int64) {
    self.base = base
    self.callsAt = callsAt
  }

  /// Adjusts the expected times after a clock step of `milliseconds`.
  ///
  /// Usually, the next ring keeps its elapsed time, so its expected wall time moves with the clock.
  /// But if the prompt waits for the end of quiet hours, the next ring keeps its wall time, and the
  /// elapsed time `callsAt` moves.
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
    undoneAt = undoneAt?.adding(milliseconds: milliseconds)
  }

  /// Updates the expected state at the start of a ring.
  mutating func sound(_ call: Int, at elapsed: Int64) {
    hasSounded = true
    isSounding = true
    lastCall = call
    lastCallAt = elapsed
  }

  /// Updates the expected state at the end of a ring.
  mutating func endSound(isWhole: Bool) {
    isSounding = false
    if isWhole { isHeard = true }
  }

  /// Lets the audit expect the newest ring of this prompt a second time, at `instant`. Reason: an
  /// answer to a different prompt stopped the merged ring.
  mutating func repeatRing(at instant: Instant) {
    guard let last = lastIntent else { return }
    rung.remove(last.index)
    base = instant
  }

  /// Records the answer of a person.
  mutating func answer() {
    if isSounding { isHeard = true }
  }

  /// Restores the expected state after a person has undone an answer.
  ///
  /// If the answer stopped a ring before a person heard the ring, the daemon is allowed to play
  /// this ring again. The daemon is also allowed to repeat the notifications that were in progress
  /// when the person answered.
  mutating func resume(notifyProgress: [Int], at wall: Instant) {
    undoneAt = wall
    if !hasSounded || !isHeard, let last = lastIntent { rung.remove(last.index) }
    for position in notifyProgress { notified[position] = -1 }
  }
}

extension Alarm {
  /// Returns the bursts of a prompt of this alarm, in order. If the patient answered "on my way"
  /// and the escalation has a burst for this case, the result contains only this burst.
  func chainSteps(isOnTheWay: Bool) -> [EscalationStep] {
    if isOnTheWay, let completion = escalation.completion { return [completion] }
    return [escalation.first] + escalation.later
  }

  /// Returns all rings of a prompt of this alarm, in order. For each ring, the result contains the
  /// index of its burst, and the time since the first ring.
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
