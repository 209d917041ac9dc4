import CivilTime

// Notices. A notice is a message to a contact, but not a part of an escalation. Example: an
// all-clear.
extension Transition {
  /// Records a notice, and sends the notice to the contact.
  mutating func send(
    _ kind: NoticeKind, to contact: String, about prompt: PromptID? = nil, of person: PersonID?,
    on day: CivilDate? = nil, _ message: NoticeMessage
  ) -> Notice {
    if let oldest = notices.waiting.first, notices.waiting.count >= NoticeBook.most {
      drop(oldest, .tooMany)
    }
    let notice = Notice(
      number: max(wall.milliseconds, notices.lastNumber + 1), kind: kind, contact: contact,
      prompt: prompt, person: person, day: day)
    emit(.notice(notice, .due(message, expiresAt: wall.adding(seconds: kind.lifetimeSeconds))))
    deliver(notice, message)
    return notice
  }

  private mutating func deliver(_ notice: Notice, _ message: NoticeMessage) {
    effects.append(
      .notify(
        ContactNotification(
          subject: .notice(notice.number), position: 0, contact: notice.contact,
          label: message.label, person: notice.person, personName: message.personName,
          text: message.text, reason: notice.kind.reason, prompt: notice.prompt)))
  }

  private mutating func drop(_ waiting: NoticeBook.Waiting, _ reason: NoticeDrop) {
    emit(.notice(waiting.notice, .dropped(reason)))
    effects.append(.cancelNotification(.notice(waiting.notice.number)))
  }

  /// Drops the notices that waited too long.
  mutating func dropExpiredNotices() {
    for waiting in notices.waiting where waiting.expiresAt <= wall { drop(waiting, .expired) }
  }

  /// Sends each notice without a final result again. The daemon calls this function after a
  /// restart.
  mutating func resumeNotices() {
    dropExpiredNotices()
    for waiting in notices.waiting {
      emit(.notice(waiting.notice, .due(waiting.message, expiresAt: waiting.expiresAt)))
      deliver(waiting.notice, waiting.message)
    }
    // The daemon ended while the commands of these contacts were running. It is possible that a
    // command succeeded, so these contacts also get the all-clear.
    for (subject, followed) in notices.sortedFollowed where followed.ending != nil {
      for contact in followed.asked.sorted() { sendAllClear(subject, to: contact) }
    }
  }

  /// Records the result of one attempt to send a notice.
  mutating func handle(_ report: NotifyResult, ofNotice number: Int64) {
    // If the daemon has dropped the notice during the attempt, the result of the attempt has no
    // effect.
    guard let waiting = notices.waiting(number) else { return }
    switch report.result {
    case .notified: emit(.notice(waiting.notice, .sent(attempt: report.attempt)))
    case .failed(let reason, var isLast):
      // A caretaker who tests a contact waits for the result. Therefore a test has only one
      // attempt.
      if waiting.notice.kind == .test, !isLast {
        isLast = true
        effects.append(.cancelNotification(.notice(number)))
      }
      emit(
        .notice(
          waiting.notice, .failed(attempt: report.attempt, isLast: isLast, reason: reason)))
    }
  }

  /// Sends a test message to a contact.
  mutating func testContact(_ name: String) throws(Refusal) {
    guard environment.contacts.contains(name) else {
      let known = environment.contacts.sorted().joined(separator: ", ")
      throw Refusal(
        .notFound,
        "cannot test the contact \"\(name)\": the configuration has no contact with this name; "
          + (known.isEmpty ? "it has no contacts" : "its contacts are \(known)"))
    }
    if notices.waiting.contains(where: { $0.notice.kind == .test && $0.notice.contact == name }) {
      throw Refusal(
        .conflict,
        "cannot test the contact \"\(name)\": another test of this contact is running; wait for "
          + "its result")
    }
    let message = NoticeMessage(text: NoticeText.test(name), label: "Test message")
    reply = .notice(send(.test, to: name, of: nil, message))
  }
}

// MARK: All-clear

