import Alarms
import CivilTime

extension EventSampler {
  mutating func studyEvents() -> [Event] {
    [
      .enrolled(PersonID(text()), enrolment()), .withdrawn(PersonID(text()), Withdrawal()),
      .withdrawn(
        PersonID(text()),
        Withdrawal(reason: "moved" + text(), code: .bySubject, dataUse: DataUse.none)),
      .unblinded(PersonID(text()), study: "trial"),
      .studyNoted(PersonID(text()), StudyNote(kind: .deviation, text: "late" + text())),
      .studyNoted(
        PersonID(text()), StudyNote(kind: .adverseEvent, text: "fell" + text(), isSerious: true)),
      .erased(.alarm(AlarmID("k3v9"))), .rekeyed, .erased(.words(PersonID(text()))),
      .erased(.identity(PersonID(text()))),
      .diary(
        DiaryEntry(
          person: PersonID(text()), subject: .day(civil().date), completion: int(0...3),
          burden: bool() ? int(0...4) : nil, note: bool() ? text() : "", number: int(1...9))),
      .diary(
        DiaryEntry(
          person: PersonID(text()), subject: .prompt(id()), completion: int(0...3), burden: nil,
          note: "", number: 1)),
      .suspended(from: instant()),
      .resumed(asleepMilliseconds: Int64(int())), .disk(isLow: true, freeBytes: Int64(int())),
      .disk(isLow: false, freeBytes: Int64(int())),
    ]
  }

  /// Returns the state of a person in the form in which the projection contains it. This form does
  /// not contain the code of a participant.
  package mutating func personState() -> PersonState {
    PersonState(
      id: PersonID("anna"), phases: phases(),
      pause: bool() ? PersonPause(until: bool() ? instant() : nil) : nil,
      enrolments: (0..<int(0...2)).map { _ in
        var enrolment = enrolment()
        enrolment.pseudonym = ""
        enrolment.isWithdrawn = bool()
        enrolment.isUnblinded = bool()
        return enrolment
      }, rewardedOn: bool() ? civil().date : nil,
      inactivity: bool() ? inactivity() : nil,
      endedInactivity: bool() ? EndedInactivity(answered: id(), inactivity: inactivity()) : nil)
  }

  private mutating func inactivity() -> Inactivity {
    Inactivity(since: instant(), notifyProgress: notifyProgress())
  }
}
