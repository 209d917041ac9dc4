import CivilTime

// A person can ask, for example with the button, that a contact calls back. The daemon notifies the
// contacts with `calls = true` one after the other, until the command of a contact succeeds. Then
// an announcement tells the person the result.
extension Transition {
  /// The period after a request for a call, in seconds: 5 minutes. If the same person asks again in
  /// this period, the daemon does not notify a contact again. A patient with memory loss can ask
  /// again and again.
  private static let repeatSeconds: Int64 = 300
  /// The period after a request for a call, in seconds: 10 minutes. In this period, Prompter speaks
  /// the result even in quiet hours, because the person is awake and waits for the result.
  private static let awakeSeconds: Int64 = 600
  /// The late window of the announcement that tells a person the result, in seconds.
  private static let replyWindowSeconds: Int64 = 120

  /// Notifies a contact that a person asks for a call.
  ///
  /// - Parameters:
  ///   - reply: the id of the announcement that tells the person the result.
  ///   - name: the name or the id of the person; nil if the home has only one person.
  mutating func call(_ reply: AlarmID, by name: String?) throws(Refusal) {
    let person = try knownPerson(name)
    if let call = notices.calls.newest[person], isRepeat(call) {
      emit(.call(person, number: call.number, .repeated))
      if case .told(let contact) = call.state, !isTelling(person, of: contact) {
        speak(.told(contact), to: person, as: reply, quiet: .ring)
      }
      self.reply = .call(call, isRepeated: true)
      return
    }
    let number = max(wall.milliseconds, notices.calls.lastNumber + 1)
    emit(.call(person, number: number, .asked(reply: reply)))
    if let contact = contactForCalls(after: nil) {
      let words = CallWords.told(contact).text(in: languages(of: person))
      effects.append(.rehearse(SpokenWords(words, language: language(of: person))))
      ask(contact, of: person, at: wall)
    } else {
      end(person, .failed(.noContact))
    }
    if let call = notices.calls.newest[person] { self.reply = .call(call, isRepeated: false) }
  }

  /// Handles the next step of a call after the daemon has recorded the result of the notice to a
  /// contact.
  mutating func followCalls(_ event: Event) {
    guard case .notice(let notice, let change) = event, notice.kind == .askedFor,
      let person = notice.person, let call = notices.calls.waiting(of: person)
    else { return }
    switch change {
    case .sent: end(person, .told(contact: notice.contact))
    case .failed(_, true, _):
      if let next = contactForCalls(after: notice.contact) {
        ask(next, of: person, at: call.askedAt)
      } else {
        end(person, .failed(.notReached))
      }
    case .dropped: end(person, .failed(.notReached))
    case .due, .failed: break
    }
  }

  /// Returns true if a new request of the same person would only repeat this call.
  private func isRepeat(_ call: CallRequest) -> Bool {
    switch call.state {
    case .waiting: true
    case .told: wall < call.askedAt.adding(seconds: Self.repeatSeconds)
    case .failed: false
    }
  }

  /// Returns the next contact for calls, in the alphabetical order of the names. The result is nil
  /// if no contact follows.
  ///
  /// - Parameter last: the contact that the daemon notified last; nil to find the first contact.
  private func contactForCalls(after last: String?) -> String? {
    environment.callContacts.sorted().first { name in last.map { name > $0 } ?? true }
  }

  private mutating func ask(_ contact: String, of person: PersonID, at asked: Instant) {
    let name = name(of: person)
    let zone = personState(person)?.person.map { self.zone(of: $0) } ?? environment.homeZone
    let time = zone.civil(at: asked).dateTime.time.description.prefix(5)
    _ = send(
      .askedFor, to: contact, of: person,
      NoticeMessage(
        text: NoticeText.askedFor(name, at: String(time)), label: "Please call back",
        personName: name))
  }

  /// Records the result of the person's call, and tells the person the result.
  private mutating func end(_ person: PersonID, _ change: CallChange) {
    guard let call = notices.calls.waiting(of: person) else { return }
    emit(.call(person, number: call.number, change))
    let isAwake = wall < call.askedAt.adding(seconds: Self.awakeSeconds)
    let words: CallWords
    switch change {
    case .told(let contact): words = .told(contact)
    case .failed(.noContact): words = .nobody
    case .failed(.notReached):
      words = environment.callContacts.sorted().first.map { .notReached($0) } ?? .nobody
    case .asked, .repeated: return
    }
    speak(words, to: person, as: call.reply, quiet: isAwake ? .ring : .hold)
  }

  /// Returns true if the announcement that names the notified contact is due and has not ended yet.
  private func isTelling(_ person: PersonID, of contact: String) -> Bool {
    let words = CallWords.told(contact).text(in: languages(of: person))
    return activePrompts().compactMap { alarm($0.id.alarm) }.contains {
      $0.isAnnouncement && $0.person == person && $0.label == words
    }
  }

  /// Announces words to a person, one second from now.
  ///
  /// If the person was removed, the function does nothing.
  private mutating func speak(
    _ words: CallWords, to person: PersonID, as id: AlarmID, quiet: QuietOverride
  ) {
    guard personState(person)?.person != nil, alarm(id) == nil else { return }
    var alarm = Alarm(
      id: id, version: 1, person: person, label: words.text(in: languages(of: person)),
      instructions: "", schedule: .at(wall.adding(seconds: 1)), phrase: "in 1 seconds",
      zoneName: environment.homeZone.name, tone: nil,
      burst: Burst(rings: 1, spacingSeconds: 60, gainsDecibels: [0]),
      lateWindowSeconds: Self.replyWindowSeconds, delaySeconds: 300, delayLimit: 3, quiet: quiet)
    alarm.isAnnouncement = true
    alarm.message = .callResult
    emit(.alarmCreated(alarm))
    if let next = nextPrompt(of: id, after: wall) { emit(.planned(next)) }
    rehearse(alarm)
  }

  private func language(of person: PersonID) -> String? { personState(person)?.person?.language }

  /// Returns the languages of a person, the preferred language first.
  private func languages(of person: PersonID) -> [String] {
    [language(of: person) ?? environment.language]
  }
}