extension Transition {
  /// Sends the all-clears that become necessary because of an event, for example because of an
  /// answer. If the event is the undo of an answer, the all-clear for this answer is not valid any
  /// more. The function then sends a notice to each contact who got this all-clear.
  ///
  /// - Parameter before: the notice book as it was before the event.
  mutating func followNotices(_ event: Event, _ before: NoticeBook) {
    switch event {
    case .closed(let id, _, _, _): sendAllClear(.prompt(id))
    case .inactivity(let id, .ended):
      // A later answer can cause a second event `ended` for the same period of inactivity. At the
      // second event, the contacts have already got their all-clears, so the function sends no
      // all-clear.
      if before.followed[.inactivity(id)]?.ending == nil { sendAllClear(.inactivity(id)) }
    // The contact gets an all-clear if somebody answered while the command of the contact was still
    // running.
    case .notified(let id, _, let contact, _): sendAllClear(.prompt(id), to: contact)
    case .inactivity(let id, .notified(_, let contact, _)):
      sendAllClear(.inactivity(id), to: contact)
    case .corrected(let id, _): takeBackAllClear(.prompt(id), before)
    case .inactivity(let id, .resumed): takeBackAllClear(.inactivity(id), before)
    default: break
    }
  }

  /// Sends the all-clear to each contact that was notified of a prompt or a period of inactivity.
  private mutating func sendAllClear(_ subject: NotifySubject) {
    guard let followed = notices.followed[subject], followed.ending != nil else { return }
    for contact in followed.told.sorted() { sendAllClear(subject, to: contact) }
  }

  private mutating func sendAllClear(_ subject: NotifySubject, to contact: String) {
    guard let ending = notices.followed[subject]?.ending else { return }
    switch subject {
    case .prompt(let id):
      let task = task(of: id)
      let text = NoticeText.allClear(
        task, ending.outcome ?? .completed, isByPatient: ending.isByPatient)
      _ = send(
        .allClear, to: contact, about: id, of: alarm(id.alarm)?.person,
        NoticeMessage(text: text, label: task.label ?? "", personName: task.person))
    case .inactivity(let id):
      // If this decision already sends the contact an all-clear about a prompt of the person, the
      // function sends no second message.
      if hasJustCleared(contact, of: id) { return }
      let name = name(of: id)
      let text = NoticeText.allClear(name, isByPatient: ending.isByPatient)
      _ = send(
        .allClear, to: contact, of: id, NoticeMessage(text: text, personName: name))
    case .notice: break
    }
  }

  /// Returns true if this decision already sends an all-clear for the person to the contact.
  private func hasJustCleared(_ contact: String, of person: PersonID) -> Bool {
    records.contains {
      guard case .notice(let notice, .due) = $0.event else { return false }
      return notice.kind == .allClear && notice.contact == contact && notice.person == person
    }
  }

  /// Handles the undo of an answer. The function drops the all-clears for this answer that have no
  /// final result yet. Then the function sends a notice about the undo to each contact for whom the
  /// daemon recorded an all-clear for this answer.
  private mutating func takeBackAllClear(_ subject: NotifySubject, _ before: NoticeBook) {
    guard let followed = before.followed[subject], followed.ending != nil else { return }
    for waiting in notices.waiting
    where waiting.notice.kind == .allClear && waiting.notice.subject == subject {
      drop(waiting, .outdated)
    }
    for contact in followed.cleared.sorted() {
      switch subject {
      case .prompt(let id):
        let task = task(of: id)
        _ = send(
          .answerUndone, to: contact, about: id, of: alarm(id.alarm)?.person,
          NoticeMessage(
            text: NoticeText.undone(task), label: task.label ?? "", personName: task.person))
      case .inactivity(let id):
        let name = name(of: id)
        _ = send(
          .answerUndone, to: contact, of: id,
          NoticeMessage(text: NoticeText.undone(name), personName: name))
      case .notice: break
      }
    }
  }

  /// Returns the name of a person for a message to a contact.
  func name(of id: PersonID) -> String { personState(id)?.displayName ?? id.text }

  /// Returns the words that name the task of a prompt in messages to contacts.
  func task(of id: PromptID) -> NoticeText.Subject {
    let alarm = alarm(id.alarm)
    let zone = alarm.flatMap { environment.zone(of: $0) } ?? environment.homeZone
    return NoticeText.Subject(
      label: alarm?.label, person: alarm.map { name(of: $0.person) } ?? "the patient",
      due: NoticeText.due(id.nominal, today: zone.civil(at: wall).dateTime.date))
  }
}

extension NoticeBook {
  /// The entries of `followed` in a fixed order: first the entries about prompts, then the entries
  /// about the inactivity of people.
  var sortedFollowed: [(NotifySubject, Followed)] {
    followed.sorted { $0.key.order < $1.key.order }.map { ($0.key, $0.value) }
  }
}

extension NotifySubject {
  fileprivate var order: String {
    switch self {
    case .prompt(let id): "0 \(id)"
    case .inactivity(let id): "1 \(id)"
    case .notice(let number): "2 \(number)"
    }
  }
}
