import CivilTime

@testable import Alarms

/// Enrolments, phases, crossover plans, notes, withdrawals and unblinding.
enum StudySequences {
  static var all: [() -> InputSequence] { [enrolments, phases, crossovers, blinded, records] }

  private static let hilde = PersonID("hilde")
  private static let sha = String(repeating: "a", count: 64)

  private static func enrol(
    _ id: PersonID = .patient, _ pseudonym: String = "P-001",
    _ edit: (inout EnrolmentForm) -> Void = { _ in }
  ) -> Command {
    var form = EnrolmentForm(study: "s1", pseudonym: pseudonym)
    edit(&form)
    return .enrol(id, form)
  }

  /// Enrolment forms that the daemon refuses.
  private static var refused: [(String, (inout EnrolmentForm) -> Void)] {
    [
      ("study of 65", { $0.study = String(repeating: "s", count: 65) }),
      ("empty study", { $0.study = "" }), ("study with a space", { $0.study = "s 1" }),
      ("pseudonym of 65", { $0.pseudonym = String(repeating: "P", count: 65) }),
      ("pseudonym that is a number", { $0.pseudonym = "1e5" }),
      ("arm of 65", { $0.arm = String(repeating: "a", count: 65) }),
      (
        "arm code of 17",
        {
          $0.arm = "AB"
          $0.armCode = String(repeating: "c", count: 17)
        }
      ),
      ("arm code without arm", { $0.armCode = "c1" }),
      (
        "arm code is the arm",
        {
          $0.arm = "AB"
          $0.armCode = "ab"
        }
      ),
      ("consent of 33", { $0.consent = String(repeating: "1", count: 33) }),
      ("unknown scope", { $0.consentScope = "this_study, photo" }),
      (
        "list of 63",
        {
          $0.arm = "AB"
          $0.allocationSHA256 = String(repeating: "a", count: 63)
        }
      ),
      (
        "list with g",
        {
          $0.arm = "AB"
          $0.allocationSHA256 = String(repeating: "g", count: 64)
        }
      ),
      ("list without arm", { $0.allocationSHA256 = sha }),
      ("start yesterday", { $0.from = "2027-01-14" }),
      ("start an hour ago", { $0.from = "2027-01-15 08:00" }),
      (
        "end before the start",
        {
          $0.from = "2027-01-20"
          $0.to = "2027-01-19"
        }
      ),
    ]
  }

  private static func enrolments() -> InputSequence {
    var play = InputSequence("enrolments")
    play.person("add", "hilde") { $0.name = "Hilde" }
    play.command("unknown person", enrol(PersonID("otto")))
    for (name, edit) in refused { play.command(name, enrol(.patient, "P-001", edit)) }
    play.command(
      "all fields",
      enrol(.patient, String(repeating: "P", count: 64)) {
        $0.study = String(repeating: "s", count: 64)
        $0.arm = "AB"
        $0.allocationSHA256 = sha.uppercased()
        $0.consent = String(repeating: "v", count: 32)
        $0.consentScope = " photos ,this_study,photos"
        $0.hidesPhases = true
        ($0.from, $0.to) = ("2027-01-15", "2027-01-20")
      })
    play.command("a second study", enrol())
    play.command("start in the future", enrol(hilde, "h.1_-z") { $0.from = "2027-02-01" })
    play.command("withdraw before the start", .withdraw(hilde, Withdrawal(), erasing: nil))
    play.command("withdraw again", .withdraw(hilde, Withdrawal(), erasing: nil))
    play.command(
      "forbid the use",
      .withdraw(
        hilde, Withdrawal(reason: "moved", code: .bySubject, dataUse: DataUse.none), erasing: nil))
    play.command("enrol again with the same code", enrol(hilde, "h.1_-z"))
    play.command("another code is taken", enrol(hilde, "H.1_-Z") { $0.study = "s2" })
    play.command("remove an enrolled person", .removePerson(hilde))
    play.command("withdraw an unknown person", .withdraw(PersonID("otto"), .init(), erasing: nil))
    play.person("add", "otto") { _ in }
    play.command("withdraw without a study", .withdraw(PersonID("otto"), .init(), erasing: nil))
    play.command("the code of Hilde", enrol(PersonID("otto"), "h.1_-z"))
    play.command("the code of Hilde in upper case", enrol(PersonID("otto"), "H.1_-Z"))
    play.command("a free code", enrol(PersonID("otto"), "o1") { $0.study = nil })
    play.end()
    return play
  }

