import CivilTime
import Testing

@testable import Alarms

extension CoreFixture {
  fileprivate static let box = SupplyID("box")

  @discardableResult
  fileprivate mutating func supply(_ command: SupplyCommand) throws(Refusal) -> Supply {
    guard case .supply(let supply)? = try handle(.command(.supply(command), Self.anna)) else {
      preconditionFailure("no supply came back")
    }
    return supply
  }

  fileprivate var left: Int64? { home.supplies[Self.box]?.left }

  /// The changes of the amount so far. Examples: `-2` if a prompt took 2, `+2` if an undo gave 2
  /// back, `=9` if a refill or a count set the amount to 9.
  fileprivate var changes: [String] {
    records.compactMap {
      guard case .supply(_, let change) = $0.event else { return nil }
      switch change {
      case .used(_, let amount, let taken, _):
        return taken == amount ? "-\(taken)" : "-\(taken)/\(amount)"
      case .returned(_, let amount, _): return "+\(amount)"
      case .refilled(_, let left), .counted(let left): return "=\(left)"
      case .added, .changed, .removed: return nil
      }
    }
  }

  fileprivate var messages: [String] {
    sentNotices.filter { $0.reason == .supplyLow }.map { "\($0.contact): \($0.text)" }
  }
}

/// Makes a home with an alarm for Hilde. The alarm rings twice, and each completed prompt uses two
/// tablets.
private func home(left: Int64, lowAt: Int64? = nil, tell: [String] = ["anna"]) throws -> CoreFixture
{
  var fixture = CoreFixture()
  try fixture.person { $0.name = "Hilde" }
  try fixture.supply(
    .add(
      CoreFixture.box,
      SupplyForm(
        name: "Donepezil", unit: "tablets", lowAt: lowAt.map { .at($0) }, contacts: tell),
      left: left))
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 2
    $0.spacingSeconds = 30
    $0.delaySeconds = 60
    $0.lateWindowSeconds = 120
    $0.uses = [SupplyUseForm(supply: "donepezil", amount: 2)]
  }
  return fixture
}

/// Each case has the actions, the changes that these actions cause in a supply of seven tablets,
/// and the amount that is left.
private let lines: [(happens: String, changes: [String], left: Int64)] = [
  ("--c-----------------", ["-2"], 5),
  // The prompt is completed after its late window.
  ("-----a------c-------", ["-2"], 5),
  // A user undoes the completion. In the second case, the daemon is killed before the undo. In the
  // third case, the prompt is completed again after the undo.
  ("--cu----", ["-2", "+2"], 7), ("--cku---", ["-2", "+2"], 7),
  ("--cuc---", ["-2", "+2", "-2"], 5),
  // These actions take no tablets, because only a completion takes tablets.
  ("--n-----", [], 7), ("--x-----", [], 7), ("--s-----", [], 7), ("--a-----", [], 7),
  ("--nu----", [], 7), ("--------------------", [], 7),
]

@Test(arguments: lines.indices)
func `a completed prompt takes the amount, and an undo gives it back`(index: Int) throws {
  let line = lines[index]
  var fixture = try home(left: 7)
  _ = try fixture.timeline(line.happens)
  #expect(fixture.changes == line.changes, "\(line.happens)")
  #expect(fixture.left == line.left, "\(line.happens)")
  #expect(fixture.replay.supplies == fixture.home.supplies)
  fixture.crash()
  #expect(fixture.left == line.left, "\(line.happens)")
}

@Test func `the reply to an answer says what is left`() throws {
  var fixture = try home(left: 7)
  _ = try fixture.timeline("--")
  #expect(
    try fixture.answer(.complete).supplies.map(\.leftWords) == ["5 tablets of Donepezil are left"])
}

@Test func `a supply never falls below nothing, and the undo gives back what was taken`() throws {
  var fixture = try home(left: 1)
  _ = try fixture.timeline("--c")
  #expect(fixture.changes == ["-1/2"])
  #expect(fixture.left == 0)
  _ = try fixture.timeline("u")
  #expect(fixture.left == 1)
}

@Test func `an undo gives back what was taken, whatever happened to the supply since`() throws {
  var fixture = try home(left: 7)
  _ = try fixture.timeline("--c")
  try fixture.supply(.refill("Donepezil", by: 30))
  _ = try fixture.timeline("u")
  #expect(fixture.changes == ["-2", "=35", "+2"])
  #expect(fixture.left == 37)
}

@Test func `an early reminder takes nothing`() throws {
  var fixture = try home(left: 7)
  try fixture.add("Doctor") {
    $0.schedule = "in 2 hours and 1 hour before"
    $0.uses = [SupplyUseForm(supply: "Donepezil")]
  }
  fixture.pass(seconds: 3_601)
  let lead = try #require(fixture.home.waitingPrompts.first { $0.leadsToAt != nil })
  try fixture.answer(.complete, to: lead.id)
  #expect(fixture.changes == [])
  fixture.pass(seconds: 3_600)
  try fixture.answer(.complete)
  #expect(fixture.changes == ["-1"])
}

