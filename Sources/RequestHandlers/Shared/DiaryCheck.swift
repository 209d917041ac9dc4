import Alarms
import CivilTime
import StudyExport

/// The rules for a diary file that depend on the state of the home.
struct DiaryCheck {
  var home: HomeState
  var environment: Environment
  var now: Instant
  /// The prompts to which the rows refer, each with its person.
  var prompts: [PromptID: (prompt: Prompt, person: PersonID)]

  /// Returns the person to whom a row refers.
  ///
  /// A row contains the id of the person, or the code of the participant in a study. A row without
  /// an id and without a code refers to the person of its prompt, or to the only person of the
  /// home.
  func person(of row: DiaryRow) throws(Refusal) -> PersonID {
    let named: PersonID? = if let who = row.who { try self.named(who, row) } else { nil }
    guard case .prompt(let id) = row.entry.subject else {
      if let named { return named }
      let living = home.people.values.filter { $0.person != nil }.map(\.id)
      if living.count == 1, let only = living.first { return only }
      throw row.subject.refusal(
        "the row does not say which of the \(living.count) people it is about; add the column person, "
          + "with the id of the person or the code in the study")
    }
    guard let found = prompts[id] else { throw row.subject.refusal("there is no such prompt") }
    if let named, named != found.person {
      throw (row.person ?? row.subject).refusal("the prompt belongs to another person")
    }
    return found.person
  }

  private func named(_ who: String, _ row: DiaryRow) throws(Refusal) -> PersonID {
    let cell = row.person ?? row.subject
    if home.people[PersonID(who)]?.person != nil { return PersonID(who) }
    let coded = home.people.values.filter { state in
      state.person != nil && state.enrolments.contains { $0.pseudonym == who }
    }
    if coded.count > 1 {
      throw cell.refusal(
        "two people of different studies have this code; write the id of the person")
    }
    guard let person = coded.first else {
      throw cell.refusal("there is no person with this id, and no participant with this code")
    }
    return person.id
  }

  /// Refuses three kinds of rows: an entry about the future, an entry about a time outside the
  /// study, and a note about a person who has left the study.
  func check(_ row: DiaryRow, of person: PersonID) throws(Refusal) {
    guard let state = home.people[person], let living = state.person else {
      throw row.subject.refusal("there is no person \"\(person)\"")
    }
    let zone = living.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
    let span: Range<Instant>
    switch row.entry.subject {
    case .day(let day):
      span = start(of: day, zone)..<start(of: day.adding(days: 1), zone)
      if span.lowerBound > now { throw row.subject.refusal("the day is in the future") }
    case .prompt(let id):
      let due = prompts[id]?.prompt.dueAt ?? now
      if due > now { throw row.subject.refusal("the prompt is not due yet") }
      span = due..<due.adding(milliseconds: 1)
    }
    if state.enrolments.isEmpty { return }
    guard let enrolment = state.enrolments.last(where: { $0.overlaps(span) }) else {
      let first = zone.civil(at: state.enrolments[0].from).dateTime.date
      throw row.subject.refusal(
        "the person was in no study then; the first enrolment begins on \(first)")
    }
    if enrolment.isWithdrawn, !row.entry.note.isEmpty {
      throw (row.note ?? row.subject).refusal(
        "the person has left the study, so no note about the person is taken; leave the note empty")
    }
  }

  private func start(of day: CivilDate, _ zone: Zone) -> Instant {
    zone.resolve(CivilDateTime(date: day, time: .midnight)).instant
  }
}

extension Enrolment {
  fileprivate func overlaps(_ span: Range<Instant>) -> Bool {
    from < span.upperBound && to.map { span.lowerBound < $0 } ?? true
  }
}