  private static func phases() -> InputSequence {
    var play = InputSequence("phases")
    func phase(_ kind: StudyPhase.Kind, _ from: String? = nil, _ to: String? = nil) -> Command {
      .setPhase(.patient, PhaseForm(kind: kind, from: from, to: to))
    }
    play.add("a1", "Pills", "every 10 minutes") { $0.rings = 2 }
    play.command("unknown person", .setPhase(PersonID("otto"), PhaseForm(kind: .control)))
    play.command("end without a phase", .endPhase(.patient, at: nil))
    play.command("in the past", phase(.prompted, "2027-01-15 08:59"))
    play.command("end before start", phase(.prompted, "2027-01-16", "2027-01-15"))
    play.command("start with an end", phase(.runIn, nil, "2027-01-15 09:30"))
    play.command("overlap", phase(.control, "2027-01-15 09:29"))
    play.command("gap", phase(.control, "2027-01-15 09:31"))
    play.command("directly after", phase(.control))
    play.command("overlap with an open phase", phase(.washout, "2027-01-15 09:30"))
    play.command("the next phase ends the open phase", phase(.washout, "2027-01-15 09:31"))
    play.pass(1_801)
    play.command("complete in the control phase", .answer(play.prompt(of: "a1"), .complete))
    play.pass(61)
    play.command("end in the past", .endPhase(.patient, at: "2027-01-15 09:30"))
    play.command("end later", .endPhase(.patient, at: "2027-01-15 10:00"))
    play.command("end now", .endPhase(.patient, at: nil))
    play.command("end again", .endPhase(.patient, at: nil))
    play.command("a phase now", phase(.followUp, nil, "2027-01-16"))
    play.command("remove a person in a phase", .removePerson(.patient))
    play.person("add", "hilde") { _ in }
    play.command("remove the alarm", .remove(AlarmID("a1"), ifVersion: nil))
    play.command("remove a person in a phase", .removePerson(.patient))
    play.command("and after it", phase(.prompted))
    play.command("end both", .endPhase(.patient, at: nil))
    for _ in 0..<96 {
      play.fixture.move(to: play.fixture.now.wall.adding(seconds: 60))
      _ = try? play.fixture.handle(.command(phase(.prompted), CoreFixture.anna))
    }
    let count = play.fixture.home.people[.patient]?.phases.count ?? 0
    play.fixture.move(to: play.fixture.now.wall.adding(seconds: 60))
    play.command("after \(count) phases", phase(.prompted))
    play.fixture.move(to: play.fixture.now.wall.adding(seconds: 60))
    play.command("after \(count + 1) phases", phase(.prompted))
    _ = try? play.fixture.handle(.command(.endPhase(.patient, at: nil), CoreFixture.anna))
    play.command("a plan after all phases", .crossover(.patient, .init(days: 1, order: "A")))
    return play
  }

  private static func crossovers() -> InputSequence {
    var play = InputSequence("crossover plans")
    func plan(
      _ order: String = "AB", days: Int = 7, _ start: String? = nil, _ runIn: Int? = nil,
      _ washout: Int? = nil, _ followUp: Int? = nil
    ) -> Command {
      .crossover(
        .patient,
        CrossoverForm(
          start: start, days: days, order: order, runInDays: runIn, washoutDays: washout,
          followUpDays: followUp))
    }
    for days in [0, 367] { play.command("\(days) days", plan(days: days)) }
    for order in ["", "ABC", String(repeating: "A", count: 21)] {
      play.command("order \(order)", plan(order))
    }
    for (first, second, third) in [(0, 1, 1), (1, 367, 1), (1, 1, 0), (367, 1, 1)] {
      play.command("\(first) \(second) \(third)", plan("AB", days: 1, nil, first, second, third))
    }
    for start in ["2027-01-15", "2027-01-14", "2027-01-15 08:59"] {
      play.command("start \(start)", plan("AB", days: 1, start))
    }
    play.command("20 phases", plan(String(repeating: "AB", count: 10), days: 1, "2027-01-16"))
    play.command("a second plan", plan())
    play.command("end", .endPhase(.patient, at: nil))
    play.command("longest", plan("A", days: 366, nil, 366, 366, 366))
    play.command("end", .endPhase(.patient, at: nil))
    play.command("enrol", enrol { $0.arm = "ABBA" })
    play.command("another order", plan("BAAB"))
    play.command("the order of the arm", plan("ABBA", days: 2, "2027-03-27", 1, 2, 3))
    play.command("withdraw", .withdraw(.patient, Withdrawal(reason: "r"), erasing: nil))
    play.command("short code", enrol(.patient, "P-001") { $0.arm = "A" })
    play.command("a phase", .setPhase(.patient, PhaseForm(kind: .control, to: "2027-01-17")))
    play.command("withdraw in the phase", .withdraw(.patient, Withdrawal(), erasing: .init()))
    play.command("a phase", .setPhase(.patient, PhaseForm(kind: .control, to: "2027-01-17")))
    play.command("an arm that contradicts", enrol { $0.arm = "BA" })
    play.command("an arm that fits", enrol { $0.arm = "AB" })
    play.end()
    return play
  }

