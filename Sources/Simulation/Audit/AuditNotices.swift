import Alarms
import CivilTime

/// The contacts that the daemon began to notify about one prompt or about one period of inactivity.
/// After an answer, the audit expects an all-clear for each contact that the daemon notified.
struct ExpectedAllClear {
  /// The notifications that have no final result yet. The key is the contact. The value contains
  /// the indices of these notifications in the escalation, because an escalation can contain a
  /// contact twice.
  var asked: [String: Set<Int>] = [:]
  /// The contacts that the daemon notified and that have not got an all-clear yet.
  var told: Set<String> = []
  var cleared: Set<String> = []
  /// The contacts who already got an all-clear about a prompt of the inactive person. These
  /// contacts need no all-clear about the inactivity. Only a period of inactivity uses this set.
  var covered: Set<String> = []
  /// True after the person has answered.
  var isAnswered = false
}

// Checks the all-clears. After an answer, each contact that the daemon notified must get one
// all-clear. A contact that the daemon did not notify gets no all-clear. If a person undoes the
// answer, each contact that got an all-clear gets the notice `answer_undone`.
extension Audit {
  /// Updates the expected all-clears for one event. The audit must call this function before it
  /// applies the event to `replay`.
  ///
  /// - Parameter isStart: true if the batch that contains the event also contains the start of the
  ///   daemon.
  mutating func watchNotices(_ record: Record, isStart: Bool) {
    switch record.event {
    case .escalated(let id, let position, let contact, let reason):
      if !reason.isOutcome { noteAsked(contact, position, of: .prompt(id)) }
    case .notified(let id, let position, let contact, _):
      noteTold(contact, position, of: .prompt(id))
    case .notificationFailed(let id, let position, let contact, _, true, _):
      allClears[.prompt(id)]?.asked[contact]?.remove(position)
    case .closed(let id, let outcome, _, _): endAllClear(.prompt(id), isAnswer: outcome.isPersons)
    case .corrected(let id, _): takeBack(.prompt(id))
    case .planned(let prompt): allClears[.prompt(prompt.id)] = nil
    case .personRemoved(let id, _): allClears[.inactivity(id)] = nil
    case .inactivity(let id, let change): watch(change, of: id)
    case .notice(let notice, let change): watch(change, of: notice, isStart: isStart)
    default: break
    }
  }

  private mutating func watch(_ change: InactivityChange, of id: PersonID) {
    switch change {
    case .begun, .stopUntilLater: allClears[.inactivity(id)] = nil
    case .notifying(let position, let contact, _, _):
      noteAsked(contact, position, of: .inactivity(id))
    case .notified(let position, let contact, _):
      noteTold(contact, position, of: .inactivity(id))
    case .failed(let position, let contact, _, let isLast, _):
      if isLast { allClears[.inactivity(id)]?.asked[contact]?.remove(position) }
    case .ended: endAllClear(.inactivity(id), isAnswer: true)
    case .resumed: takeBack(.inactivity(id))
    }
  }

  private mutating func noteAsked(_ contact: String, _ position: Int, of subject: NotifySubject) {
    allClears[subject, default: ExpectedAllClear()].asked[contact, default: []].insert(position)
  }

  private mutating func noteTold(_ contact: String, _ position: Int, of subject: NotifySubject) {
    guard allClears[subject]?.asked[contact]?.remove(position) != nil else { return }
    allClears[subject]?.told.insert(contact)
    allClears[subject]?.cleared.remove(contact)
  }

  private mutating func endAllClear(_ subject: NotifySubject, isAnswer: Bool) {
    if isAnswer { allClears[subject]?.isAnswered = true } else { allClears[subject] = nil }
  }

  private mutating func takeBack(_ subject: NotifySubject) {
    guard let found = allClears[subject], found.isAnswered else { return }
    for contact in found.cleared { owedUndone.insert(OwedNotice(subject: subject, to: contact)) }
    allClears[subject]?.isAnswered = false
    allClears[subject]?.told.formUnion(found.cleared.union(found.covered))
    allClears[subject]?.cleared = []
    allClears[subject]?.covered = []
  }