@Test func `an edit of the supplies keeps a due prompt, which then takes the new amount`() throws {
  var fixture = try home(left: 7)
  _ = try fixture.timeline("--")
  var form = AlarmForm()
  form.uses = [SupplyUseForm(supply: "Donepezil", amount: 3)]
  let id = try #require(fixture.home.alarms.first?.id)
  try fixture.handle(.command(.edit(id, ifVersion: nil, form), CoreFixture.anna))
  try fixture.answer(.complete)
  #expect(fixture.changes == ["-3"])
}

// MARK: The notice

@Test func `the contact is told once when a supply becomes low`() throws {
  var fixture = try home(left: 9, lowAt: 7)
  #expect(fixture.messages == [])
  _ = try fixture.timeline("--c")
  let text = "anna: Hilde: 7 tablets of Donepezil are left."
  #expect(fixture.messages == [text])
  // The undo brings the amount above the threshold, and the next completion brings the amount back
  // to the threshold. Anna already has the notice, so she gets no second notice.
  _ = try fixture.timeline("u--c--k--")
  #expect(fixture.left == 7)
  #expect(fixture.messages == [text])
  // A refill brings the amount above the threshold. If the amount becomes low again, anna gets a
  // new notice.
  try fixture.supply(.refill("Donepezil", by: 3))
  try fixture.supply(.count("Donepezil", left: 2))
  #expect(fixture.messages == [text, "anna: 2 tablets of Donepezil are left."])
  try fixture.supply(.count("Donepezil", left: 1))
  #expect(fixture.messages.count == 2)
  try fixture.supply(.refill("Donepezil", by: 1))
  #expect(fixture.messages.count == 2)
}

@Test func `a notice whose result is unknown is sent again after a restart`() throws {
  var fixture = try home(left: 9, lowAt: 7)
  fixture.isNotifierSilent = true
  _ = try fixture.timeline("--c")
  #expect(fixture.messages.count == 1)
  fixture.isNotifierSilent = false
  fixture.crash()
  #expect(fixture.messages.count == 2)
  #expect(fixture.home.noticeBook.waiting.isEmpty)
}

@Test func `without a named contact, all contacts are told`() throws {
  var fixture = try home(left: 9, lowAt: 7, tell: [])
  _ = try fixture.timeline("--c")
  #expect(fixture.sentNotices.filter { $0.reason == .supplyLow }.map(\.contact) == ["anna", "bob"])
}

@Test func `a supply that is low when it is added is told at once`() throws {
  let fixture = try home(left: 3, lowAt: 7)
  #expect(fixture.messages == ["anna: 3 tablets of Donepezil are left."])
}

@Test func `a message says how long the supply lasts`() throws {
  var fixture = try home(left: 9, lowAt: 7)
  try fixture.add("Pills") {
    $0.schedule = "every day 08:00"
    $0.uses = [SupplyUseForm(supply: "Donepezil", amount: 2)]
  }
  _ = try fixture.timeline("--c")
  #expect(fixture.messages == ["anna: Hilde: 7 tablets of Donepezil are left, about 3 days."])
}

// MARK: The forecast

/// Each case has the schedules of alarms, the amount that is left, and the number of days for which
/// this amount lasts. Each prompt uses two tablets. The clock shows 09:00 in Berlin.
private let forecasts: [(schedules: [String], left: Int64, days: Int?)] = [
  (["every day 08:00"], 0, 0), (["every day 08:00"], 1, 0), (["every day 08:00"], 2, 1),
  (["every day 08:00"], 7, 3), (["every day 08:00", "every day 20:00"], 8, 2),
  (["in 20 minutes"], 2, nil), (["in 20 minutes"], 1, 0), ([], 5, nil),
  (["every day 08:00"], 900_000, 366), (["every 2 minutes"], 900_000, 366),
]

@Test(arguments: forecasts.indices)
func `a forecast counts the planned prompts`(index: Int) throws {
  let line = forecasts[index]
  var fixture = CoreFixture(
    limits: HomeLimits(alarms: 10, tones: 1, ringsPerHour: 240, pictures: 1))
  let supply = try fixture.supply(
    .add(CoreFixture.box, SupplyForm(name: "Donepezil"), left: line.left))
  for schedule in line.schedules {
    try fixture.add {
      $0.schedule = schedule
      $0.rings = 1
      $0.lateWindowSeconds = 60
      $0.uses = [SupplyUseForm(supply: "Donepezil", amount: 2)]
    }
  }
  #expect(fixture.home.daysLeft(of: supply, at: fixture.now.wall) == line.days, "\(line)")
}

