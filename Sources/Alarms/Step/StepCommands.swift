import CivilTime

extension Transition {
  /// Carries out a command completely, or refuses the command without any change.
  mutating func execute(_ command: Command) throws(Refusal) {
    switch command {
    case .add(let id, let form): try add(id, form)
    case .edit(let id, let condition, let form): try edit(id, condition, form)
    case .remove(let id, let condition): try remove(id, condition)
    case .answer(let id, let answer): try handleAnswer(answer, to: try answerable(id, answer))
    case .undo(let id): try undo(id)
    case .present(let id): try present(id)
    case .sayAgain(let id): try sayAgain(id)
    case .addTone(let tone, let replacing): try add(tone, replacing: replacing)
    case .removeTone(let name, let other): try removeTone(name, replaceWith: other)
    case .renameTone(let name, let new): try renameTone(name, to: new)
    case .addPicture(let picture): try add(picture)
    case .removePicture(let sha256): try removePicture(sha256)
    case .importHolidays(let list, let replacing): try importHolidays(list, replacing: replacing)
    case .removeHolidays(let name): try removeHolidays(name)
    case .completeShowing(let id, let photo): try complete(id, showing: photo)
    case .reward(let person, let date, let isSounding):
      reward(person, on: date, isSounding: isSounding)
    case .denied(let uid, let count, let method, let path):
      emit(.denied(uid: uid, count: count, method: method, path: path))
      reply = .done
    case .announce(let id, let form): try add(id, form, isAnnouncement: true)
    case .testRing(let name, let device, let percent):
      try testRing(name, device: device, percent: percent)
    case .setLevel(let device, let percent): try setLevel(percent, of: device)
    case .addPerson(let id, let form): try addPerson(id, form)
    case .changePerson(let id, let condition, let form): try changePerson(id, condition, form)
    case .removePerson(let id): try removePerson(id)
    case .pausePeople(let people, let until): try pause(people, until: until)
    case .resumePeople(let people): try resume(people)
    case .testContact(let name): try testContact(name)
    case .call(let id, let name): try call(id, by: name)
    case .supply(let command): try execute(command)
    case .sendSummary(let contact, let day, let text): sendSummary(of: day, to: contact, text)
    case .setPhase(let id, let form): try setPhase(id, form)
    case .endPhase(let id, let at): try endPhase(id, at: at)
    case .respond(let id, let forms, let completes, let past):
      try respond(id, forms, completes: completes, past: past)
    case .crossover(let id, let form): try crossover(id, form)
    case .enrol(let id, let form): try enrol(id, form)
    case .unblind(let study): try unblind(study)
    case .noteStudy(let id, let note): try noteStudy(id, note)
    case .withdraw(let id, let withdrawal, let words):
      try withdraw(id, withdrawal)
      if let words { emit(.words(id), words) }
    case .erase(let erasure, let words): try erase(erasure, words)
    case .rekey:
      emit(.rekeyed)
      reply = .done
    case .importDiary(let entries, let prompts, let unchanged, let older):
      try importDiary(entries, about: prompts, unchanged: unchanged, older: older)
    case .exported(let profile, let layout, let sequence, let sha256):
      emit(
        .exportMade(profile: profile, layout: layout, throughSequence: sequence, sha256: sha256))
      reply = .done
    case .purge(let purge): try self.purge(purge)
    }
  }

