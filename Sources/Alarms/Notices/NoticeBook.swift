import CivilTime

/// The notices that wait for a result, and the contacts who must still get an all-clear.
///
/// The daemon computes a `NoticeBook` only from events. At the start of the daemon, the logbook
/// applies the newest events of the record to an empty `NoticeBook`.
public struct NoticeBook: Hashable, Sendable {
  /// A notice without a final result.
  public struct Waiting: Hashable, Sendable {
    public var notice: Notice
    public var message: NoticeMessage
    /// If the notice has no final result at this instant, the daemon drops the notice.
    public var expiresAt: Instant
  }

  /// The final result of a test message.
  public struct TestResult: Hashable, Sendable {
    public var number: Int64
    /// The reason why the message was not sent; nil if the message was sent.
    public var failure: String?
  }

  /// The answer that ended a prompt or a period of inactivity.
  struct Ending: Hashable, Sendable {
    var at: Instant
    /// The outcome of the prompt; nil for a period of inactivity.
    var outcome: Outcome?
    /// True if the patient answered; false if another user answered for the patient.
    var isByPatient: Bool
  }

  /// The contacts of one prompt or one period of inactivity. For each of these contacts, at least
  /// one notification has begun.
  struct Followed: Hashable, Sendable {
    /// The contacts whose notification has no final result yet.
    var asked: Set<String> = []
    /// The contacts that were notified and got no all-clear yet.
    var told: Set<String> = []
    /// The contacts who got an all-clear.
    var cleared: Set<String> = []
    var ending: Ending?
  }

  /// The maximum number of waiting notices.
  static let most = 100
  /// The maximum number of stored results of test messages. The notice book stores these results,
  /// because the client that sent a test message waits for the result.
  private static let keptTests = 20
  /// The time from an answer until the notice book removes the answered prompt, in milliseconds: 30
  /// minutes.
  ///
  /// At the time of the answer, the commands of some contacts can still be running. After 30
  /// minutes, these commands have ended, and the time for an undo of the answer has also ended.
  private static let keptMilliseconds: Int64 = 30 * 60_000

  /// The notices without a final result, in the order of their numbers.
  public private(set) var waiting: [Waiting] = []
  private(set) var lastNumber: Int64 = 0
  /// The results of the newest test messages, oldest first.
  private var tests: [TestResult] = []
  /// For each contact, the days of the newest 10 summaries that the contact got.
  private(set) var summaries: [String: [CivilDate]] = [:]
  private(set) var followed: [NotifySubject: Followed] = [:]
  public private(set) var calls = CallBook()

  public init() {}

  /// Returns the waiting notice with this number; nil if no waiting notice has this number.
  public func waiting(_ number: Int64) -> Waiting? { waiting.first { $0.notice.number == number } }

  /// Returns the result of a test message; nil if there is no result yet, or if the notice book no
  /// longer contains the result.
  public func testResult(_ number: Int64) -> TestResult? { tests.first { $0.number == number } }

  /// The types of the events that can change a `NoticeBook`, as in `Event.type`.
  public static let eventTypes: Set<String> = CallBook.eventTypes.union([
    "escalated", "notified", "notification_failed", "inactivity_escalated", "inactivity_notified",
    "inactivity_notification_failed", "inactivity_begun", "inactivity_ended",
    "inactivity_resumed", "inactivity_suspended", "completed", "declined", "cancelled", "missed",
    "suppressed", "superseded", "correction", "planned", "person_removed", "erased", "heartbeat",
    "clock_step", "notice_due", "notice_sent", "notice_failed", "notice_dropped",
  ])

  /// Applies the next event of the record.
  ///
  /// - Parameter role: the role of the user who caused the event.
  public mutating func apply(_ event: Event, at wall: Instant, by role: Role) {
    switch event {
    case .escalated(let id, _, let contact, let reason):
      // Nobody can answer a missed prompt any more, so its contacts never get an all-clear.
      if !reason.isOutcome { begin(contact, of: .prompt(id)) }
    case .notified(let id, _, let contact, _): note(contact, of: .prompt(id), isTold: true)
    case .notificationFailed(let id, _, let contact, _, true, _):
      note(contact, of: .prompt(id), isTold: false)
    case .inactivity(let id, let change): apply(change, of: id, at: wall, by: role)
    case .closed(let id, let outcome, _, _):
      let ending = Ending(at: wall, outcome: outcome, isByPatient: role == .patient)
      end(.prompt(id), outcome.isAnswer ? ending : nil)
    case .corrected(let id, _): reopen(.prompt(id))
    case .planned(let prompt): followed[.prompt(prompt.id)] = nil
    case .personRemoved(let id, _): followed[.inactivity(id)] = nil
    case .erased(let erasure):
      guard let person = erasure.person else { return }
      followed[.inactivity(person)] = nil
      waiting.removeAll { $0.notice.person == person }
      calls.forget(person)
    case .call(let person, let number, let change):
      calls.apply(change, of: person, number: number, at: wall)
    case .notice(let notice, let change): apply(notice, change)
    case .clockStep(let milliseconds): shift(by: milliseconds)
    case .heartbeat: forget(at: wall)
    default: break
    }
  }

