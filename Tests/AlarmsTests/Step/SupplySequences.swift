import CivilTime

@testable import Alarms

/// Supplies: their settings, their use by prompts, and the messages when they become low.
enum SupplySequences {
  static var all: [() -> InputSequence] { [settings, use, low] }

  private static func add(
    _ id: String, _ name: String?, left: Int64 = 10, unit: String? = nil,
    lowAt: SupplyForm.Threshold? = nil, contacts: [String]? = nil
  ) -> Command {
    .supply(
      .add(
        SupplyID(id), SupplyForm(name: name, unit: unit, lowAt: lowAt, contacts: contacts),
        left: left))
  }

  private static func settings() -> InputSequence {
    var play = InputSequence("the settings of supplies")
    play.command("remove from an empty home", .supply(.remove("pills")))
    play.command("add without a name", add("s0", nil))
    for name in ["", "a=b", "NONE", "none", "nones"] {
      play.command("add \"\(name)\"", add("s-\(name)", name))
    }
    for left in [-1, 0, 1_000_000, 1_000_001] as [Int64] {
      play.command("add \(left) units", add("n\(left)", "Box \(left)", left: left))
    }
    for low in [-1, 0, 1_000_000, 1_000_001] as [Int64] {
      play.command("low at \(low)", add("l\(low)", "Low \(low)", lowAt: .at(low)))
    }
    play.command("long name", add("long", String(repeating: "n", count: 100)))
    play.command("longer name", add("longer", String(repeating: "n", count: 101)))
    play.command("unit of 40", add("u40", "U40", unit: String(repeating: "u", count: 40)))
    play.command("unit of 41", add("u41", "U41", unit: String(repeating: "u", count: 41)))
    play.command(
      "10 contacts", add("c10", "C10", contacts: (0..<10).map { $0 % 2 == 0 ? "bob" : "anna" }))
    play.command("11 contacts", add("c11", "C11", contacts: Array(repeating: "bob", count: 11)))
    play.command("unknown contact", add("c1", "C1", contacts: ["bob", "carl"]))
    play.command("name in use", add("again", "c10"))
    play.command("change nothing", .supply(.change("c10", SupplyForm(name: "C10"))))
    play.command("change the letter case", .supply(.change("c10", SupplyForm(name: "c10"))))
    play.command("take another name", .supply(.change("c10", SupplyForm(name: "U40"))))
    play.command(
      "change all",
      .supply(
        .change(
          "C10", SupplyForm(name: "Drops", unit: "drops", lowAt: .at(10), contacts: ["anna"]))))
    play.command(
      "remove all",
      .supply(
        .change("c10", SupplyForm(unit: "", lowAt: SupplyForm.Threshold.none, contacts: []))))
    play.command("change an unknown supply", .supply(.change("Drop", SupplyForm(unit: "x"))))
    for amount in [0, 1, 999_990, 999_989] as [Int64] {
      play.command("refill by \(amount)", .supply(.refill("drops", by: amount)))
    }
    for left in [-1, 0, 1_000_000, 1_000_001] as [Int64] {
      play.command("count \(left)", .supply(.count("drops", left: left)))
    }
    play.command("count an unknown supply", .supply(.count("ointment", left: 1)))
    play.command("remove", .supply(.remove("nones")))
    play.command("remove again", .supply(.remove("nones")))
    play.end()
    return play
  }

  private static func use() -> InputSequence {
    var play = InputSequence("the use of supplies")
    play.command("add", add("s1", "Pills", left: 5, unit: "tablets", lowAt: .at(2)))
    play.command("add", add("s2", "Water", left: 1, unit: "glasses", contacts: ["bob"]))
    play.add("a0", "Pills", "in 1 minute") {
      $0.uses = [.init(supply: "Pills", amount: 1), .init(supply: "s1", amount: 1)]
    }
    for amount in [0, 1_001] as [Int64] {
      play.add("b\(amount)", "Pills", "in 1 minute") {
        $0.uses = [.init(supply: "Pills", amount: amount)]
      }
    }
    play.add("a11", "Pills", "in 1 minute") {
      $0.uses = Array(repeating: .init(supply: "Pills"), count: 11)
    }
    play.add("a1", "Pills", "every 10 minutes") {
      $0.uses = [.init(supply: "Pills", amount: 2), .init(supply: "Water")]
      $0.rings = 2
    }
    play.add("a2", "Most", "every day 09:00") { $0.uses = [.init(supply: "Water", amount: 1_000)] }
    play.command("remove a used supply", .supply(.remove("Water")))
    play.pass(601)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("undo", .undo(nil), by: CoreFixture.patient)
    play.command("undo again", .undo(play.prompt(of: "a1")))
    play.pass(60)
    play.command("complete again", .answer(play.prompt(of: "a1"), .complete))
    play.pass(61)
    play.command("undo too late", .undo(play.prompt(of: "a1")))
    play.pass(500)
    play.command("complete with two left", .answer(nil, .complete), by: CoreFixture.patient)
    play.pass(600)
    play.command("complete with one left", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("refill", .supply(.refill("pills", by: 4)))
    play.command("undo after a refill", .undo(nil), by: CoreFixture.patient)
    play.command("decline", .answer(play.prompt(of: "a1"), .decline(.refused)))
    play.command("undo the decline", .undo(nil))
    play.command("cancel", .answer(play.prompt(of: "a1"), .cancel(.other)))
    play.edit("a1", "other supplies") { $0.uses = [.init(supply: "water", amount: 3)] }
    play.command("remove a1", .remove(AlarmID("a1"), ifVersion: 1))
    play.command("remove a1", .remove(AlarmID("a1"), ifVersion: 2))
    play.command("remove a2", .remove(AlarmID("a2"), ifVersion: nil))
    play.command("remove the supply", .supply(.remove("s2")))
    play.end()
    return play
  }

  private static func low() -> InputSequence {
    var play = InputSequence("low supplies")
    play.person("name", "patient") { $0.name = "Hilde" }
    play.command("low at once", add("s0", "Cream", left: 1, lowAt: .at(1)))
    play.command(
      "add", add("s1", "Pills", left: 9, unit: "tablets", lowAt: .at(3), contacts: ["bob"]))
    play.add("a1", "Pills", "every day 10:00") { $0.uses = [.init(supply: "Pills", amount: 3)] }
    for left in [4, 3, 2, 4, 3] as [Int64] {
      play.command("count \(left)", .supply(.count("pills", left: left)))
    }
    play.command("raise the threshold", .supply(.change("pills", SupplyForm(lowAt: .at(4)))))
    play.command("lower the threshold", .supply(.change("pills", SupplyForm(lowAt: .at(2)))))
    play.command("raise the threshold", .supply(.change("pills", SupplyForm(lowAt: .at(3)))))
    play.command("refill", .supply(.refill("pills", by: 6)))
    play.pass(3_601)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.pass(86_399)
    play.command("complete", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("undo", .undo(nil), by: CoreFixture.patient)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.pass(86_400)
    play.command("complete the last", .answer(nil, .complete), by: CoreFixture.patient)
    play.command("nothing is left", .supply(.count("cream", left: 0)))
    play.end()
    return play
  }
}
