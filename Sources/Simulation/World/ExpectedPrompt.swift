import Alarms
import CivilTime

/// What the audit remembers of a prompt that is due and not over.
struct ExpectedPrompt {
  /// When the newest ring was to come: the due time, what an answer put in its place, or a ring's
  /// distance after the one before it.
  var base: Instant
  var lastIntent: (index: Int, at: Instant)?
  /// Whether the newest ring began to sound.
  var hasSounded = false
  /// How many rings had sounded in all when its newest one had; 0 where none has.
  var lastCall = 0
  /// When its newest ring began to sound, in milliseconds of elapsed time.
  var lastCallAt: Int64 = 0
  /// Whether a ring was played to its end, or answered while it sounded.
  var isHeard = false
  /// Whether a ring sounds now.
  var isSounding = false
  /// Indices of the chain that were rung already.
  var rung: Set<Int> = []
  var crashesAtLastIntent = 0
  var delays = 0
  /// When somebody first said "on my way".
  var onTheWayAt: Instant?
  var isOnTheWay: Bool { onTheWayAt != nil }
  /// Why it was ever held back.
  var wasHeld: Set<Suppression.Reason> = []
  /// Whether it waits for quiet hours to end, which the wall clock decides.
  var waitsForMorning = false
  /// From when on the wait for telling somebody counts, in milliseconds of elapsed time.
  var callsAt: Int64
  /// When somebody was last told since then.
  var lastTold: Int64?
  /// Who was told, by place, and how many crashes there had been by then.
  var notified: [Int: Int] = [:]
  /// Who could not be told.
  var gaveUp: Set<Int> = []

  init(base: Instant, callsAt: Int64) {
    self.base = base
    self.callsAt = callsAt
  }

  /// A step of the clock moves what counts elapsed time.
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

  /// A ring began to sound.
  mutating func sound(_ call: Int, at elapsed: Int64) {
    hasSounded = true
    isSounding = true
    lastCall = call
    lastCallAt = elapsed
  }

  /// A ring is over.
  mutating func endSound(isWhole: Bool) {
    isSounding = false
    if isWhole { isHeard = true }
  }

  /// A person answered.
  mutating func answer() {
    if isSounding { isHeard = true }
  }

  /// An answer was taken back: a ring that was cut before it sounded comes again, and whoever was being told
  /// is told again.
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

  /// Every ring of the chain: which burst it belongs to, and how long after the first it comes.
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
