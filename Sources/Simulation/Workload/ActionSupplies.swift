import Alarms

// Reads and writes actions for supplies, and creates random actions for supplies.
extension Action {
  static func text(_ command: SupplyCommand) -> String {
    switch command {
    case .add(_, let form, let left):
      "supply-add \(form.name ?? "") left=\(left)\(fields(form))"
    case .change(let name, let form): "supply-change \(name)\(fields(form))"
    case .remove(let name): "supply-remove \(name)"
    case .refill(let name, let amount): "supply-refill \(name) \(amount)"
    case .count(let name, let left): "supply-count \(name) \(left)"
    }
  }

  private static func fields(_ form: SupplyForm) -> String {
    let lowAt: String? =
      switch form.lowAt {
      case nil: nil
      case Optional.some(.none): " low_at=none"
      case .at(let amount): " low_at=\(amount)"
      }
    return (lowAt ?? "") + (form.contacts.map { " tell=\($0.joined(separator: "|"))" } ?? "")
  }

  /// - Parameter words: the words of the action, for example `supply-refill Box 30`.
  static func supply(_ words: [String]) -> Action? {
    guard words.count >= 2 else { return nil }
    let name = words[1]
    var form = SupplyForm()
    var left: Int64?
    for word in words.dropFirst(2) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      switch parts[0] {
      case "left": left = Int64(parts[1])
      case "low_at": form.lowAt = Int64(parts[1]).map { .at($0) } ?? SupplyForm.Threshold.none
      case "tell": form.contacts = parts[1].split(separator: "|").map(String.init)
      default: return nil
      }
    }
    let number = words.count == 3 ? Int64(words[2]) : nil
    switch words[0] {
    case "supply-add":
      form.name = name
      return left.map { .supply(.add(SupplyID(""), form, left: $0)) }
    case "supply-change": return .supply(.change(name, form))
    case "supply-remove": return .supply(.remove(name))
    case "supply-refill": return number.map { .supply(.refill(name, by: $0)) }
    case "supply-count": return number.map { .supply(.count(name, left: $0)) }
    default: return nil
    }
  }

  /// Returns the text of the supplies of an alarm, for example `Box@2|Drops`.
  static func text(_ uses: [SupplyUseForm]) -> String {
    uses.map { use in use.supply + (use.amount.map { "@\($0)" } ?? "") }.joined(separator: "|")
  }

  static func uses(_ text: String) -> [SupplyUseForm] {
    text.split(separator: "|").map { part in
      let words = part.split(separator: "@")
      return SupplyUseForm(
        supply: String(words[0]), amount: words.count == 2 ? Int64(words[1]) : nil)
    }
  }
}

extension Workload {
  /// Adds two supplies, and lets some alarms use these supplies. It also adds actions with which
  /// people refill, count and change the supplies during the year.
  ///
  /// The function uses its own random numbers, so that the other actions of a seed stay the same.
  mutating func stockUp(seed: UInt64) {
    var random = SeededRandom(seed: seed &+ 0x5EED)
    let box = SupplyForm(name: "Box", lowAt: .at(7), contacts: ["nurse"])
    let drops = SupplyForm(name: "Drops", lowAt: .at(3), contacts: [])
    for (form, left) in [(box, random.roll(5...60)), (drops, random.roll(0...20))] {
      actions.append(TimedAction(at: 20_000, .supply(.add(SupplyID(""), form, left: left))))
    }
    for index in actions.indices {
      guard case .add(var form) = actions[index].action, random.chance(50) else { continue }
      form.uses = random.pick([
        [SupplyUseForm(supply: "Box", amount: 2)], [SupplyUseForm(supply: "drops")],
        [SupplyUseForm(supply: "Box"), SupplyUseForm(supply: "Drops", amount: 3)],
      ])
      actions[index].action = .add(form)
    }
    let total = max(1, 60 * length / (365 * Self.day))
    for _ in 0..<total {
      let at = random.roll(Self.day / 4...max(Self.day, length))
      actions.append(TimedAction(at: at, .supply(Self.supplyChange(&random))))
    }
  }

  private static func supplyChange(_ random: inout SeededRandom) -> SupplyCommand {
    let name = random.pick(["Box", "box", "Drops", "Gone"])
    switch random.roll(0...9) {
    case 0...3: return .refill(name, by: random.roll(1...40))
    case 4, 5: return .count(name, left: random.roll(0...30))
    case 6:
      return .change(
        name,
        SupplyForm(
          lowAt: random.pick([.at(5), .at(20), SupplyForm.Threshold.none]),
          contacts: random.pick([nil, [], ["nurse"], ["neighbour", "nurse"]])))
    case 7: return .add(SupplyID(""), SupplyForm(name: "Spare", lowAt: .at(9)), left: 5)
    case 8: return .remove(random.pick(["Spare", "Spare", "Box"]))
    default: return .refill("Drops", by: random.roll(5...40))
    }
  }
}
