import Alarms
import CivilTime
import EventCoding
import TestRandom

extension EventSampler {
  mutating func notices() -> [Event] {
    func notice(_ prompt: PromptID?, _ person: PersonID?) -> Notice {
      Notice(
        number: Int64(int()), kind: NoticeKind.allCases.randomElement(using: &random)!,
        contact: text(), prompt: prompt, person: person, day: bool() ? civil().date : nil)
    }
    return [
      .notice(
        notice(self.id(), PersonID(text())),
        .due(
          NoticeMessage(text: text(), label: text(), personName: text()), expiresAt: instant())),
      .notice(notice(nil, nil), .sent(attempt: int(1...3))),
      .notice(
        notice(nil, PersonID(text())),
        .failed(attempt: int(1...3), isLast: bool(), reason: text())),
      .notice(notice(nil, nil), .dropped(NoticeDrop.allCases.randomElement(using: &random)!)),
      .call(PersonID(text()), number: Int64(int()), .asked(reply: AlarmID(text()))),
      .call(PersonID(text()), number: Int64(int()), .repeated),
      .call(PersonID(text()), number: Int64(int()), .told(contact: text())),
      .call(
        PersonID(text()), number: Int64(int()),
        .failed(CallFailure.allCases.randomElement(using: &random)!)),
    ]
  }
}
