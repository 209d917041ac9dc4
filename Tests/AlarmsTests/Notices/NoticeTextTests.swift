import CivilTime
import Testing

@testable import Alarms

/// Compares each sentence for a contact with the expected text.
@Suite struct NoticeTextTests {
  private static let task = NoticeText.Subject(
    label: "Pills", person: "Hilde", due: "due at 08:00")
  private static let unknown = NoticeText.Subject(
    label: nil, person: "the patient", due: "due at 08:00")

  @Test func `each reason has its sentence`() {
    let table: [NotifyReason: String?] = [
      .due: "Hilde has a task now: \"Pills\", due at 08:00.",
      .noAnswer: "Hilde has not answered \"Pills\", due at 08:00.",
      .notHeard: "Hilde has not heard \"Pills\", due at 08:00: it has not sounded.",
      .notCompleted:
        "Hilde has answered \"on my way\" to \"Pills\", due at 08:00, and has not completed it.",
      .missedNoResponse: "Hilde has missed \"Pills\", due at 08:00: nobody answered.",
      .missedAudioFailed: "Hilde has missed \"Pills\", due at 08:00: the sound did not work.",
      .missedDeviceOff: "Hilde has missed \"Pills\", due at 08:00: the device was off.",
      .missedSuspended: "Hilde has missed \"Pills\", due at 08:00: the device was asleep.",
      .missedClockInvalid:
        "Hilde has missed \"Pills\", due at 08:00: the clock of the device was wrong.",
      .unknownCrash: "Hilde has missed \"Pills\", due at 08:00: a program failed.",
      .inactivity: nil, .allClear: nil, .answerUndone: nil, .summary: nil, .supplyLow: nil,
      .test: nil, .askedFor: nil,
    ]
    for reason in NotifyReason.allCases {
      #expect(table[reason] == .some(NoticeText.sentence(reason, Self.task)), "\(reason)")
    }
    #expect(
      NoticeText.sentence(.due, Self.unknown) == "the patient has a task now: a task, due at 08:00."
    )
  }

  @Test func `an all-clear names the answer and says who answered`() {
    let table: [(Outcome, Bool, String)] = [
      (.declined, true, "Answered: Hilde has declined \"Pills\", due at 08:00."),
      (
        .declined, false,
        "Answered: \"Pills\" for Hilde, due at 08:00, was declined by somebody else for Hilde."
      ),
      (.cancelledWhileRinging, true, "All clear: Hilde has cancelled \"Pills\", due at 08:00."),
      (
        .cancelledWhileRinging, false,
        "All clear: somebody else has cancelled \"Pills\" for Hilde, due at 08:00."
      ),
      (.completed, true, "All clear: Hilde has completed \"Pills\", due at 08:00."),
      (
        .completedOutOfWindow, false,
        "All clear: \"Pills\" for Hilde, due at 08:00, is completed; somebody else has answered."
      ),
    ]
    for (outcome, isByPatient, text) in table {
      #expect(NoticeText.allClear(Self.task, outcome, isByPatient: isByPatient) == text)
    }
    #expect(
      NoticeText.allClear(Self.unknown, .completed, isByPatient: false)
        == "All clear: a task for the patient, due at 08:00, is completed; somebody else has answered."
    )
    #expect(
      NoticeText.allClear("Hilde", isByPatient: true) == "All clear: Hilde has answered again.")
    #expect(
      NoticeText.allClear("Hilde", isByPatient: false)
        == "All clear: somebody else has answered for Hilde.")
    #expect(
      NoticeText.undone(Self.task)
        == "Not clear any more: the answer to \"Pills\" for Hilde, due at 08:00, was taken back.")
    #expect(NoticeText.undone("Hilde") == "Not clear any more: the answer of Hilde was taken back.")
    #expect(NoticeText.inactive("Hilde", hours: 1) == "Hilde has answered nothing for 1 hour.")
    #expect(NoticeText.inactive("Hilde", hours: 2) == "Hilde has answered nothing for 2 hours.")
  }

  @Test func `a low supply says for how many days it lasts`() {
    func text(_ left: Int64, _ days: Int?, person: String? = nil, unit: String = "tablets")
      -> String
    {
      let supply = Supply(
        id: SupplyID("s"), settings: SupplySettings(name: "Box", unit: unit), left: left)
      return NoticeText.low(supply, days: days, person: person)
    }
    let table: [(String, String)] = [
      (text(2, 0), "2 tablets of Box are left, less than one day."),
      (text(2, 1), "2 tablets of Box are left, about 1 day."),
      (text(2, 2), "2 tablets of Box are left, about 2 days."),
      (text(2, 365), "2 tablets of Box are left, about 365 days."),
      (text(2, 366), "2 tablets of Box are left."), (text(2, nil), "2 tablets of Box are left."),
      (text(1, 1, person: "Hilde"), "Hilde: 1 tablet of Box is left, about 1 day."),
      (text(2, 1, person: "the patient"), "The patient: 2 tablets of Box are left, about 1 day."),
      (
        NoticeText.askedFor("the patient", at: "09:05"),
        "The patient asks you to call back. The request is from 09:05. This is not an emergency call."
      ),
      (text(0, 0), "no tablets of Box are left."),
      (text(0, 3, unit: ""), "nothing of Box is left."),
      (text(1, nil, unit: ""), "1 of Box is left."), (text(3, nil, unit: ""), "3 of Box are left."),
    ]
    for (found, expected) in table { #expect(found == expected) }
    let units = [
      ("boxes", "box"), ("glasses", "glass"), ("patches", "patch"), ("dishes", "dish"),
      ("tablets", "tablet"), ("doses", "dose"), ("ml", "ml"), ("gas", "gas"), ("cups", "cup"),
      ("glass", "glass"), ("mg", "mg"),
    ]
    for (plural, singular) in units { #expect(Supply.singular(plural) == singular) }
  }

  @Test func `a person without a name is named by the id`() {
    func name(_ id: PersonID, _ name: String?) -> String {
      PersonState(id: id, person: name.map { Person(id: id, version: 1, name: $0) }).displayName
    }
    let hilde = PersonID("hilde")
    #expect(name(hilde, "Hilde M.") == "Hilde M." && name(.patient, "Rosa") == "Rosa")
    #expect(name(hilde, "") == "hilde" && name(hilde, nil) == "hilde")
    #expect(name(.patient, "") == "the patient" && name(.patient, nil) == "the patient")
  }
}