  private mutating func apply(
    _ change: InactivityChange, of id: PersonID, at wall: Instant, by role: Role
  ) {
    switch change {
    case .begun, .stopUntilLater: followed[.inactivity(id)] = nil
    case .notifying(_, let contact, _, _): begin(contact, of: .inactivity(id))
    case .notified(_, let contact, _): note(contact, of: .inactivity(id), isTold: true)
    case .failed(_, let contact, _, true, _): note(contact, of: .inactivity(id), isTold: false)
    case .failed: break
    case .ended:
      end(.inactivity(id), Ending(at: wall, outcome: nil, isByPatient: role == .patient))
    case .resumed: reopen(.inactivity(id))
    }
  }

  private mutating func apply(_ notice: Notice, _ change: NoticeChange) {
    lastNumber = max(lastNumber, notice.number)
    switch change {
    case .due(let message, let expiresAt):
      // An empty name means that the name of the contact was erased. In this case, the daemon
      // cannot notify the contact.
      if notice.contact.isEmpty { return }
      // After a restart, the daemon records a waiting notice again, so it is possible that the list
      // already contains the notice.
      waiting.removeAll { $0.notice.number == notice.number }
      if let day = notice.day, summaries[notice.contact]?.contains(day) != true {
        summaries[notice.contact] = (summaries[notice.contact] ?? []).suffix(9) + [day]
      }
      waiting.append(Waiting(notice: notice, message: message, expiresAt: expiresAt))
      if notice.kind == .allClear, let subject = notice.subject {
        followed[subject]?.told.remove(notice.contact)
        followed[subject]?.asked.remove(notice.contact)
        followed[subject]?.cleared.insert(notice.contact)
      }
    case .sent: finish(notice, failure: nil)
    case .failed(_, true, let reason): finish(notice, failure: reason)
    case .dropped(let reason): finish(notice, failure: "it was dropped: \(reason.rawValue)")
    case .failed: break
    }
  }

  private mutating func finish(_ notice: Notice, failure: String?) {
    waiting.removeAll { $0.notice.number == notice.number }
    guard notice.kind == .test else { return }
    tests.append(TestResult(number: notice.number, failure: failure))
    if tests.count > Self.keptTests { tests.removeFirst() }
  }

  /// Stores that a notification to a contact has begun and has no final result yet.
  ///
  /// - Parameter contact: the name of the contact; empty if the name was erased.
  private mutating func begin(_ contact: String, of subject: NotifySubject) {
    if !contact.isEmpty { followed[subject, default: Followed()].asked.insert(contact) }
  }

  /// Stores the final result of a notification to a contact.
  private mutating func note(_ contact: String, of subject: NotifySubject, isTold: Bool) {
    guard followed[subject]?.asked.remove(contact) != nil else { return }
    if isTold {
      followed[subject]?.told.insert(contact)
      followed[subject]?.cleared.remove(contact)
    }
    if followed[subject]?.isEmpty == true { followed[subject] = nil }
  }

  /// Stores that a prompt or a period of inactivity has ended.
  ///
  /// - Parameter ending: the answer that ended the prompt or the inactivity. If nobody answered,
  ///   `ending` is nil, and no contact gets an all-clear.
  private mutating func end(_ subject: NotifySubject, _ ending: Ending?) {
    guard ending != nil else {
      followed[subject] = nil
      return
    }
    followed[subject]?.ending = ending
    if followed[subject]?.isEmpty == true { followed[subject] = nil }
  }

  /// Stores that a prompt or a period of inactivity continues, because a person undid the answer.
  private mutating func reopen(_ subject: NotifySubject) {
    guard var found = followed[subject] else { return }
    found.ending = nil
    found.told.formUnion(found.cleared)
    found.cleared = []
    followed[subject] = found
  }

  private mutating func shift(by milliseconds: Int64) {
    calls.shift(by: milliseconds)
    for index in waiting.indices {
      waiting[index].expiresAt = waiting[index].expiresAt.adding(milliseconds: milliseconds)
    }
    for (subject, found) in followed {
      guard let ending = found.ending else { continue }
      followed[subject]?.ending?.at = ending.at.adding(milliseconds: milliseconds)
    }
  }

  private mutating func forget(at wall: Instant) {
    for (subject, found) in followed {
      guard let ending = found.ending else { continue }
      if abs(wall.milliseconds(since: ending.at)) > Self.keptMilliseconds {
        followed[subject] = nil
      }
    }
  }
}

extension NoticeBook.Followed {
  /// True if all lists of contacts are empty: nobody was notified, and no notification waits for
  /// its result.
  fileprivate var isEmpty: Bool { asked.isEmpty && told.isEmpty && cleared.isEmpty }
}

extension Notice {
  /// The prompt or the inactivity that the notice concerns; nil if the notice concerns neither a
  /// prompt nor a person.
  var subject: NotifySubject? {
    prompt.map { .prompt($0) } ?? person.map { .inactivity($0) }
  }
}
