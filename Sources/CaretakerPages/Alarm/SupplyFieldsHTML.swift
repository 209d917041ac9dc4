import API
import Alarms
import JSONValue

// Shows the supplies that an alarm uses in the form of the alarm.
extension PageContext {
  /// Returns the rows in which a person chooses supplies. The text is empty if the home has no
  /// supplies.
  ///
  /// - Parameter error: the HTML of a refusal, and of the value that a different caretaker saved.
  func supplyFields(
    _ chosen: [SupplyFields], of supplies: [SupplyReading], error: String
  ) -> String {
    if supplies.isEmpty { return error }
    // A page without a script cannot add a row. Therefore, show two additional rows.
    let count = min(SupplyRules.uses, chosen.count + 2)
    let empty = SupplyFields(supply: "", amount: "")
    let rows = (chosen + Array(repeating: empty, count: max(0, count - chosen.count))).enumerated()
      .map { index, one in
        let (supply, amount) = ("supply-\(index)", "supply-amount-\(index)")
        let number = String(index + 1)
        return "<p class=\"field pair\"><label for=\"\(supply)\">"
          + "\(say(.supplyNumber(number: number)))</label>\n\(select(supply, one.supply, supplies))"
          + "<label for=\"\(amount)\">\(say(.supplyAmount))</label>\n"
          + "<input id=\"\(amount)\" name=\"supply-amount\" type=\"text\" inputmode=\"numeric\" "
          + "value=\"\(escape(one.amount))\"></p>\n"
      }.joined()
    return "<fieldset><legend>\(say(.usedSupplies))</legend>\n\(error)"
      + "<p class=\"help\">\(say(.usedSuppliesHelp))</p>\n\(rows)</fieldset>\n"
  }

  private func select(_ id: String, _ chosen: String, _ supplies: [SupplyReading]) -> String {
    var choices = [("", plain(.noSupply))] + supplies.map { ($0.id, $0.name) }
    if !choices.contains(where: { $0.0 == chosen }) { choices.append((chosen, chosen)) }
    let options = choices.map { value, words in
      "<option value=\"\(escape(value))\"\(value == chosen ? " selected" : "")>"
        + "\(escape(words))</option>"
    }.joined()
    return
      "<select id=\"\(id)\" name=\"\(SupplyFields.supplyField)\">\(options)</select>"
  }

  /// Returns the supplies with their amounts in words, for example "Donepezil: 2".
  func words(of uses: [SupplyFields], _ supplies: [SupplyReading]) -> String {
    if uses.isEmpty { return plain(.noSupply) }
    return uses.map { use in
      "\(supplies.first { $0.id == use.supply }?.name ?? use.supply): \(use.amount)"
    }.joined(separator: ", ")
  }

  /// Reads the supplies of the home.
  func supplies() throws(HomeTrouble) -> [SupplyReading] {
    (try read(.listSupplies)["supplies"]?.array ?? []).compactMap(SupplyReading.init)
  }
}
