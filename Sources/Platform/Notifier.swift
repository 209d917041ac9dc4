import Alarms
import CivilTime
import Dispatch
import Glibc
import Synchronization

/// Notifies contacts by running their commands, and reports the results.
///
/// The notifier starts commands in the order of the requests, and at most four commands run at a
/// time. If a command fails, the notifier waits and then runs the command again. The values of
/// `pausesSeconds` are the lengths of these waits. After the attempt that follows the last wait,
/// the notifier does not try again. Other modules decide which contacts to notify. If the daemon
/// has no network access, a service with network access runs the command (see `NotifierClient`).
public final class Notifier: Sendable {
  /// The pauses before the second and the third attempt, in seconds.
  ///
  /// If the network fails for a few seconds, the second attempt usually succeeds. If the network
  /// fails for about a minute, the third attempt usually succeeds.
  public static let standardPauses = [10, 60]
  /// The maximum number of commands that run at the same time. Further commands wait in the queue
  /// until a running command ends.
  private static let atOnce = 4
  /// The maximum number of notifications that wait in the queue. If the queue is full, a new
  /// notification fails at once. The queue can become full only if the daemon has a defect.
  private static let longestLine = 200

  private let pausesSeconds: [Int]
  private let relay: String?
  private let report: @Sendable (NotifyResult) -> Void
  private let queue = DispatchQueue(label: "notifier")
  private let state: Mutex<State>

  private struct State {
    var contacts: [String: Contact]
    var waiting: [Attempt] = []
    /// The process ids of the supervisors. A supervisor is a process that runs the command of a
    /// contact.
    var running: [Int: pid_t] = [:]
    var nextRun = 1
    /// The subject of each unfinished notification. The notifier removes an entry after an attempt
    /// has succeeded or the last attempt has failed.
    var orders: [Int: NotifySubject] = [:]
    var nextOrder = 1
  }

  private struct Attempt: Sendable {
    var order: ContactNotification
    var number: Int
    /// The key of the notification in `orders`.
    var id: Int
  }

  /// - Parameters:
  ///   - contacts: the contacts by name.
  ///   - pausesSeconds: the pause before each further attempt, in seconds. The number of attempts
  ///     is the number of pauses plus 1.
  ///   - relay: the socket of the service that runs the commands; nil if the daemon runs the
  ///     commands without a service.
  ///   - report: a function that receives the result of each attempt, on the thread of the attempt.
  public init(
    contacts: [String: Contact], pausesSeconds: [Int], relay: String? = nil,
    report: @escaping @Sendable (NotifyResult) -> Void
  ) {
    state = Mutex(State(contacts: contacts))
    self.pausesSeconds = pausesSeconds
    self.relay = relay
    self.report = report
  }

  /// The time of day of the daily summary, for each contact who gets a summary.
  public var summaries: [String: ClockTime] {
    state.withLock { $0.contacts.compactMapValues(\.summary) }
  }

  /// The names of the contacts that the daemon notifies when a person requests a call.
  public var callContacts: Set<String> {
    state.withLock { Set($0.contacts.filter(\.value.takesCalls).keys) }
  }

  /// The names of all contacts.
  public var contacts: Set<String> { state.withLock { Set($0.contacts.keys) } }

  /// The problems with the contacts' commands, one sentence each.
  public var troubles: [String] {
    state.withLock(\.contacts).sorted { $0.key < $1.key }.compactMap { name, contact in
      contact.trouble.map { "cannot notify the contact \"\(name)\": \($0)" }
    }
  }

  /// Replaces the contacts.
  public func use(contacts: [String: Contact]) { state.withLock { $0.contacts = contacts } }