  private static func blinded() -> InputSequence {
    var play = InputSequence("a blinded study")
    for name in ["hilde", "otto", "emil"] { play.person("add \(name)", name) { _ in } }
    play.command("unblind an unknown study", .unblind(study: "s1"))
    play.command("enrol", enrol(hilde, "P-001") { ($0.arm, $0.armCode) = ("AB", "x") })
    play.command("without a code", enrol(.patient, "P-002") { $0.arm = "BA" })
    play.command(
      "one code for two arms", enrol(.patient, "P-002") { ($0.arm, $0.armCode) = ("BA", "x") })
    play.command(
      "two codes for one arm", enrol(.patient, "P-002") { ($0.arm, $0.armCode) = ("AB", "y") })
    play.command("the other arm", enrol(.patient, "P-002") { ($0.arm, $0.armCode) = ("BA", "y") })
    play.command("in another study", enrol(PersonID("otto"), "P-9") { $0.study = "s2" })
    play.command(
      "the open study gets a code",
      enrol(PersonID("emil"), "P-8") {
        ($0.study, $0.arm, $0.armCode) = ("s2", "AB", "x")
      })
    play.command(
      "an order against the arm", .crossover(hilde, CrossoverForm(days: 7, order: "BA")))
    play.command("note of nobody", .noteStudy(PersonID("emil"), .init(kind: .deviation, text: "t")))
    play.command(
      "serious deviation",
      .noteStudy(hilde, .init(kind: .deviation, text: "late", isSerious: true)))
    play.command("empty note", .noteStudy(hilde, .init(kind: .deviation, text: "")))
    play.command("deviation", .noteStudy(hilde, .init(kind: .deviation, text: "late")))
    play.command(
      "event", .noteStudy(hilde, .init(kind: .adverseEvent, text: "fall", isSerious: true)))
    play.command("unblind the open study", .unblind(study: "s2"))
    play.command("unblind", .unblind(study: "s1"))
    play.command("unblind again", .unblind(study: "s1"))
    play.command(
      "enrol after the end of blinding",
      enrol(PersonID("emil"), "P-3") {
        ($0.arm, $0.armCode) = ("AB", "x")
      })
    play.command(
      "an order against the arm", .crossover(hilde, CrossoverForm(days: 7, order: "BA")))
    play.end()
    return play
  }

  /// Commands that only add a row to the record.
  private static func records() -> InputSequence {
    var play = InputSequence("rows of the record")
    let start = play.fixture.now.wall
    func purge() -> Command {
      .purge(
        Purge(
          throughSequence: 10, throughAt: play.fixture.now.wall.adding(seconds: -60), firstAt: nil,
          firstOffsetSeconds: 0, kept: 2, keptDigest: "d", archiveSHA256: "a"))
    }
    play.command("rekey", .rekey)
    play.command("export", .exported(profile: "p", layout: "l", throughSequence: 7, sha256: "s"))
    play.command("denied", .denied(uid: 1_005, count: 3, method: "GET", path: "/v1/alarms"))
    play.command("purge", purge())
    play.fixture.now.clockState = .unsynced
    play.command("purge with an uncertain clock", purge())
    play.fixture.now.clockState = .synced
    play.command("enrol", enrol { $0.to = "2027-01-16" })
    play.command("purge in a study", purge())
    play.command("withdraw", .withdraw(.patient, Withdrawal(), erasing: nil))
    play.command("enrol without an end", enrol())
    play.command("purge in a study", purge())
    play.command("withdraw", .withdraw(.patient, Withdrawal(), erasing: nil))
    play.command("phase", .setPhase(.patient, PhaseForm(kind: .control)))
    play.command("purge in a phase", purge())
    play.command("end", .endPhase(.patient, at: nil))
    play.command("purge", purge())
    let day = CivilDate(dayNumber: 20_833)
    let entries = [
      DiaryEntry(
        person: .patient, subject: .day(day), completion: 2, burden: 1, note: "n", number: 1),
      DiaryEntry(
        person: .patient, subject: .prompt(play.prompt(of: "a1")), completion: 3, burden: nil,
        note: "", number: 2),
    ]
    play.command("diary", .importDiary(entries, about: [], unchanged: 4, older: 5))
    play.give("the record returns", .recordReturned(since: start))
    play.give("stop", .stopping(reason: "the end"))
    play.end()
    return play
  }
}