@Test func `an amount of one has a unit in the singular`() {
  let rows = [
    ("tablets", "1 tablet"), ("doses", "1 dose"), ("boxes", "1 box"), ("patches", "1 patch"),
    ("Tabletten", "1 Tabletten"), ("glass", "1 glass"), ("ml", "1 ml"), ("", "1"),
  ]
  for (unit, words) in rows { #expect(Supply.words(1, unit: unit) == words) }
  #expect(Supply.words(2, unit: "tablets") == "2 tablets")
  #expect(Supply.leftWords(0, unit: "tablets", of: "Aspirin") == "no tablets of Aspirin are left")
  #expect(Supply.leftWords(0, unit: "", of: "Aspirin") == "nothing of Aspirin is left")
  #expect(Supply.leftWords(1, unit: "tablets", of: "Aspirin") == "1 tablet of Aspirin is left")
}

// MARK: Refusals

@Test func `a wrong supply is refused and changes nothing`() throws {
  var fixture = try home(left: 7)
  let (before, count) = (fixture.home.supplies, fixture.records.count)
  let form = SupplyForm(name: "Vitamin D")
  let refused: [(SupplyCommand, Refusal.Kind, String?)] = [
    (.add(SupplyID("b"), SupplyForm(name: "DONEPEZIL"), left: 1), .conflict, "name"),
    (.add(SupplyID("b"), SupplyForm(), left: 1), .invalidField, "name"),
    (.add(SupplyID("b"), SupplyForm(name: ""), left: 1), .invalidField, "name"),
    (.add(SupplyID("b"), SupplyForm(name: "a=b"), left: 1), .invalidField, "name"),
    (.add(SupplyID("b"), SupplyForm(name: "None"), left: 1), .invalidField, "name"),
    (.add(SupplyID("b"), form, left: -1), .invalidField, "left"),
    (.add(SupplyID("b"), form, left: 1_000_001), .invalidField, "left"),
    (.change("Donepezil", SupplyForm(lowAt: .at(-1))), .invalidField, "low_at"),
    (.change("Donepezil", SupplyForm(contacts: ["eve"])), .invalidField, "tell"),
    (.change("Donepezil", SupplyForm(unit: "a\nb")), .invalidField, "unit"),
    (.change("Aspirin", form), .notFound, nil), (.remove("Aspirin"), .notFound, nil),
    (.refill("Aspirin", by: 1), .notFound, nil), (.count("Aspirin", left: 1), .notFound, nil),
    (.refill("Donepezil", by: 0), .invalidField, "amount"),
    (.refill("Donepezil", by: -3), .invalidField, "amount"),
    (.refill("Donepezil", by: 1_000_000), .invalidField, "amount"),
    (.count("Donepezil", left: -1), .invalidField, "left"),
    (.remove("Donepezil"), .inUse, nil),
  ]
  for (command, kind, field) in refused {
    let refusal = #expect(throws: Refusal.self) { try fixture.supply(command) }
    #expect(refusal?.kind == kind && refusal?.field == field, "\(command): \(refusal as Any)")
    #expect(fixture.home.supplies == before && fixture.records.count == count)
  }
}

@Test func `a supply is removed when no alarm uses it`() throws {
  var fixture = try home(left: 7)
  let refusal = #expect(throws: Refusal.self) { try fixture.supply(.remove("donepezil")) }
  #expect(refusal?.detail.contains("\"Pills\"") == true)
  var form = AlarmForm()
  form.uses = []
  let id = try #require(fixture.home.alarms.first?.id)
  try fixture.handle(.command(.edit(id, ifVersion: nil, form), CoreFixture.anna))
  try fixture.supply(.remove("donepezil"))
  #expect(fixture.home.supplies.isEmpty && fixture.replay.supplies.isEmpty)
}

@Test func `an alarm cannot use a supply that does not exist`() throws {
  var fixture = try home(left: 7)
  let wrong: [[SupplyUseForm]] = [
    [SupplyUseForm(supply: "Donepezl")], [SupplyUseForm(supply: "Donepezil", amount: 0)],
    [SupplyUseForm(supply: "Donepezil", amount: 1_001)],
    [SupplyUseForm(supply: "Donepezil"), SupplyUseForm(supply: "donepezil")],
    Array(repeating: SupplyUseForm(supply: "Donepezil"), count: 11),
  ]
  for uses in wrong {
    let refusal = #expect(throws: Refusal.self) {
      try fixture.add("More") {
        $0.schedule = "every day 08:00"
        $0.uses = uses
      }
    }
    #expect(refusal?.field == "uses", "\(refusal as Any)")
  }
  #expect(fixture.home.alarms.count == 1)
}

@Test func `a supply is found by its name in any letter case, and by its id`() throws {
  var fixture = try home(left: 7)
  try fixture.supply(.change("DONEPEZIL", SupplyForm(name: "Morning box")))
  try fixture.supply(.refill("box", by: 1))
  #expect(fixture.left == 8)
  #expect(fixture.home.supply(named: "Donepezil") == nil)
  // The alarm still uses the renamed supply.
  _ = try fixture.timeline("--c")
  #expect(fixture.left == 6)
}

@Test func `a home has a limited number of supplies`() throws {
  var fixture = CoreFixture()
  for number in 1...SupplyRules.supplies {
    try fixture.supply(
      .add(SupplyID("s\(number)"), SupplyForm(name: "Supply \(number)"), left: 1))
  }
  let refusal = #expect(throws: Refusal.self) {
    try fixture.supply(.add(SupplyID("more"), SupplyForm(name: "More"), left: 1))
  }
  #expect(refusal?.kind == .limit)
}