  private mutating func watch(_ change: NoticeChange, of notice: Notice, isStart: Bool) {
    guard case .due = change else {
      if change.isFinal { waitingNotices.remove(notice.number) }
      return
    }
    expectedNotifications.insert(
      ExpectedNotification(subject: .notice(notice.number), position: 0))
    let isRepeated = !waitingNotices.insert(notice.number).inserted
    if isRepeated {
      if !isStart { fail("I14", "\(notice.contact) gets notice \(notice.number) twice") }
      return
    }
    if let day = notice.day { checkSummary(of: day, to: notice.contact) }
    let subject: NotifySubject? =
      notice.prompt.map { .prompt($0) } ?? notice.person.map { .inactivity($0) }
    guard let subject else { return }
    switch notice.kind {
    case .allClear:
      let found = allClears[subject] ?? ExpectedAllClear()
      let isOwed =
        found.told.contains(notice.contact)
        || isStart && found.asked[notice.contact]?.isEmpty == false
      if !wasUnwritable, !found.isAnswered || !isOwed {
        fail("I14", "\(notice.contact) gets an all-clear of \(subject) without need")
      }
      allClears[subject]?.told.remove(notice.contact)
      // At its start, the daemon does not know the results of the notifications that were in
      // progress at its previous end. Therefore the daemon sends one all-clear to the contact, even
      // if all notifications to this contact failed.
      if isStart { allClears[subject]?.asked[notice.contact] = nil }
      allClears[subject]?.cleared.insert(notice.contact)
      clearedNow[notice.contact, default: []].insert(notice.person)
    case .answerUndone:
      let isOwed = owedUndone.remove(OwedNotice(subject: subject, to: notice.contact)) != nil
      if !wasUnwritable, !isOwed {
        fail("I14", "\(notice.contact) is told of an undo of \(subject) without an all-clear")
      }
    case .summary, .supplyLow, .test, .askedFor: break
    }
  }

  /// Checks that a contact gets the summary of a day only once. The daemon stores only the ten
  /// newest summaries of a contact. Therefore, after a large clock step back, the audit permits
  /// that the daemon sends an older summary a second time.
  private mutating func checkSummary(of day: CivilDate, to contact: String) {
    let newest = summaries[contact, default: []].suffix(10)
    if newest.contains(day) { fail("I14", "\(contact) gets the summary of \(day) twice") }
    summaries[contact] = newest + [day]
  }

  /// Checks, at the end of a batch, that every contact got the expected all-clear or undo notice.
  mutating func checkAllClears() {
    defer {
      owedUndone = []
      clearedNow = [:]
    }
    for owed in owedUndone where !wasUnwritable {
      fail("I14", "\(owed.to) is not told that the answer to \(owed.subject) was undone")
    }
    for (subject, found) in allClears where found.isAnswered && !found.told.isEmpty {
      for contact in found.told {
        // If the daemon notified a contact about the inactivity and about the answered prompt, one
        // all-clear is enough.
        if case .inactivity(let id) = subject, clearedNow[contact]?.contains(id) == true {
          allClears[subject]?.told.remove(contact)
          allClears[subject]?.covered.insert(contact)
          continue
        }
        if !wasUnwritable {
          fail("I14", "\(contact) was notified of \(subject), and gets no all-clear")
        }
      }
    }
  }
}

/// A notice that the daemon must send in the present batch. It tells the contact `to` that a person
/// undid an answer.
struct OwedNotice: Hashable {
  var subject: NotifySubject
  var to: String
}

extension NoticeChange {
  fileprivate var isFinal: Bool {
    switch self {
    case .sent, .failed(_, true, _), .dropped: true
    case .due, .failed: false
    }
  }
}
