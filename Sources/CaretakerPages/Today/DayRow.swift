import CivilTime
import JSONValue

/// A task of a day, with everything that the page "Today" shows.
struct DayRow: Sendable, Hashable {
  /// The states of a task in the API.
  enum State: String, Sendable, CaseIterable {
    case toCome = "to_come"
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

  /// A notified contact, and the local time of the notification.
  struct Notified: Sendable, Hashable {
    var contact: String
    var time: ClockTime
  }

  /// The id of the prompt; nil if the daemon has not planned the prompt yet.
  var promptID: String?
  var label: String
  var person: String
  /// The due time in the zone of the home.
  var due: CivilDateTime
  var state: State
  /// The time of the answer. If the task is delayed, the value is the time at which the delay ends.
  var changed: ClockTime?
  var notified: [Notified]
  /// The local time at which the daemon notifies the next contact if nobody answers.
  var notifiesNext: ClockTime?
  /// True if the daemon would accept the answer "later" for this task now.
  var mayDelay = false
  /// True if the newest answer can still be undone.
  var mayUndo = false

  /// - Parameters:
  ///   - task: a task of `GET /v1/day`.
  ///   - prompt: the prompt of the task; nil if the task has no prompt yet.
  init(_ task: JSON, prompt: JSON?, _ household: Household) throws(HomeTrouble) {
    guard let label = task["label"]?.string, let person = task["person"]?.string,
      let due = Self.local(task["local"]), let state = task["state"]?.string.flatMap(State.init)
    else { throw .unreadable(field: "tasks") }
    promptID = task["prompt_id"]?.string
    (self.label, self.person, self.due, self.state) = (label, person, due, state)
    changed = Self.local(task["changed_local"])?.time
    notified = (task["notified"]?.array ?? []).compactMap { one in
      guard let contact = one["contact"]?.string, let at = Self.local(one["local"]) else {
        return nil
      }
      return Notified(contact: contact, time: at.time)
    }
    guard let prompt else { return }
    mayDelay = state == .waiting && (prompt["delays_left"]?.integer ?? 0) > 0
    let undoUntil = prompt["undo_until_utc"]?.string.flatMap { try? Instant(parsing: $0) }
    mayUndo = undoUntil.map { $0 > household.now } ?? false
    if state == .waiting || state == .putOff {
      notifiesNext = household.local(prompt["next_notification_utc"]?.string)?.time
    }
  }

  private static func local(_ value: JSON?) -> CivilDateTime? {
    value?.string.flatMap { try? CivilDateTime(parsing: $0) }
  }

  /// True if a person can still answer the task.
  var isOpen: Bool { [.toCome, .paused, .waiting, .putOff].contains(state) }

  /// True if the task counts in the progress of the day.
  var isCounted: Bool { ![.cancelled, .suppressed, .replaced, .paused].contains(state) }
}
