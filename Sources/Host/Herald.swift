import Alarms
import CivilTime
import Dispatch
import Glibc
import Synchronization

/// How somebody outside the home is told: a command that the household chose.
public struct Contact: Sendable, Hashable {
  /// The program and its arguments.
  public var command: [String]
  /// A command that runs for longer than this is killed with everything it started. 1 to 300 seconds.
  public var timeoutSeconds: Int

  public init(command: [String], timeoutSeconds: Int) {
    self.command = command
    self.timeoutSeconds = timeoutSeconds
  }

  public static let standardTimeoutSeconds = 30
}

/// Tells people by running their commands, one after the other, and reports how it went.
///
/// A command that fails is tried again, a few times and ever later. What is told is decided elsewhere.
public final class Herald: Sendable {
  /// Pauses before a second and a third attempt, in seconds: a network that is away for a moment, and
  /// one that is away for a minute.
  public static let standardPauses = [10, 60]
  /// More people than this are not told at once; the rest waits in line.
  private static let atOnce = 4
  /// A line longer than this says that something turns in circles.
  private static let longestLine = 200

  private let pausesSeconds: [Int]
  private let report: @Sendable (TellReport) -> Void
  private let queue = DispatchQueue(label: "herald")
  private let state: Mutex<State>

  private struct State {
    var contacts: [String: Contact]
    var waiting: [Attempt] = []
    var running: [Int: pid_t] = [:]
    var nextRun = 1
    /// Whom each order that is not done is about; taken out when the prompt is answered.
    var orders: [Int: PromptID] = [:]
    var nextOrder = 1
  }

  private struct Attempt: Sendable {
    var order: TellOrder
    var number: Int
    /// Which order this is an attempt at.
    var id: Int
  }

  /// - Parameters:
  ///   - contacts: by name.
  ///   - pausesSeconds: before each further attempt; as many attempts as pauses, and one.
  ///   - report: called for each attempt, on a thread of its own.
  public init(
    contacts: [String: Contact], pausesSeconds: [Int],
    report: @escaping @Sendable (TellReport) -> Void
  ) {
    state = Mutex(State(contacts: contacts))
    self.pausesSeconds = pausesSeconds
    self.report = report
  }

  /// The names of everybody who can be told.
  public var contacts: Set<String> { state.withLock { Set($0.contacts.keys) } }

  /// Tells these people from now on.
  public func use(contacts: [String: Contact]) { state.withLock { $0.contacts = contacts } }

  /// Tells somebody; returns at once.
  public func tell(_ order: TellOrder) {
    let isTooMany = state.withLock { state in
      if state.waiting.count >= Self.longestLine { return true }
      state.orders[state.nextOrder] = order.prompt
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

  /// Tells nobody else of this prompt. A command that runs goes on: half a message is worse than one
  /// too many.
  public func stop(_ prompt: PromptID) {
    state.withLock { state in
      state.waiting.removeAll { $0.order.prompt == prompt }
      state.orders = state.orders.filter { $0.value != prompt }
    }
  }

  /// Ends what runs. The record knows whom it cannot say to have been told.
  public func shutDown() {
    let running = state.withLock { state in
      state.waiting = []
      return Array(state.running.values)
    }
    for pid in running { kill(-pid, SIGKILL) }
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
        TellReport(
          prompt: order.prompt, grade: order.grade, contact: order.contact,
          attempt: attempt.number, result: .told))
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

  private func fail(_ order: TellOrder, _ attempt: Int, _ reason: String, isLast: Bool) {
    report(
      TellReport(
        prompt: order.prompt, grade: order.grade, contact: order.contact, attempt: attempt,
        result: .failed(reason: reason, isLast: isLast)))
  }

  /// Runs the command to its end.
  ///
  /// - Returns: why it failed; nil where it ended well.
  private func execute(_ attempt: Attempt, _ run: Int) -> String? {
    guard let contact = state.withLock({ $0.contacts[attempt.order.contact] }) else {
      return "no such contact is set in the configuration"
    }
    let pid: pid_t
    switch spawnGroup(contact.command, environment: attempt.order.environment(attempt.number)) {
    case .success(let started): pid = started
    case .failure(let error): return error.description
    }
    state.withLock { if $0.running[run] != nil { $0.running[run] = pid } }
    let timer = DispatchWorkItem { kill(-pid, SIGKILL) }
    queue.asyncAfter(deadline: .now() + .seconds(contact.timeoutSeconds), execute: timer)
    // Seen and not reaped: until the timer is off, the number must stay its own.
    var info = siginfo_t()
    while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    timer.cancel()
    // The timer may be at it this moment; it is done once the queue is.
    queue.sync {}
    // What it left behind goes with it.
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return failure(status, contact)
  }

  private func failure(_ status: Int32, _ contact: Contact) -> String? {
    let signal = status & 0x7F
    if signal == 0 {
      let code = (status >> 8) & 0xFF
      return code == 0 ? nil : "its command ended with status \(code)"
    }
    return signal == SIGKILL
      ? "its command was killed; it may run for \(contact.timeoutSeconds) s"
      : "its command was ended by signal \(signal)"
  }
}

extension TellOrder {
  /// What the command is told: these variables, a search path, and nothing of the daemon's own.
  func environment(_ attempt: Int) -> [(String, String)] {
    [
      ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
      ("LANG", "C.UTF-8"), ("PROMPTER_CONTACT", contact), ("PROMPTER_LABEL", label),
      ("PROMPTER_PERSON", person.text), ("PROMPTER_PROMPT_ID", prompt.description),
      ("PROMPTER_ALARM_ID", prompt.alarm.text),
      ("PROMPTER_SCHEDULED", prompt.nominal.description), ("PROMPTER_REASON", reason.rawValue),
      ("PROMPTER_GRADE", String(grade + 1)), ("PROMPTER_ATTEMPT", String(attempt)),
    ]
  }
}

/// Starts a program in a process group of its own, with default signals, and with nothing to read and
/// nowhere to write: what it says could hold a name, and the journal is read by others.
private func spawnGroup(
  _ command: [String], environment: [(String, String)]
) -> Result<pid_t, HostError> {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  for descriptor: Int32 in 0...2 {
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
  }
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var all = sigset_t()
  sigfillset(&all)
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigdefault(&attributes, &all)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setpgroup(&attributes, 0)
  let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
  posix_spawnattr_setflags(&attributes, Int16(flags))
  // A NUL would end a variable early, and the rest would be lost without a word.
  let variables = environment.map { "\($0.0)=\($0.1.filter { $0 != "\0" })" }
  var arguments = command.map { strdup($0) } + [nil]
  var values = variables.map { strdup($0) } + [nil]
  defer { for text in arguments + values { free(text) } }
  var pid: pid_t = 0
  let code = posix_spawn(&pid, command[0], &actions, &attributes, &arguments, &values)
  return code == 0 ? .success(pid) : .failure(.system("start its command", code))
}
