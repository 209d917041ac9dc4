import Alarms

/// The HTML of the supplies of the home, with forms. A person can add the content of a new box, set
/// the counted amount, and add, change or remove a supply.
struct SuppliesHTML: Sendable {
  let context: PageContext
  let supplies: [SupplyReading]
  /// A refused change of a supply.
  struct Refused: Sendable {
    /// The form that the daemon refused.
    enum Part: Sendable, Hashable {
      /// - Parameter amount: the amount as the person typed it.
      case amount(String)
      case settings(SupplySettings)
      case removal
    }

    var refusal: HomeRefusal
    /// The id of the supply; empty for a new supply.
    var supply: String
    var part: Part
  }

  /// The refused change; nil if no change was refused.
  var refused: Refused?

  var html: String {
    let rows = supplies.enumerated().map(row).joined()
    let list =
      supplies.isEmpty
      ? "<p class=\"nothing\">\(context.say(.noSupplies))</p>\n"
      : "<p class=\"help\">\(context.say(.suppliesHelp))</p>\n<ul class=\"rows\">\n\(rows)</ul>\n"
    return context.section("supplies", .supplies, list + addition)
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
      \(low)\(alarms)</div>\(amount(index, supply))\(change(index, supply))</li>

      """
  }

  // MARK: The amount

  private func amount(_ index: Int, _ supply: SupplyReading) -> String {
    let id = "amount-\(index)"
    let (refusal, typed) =
      if let refused, refused.supply == supply.id, case .amount(let typed) = refused.part {
        (Optional(refused.refusal), typed)
      } else {
        (HomeRefusal?.none, "")
      }
    let error =
      refusal.map {
        "<span class=\"error\" id=\"error-\(id)\">\(context.say(.supplyAmountWrong)) "
          + "\(context.english($0.detail))</span>"
      } ?? ""
    let mark = refusal == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"error-\(id)\""
    return context.form(
      "/home", hidden: [("supply", supply.id)],
      """
      <p class="inline"><label for="\(id)">\(context.say(.supplyAmount))\
      <span class="unseen"> \(context.escape(supply.name))</span></label>
      <input id="\(id)" name="amount" type="number" min="0" max="\(SupplyRules.left.upperBound)" required size="6" \
      value="\(context.escape(typed))"\(mark)>\(error)</p>
      <div class="buttons">\(context.button("refill", .refillSupply, about: .refillSupplyOf(supply: supply.name)))\
      \(context.button("count", .countSupply, about: .countSupplyOf(supply: supply.name)))</div>
      """)
  }

  // MARK: The settings

  private func change(_ index: Int, _ supply: SupplyReading) -> String {
    var settings = SupplySettings(supply)
    var (refusal, isOpen) = (HomeRefusal?.none, false)
    if let refused, refused.supply == supply.id {
      switch refused.part {
      case .amount: break
      case .settings(let typed): (settings, refusal, isOpen) = (typed, refused.refusal, true)
      case .removal: isOpen = true
      }
    }
    // The values that the page showed. Only a value that differs from these values is a change.
    let old = SupplySettings(supply)
    let hidden = [
      ("supply", supply.id), ("old-name", old.name), ("old-unit", old.unit),
      ("old-low_at", old.lowAt),
    ]
    let fields = settings.fields(context, id: String(index), refusal: refusal, isNew: false)
    let removal =
      isOpen && refusal == nil ? refused.map { context.english($0.refusal.detail) } : nil
    let form = context.form(
      "/home", hidden: hidden,
      "\(fields)<div class=\"buttons\">"
        + context.button("change_supply", .save, about: .saveSupplyOf(supply: supply.name))
        + "</div>\n")
    let remove = context.form(
      "/home", hidden: [("supply", supply.id)],
      (removal.map { "<p class=\"error\">\($0)</p>\n" } ?? "") + "<div class=\"buttons\">"
        + context.button(
          "remove_supply", .removeSupply, about: .removeSupplyOf(supply: supply.name))
        + "</div>\n")
    let name = context.say(.changeSupplyOf(supply: supply.name))
    return """
      <details class="wide" id="supply-\(context.escape(supply.id))"\(isOpen ? " open" : "")>\
      <summary aria-label="\(name)">\(context.say(.changeSupply))</summary>
      \(form)\(remove)</details>

      """
  }

  private var addition: String {
    var (settings, refusal) = (SupplySettings(), HomeRefusal?.none)
    if let refused, refused.supply.isEmpty, case .settings(let typed) = refused.part {
      (settings, refusal) = (typed, refused.refusal)
    }
    let fields = settings.fields(context, id: "new", refusal: refusal, isNew: true)
    let form = context.form(
      "/home",
      "\(fields)<div class=\"buttons\">\(context.button("add_supply", .addSupply))</div>\n")
    return """
      <details class="sheet" id="add-supply"\(refusal == nil ? "" : " open")>\
      <summary>\(context.say(.addSupply))</summary>
      \(form)</details>

      """
  }
}

extension SupplySettings {
  /// Returns the fields of a form.
  ///
  /// - Parameter id: the end of the ids of the fields.
  fileprivate func fields(
    _ context: PageContext, id: String, refusal: HomeRefusal?, isNew: Bool
  ) -> String {
    func field(
      _ name: String, _ word: CaretakerSentence, _ value: String, _ more: String,
      help: CaretakerSentence? = nil
    ) -> String {
      let own = "supply-\(name)-\(id)"
      let isWrong = refusal?.isAbout(name) ?? false
      let described = (help == nil ? [] : ["help-\(own)"]) + (isWrong ? ["error-\(own)"] : [])
      let list = described.joined(separator: " ")
      let marks =
        (isWrong ? " aria-invalid=\"true\"" : "")
        + (list.isEmpty ? "" : " aria-describedby=\"\(list)\"")
      let helpText =
        help.map { "<span class=\"help\" id=\"help-\(own)\">\(context.say($0))</span>\n" } ?? ""
      let error =
        isWrong
        ? "<span class=\"error\" id=\"error-\(own)\">\(context.english(refusal?.detail ?? ""))</span>\n"
        : ""
      return "<p class=\"field\"><label for=\"\(own)\">\(context.say(word))</label>\n"
        + "<input id=\"\(own)\" name=\"\(name)\" value=\"\(context.escape(value))\"\(more)\(marks)>\n"
        + "\(helpText)\(error)</p>\n"
    }
    let number = " type=\"number\" min=\"0\" max=\"\(SupplyRules.left.upperBound)\""
    // The daemon can refuse the whole form, for example if a different supply already has the name.
    let isElsewhere =
      refusal.map { refusal in !["name", "unit", "low_at", "left"].contains(where: refusal.isAbout)
      }
      ?? false
    let whole =
      isElsewhere ? "<p class=\"error\">\(context.english(refusal?.detail ?? ""))</p>\n" : ""
    return whole
      + field("name", .supplyName, name, " type=\"text\" required maxlength=\"100\"")
      + (isNew ? field("left", .supplyHas, left, number + " required") : "")
      + field("unit", .supplyUnit, unit, " type=\"text\" maxlength=\"40\"", help: .supplyUnitHelp)
      + field("low_at", .supplyLowAt, lowAt, number, help: .supplyLowHelp)
  }
}
