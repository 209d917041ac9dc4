import CivilTime

// The supplies of the home. When a prompt is completed, Prompter subtracts the amounts that its
// alarm uses. When a person undoes the completion, Prompter adds exactly the subtracted amounts
// back.
extension Transition {
  mutating func execute(_ command: SupplyCommand) throws(Refusal) {
    switch command {
    case .add(let id, let form, let left): try addSupply(id, form, left: left)
    case .change(let name, let form): try changeSupply(name, form)
    case .remove(let name): try removeSupply(name)
    case .refill(let name, let amount): try refillSupply(name, by: amount)
    case .count(let name, let left): try countSupply(name, left: left)
    }
  }

  private mutating func addSupply(_ id: SupplyID, _ form: SupplyForm, left: Int64) throws(Refusal) {
    if home.supplies.count >= SupplyRules.supplies {
      throw Refusal(
        .limit,
        "cannot add the supply: there are already \(SupplyRules.supplies) supplies, which is the "
          + "limit")
    }
    let settings = try checked(form, basedOn: nil)
    try check(left, in: SupplyRules.left, field: "left", unit: "units")
    record(.added(settings, left: left), of: id)
    reply = .supply(supply(id) ?? Supply(id: id, settings: settings, left: left))
  }

  private mutating func changeSupply(_ typed: String, _ form: SupplyForm) throws(Refusal) {
    let old = try knownSupply(typed)
    let settings = try checked(form, basedOn: old)
    if settings != old.settings { record(.changed(settings), of: old.id) }
    reply = .supply(supply(old.id) ?? old)
  }

  private mutating func removeSupply(_ typed: String) throws(Refusal) {
    let old = try knownSupply(typed)
    let labels = home.alarms(using: old.id).quotedLabels
    if !labels.isEmpty {
      throw Refusal(
        .inUse,
        "cannot remove the supply \"\(old.name)\": \(UserList.words(labels)) use it; first change "
          + "these alarms (--uses none), or remove them")
    }
    record(.removed, of: old.id)
    reply = .supply(old)
  }

  private mutating func refillSupply(_ typed: String, by amount: Int64) throws(Refusal) {
    let old = try knownSupply(typed)
    let most = SupplyRules.left.upperBound
    try check(amount, in: 1...most, field: "amount", unit: "units")
    let left = old.left + amount
    if left > most {
      throw Refusal(
        .invalidField, field: "amount",
        "\(old.leftWords), and \(amount) more would be \(left); the limit is \(most)")
    }
    record(.refilled(amount: amount, left: left), of: old.id)
    reply = .supply(supply(old.id) ?? old)
  }

  /// Sets the amount of a supply to the number of units that a person counted.
  private mutating func countSupply(_ typed: String, left: Int64) throws(Refusal) {
    let old = try knownSupply(typed)
    try check(left, in: SupplyRules.left, field: "left", unit: "units")
    record(.counted(left: left), of: old.id)
    reply = .supply(supply(old.id) ?? old)
  }

  /// Subtracts the used amounts after a completion, and adds these amounts back after an undo.
  mutating func followSupplies(_ event: Event) {
    switch event {
    case .closed(let id, let outcome, _, _) where outcome.isCompletion: takeSupplies(for: id)
    case .corrected(let id, let correction) where correction.undone == .completed:
      returnSupplies(of: id)
    default: break
    }
  }

  /// Subtracts from the supplies the amounts that a completed prompt uses.
  ///
  /// A completed early reminder uses nothing, because its main prompt still rings.
  ///
  /// If a supply contains less than the alarm uses, the prompt uses the whole amount that is left.
  /// The amount of a supply never becomes negative.
  private mutating func takeSupplies(for id: PromptID) {
    guard let alarm = alarm(id.alarm), prompt(id)?.leadsToAt == nil else { return }
    for use in alarm.uses {
      guard let supply = supply(use.supply) else { continue }
      let taken = min(use.amount, supply.left)
      record(
        .used(id, amount: use.amount, taken: taken, left: supply.left - taken), of: supply.id,
        for: alarm.person)
    }
  }

  private mutating func returnSupplies(of id: PromptID) {
    for supply in allSupplies() {
      guard let taken = supply.taken.last(where: { $0.prompt == id }) else { continue }
      let left = min(supply.left + taken.amount, SupplyRules.left.upperBound)
      record(.returned(id, amount: taken.amount, left: left), of: supply.id)
    }
  }

  /// Records a change of a supply. If the supply becomes low, the function notifies the contacts.
  ///
  /// - Parameter person: the person whose prompt caused the change; nil if a caretaker or an undo
  ///   caused the change.
  private mutating func record(
    _ change: SupplyChange, of id: SupplyID, for person: PersonID? = nil
  ) {
    let wasNoted = supply(id)?.isLowNoted ?? false
    emit(.supply(id, change))
    guard let supply = supply(id), supply.isLowNoted, !wasNoted else { return }
    let days = home.daysLeft(of: supply, at: wall)
    let text = NoticeText.low(supply, days: days, person: person.map { name(of: $0) })
    for contact in supply.contacts(in: environment) {
      _ = send(
        .supplyLow, to: contact, about: change.prompt, of: person,
        NoticeMessage(
          text: text, label: supply.name, personName: person.map { name(of: $0) } ?? ""))
    }
  }

  private func allSupplies() -> [Supply] {
    Set(home.supplies.keys).union(changes.supplies.keys).sorted().compactMap { supply($0) }
  }

  /// Returns the supply whose name or id is `typed`; throws a refusal if no supply matches.
  func knownSupply(_ typed: String, field: String? = nil) throws(Refusal) -> Supply {
    if let found = home.supply(named: typed) { return found }
    let known = home.supplies.values.map(\.name).sorted()
    let detail =
      "there is no supply \"\(typed)\"; "
      + (known.isEmpty
        ? "no supply has been added yet (prompter supply add)"
        : "the supplies are: \(known.prefix(10).joined(separator: ", "))"
          + NameMatch.suggestion(for: typed, among: known))
    if let field { throw Refusal(.invalidField, field: field, detail) }
    throw Refusal(.notFound, detail)
  }
}
