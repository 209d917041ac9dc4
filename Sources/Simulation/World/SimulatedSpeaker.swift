import Alarms
import CivilTime

/// The simulated player. The player receives requests from the daemon, and sends each report at a
/// planned time.
struct SimulatedSpeaker: Hashable {
  /// A ring that the daemon requested from the player.
  struct Job: Hashable {
    var order: PlayOrder
    var startsAt: Int64?
    /// The true time at which the sound ends.
    var soundsUntil: Int64
    var isStopAsked = false
  }

  struct Report: Hashable {
    var at: Int64
    var report: SoundReport
  }

  private(set) var condition = SpeakerCondition.well
  private var conditionUntil: Int64 = 0
  private(set) var job: Job?
  /// The reports that the player will send, ordered by time.
  private(set) var reports: [Report] = []
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  mutating func set(_ condition: SpeakerCondition, until: Int64) {
    self.condition = condition
    conditionUntil = until
  }

  mutating func play(_ order: PlayOrder, at time: Int64) {
    if time >= conditionUntil { condition = .well }
    var random = SeededRandom(
      seed: seed, about: order.prompt.nominalKey, Int64(order.ring), order.prompt.alarm.number)
    let seconds = random.roll(3...28)
    let delay = condition == .slow ? 6_000 : random.roll(20...200)
    job = Job(order: order, startsAt: time + delay, soundsUntil: time + delay + seconds * 1_000)
    switch condition {
    case .well, .slow: begin(order, from: time + delay, seconds: seconds)
    case .missing: fail(order, at: time + 10)
    case .busy: fail(order, at: time + 3_000)
    case .hung:
      job?.startsAt = nil
      job?.soundsUntil = time
    case .lying:
      if random.chance(50) { begin(order, from: time + delay, seconds: seconds, isLying: true) }
      say(ended(order, seconds: seconds, stopped: false), at: time + delay + seconds * 1_000)
    }
  }

  private mutating func begin(
    _ order: PlayOrder, from time: Int64, seconds: Int64, isLying: Bool = false
  ) {
    let started = SoundReport.started(order.prompt, ring: order.ring, device: "simulated")
    say(started, at: time)
    if isLying { say(started, at: time + 500) }
    say(ended(order, seconds: seconds, stopped: false), at: time + seconds * 1_000)
  }

  private mutating func fail(_ order: PlayOrder, at time: Int64) {
    job?.startsAt = nil
    job?.soundsUntil = time
    say(.unusable(reason: condition.rawValue), at: time)
    say(.failed(order.prompt, ring: order.ring, reason: condition.rawValue), at: time)
  }

  private func ended(_ order: PlayOrder, seconds: Int64, stopped: Bool) -> SoundReport {
    .ended(
      order.prompt, ring: order.ring, device: "simulated", frames: Int(seconds) * 48_000, xruns: 0,
      stopped: stopped)
  }

  mutating func stop(_ prompt: PromptID, _ ring: Int, at time: Int64) {
    guard var current = job, current.order.prompt == prompt, current.order.ring == ring else {
      return
    }
    current.isStopAsked = true
    job = current
    if condition == .hung { return }
    let silentAt = time + (condition == .slow ? 1_000 : 80)
    guard silentAt < current.soundsUntil else { return }
    job?.soundsUntil = silentAt
    reports.removeAll { $0.report.isEnd || $0.at > silentAt }
    say(ended(current.order, seconds: 1, stopped: true), at: silentAt)
  }

  /// Ends the player. The player ends together with the daemon.
  mutating func die() {
    job = nil
    reports = []
  }

  var nextReportAt: Int64? { reports.first?.at }

  mutating func takeReport() -> SoundReport {
    let report = reports.removeFirst().report
    if report.isEnd { job = nil }
    return report
  }

  private mutating func say(_ report: SoundReport, at time: Int64) {
    let place = reports.firstIndex { $0.at > time } ?? reports.endIndex
    reports.insert(Report(at: time, report: report), at: place)
  }
}

extension SoundReport {
  var isEnd: Bool {
    switch self {
    case .ended, .failed: true
    case .started, .fallback, .tested, .usable, .unusable: false
    }
  }

  /// The prompt and the number of the ring in the report; nil if the report is not about a ring.
  var ring: (prompt: PromptID, number: Int)? {
    switch self {
    case .started(let id, let ring, _, _), .ended(let id, let ring, _, _, _, _),
      .failed(let id, let ring, _):
      (id, ring)
    case .fallback, .tested, .usable, .unusable: nil
    }
  }
}

extension AlarmID {
  /// The digits of the alarm id, read as one number. Example: for `alarm1002`, the value is 1002.
  var number: Int64 {
    text.utf8.reduce(0) { (0x30...0x39).contains($1) ? $0 &* 10 &+ Int64($1 - 0x30) : $0 }
  }
}
