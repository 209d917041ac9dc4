import Alarms
import CivilTime

/// Simulates the commands of the contacts.
///
/// A notification has up to three attempts. Each attempt succeeds, fails, or hangs until the daemon
/// kills the command.
struct SimulatedNotifier: Hashable {
  /// The names of the contacts in the simulated configuration.
  static let contacts: Set<String> = ["neighbour", "nurse"]
  /// The time of day of the summary, for each contact who gets a summary.
  static let summaries: [String: ClockTime] =
    (try? ClockTime(hour: 20, minute: 0)).map { ["nurse": $0] } ?? [:]
  private static let pausesSeconds: [Int64] = [10, 60]
  private static let timeoutSeconds: Int64 = 30

  private struct Attempt: Hashable {
    var order: ContactNotification
    var number: Int
    var begins: Int64
    var ends: Int64
    var isStopped = false
  }

  private var condition = ContactCondition.well
  private var conditionUntil: Int64 = 0
  /// The attempts to notify a contact, in the order of their end times.
  private var attempts: [Attempt] = []

  mutating func set(_ condition: ContactCondition, until: Int64) {
    self.condition = condition
    conditionUntil = until
  }

  mutating func notify(_ order: ContactNotification, at time: Int64) { attempt(order, 1, at: time) }

  /// Cancels the notifications about `subject`. The notifier makes no further attempts for these
  /// notifications. If an attempt is in progress, this attempt continues.
  mutating func stop(_ subject: NotifySubject, at time: Int64) {
    attempts.removeAll { $0.order.subject == subject && $0.begins > time }
    for index in attempts.indices where attempts[index].order.subject == subject {
      attempts[index].isStopped = true
    }
  }

  /// Ends all commands. The world calls this function when the daemon ends, because the real
  /// commands end together with the daemon.
  mutating func die() { attempts = [] }

  var nextReportAt: Int64? { attempts.first?.ends }

  mutating func takeReport() -> NotifyResult {
    let ended = attempts.removeFirst()
    let order = ended.order
    var report = NotifyResult(
      subject: order.subject, position: order.position, contact: order.contact,
      attempt: ended.number,
      reason: order.reason, result: .notified)
    let condition = ended.ends < conditionUntil ? condition : .well
    if condition == .well || condition == .flaky && ended.number > 1 { return report }
    let isLast = ended.isStopped || ended.number > Self.pausesSeconds.count
    report.result = .failed(reason: condition.rawValue, isLast: isLast)
    if !isLast {
      let pause = Self.pausesSeconds[ended.number - 1] * 1_000
      attempt(order, ended.number + 1, at: ended.ends + pause)
    }
    return report
  }

  private mutating func attempt(_ order: ContactNotification, _ number: Int, at time: Int64) {
    let seconds = condition == .hung && time < conditionUntil ? Self.timeoutSeconds : 1
    let new = Attempt(order: order, number: number, begins: time, ends: time + seconds * 1_000)
    attempts.insert(new, at: attempts.firstIndex { $0.ends > new.ends } ?? attempts.endIndex)
  }
}
