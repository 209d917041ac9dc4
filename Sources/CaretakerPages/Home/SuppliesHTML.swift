/// The supplies of the home, with a form that adds a new box or sets the counted amount.
struct SuppliesHTML: Sendable {
  let context: PageContext
  let supplies: [SupplyReading]
  /// A refused change of a supply.
  struct Refused: Sendable {
    var refusal: HomeRefusal
    /// The id of the supply.
    var supply: String
    /// The amount as the person typed it.
    var amount: String
  }

  /// The refused change; nil if there is none.
  var refused: Refused?

  var html: String {
    if supplies.isEmpty {
      return context.section(
        "supplies", .supplies, "<p class=\"nothing\">\(context.say(.noSupplies))</p>\n")
    }
    let rows = supplies.enumerated().map(row).joined()
    return context.section(
      "supplies", .supplies,
      "<p class=\"help\">\(context.say(.suppliesHelp))</p>\n<ul class=\"rows\">\n\(rows)</ul>\n")
  }

  private func row(_ index: Int, _ supply: SupplyReading) -> String {
    let lasts = supply.lastsDays.map { " · \(context.say(.supplyLasts(count: $0)))" } ?? ""
    let alarms =
      supply.alarms.isEmpty
      ? "" : "<p class=\"told\">\(supply.alarms.map(context.escape).joined(separator: ", "))</p>\n"
    let low = supply.isLow ? "<p class=\"state\">\(context.say(.supplyLow))</p>\n" : ""
    let left = context.say(.supplyLeft(amount: supply.amount))
    return """
      <li class="\(supply.isLow ? "bad" : "")"><div><p><strong>\(context.escape(supply.name))</strong></p>
      <p>\(left)\(lasts)</p>
      \(low)\(alarms)</div>\(form(index, supply))</li>

      """
  }

  private func form(_ index: Int, _ supply: SupplyReading) -> String {
    let id = "amount-\(index)"
    let refused = refused.flatMap { $0.supply == supply.id ? $0 : nil }
    let error =
      refused.map {
        "<span class=\"error\" id=\"error-\(id)\">\(context.say(.supplyAmountWrong)) "
          + "\(context.english($0.refusal.detail))</span>"
      } ?? ""
    let mark = refused == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"error-\(id)\""
    return context.form(
      "/home", hidden: [("supply", supply.id)],
      """
      <p class="inline"><label for="\(id)">\(context.say(.supplyAmount))\
      <span class="unseen"> \(context.escape(supply.name))</span></label>
      <input id="\(id)" name="amount" type="number" min="0" max="1000000" required size="6" \
      value="\(context.escape(refused?.amount ?? ""))"\(mark)>\(error)</p>
      <div class="buttons">\(context.button("refill", .refillSupply, about: .refillSupplyOf(supply: supply.name)))\
      \(context.button("count", .countSupply, about: .countSupplyOf(supply: supply.name)))</div>
      """)
  }
}
