import Alarms
import Dispatch
import Glibc
import Synchronization

/// Tells people by running their commands, one after the other, and reports how it went.
///
/// A command that fails is tried again, a few times and ever later. What is told is decided elsewhere. Where
/// the daemon has no network, a service that has one runs the command: see `NotifierClient`.
public final class Notifier: Sendable {
  /// Pauses before a second and a third attempt, in seconds: a network that is away for a moment, and
  /// one that is away for a minute.
  public static let standardPauses = [10, 60]
  /// More people than this are not told at once; the rest waits in line.
  private static let atOnce = 4
  /// A line longer than this says that something turns in circles.
  private static let longestLine = 200

  private let pausesSeconds: [Int]
  private let relay: String?
  private let report: @Sendable (NotifyResult) -> Void
  private let queue = DispatchQueue(label: "herald")
  private let state: Mutex<State>

  private struct State {
    var contacts: [String: Contact]
    var waiting: [Attempt] = []
    var running: [Int: pid_t] = [:]
    var nextRun = 1
    /// What each order that is not done is about; taken out when it is answered.
    var orders: [Int: NotifySubject] = [:]
    var nextOrder = 1
  }

  private struct Attempt: Sendable {
    var order: ContactNotification
    var number: Int
    /// Which order this is an attempt at.
    var id: Int
  }

  /// - Parameters:
  ///   - contacts: by name.
  ///   - pausesSeconds: before each further attempt; as many attempts as pauses, and one.
  ///   - relay: the socket of the service that runs the commands; nil to run them here.
  ///   - report: called for each attempt, on a thread of its own.
  public init(
    contacts: [String: Contact], pausesSeconds: [Int], relay: String? = nil,
    report: @escaping @Sendable (NotifyResult) -> Void
  ) {
    state = Mutex(State(contacts: contacts))
    self.pausesSeconds = pausesSeconds
    self.relay = relay
    self.report = report
  }

  /// The names of everybody who can be told.
  public var contacts: Set<String> { state.withLock { Set($0.contacts.keys) } }

  /// What is wrong with the commands of those who can be told, a sentence each.
  public var troubles: [String] {
    state.withLock(\.contacts).sorted { $0.key < $1.key }.compactMap { name, contact in
      contact.trouble.map { "the contact \"\(name)\" cannot be told: \($0)" }
    }
  }

  /// Tells these people from now on.
  public func use(contacts: [String: Contact]) { state.withLock { $0.contacts = contacts } }

  /// Tells somebody; returns at once.
  public func notify(_ order: ContactNotification) {
    let isTooMany = state.withLock { state in
      if state.waiting.count >= Self.longestLine { return true }
      state.orders[state.nextOrder] = order.subject
      state.waiting.append(Attempt(order: order, number: 1, id: state.nextOrder))
      state.nextOrder += 1
      return false
    }
    if isTooMany {
      fail(order, 1, "there are \(Self.longestLine) people to be told already", isLast: true)
    } else {
      startNext()
    }
  }

  /// Tells nobody else of this. A command that runs goes on: half a message is worse than one
  /// too many.
  public func stop(_ subject: NotifySubject) {
    state.withLock { state in
      state.waiting.removeAll { $0.order.subject == subject }
      state.orders = state.orders.filter { $0.value != subject }
    }
  }

  /// Ends what runs. The record knows whom it cannot say to have been told.
  public func shutDown() {
    let running = state.withLock { state in
      state.waiting = []
      return Array(state.running.values)
    }
    // One that is only about to start has no number yet, and 0 would be ourselves.
    for pid in running where pid > 0 { kill(-pid, SIGKILL) }
  }

  private func startNext() {
    while let (run, attempt) = state.withLock({ state -> (Int, Attempt)? in
      guard state.running.count < Self.atOnce, !state.waiting.isEmpty else { return nil }
      let run = state.nextRun
      state.nextRun += 1
      state.running[run] = 0
      return (run, state.waiting.removeFirst())
    }) {
      let thread = DispatchQueue(label: "telling")
      thread.async { [self] in
        let reason = execute(attempt, run)
        _ = state.withLock { $0.running.removeValue(forKey: run) }
        finish(attempt, reason)
        startNext()
      }
    }
  }

  /// - Parameter reason: why it failed; nil where it did not.
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

  /// - Returns: why it failed; nil where it did not.
  private func execute(_ attempt: Attempt, _ run: Int) -> String? {
    guard let contact = state.withLock({ $0.contacts[attempt.order.contact] }) else {
      return "no such contact is set in the configuration"
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
