/// The limits for supplies. If a value exceeds a limit, the refusal contains the limit.
public enum SupplyRules {
  public static let name = TextRule(1...100, bytes: 400)
  public static let unit = TextRule(1...40, bytes: 160)
  /// The allowed amounts, in whole units.
  public static let left: ClosedRange<Int64> = 0...1_000_000
  /// The allowed values for the amount that one completed prompt uses, in whole units.
  public static let use: ClosedRange<Int64> = 1...1_000
  /// The maximum number of supplies of a home.
  public static let supplies = 100
  /// The maximum number of supplies that one alarm uses.
  public static let uses = 10
  /// The maximum number of contacts of one supply.
  public static let contacts = 10
}

extension Transition {
  /// Builds the settings of a supply from a form. If the form does not contain a field, the field
  /// keeps its value.
  ///
  /// - Parameter old: the supply before the change; nil for a new supply.
  func checked(_ form: SupplyForm, basedOn old: Supply?) throws(Refusal) -> SupplySettings {
    guard let name = form.name ?? old?.name else {
      throw Refusal(.invalidField, field: "name", "it is missing; name the supply")
    }
    var settings = old?.settings ?? SupplySettings(name: name)
    if name != old?.name {
      settings.name = try SupplyRules.name.check(name, field: "name")
      if name.contains("=") || NameMatch.isEqual(name, "none") {
        throw Refusal(
          .invalidField, field: "name",
          "\"\(name)\" cannot be the name of a supply; choose another name, without \"=\"")
      }
      try refuseTakenName(name, except: old?.id)
    }
    if let unit = form.unit, unit != old?.settings.unit {
      settings.unit = unit.isEmpty ? "" : try SupplyRules.unit.check(unit, field: "unit")
    }
    switch form.lowAt {
    case nil: break
    case Optional.some(.none): settings.lowAt = nil
    case .at(let amount):
      settings.lowAt = try check(amount, in: SupplyRules.left, field: "low_at", unit: "units")
    }
    if let contacts = form.contacts {
      guard contacts.count <= SupplyRules.contacts else {
        throw Refusal(
          .invalidField, field: "tell",
          "there are \(contacts.count) contacts; at most \(SupplyRules.contacts) are allowed")
      }
      settings.contacts = []
      for contact in contacts {
        let known = try knownContact(contact, field: "tell")
        if !settings.contacts.contains(known) { settings.contacts.append(known) }
      }
    }
    return settings
  }

  private func refuseTakenName(_ name: String, except id: SupplyID?) throws(Refusal) {
    let taken = home.supplies.values.first { $0.id != id && NameMatch.isEqual($0.name, name) }
    guard let taken else { return }
    throw Refusal(
      .conflict, field: "name",
      "there is already a supply \"\(taken.name)\"; choose another name, or change that supply")
  }

  /// Checks the supplies that an alarm uses.
  ///
  /// - Parameter old: the supplies that the alarm used before the edit. The result does not contain
  ///   supplies that a caretaker has removed.
  func uses(_ form: AlarmForm, basedOn old: [SupplyUse]) throws(Refusal) -> [SupplyUse] {
    guard let typed = form.uses else { return old.filter { supply($0.supply) != nil } }
    guard typed.count <= SupplyRules.uses else {
      throw Refusal(
        .invalidField, field: "uses",
        "there are \(typed.count) supplies; at most \(SupplyRules.uses) are allowed")
    }
    var uses: [SupplyUse] = []
    for use in typed {
      let supply = try knownSupply(use.supply, field: "uses")
      if uses.contains(where: { $0.supply == supply.id }) {
        throw Refusal(.invalidField, field: "uses", "it names \"\(supply.name)\" twice")
      }
      let amount = try check(use.amount ?? 1, in: SupplyRules.use, field: "uses", unit: "units")
      uses.append(SupplyUse(supply: supply.id, amount: amount))
    }
    return uses
  }
}