  /// Puts the notification into the queue, and returns at once.
  public func notify(_ order: ContactNotification) {
    let isTooMany = state.withLock { state in
      if state.waiting.count >= Self.longestLine { return true }
      state.orders[state.nextOrder] = order.subject
      state.waiting.append(Attempt(order: order, number: 1, id: state.nextOrder))
      state.nextOrder += 1
      return false
    }
    if isTooMany {
      fail(order, 1, "\(Self.longestLine) other notifications are waiting", isLast: true)
    } else {
      startNext()
    }
  }

  /// Prevents all further attempts to notify contacts about a subject.
  ///
  /// The function does not stop a command that has already started, because an incomplete message
  /// is worse than an unnecessary message.
  public func stop(_ subject: NotifySubject) {
    state.withLock { state in
      state.waiting.removeAll { $0.order.subject == subject }
      state.orders = state.orders.filter { $0.value != subject }
    }
  }

  /// Stops all running commands, and removes all waiting notifications from the queue. The function
  /// sends a signal to the supervisor of each command, and the supervisor kills its command.
  ///
  /// The daemon records no result for these notifications, so it finds them as unfinished in the
  /// record when it starts the next time.
  public func shutDown() {
    let running = state.withLock { state in
      state.waiting = []
      return Array(state.running.values)
    }
    // In `running`, a command that has not started yet has the pid 0. The call kill(0) would end
    // the process group of the daemon.
    for pid in running where pid > 0 { kill(pid, SIGTERM) }
  }

  private func startNext() {
    while let (run, attempt) = state.withLock({ state -> (Int, Attempt)? in
      guard state.running.count < Self.atOnce, !state.waiting.isEmpty else { return nil }
      let run = state.nextRun
      state.nextRun += 1
      state.running[run] = 0
      return (run, state.waiting.removeFirst())
    }) {
      let thread = DispatchQueue(label: "notifier.command")
      thread.async { [self] in
        let reason = execute(attempt, run)
        _ = state.withLock { $0.running.removeValue(forKey: run) }
        finish(attempt, reason)
        startNext()
      }
    }
  }

  /// - Parameter reason: the reason for the failure; nil if the attempt succeeded.
  private func finish(_ attempt: Attempt, _ reason: String?) {
    let order = attempt.order
    guard let reason else {
      state.withLock { $0.orders[attempt.id] = nil }
      report(
        NotifyResult(
          subject: order.subject, position: order.position, contact: order.contact,
          attempt: attempt.number, reason: order.reason, result: .notified))
      return
    }
    let isLast = state.withLock { state in
      let isHopeless = state.contacts[order.contact] == nil || attempt.number > pausesSeconds.count
      if isHopeless { state.orders[attempt.id] = nil }
      return state.orders[attempt.id] == nil
    }
    fail(order, attempt.number, reason, isLast: isLast)
    if isLast { return }
    let pause = DispatchTimeInterval.seconds(pausesSeconds[attempt.number - 1])
    queue.asyncAfter(deadline: .now() + pause) { [self] in
      var next = attempt
      next.number += 1
      let again = next
      state.withLock { state in
        if state.orders[again.id] != nil { state.waiting.append(again) }
      }
      startNext()
    }
  }

  private func fail(_ order: ContactNotification, _ attempt: Int, _ reason: String, isLast: Bool) {
    report(
      NotifyResult(
        subject: order.subject, position: order.position, contact: order.contact, attempt: attempt,
        reason: order.reason, result: .failed(reason: reason, isLast: isLast)))
  }

  /// - Returns: the reason for the failure; nil if the attempt succeeded.
  private func execute(_ attempt: Attempt, _ run: Int) -> String? {
    guard let contact = state.withLock({ $0.contacts[attempt.order.contact] }) else {
      return "the configuration has no contact with this name"
    }
    let variables = attempt.order.variables(attempt.number)
    if let relay {
      return NotifierClient(path: relay).notify(variables, timeoutSeconds: contact.timeoutSeconds)
    }
    return contact.run(environment: NotifyVariable.environment + variables) { pid in
      state.withLock { if $0.running[run] != nil { $0.running[run] = pid } }
    }
  }
}