  private mutating func add(
    _ id: AlarmID, _ form: AlarmForm, isAnnouncement: Bool = false
  ) throws(Refusal) {
    if alarm(id) != nil { throw Refusal(.conflict, "the alarm id \"\(id)\" is already in use") }
    if let refusal = home.refusesAlarm(by: actor.id) { throw refusal }
    var form = form
    // In the quiet hours of the person, the policy `refuse` would refuse the announcement, and the
    // policy `suppress` would keep the announcement silent. Therefore, if the form contains no
    // policy, the announcement gets the policy `hold` and waits until the quiet hours end.
    if isAnnouncement { form.quietHours = form.quietHours ?? QuietOverride.hold.rawValue }
    var alarm = try checked(form, basedOn: nil, id: id)
    alarm.isAnnouncement = isAnnouncement
    if !isAnnouncement, !form.allowsDuplicate { try refuseDuplicate(alarm) }
    try refuseHeavy(alarm, insteadOf: nil)
    emit(.alarmCreated(alarm))
    if let next = nextPrompt(of: id, after: wall) {
      emit(.planned(next))
    } else if alarm.schedule.anchorAlarm == nil {
      throw neverDue(alarm)
    }
    rehearse(alarm)
    reply = .alarm(alarm, next: expectedRings(of: alarm), report(on: alarm, typed: form))
  }

  /// Returns the refusal of an alarm that is never due from now on.
  func neverDue(_ alarm: Alarm) -> Refusal {
    Refusal(
      .invalidField, field: "schedule",
      "\"\(alarm.phrase)\" would never ring: it is never due from now on; choose another schedule")
  }

  /// Refuses a new alarm if another alarm has the same person, label and schedule.
  ///
  /// Two equal alarms are nearly always a mistake, because the patient would be reminded twice.
  func refuseDuplicate(_ alarm: Alarm) throws(Refusal) {
    let same = home.alarms.first {
      $0.id != alarm.id && $0.person == alarm.person && !$0.isAnnouncement
        && ($0.phrase == alarm.phrase || $0.schedule == alarm.schedule)
        && $0.zoneName == alarm.zoneName && $0.earlyReminders == alarm.earlyReminders
        && NameMatch.isEqual($0.label, alarm.label) && !home.isOver($0.id)
    }
    guard let same else { return }
    throw Refusal(
      .duplicate,
      "\"\(same.label)\" is already set for \(same.person), \(same.phrase) (alarm \(same.id)); to set "
        + "it a second time, use --duplicate")
  }

  private mutating func remove(
    _ id: AlarmID, _ condition: VersionCondition?
  ) throws(Refusal) {
    let alarm = try living(id, condition)
    try refuseOrphans(of: id)
    var answered: [AnsweredPrompt] = []
    for prompt in openPrompts(of: id) {
      let stopped = stopping(prompt)
      let isPlanned = prompt.state == .planned
      close(prompt, isPlanned ? .cancelledBeforeDue : .cancelledWhileRinging, .caretakerOverride)
      if let closed = self.prompt(prompt.id) {
        answered.append(AnsweredPrompt(prompt: closed, stopped: stopped))
      }
    }
    emit(.alarmDeleted(id, version: alarm.version))
    reply = .removed(alarm, answered)
  }

  /// Lets the speech program prepare the words of an alarm before the alarm is due. If the alarm
  /// has a recording, the speech program prepares only the first words of merged rings.
  mutating func rehearse(_ alarm: Alarm) {
    rehearseOpenings(of: alarm)
    guard alarm.tone == nil else { return }
    effects.append(.rehearse(alarm.spokenWords(for: person(of: alarm))))
  }

  func living(_ id: AlarmID, _ condition: VersionCondition?) throws(Refusal) -> Alarm {
    guard let alarm = alarm(id) else {
      throw Refusal(.notFound, "there is no alarm \"\(id)\"")
    }
    if let condition, !condition.permits(alarm.version) {
      throw Refusal(
        .versionConflict, version: alarm.version,
        "alarm \"\(id)\" \(condition.reason(current: alarm.version))")
    }
    return alarm
  }

  func nextOccurrences(of alarm: Alarm, count: Int = 5) -> [Occurrence] {
    guard let plan = plan(of: alarm),
      let from = personState(alarm.person).map({ $0.ringsAfter(wall) }) ?? wall
    else { return [] }
    if case .after = alarm.schedule {
      return openPrompts(of: alarm.id).filter { $0.state == .planned && $0.dueAt > from }
        .map(\.occurrence)
    }
    return plan.rings(after: from, count: count, pauses: alarm.pauses) { next in
      name(of: next, of: alarm) != nil
    }
  }
}
