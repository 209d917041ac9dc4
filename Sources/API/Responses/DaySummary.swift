import Alarms
import CivilTime

/// One task of a day. The commands `today` and `summary`, and the summaries that contacts get, show
/// these tasks.
public struct DayTask: Sendable, Hashable {
  /// The state of a task on the day. The list of states is fixed.
  public enum State: String, Sendable, CaseIterable {
    case toCome = "to_come"
    /// The task is not due yet, and will be silent, because its alarm or its person is paused.
    case paused = "paused"
    case waiting = "waiting"
    case putOff = "put_off"
    case done = "done"
    case declined = "declined"
    case missed = "missed"
    case suppressed = "suppressed"
    case cancelled = "cancelled"
    case replaced = "replaced"
  }

  /// A contact who was notified of the task, and the local time of the notification.
  public struct Notified: Sendable, Hashable {
    public var contact: String
    public var at: CivilDateTime

    public init(contact: String, at: CivilDateTime) {
      (self.contact, self.at) = (contact, at)
    }
  }

  /// The id of the prompt; nil if the daemon has not planned a prompt for the task yet.
  public var promptID: String?
  public var label: String
  /// The id of the person whose task this is.
  public var person: String
  /// The due time of the task in the home zone.
  public var at: CivilDateTime
  public var state: State
  /// The outcome of the task; nil while the task has no outcome.
  public var outcome: Outcome?
  /// The local time at which the prompt ended, for example the time of the answer. After "later" or
  /// "on my way", the value is the local time at which the prompt rings again. Otherwise, the value
  /// is nil.
  public var changedAt: CivilDateTime?
  public var notified: [Notified]

  public init(
    promptID: String? = nil, label: String, person: String, at: CivilDateTime, state: State,
    outcome: Outcome? = nil, changedAt: CivilDateTime? = nil, notified: [Notified] = []
  ) {
    self.promptID = promptID
    self.label = label
    self.person = person
    self.at = at
    self.state = state
    self.outcome = outcome
    self.changedAt = changedAt
    self.notified = notified
  }

  /// The state of a prompt.
  ///
  /// - Parameters:
  ///   - now: the present time. If a planned prompt is due at or before this time, its state is
  ///     `waiting`, because the prompt will ring at once.
  ///   - isPaused: true if a pause will silence the prompt.
  public static func state(of prompt: Prompt, now: Instant, isPaused: Bool = false) -> State {
    switch prompt.state {
    case .planned:
      if prompt.dueAt <= now { return .waiting }
      return isPaused ? .paused : .toCome
    case .waiting, .ringing, .expiring, .held: return .waiting
    case .delayed, .acknowledged: return .putOff
    case .closed(let outcome, _, _):
      switch outcome.kind {
      case .completed: return .done
      case .declined: return .declined
      case .missed: return .missed
      case .suppressed: return .suppressed
      case .cancelled: return .cancelled
      case .superseded: return .replaced
      }
    }
  }
}

/// The summary of one day or several days of one person, in plain sentences.
public enum DaySummary {
  /// The summary of one day. Example: `Hilde did 5 of 6 tasks on Thursday 26 November 2026. Missed:
  /// Evening pills at 20:00; anna was notified at 20:10.`
  ///
  /// - Parameter tasks: all tasks of the person that were or will be due on the day.
  public static func text(name: String, date: CivilDate, tasks: [DayTask]) -> String {
    let counted = counts(tasks)
    guard counted.due + counted.toCome > 0 else {
      return "\(name) had no tasks on \(date.words).".capitalized + details(tasks, days: false)
    }
    return sentence(name, counted, "on \(date.words)") + details(tasks, days: false)
  }

  /// The summary of several days, from the first day to the last day.
  public static func text(
    name: String, from: CivilDate, to: CivilDate, tasks: [DayTask]
  ) -> String {
    let days = "from \(from.words) to \(to.words)"
    let counted = counts(tasks)
    guard counted.due + counted.toCome > 0 else {
      return "\(name) had no tasks \(days).".capitalized + details(tasks, days: true)
    }
    return sentence(name, counted, days) + details(tasks, days: true)
  }

  private static func counts(_ tasks: [DayTask]) -> (done: Int, due: Int, toCome: Int) {
    let due = tasks.count {
      [.waiting, .putOff, .done, .declined, .missed].contains($0.state)
    }
    return (tasks.count { $0.state == .done }, due, tasks.count { $0.state == .toCome })
  }

  private static func sentence(
    _ name: String, _ counted: (done: Int, due: Int, toCome: Int), _ days: String
  ) -> String {
    let noun = counted.due == 1 ? "task" : "tasks"
    let done =
      counted.due == 0
      ? "No task of \(name) was due yet \(days)."
      : "\(name) did \(counted.done) of \(counted.due) \(noun) \(days)."
    if counted.toCome == 0 { return done.capitalized }
    let verb = counted.toCome == 1 ? "task is" : "tasks are"
    return "\(done) \(counted.toCome) more \(verb) still to come.".capitalized
  }

  /// The sentences about the tasks that were not done. Each sentence lists the tasks in one state,
  /// for example all missed tasks.
  private static func details(_ tasks: [DayTask], days: Bool) -> String {
    let kinds: [(DayTask.State, String)] = [
      (.missed, "Missed"), (.declined, "Declined"), (.waiting, "Not answered yet"),
      (.putOff, "Put off"), (.suppressed, "Silent on purpose"), (.paused, "Paused"),
      (.cancelled, "Cancelled"),
    ]
    return kinds.map { state, heading in
      let found = tasks.filter { $0.state == state }.sorted {
        ($0.at, $0.label) < ($1.at, $1.label)
      }
      if found.isEmpty { return "" }
      return " \(heading): " + found.map { words($0, day: days) }.joined(separator: "; ") + "."
    }.joined()
  }

  private static func words(_ task: DayTask, day: Bool) -> String {
    let when = day ? "on \(task.at.date.words) at" : "at"
    var words = "\(task.label) \(when) \(time(task.at))"
    if !task.notified.isEmpty {
      let told = task.notified.map { "\($0.contact) was notified at \(time($0.at))" }
      words += ", and \(told.joined(separator: ", "))"
    }
    return words
  }

  private static func time(_ local: CivilDateTime) -> Substring {
    local.time.description.prefix(5)
  }
}

extension String {
  /// The text with a capital first letter.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
